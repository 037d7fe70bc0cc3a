# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What is made of a benchmark's figures: medians, ratios, verdicts, and the guard that notices a fall."""

from typing import Any

import pytest

from bench.check import GUARDED, falls
from bench.measuring import GIB, MIB, Figure, Run, in_turn
from bench.report import as_data, page
from bench.scenarios import OURS, PLAIN, Scenario
from bench.targets import verdicts


def measured(*scenarios: Scenario) -> dict[str, Any]:
    return {
        "date": "2026-01-01",
        "profile": "quick",
        "machine": "a machine",
        "minutes": 1.0,
        "load": [0.1, 0.2],
        "references": {PLAIN: "the limit"},
        "scenarios": {scenario.name: as_data(scenario) for scenario in scenarios},
        "failed": {},
    }


def single(ours_s: float, plain_s: float) -> Scenario:
    runs = {OURS: [Run(ours_s, GIB, cpu_s=4.0, rss={"engine": 80_000_000})], PLAIN: [Run(plain_s, GIB)]}
    return Scenario("single-512 MiB", "One file", runs)


def test_contenders_take_turns() -> None:
    order: list[str] = []

    def work(name: str) -> Run:
        order.append(name)
        return Run(1.0, MIB)

    runs = in_turn({"a": lambda _: work("a"), "b": lambda _: work("b")}, 3)
    assert order == ["a", "b"] * 3
    assert [len(found) for found in runs.values()] == [3, 3]


def test_a_figure_tells_its_median_and_its_spread() -> None:
    assert Figure.of([3.0, 1.0, 2.0]).words() == "2 (1-3)"
    assert Figure.of([1.25]).words(2) == "1.25"


def test_a_ratio_above_one_means_that_we_are_faster_whatever_the_unit() -> None:
    twice_as_fast = {OURS: [Run(1.0, MIB)], "other": [Run(2.0, MIB)]}
    for unit in ("MiB/s", "files/s", "s"):
        assert as_data(Scenario("n", "t", twice_as_fast, unit))["ratios"] == {"other": 2.0}


@pytest.mark.parametrize(("ours_s", "reached"), [(10.0, True), (11.0, True), (11.2, False)])
def test_a_target_is_reached_or_not(ours_s: float, *, reached: bool) -> None:
    found = [verdict for verdict in verdicts(measured(single(ours_s, 10.0))["scenarios"]) if "plain" in verdict.what]
    assert [verdict.reached for verdict in found] == [reached]


def test_too_much_memory_misses_its_target() -> None:
    greedy = Scenario("growth", "t", {"64 GiB": [Run(1.0, GIB, rss={"engine": 160_000_000})]})
    (verdict,) = verdicts(measured(greedy)["scenarios"])
    assert not verdict.reached
    assert "160 MB (growth, 64 GiB)" in verdict.figure


def test_the_page_shows_targets_references_and_every_scenario() -> None:
    text = page(measured(single(10.0, 9.5)), ["benchmarks/throughput.svg"])
    assert "| end to end against plain Kafka, 512 MiB | >= 0.9 | 0.95 | yes |" in text
    assert "- plain Kafka: the limit" in text
    assert "| Fieldpost | 102 | 4.00 | engine 80 MB |  |" in text
    assert "(benchmarks/throughput.svg)" in text


@pytest.mark.parametrize(("now_s", "fell"), [(10.0, False), (12.4, False), (12.6, True)])
def test_the_guard_notices_a_fall_of_more_than_a_fifth(now_s: float, *, fell: bool) -> None:
    before, now = measured(single(10.0, 10.0)), measured(single(now_s, 10.0))
    assert bool(falls(before, now)) is fell


def test_the_guard_notices_that_a_ratio_is_not_measured_any_more() -> None:
    (line,) = falls(measured(single(10.0, 10.0)), measured())
    assert "not measured any more" in line


def test_what_was_never_committed_is_not_guarded() -> None:
    assert falls(measured(), measured(single(10.0, 10.0))) == []


def test_the_guard_looks_at_what_the_quick_profile_measures() -> None:
    assert set(GUARDED) == {"encode", "decode", "engine", "single-512 MiB", "backlog-1 GiB", "files-2000x1000"}


def test_a_step_that_failed_is_told_and_not_left_out_silently() -> None:
    data = measured(single(10.0, 10.0)) | {"failed": {"clients": "OSError: no room"}}
    assert "## Not measured\n\n- clients: OSError: no room" in page(data, [])
