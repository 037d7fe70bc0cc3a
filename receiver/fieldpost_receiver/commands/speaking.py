# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""How the commands speak: lines on stdout, complaints on stderr, in words that no terminal acts on."""

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
    """A command cannot be carried out now, and changed nothing. `words` are for the person, `exit` for scripts."""

    def __init__(self, words: str, exit_code: int) -> None:
        super().__init__(words, exit_code)
        self.words = words
        self.exit = exit_code


def say(line: str = "") -> None:
    """A line of output, at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def say_json(value: object) -> None:
    """Output for programs, in ASCII: half a character in a name must not stop it."""
    say(json.dumps(value))


def complain(line: str) -> None:
    """A line for the person, beside the output."""
    sys.stderr.write(f"{PROGRAM}: {line}\n")
    sys.stderr.flush()


def failure_words(error: FieldpostError, place: str) -> str:
    """What happened, where, and what a person can do. Advice for senders about what passes by itself is left out."""
    failure = error.failure
    words = failure.words.format(office=place, detail=safe(error.detail) or "no details")
    detail = "" if "{detail}" in failure.words else safe(error.detail)
    advice = failure.advice if failure.concern is Concern.PERSON else ""
    return " ".join(filter(None, (words, f"({detail})" if detail else "", advice, f"[{CODES[error.code].label}]")))


def files_words(count: int) -> str:
    """1 file, 2 files."""
    return f"{count:,} file" if count == 1 else f"{count:,} files"


def moment_words(ns: int) -> str:
    """Seconds in UTC, as the folders of a layout have it: 2026-01-31T12:03:44Z."""
    return datetime.fromtimestamp(ns // NS_PER_S, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
