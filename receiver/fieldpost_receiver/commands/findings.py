# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Findings of `check`, and the exit code that follows from all of them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from fieldpost_receiver.runtime.exit_codes import CONFIGURATION, STOPPED, STORAGE, TEMPORARY

_FIRST_TO_MEND: Final = (CONFIGURATION, STORAGE, TEMPORARY)  # a temporary failure comes last


class Outcome(StrEnum):
    """The outcome of a check."""

    OK = "ok"
    WARNING = "warning"  # it works, but is worth a look
    FAILED = "failed"
    SKIPPED = "skipped"  # not possible, because an earlier check failed


@dataclass(frozen=True, slots=True)
class Finding:
    """What was checked, its condition, and the remedy. `exit` counts only if the check failed."""

    check: str
    outcome: Outcome
    detail: str
    advice: str = ""
    exit: int = STOPPED

    def about(self, suffix: str) -> "Finding":
        """Return the finding with what tells its job from others behind the check's name."""
        return replace(self, check=f"{self.check}{suffix}")


def passed(check: str, detail: str) -> Finding:
    """Return a finding that all is well."""
    return Finding(check, Outcome.OK, detail)


def warning(check: str, detail: str, advice: str) -> Finding:
    """Return a finding about something that works but should be changed."""
    return Finding(check, Outcome.WARNING, detail, advice)


def failed(check: str, detail: str, advice: str, exit_code: int) -> Finding:
    """Return a finding about something that does not work."""
    return Finding(check, Outcome.FAILED, detail, advice, exit_code)


def exit_of_all(findings: Iterable[Finding]) -> int:
    """Return 0 if nothing failed, else the exit code of the gravest failure."""
    exits = {finding.exit for finding in findings if finding.outcome is Outcome.FAILED}
    return next((code for code in _FIRST_TO_MEND if code in exits), STOPPED)
