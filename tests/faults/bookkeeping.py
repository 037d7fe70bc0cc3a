# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The fixture `case` of every fault test: its size and seed, and what it did, for the report of a long run.

--faults-long           the long sizes instead of CI's
--faults-seed N         other random choices; the same number makes the same ones
--faults-record FILE    append one JSON line for each case that ran
"""

import json
import os
import time
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final, TypeVar

import pytest

from oracle import Violation

T = TypeVar("T")
_FAMILIES: Final = "tests/faults/test_f"
_OUTCOME: Final = pytest.StashKey[str]()
_LONGEST_S: Final = 900  # of a case that does not say otherwise: it hangs


@dataclass
class Case:
    """One run of one fault test."""

    name: str
    is_long: bool
    seed: int
    faults: int = 0
    bytes_moved: int = 0
    violations: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = Random(f"{self.seed} {self.name}")  # noqa: S311 - the same choices with the same seed

    def size(self, ci: T, long: T) -> T:
        """What this profile takes."""
        return long if self.is_long else ci

    def fault(self, count: int = 1) -> None:
        """Something was done to it."""
        self.faults += count

    def moved(self, count: int) -> None:
        """So many bytes of files were sent."""
        self.bytes_moved += count

    def told(self, words: str) -> None:
        """A figure that the report shows."""
        self.remarks.append(words)

    def demand(self, violations: Iterable[Violation]) -> None:
        """Every promise holds; otherwise the test fails with all that was found."""
        found = [str(violation) for violation in violations]
        self.violations += found
        assert not found, "\n".join(["broken promises:", *found])


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("faults")
    group.addoption("--faults-long", action="store_true", help="the long sizes of the fault tests")
    group.addoption("--faults-seed", type=int, default=0, help="choose other faults")
    group.addoption("--faults-record", type=Path, help="append a JSON line for each case")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, pytest.Function) and "case" in item.fixturenames and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(_LONGEST_S))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call" or not report.passed:
        item.stash[_OUTCOME] = report.outcome
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How long all families took: together they are to stay below 15 minutes in CI."""
    reports = [report for found in terminalreporter.stats.values() for report in found]
    ours = [report for report in reports if isinstance(report, pytest.TestReport) and _FAMILIES in report.nodeid]
    if ours:
        seconds = sum(report.duration for report in ours)
        terminalreporter.write_line(f"fault families: {seconds / 60:.1f} minutes")


@pytest.fixture
def case(request: pytest.FixtureRequest) -> Iterator[Case]:
    config = request.config
    made = Case(request.node.name, config.getoption("--faults-long"), config.getoption("--faults-seed"))
    began = time.monotonic()
    yield made
    record: Path | None = config.getoption("--faults-record")
    if record is not None:
        _note(record, made, request.node, time.monotonic() - began)


def _note(record: Path, case: Case, node: pytest.Item, seconds: float) -> None:
    line = {
        "case": case.name,
        "file": node.path.name,
        "seed": case.seed,
        "outcome": node.stash.get(_OUTCOME, "passed"),
        "faults": case.faults,
        "bytes": case.bytes_moved,
        "violations": case.violations,
        "remarks": case.remarks,
        "seconds": round(seconds, 1),
    }
    with record.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
        file.flush()
        os.fsync(file.fileno())  # the run may be killed: what is done is done
