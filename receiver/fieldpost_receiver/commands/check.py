# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`check`: check everything that the receiver needs to run, before it runs."""

import argparse
import sys
from collections.abc import Iterator
from itertools import chain
from typing import Final

from fieldpost_receiver.commands.check_broker import check_brokers
from fieldpost_receiver.commands.check_cluster import check_cluster
from fieldpost_receiver.commands.check_machine import check_machine
from fieldpost_receiver.commands.findings import Finding, Outcome, exit_of_all
from fieldpost_receiver.commands.output import print_json, print_line
from fieldpost_receiver.config.receiver_toml import describe
from fieldpost_receiver.config.settings import ReceiverConfig
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
    everything = chain(check_machine(config, clock), check_brokers(config, clock), check_cluster(config))
    findings = _printed(everything, quiet=options.json)
    result = exit_of_all(findings)
    if options.json:
        print_json(
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
    print_line()
    print_line("The receiver can run." if result == STOPPED else "The receiver cannot run as it is.")
    print_line()
    print_line("Settings in effect:")
    for key, text in describe(config):
        print_line(f"  {key} = {safe(text)}")
    return result


def check_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `check`."""
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")


def _printed(findings: Iterator[Finding], *, quiet: bool) -> list[Finding]:
    """Return all findings; print each one as soon as it is known."""
    found = []
    for finding in findings:
        found.append(finding)
        if not quiet:
            print_line(f"{_mark(finding.outcome)} {finding.check}: {safe(finding.detail)}")
            if finding.advice:
                print_line(f"    {safe(finding.advice)}")
    return found


def _mark(outcome: Outcome) -> str:
    fancy, plain = _MARKS[outcome]
    try:
        fancy.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return plain
    return fancy
