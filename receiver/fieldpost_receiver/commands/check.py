# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`check`: whether the receiver could run as it is set up, told before it does."""

import argparse
import sys
from collections.abc import Iterator
from itertools import chain
from typing import Final

from fieldpost_receiver.commands.check_broker import check_broker
from fieldpost_receiver.commands.check_machine import check_machine
from fieldpost_receiver.commands.findings import Finding, Outcome, exit_of_all
from fieldpost_receiver.commands.speaking import say, say_json
from fieldpost_receiver.config.receiver_toml import ReceiverConfig, describe
from fieldpost_receiver.runtime.exit_codes import STOPPED
from fieldpost_shared.clock import SystemClock
from fieldpost_shared.saying import safe

_MARKS: Final = {
    Outcome.OK: ("\N{CHECK MARK}", "OK"),
    Outcome.WARNING: ("!", "!"),
    Outcome.FAILED: ("\N{BALLOT X}", "XX"),
    Outcome.SKIPPED: ("\N{EN DASH}", "--"),
}


def check(config: ReceiverConfig, options: argparse.Namespace) -> int:
    """try everything that running needs, and show the settings in effect"""  # noqa: D403, D415 - stands in the list
    clock = SystemClock()
    findings = _told(chain(check_machine(config, clock), check_broker(config, clock)), quiet=options.json)
    result = exit_of_all(findings)
    if options.json:
        say_json(
            {
                "ok": result == STOPPED,
                "exit": result,
                "checks": [
                    {"check": one.check, "outcome": one.outcome, "detail": one.detail, "advice": one.advice}
                    for one in findings
                ],
                "configuration": dict(describe(config)),
            }
        )
        return result
    say()
    say("The receiver can run." if result == STOPPED else "The receiver cannot run as it is.")
    say()
    say("Settings in effect:")
    for key, text in describe(config):
        say(f"  {key} = {safe(text)}")
    return result


def check_options(parser: argparse.ArgumentParser) -> None:
    """What `check` takes."""
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")


def _told(findings: Iterator[Finding], *, quiet: bool) -> list[Finding]:
    """All of them, each told as soon as it is known."""
    found = []
    for finding in findings:
        found.append(finding)
        if not quiet:
            say(f"{_mark(finding.outcome)} {finding.check}: {safe(finding.detail)}")
            if finding.advice:
                say(f"    {safe(finding.advice)}")
    return found


def _mark(outcome: Outcome) -> str:
    fancy, plain = _MARKS[outcome]
    try:
        fancy.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return plain
    return fancy
