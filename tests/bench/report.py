# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The figures of a run as data (docs/benchmarks.json), as a page (docs/benchmarks.md) and as pictures beside it."""

import json
import os
import platform
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import psutil  # type: ignore[import-untyped]  # it ships no types
from confluent_kafka import libversion

from bench.measuring import Figure, Run
from bench.scenarios import Scenario
from bench.targets import verdicts

ROOT: Final = Path(__file__).resolve().parents[2]
DATA: Final = ROOT / "docs" / "benchmarks.json"
PAGE: Final = ROOT / "docs" / "benchmarks.md"
_PICTURES: Final = ROOT / "docs" / "benchmarks"
_PAINTER: Final = ROOT / "build" / "bench" / "bin" / "python"
_SMALLER_IS_BETTER: Final = "s"


def as_data(scenario: Scenario) -> dict[str, Any]:
    """What is kept of a scenario. Ratios compare the first contender with each other one; above 1 it is better."""
    values = {name: [_value(run, scenario.unit) for run in runs] for name, runs in scenario.runs.items()}
    contenders = {name: _contender(scenario.runs[name], values[name]) for name in values}
    first, *others = contenders
    ratios: dict[str, float] = {
        name: _ratio(contenders[first]["median"], contenders[name]["median"], scenario.unit) for name in others
    }
    data: dict[str, Any] = {"title": scenario.title, "unit": scenario.unit, "contenders": contenders, "ratios": ratios}
    data["remarks"] = list(scenario.remarks)
    data["timelines"] = {name: list(runs[-1].timeline) for name, runs in scenario.runs.items()}
    if scenario.latencies:
        data["latencies"] = [round(seconds, 3) for seconds in scenario.latencies]
        data["idle"] = dict(scenario.idle)
    return data


def _value(run: Run, unit: str) -> float:
    return {"MiB/s": run.rate, "files/s": run.files_rate, "s": run.seconds}[unit]


def _contender(runs: Sequence[Run], values: Sequence[float]) -> dict[str, Any]:
    figure = Figure.of(values)
    peaks: dict[str, float] = {}
    for run in runs:
        for kind, rss in run.rss.items():
            peaks[kind] = max(peaks.get(kind, 0.0), round(rss / 1e6, 1))
    cpu = Figure.of([run.cpu_per_gib for run in runs])
    low, high, median = (round(value, 3) for value in (figure.low, figure.high, figure.median))
    return {"median": median, "low": low, "high": high, "cpu_per_gib": round(cpu.median, 2), "rss_mb": peaks}


def _ratio(ours: float, theirs: float, unit: str) -> float:
    return round(theirs / ours if unit == _SMALLER_IS_BETTER else ours / theirs, 3)


def machine() -> str:
    memory = psutil.virtual_memory().total / 1e9
    return (
        f"{os.cpu_count()} cores, {platform.machine()}, {memory:.0f} GB of memory, Linux {platform.release()}, Python "
        f"{platform.python_version()}, librdkafka {libversion()[0]}; broker and both ends on this machine"
    )


def write(data: Mapping[str, Any]) -> None:
    """Both files and the pictures, which are left out where nobody can draw."""
    DATA.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    pictures = []
    if _PAINTER.exists():
        command = [str(_PAINTER), str(Path(__file__).with_name("plots.py")), str(DATA), str(_PICTURES)]
        drawn = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        pictures = [f"{_PICTURES.name}/{name}" for name in drawn]
    PAGE.write_text(page(data, pictures), encoding="utf-8")


def page(data: Mapping[str, Any], pictures: Sequence[str]) -> str:
    found = data["scenarios"]
    lines = [
        "# Benchmarks",
        "",
        f"Written by `make bench`, profile {data['profile']}, on {data['date']} in {data['minutes']:.0f} minutes; do",
        f"not edit. {data['machine']}; load {data['load'][0]} before and {data['load'][1]} after. Contenders take",
        "turns, the figures are medians with their spread. Compare ratios, not absolutes: the machine is noisy.",
        "",
        "## Targets",
        "",
        "| what | target | measured | reached |",
        "|---|---|---|---|",
        *(verdict.markdown() for verdict in verdicts(found)),
        "",
        "## References",
        "",
        *(f"- {name}: {words}" for name, words in data["references"].items()),
    ]
    if data["failed"]:
        lines += ["", "## Not measured", "", *(f"- {step}: {words}" for step, words in data["failed"].items())]
    for scenario in found.values():
        lines += ["", *_section(scenario)]
    for picture in pictures:
        lines += ["", f"![{Path(picture).stem}]({picture})"]
    return "\n".join(lines) + "\n"


def _section(scenario: Mapping[str, Any]) -> Iterator[str]:
    yield f"## {scenario['title']}"
    yield ""
    yield f"| | {scenario['unit']} | CPU-s/GiB | peak memory | our ratio |"
    yield "|---|---:|---:|---|---:|"
    digits = 2 if scenario["unit"] == "s" else 0
    for name, row in scenario["contenders"].items():
        figure = Figure(row["median"], row["low"], row["high"]).words(digits)
        memory = ", ".join(f"{kind} {peak:.0f} MB" for kind, peak in row["rss_mb"].items())
        ratio = f"{scenario['ratios'][name]:.2f}" if name in scenario["ratios"] else ""
        cost = f"{row['cpu_per_gib']:.2f}" if row["cpu_per_gib"] else ""
        yield f"| {name} | {figure} | {cost} | {memory} | {ratio} |"
    for remark in scenario["remarks"]:
        yield ""
        yield remark


def today() -> str:
    return f"{datetime.now(UTC):%Y-%m-%d}"
