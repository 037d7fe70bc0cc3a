# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`fieldpost check`: the connection test, step by step."""

import json
from argparse import Namespace

from fieldpost_desktop.app.assembly import EngineSpec
from fieldpost_desktop.commands.exit_codes import Exit
from fieldpost_desktop.commands.terminal import Terminal
from fieldpost_desktop.commands.words import failure_words
from fieldpost_desktop.engine.link.check.check import TITLES, Outcome, StepResult, check
from fieldpost_shared.codes import CODES
from fieldpost_shared.saying import safe

_MARKS = {Outcome.OK: "tick", Outcome.FAILED: "cross", Outcome.SKIPPED: "skip"}


def run(spec: EngineSpec, options: Namespace, terminal: Terminal) -> Exit:
    """Say how each step went as soon as it is known; exit 0 only if all went well."""
    office = spec.profile.name
    well = True
    for result in check(spec.kafka(), spec.client, spec.profile.receivers, spec.clock):
        well = well and result.outcome is not Outcome.FAILED
        if options.json:
            terminal.say(json.dumps(_step_object(result, office)))
        else:
            terminal.say(_line(result, office, terminal))
    if not options.json:
        terminal.say(f"Everything is ready to send to {safe(office)}." if well else "Files cannot be sent as it is.")
    return Exit.DONE if well else Exit.NEEDS_YOU


def _line(result: StepResult, office: str, terminal: Terminal) -> str:
    line = f"{terminal.mark(_MARKS[result.outcome])} {TITLES[result.step].format(office=safe(office))}"
    detail = safe(result.detail)
    if result.code is None:
        return f"{line}: {detail}" if detail else line
    words = failure_words(result.code, office, result.detail)
    in_words = "{detail}" in CODES[result.code].words
    return f"{line}: {words}" if in_words or not detail else f"{line}: {words}\n    {detail}"


def _step_object(result: StepResult, office: str) -> dict[str, object]:
    words = None if result.code is None else failure_words(result.code, office, result.detail)
    return {
        "step": result.step,
        "outcome": result.outcome,
        "code": result.code,
        "detail": result.detail,
        "words": words,
        "seconds": round(result.seconds, 3),
    }
