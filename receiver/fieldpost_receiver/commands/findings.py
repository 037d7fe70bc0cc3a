# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What `check` finds: one line each, and the exit code that follows from all of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from fieldpost_receiver.runtime.exit_codes import CONFIGURATION, STOPPED, STORAGE, TEMPORARY

_FIRST_TO_MEND: Final = (CONFIGURATION, STORAGE, TEMPORARY)  # what passes by itself comes last


class Outcome(StrEnum):
    """How a check ended."""

    OK = "ok"
    WARNING = "warning"  # it works, but somebody should look
    FAILED = "failed"
    SKIPPED = "skipped"  # cannot be told, since an earlier one failed


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, how it is, and what to do about it. `exit` counts only if it failed."""

    check: str
    outcome: Outcome
    detail: str
    advice: str = ""
    exit: int = STOPPED


def well(check: str, detail: str) -> Finding:
    """As it should be."""
    return Finding(check, Outcome.OK, detail)


def odd(check: str, detail: str, advice: str) -> Finding:
    """It works."""
    return Finding(check, Outcome.WARNING, detail, advice)


def failed(check: str, detail: str, advice: str, exit_code: int) -> Finding:
    """It does not work."""
    return Finding(check, Outcome.FAILED, detail, advice, exit_code)


def exit_of_all(findings: Iterable[Finding]) -> int:
    """0 if nothing failed, else that of the gravest."""
    exits = {finding.exit for finding in findings if finding.outcome is Outcome.FAILED}
    return next((code for code in _FIRST_TO_MEND if code in exits), STOPPED)
