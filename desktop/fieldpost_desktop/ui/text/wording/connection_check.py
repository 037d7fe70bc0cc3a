# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The connection test, in words."""

import re
from typing import Final

from PySide6.QtCore import QCoreApplication

from fieldpost_desktop.engine.link.check.check import TITLES, Outcome, Step, StepResult
from fieldpost_desktop.ui.text import phrases
from fieldpost_desktop.ui.text.wording.failures import advice, failure, office_name
from fieldpost_shared.codes import CODES, Code
from fieldpost_shared.saying import safe

translate = QCoreApplication.translate

_BYTES: Final = re.compile(r"[0-9]{1,12}", re.ASCII)


def step_title(step: Step, office: str) -> str:
    """Return what is tried."""
    return translate("steps", TITLES[step]).format(office=office_name(office))


def outcome_name(outcome: Outcome) -> str:
    """Return how it ended, in a word: beside tick, cross or dash."""
    return {
        Outcome.OK: translate("wording", "Good"),
        Outcome.FAILED: translate("wording", "Failed"),
        Outcome.SKIPPED: translate("wording", "Skipped"),
    }[outcome]


def step_result(result: StepResult, office: str) -> str:
    """Return what was found, or what happened and what to do. `result.detail` is for Details ▸ Copy."""
    match result.outcome:
        case Outcome.OK:
            return _found(result)
        case Outcome.SKIPPED if result.detail:
            return translate("wording", "Not needed here")
        case Outcome.SKIPPED:
            return translate("wording", "Not tried")
        case Outcome.FAILED:
            return _failed(result, office)


def _found(result: StepResult) -> str:
    size = _BYTES.match(result.detail)
    return {
        Step.FIND: translate("wording", "Found"),
        Step.REACH: translate("wording", "It answers"),
        Step.SECURE: translate("wording", "Nobody can read along"),
        Step.SIGN_IN: translate("wording", "Signed in as {name}").format(name=safe(result.detail)),
        Step.WRITE: translate("wording", "This account may send"),
        Step.LIMIT: translate("wording", "Parts of up to {size}").format(
            size=phrases.size(int(size[0]) if size else 0)
        ),
        Step.OFFICE: translate("wording", "Heard a moment ago"),
    }[result.step]


def _failed(result: StepResult, office: str) -> str:
    code = result.code or Code.UNEXPECTED
    if result.step is Step.OFFICE and code is Code.RECEIPT_ABSENT:
        text = translate(
            "wording", "{office} was not heard lately. Files can be sent and are confirmed later. ({label})"
        )
        return text.format(office=office_name(office), label=CODES[code].label)
    said = failure(code, result.detail, office)
    return " ".join(filter(None, (said.happened, advice(code), f"({said.label})")))
