# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Output of the commands: results on stdout, errors on stderr, without control characters."""

import json
import sys
from datetime import UTC, datetime
from typing import Final

from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.codes import CODES, Concern
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.saying import safe

PROGRAM: Final = "fieldpost-receiver"


class Refused(Exception):
    """A command cannot run now, and changed nothing. `text` is for the person, `exit` is for scripts."""

    def __init__(self, text: str, exit_code: int) -> None:
        super().__init__(text, exit_code)
        self.text = text
        self.exit = exit_code


def print_line(line: str = "") -> None:
    """Print a line of output and flush it."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def print_json(value: object) -> None:
    """Print JSON for programs, in ASCII, because a name may hold half a surrogate pair."""
    print_line(json.dumps(value))


def print_error(line: str) -> None:
    """Print a line for the person on stderr."""
    sys.stderr.write(f"{PROGRAM}: {line}\n")
    sys.stderr.flush()


def failure_text(error: FieldpostError, place: str) -> str:
    """Return what happened, where, and the remedy; without the advice for senders about temporary failures."""
    failure = error.failure
    words = failure.words.format(office=place, detail=safe(error.detail) or "no details")
    detail = "" if "{detail}" in failure.words else safe(error.detail)
    advice = failure.advice if failure.concern is Concern.PERSON else ""
    return " ".join(filter(None, (words, f"({detail})" if detail else "", advice, f"[{CODES[error.code].label}]")))


def file_count(count: int) -> str:
    """Return `1 file` or `2 files`."""
    return f"{count:,} file" if count == 1 else f"{count:,} files"


def utc_text(ns: int) -> str:
    """Return a moment in UTC to the second: 2026-01-31T12:03:44Z."""
    return datetime.fromtimestamp(ns // NS_PER_S, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
