# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`make faults`: every family at its long size, round after round with new seeds, until the time is over.

python tests/faults/long_run.py [--minutes 60] [--seed 1] [--only F06] [--report tests/faults/REPORT.md]

What was done is kept in build/faults/<seed>.jsonl: the same command goes on where it was stopped or killed, and the
report is written anew after each file. Exit code 1 if a case failed.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
WORDS: Final = """# Report of the fault tests

Written by `make faults`; do not edit. Seed {seed}, {began} to {ended}, {minutes:.0f} minutes at work, commit {commit},
{cores} cores, {system}. Each run of a case has its own seed (seed, seed + 1, ...): faults and their moments differ.

"Violations" are broken promises that the oracle found; a case can also fail because something did not happen in time.

| case | runs | faults injected | MB moved | violations | failed | skipped | time |
|---|---:|---:|---:|---:|---:|---:|---:|
"""


@dataclass(frozen=True)
class Step:
    """One pytest call."""

    name: str
    arguments: tuple[str, ...]

    def is_meant(self, only: str) -> bool:
        return only.lower() in self.name


def steps() -> Iterator[Step]:
    """One for each family; then the model, the other fault tests, and every property with many examples."""
    for path in sorted(HERE.glob("test_*.py")):
        model = ("--hypothesis-profile=long", "-o", "timeout=20000") if path.stem == "test_model" else ()
        yield Step(path.stem, (str(path), *model))
    unit = ROOT / "tests" / "unit"
    yield Step("properties", (str(unit), "--hypothesis-profile=long", "-o", "timeout=3600"))


class Record:
    """The lines of a run; `faults.bookkeeping` adds one for each case, this adds one for each step."""

    def __init__(self, seed: int, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{seed}.jsonl"
        self.seed = seed

    def lines(self) -> list[dict[str, Any]]:
        if not self.path.exists():
            return []
        return [json.loads(line) for line in self.path.read_text(encoding="utf-8").splitlines()]

    def done(self) -> set[tuple[str, int]]:
        return {(line["step"], line["seed"]) for line in self.lines() if "step" in line}

    def add(self, **fields: object) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(fields) + "\n")


def run_step(step: Step, seed: int, record: Record) -> bool:
    """Whether all its cases passed."""
    command = [sys.executable, "-m", "pytest", *step.arguments, "-q", "-rs", "--tb=short", "-p", "no:cacheprovider"]
    command += ["--faults-long", f"--faults-seed={seed}", f"--faults-record={record.path}", f"--hypothesis-seed={seed}"]
    began = time.time()
    log = record.path.with_name(f"{seed}-{step.name}.log")
    with log.open("wb") as out:
        code = subprocess.run(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, check=False).returncode
    record.add(step=step.name, seed=seed, began=began, ended=time.time(), code=code)
    say(f"{step.name} seed {seed}: {'passed' if code == 0 else f'FAILED, see {log.relative_to(ROOT)}'}")
    return code == 0


def report(record: Record) -> str:
    """The whole report, from the lines of all runs with this seed."""
    lines = record.lines()
    done = [line for line in lines if "step" in line]
    cases: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in lines:
        if "case" in line:
            cases[line["case"].partition("[")[0]].append(line)  # its parameters together
    own_books = {line["file"].removesuffix(".py") for line in lines if "case" in line}
    for line in done:
        if line["step"] not in own_books:
            cases[f"all of {line['step']}"].append(_as_case(line))
    text = WORDS.format(
        seed=record.seed,
        began=_moment(min((line["began"] for line in done), default=0)),
        ended=_moment(max((line["ended"] for line in done), default=0)),
        minutes=sum(line["ended"] - line["began"] for line in done) / 60,
        commit=_commit(),
        cores=os.cpu_count(),
        system=f"{platform.system()} {platform.release()}, Python {platform.python_version()}",
    )
    text += "".join(_row(name, runs) for name, runs in sorted(cases.items()))
    text += _row("**together**", [run for runs in cases.values() for run in runs])
    remarks = [f"- `{name}`: {said}\n" for name, runs in sorted(cases.items()) for run in runs for said in _said(run)]
    return text + ("\n## Remarks and failures\n\n" + "".join(remarks) if remarks else "")


def _as_case(step: dict[str, Any]) -> dict[str, Any]:
    """A step whose tests keep no books of their own."""
    outcome = "passed" if step["code"] == 0 else "failed"
    nothing = {"faults": 0, "bytes": 0, "violations": [], "remarks": []}
    return {"seed": step["seed"], "outcome": outcome, "seconds": step["ended"] - step["began"]} | nothing


def _row(name: str, runs: Sequence[dict[str, Any]]) -> str:
    def total(key: str) -> float:
        return sum(float(run[key]) for run in runs)

    def ended(outcome: str) -> int:
        return sum(run["outcome"] == outcome for run in runs)

    cells = [
        name.removeprefix("test_"),
        str(len(runs)),
        f"{total('faults'):.0f}",
        f"{total('bytes') / 1e6:,.1f}",
        str(sum(len(run["violations"]) for run in runs)),
        str(ended("failed")),
        str(ended("skipped")),
        f"{total('seconds'):.0f} s",
    ]
    return f"| {' | '.join(cells)} |\n"


def _said(run: dict[str, Any]) -> list[str]:
    failed = [f"FAILED with seed {run['seed']}"] if run["outcome"] == "failed" else []
    return [*run["remarks"], *failed, *run["violations"]]


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _commit() -> str:
    found = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return found.stdout.strip() or "unknown"


def say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def main() -> int:
    """Run until the time is over."""
    parser = argparse.ArgumentParser(description="The fault tests at their long size.")
    parser.add_argument("--minutes", type=float, default=60.0, help="begin no step after that time")
    parser.add_argument("--seed", type=int, default=1, help="the same seed goes on with an earlier run")
    parser.add_argument("--only", default="", help="only steps with this in their name, as F06")
    parser.add_argument("--report", type=Path, default=HERE / "REPORT.md")
    options = parser.parse_args()
    record = Record(options.seed, ROOT / "build" / "faults")
    meant = [step for step in steps() if step.is_meant(options.only)]
    if not meant:
        parser.error(f"nothing is called {options.only}")
    passed = True
    until, seed = time.monotonic() + options.minutes * 60, options.seed
    while time.monotonic() < until:
        done = record.done()
        for step in (step for step in meant if (step.name, seed) not in done):
            if time.monotonic() >= until:
                break
            passed = run_step(step, seed, record) and passed
            options.report.write_text(report(record), encoding="utf-8")
        seed += 1
    say(f"the report is in {options.report}")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
