# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the oracle finds."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Promise(StrEnum):
    """What was promised."""

    EQUAL_OR_TERMINAL = "equal or terminal"
    NEVER_PARTIAL = "never partial"
    NEVER_TWICE = "never twice"
    RECEIPTS_TRUE = "receipts true"
    INSIDE_THE_ROOT = "nothing outside the root"
    ONLY_BAD_IS_REFUSED = "only bad messages are refused"
    NOTHING_LEFT = "nothing is left behind"
    MEMORY = "memory within bounds"
    EXIT = "exit code as documented"


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken promise, and of what."""

    promise: Promise
    about: str
    words: str

    def __str__(self) -> str:
        return f"{self.promise}: {self.about}: {self.words}"


def demand(violations: Iterable[Violation]) -> None:
    """Fail the test that asks, with all that was found."""
    found = [str(violation) for violation in violations]
    assert not found, "\n".join(["broken promises:", *found])
