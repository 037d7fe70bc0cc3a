# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Failures that cross from a Python process of Spark to the driver: only their text arrives, within Spark's own.

The raising side puts a marker with code, errno and detail into the text (`marking_failures`), the driver parses it
(`parse`). The marker is one line of ASCII without quotes or backslashes, so that no escaping on the way changes it.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote

from fieldpost_receiver.storage.errors import StorageError
from fieldpost_shared.codes import CODES, Code
from fieldpost_shared.errors import FieldpostError

_READABLE: Final = " ,:;()/=+*!?@#"  # left as they are, for those who read the log
_MARKER: Final = re.compile(r"\[fieldpost-failure code=(\w+) errno=(\d+) detail=([^\]\n]*)\]")


@dataclass(frozen=True, slots=True)
class TaskFailure:
    """What a Python process of Spark failed with."""

    code: Code
    detail: str = ""
    errno: int | None = None  # of the operating system, if storage failed


class MarkedFailure(Exception):
    """Carries a failure's marker as its text."""


@contextmanager
def marking_failures() -> Iterator[None]:
    """Raise a failure with a code as a `MarkedFailure`; other exceptions pass."""
    try:
        yield
    except FieldpostError as error:
        raise MarkedFailure(_format(error)) from error


def parse(text: str) -> TaskFailure | None:
    """Return the failure whose marker is in a text of Spark's; None if there is no marker of a known code."""
    *_, last = [("", "", ""), *_MARKER.findall(text)]  # the exception itself comes after what it was raised from
    code, number, detail = last
    return TaskFailure(Code(code), unquote(detail), int(number) or None) if code in CODES else None


def _format(error: FieldpostError) -> str:
    number = error.errno if isinstance(error, StorageError) else 0
    detail = quote(error.detail, safe=_READABLE, errors="replace")
    return f"[fieldpost-failure code={error.code.value} errno={number} detail={detail}]"
