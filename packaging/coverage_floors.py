# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Compares the coverage of each folder with its floor in pyproject.toml (`[tool.fieldpost.coverage]`).

`make test` calls it after pytest, whose workers have combined their data into `.coverage`. A floor is a percentage of
lines and branches together, for a folder with everything below it or for one module. It fails when a folder is below
its floor, and when a floor names a folder that no longer exists.
"""

import json
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from coverage import Coverage

ROOT: Final = Path(__file__).resolve().parents[1]
Files = Mapping[str, Mapping[str, Any]]  # of coverage's JSON report, by their paths


@dataclass(frozen=True)
class Result:
    """The coverage of one folder, and the modules in it with lines or branches that no test ran."""

    folder: str
    floor: float
    covered: int
    total: int
    gaps: Sequence[str]

    @property
    def reached(self) -> bool:
        return self.total > 0 and self.covered * 100 >= self.floor * self.total

    def __str__(self) -> str:
        if not self.total:
            return f"{self.folder}: no measured module is there"
        percent = int(self.covered * 1000 / self.total) / 10  # 99.96 is not 100
        return f"{percent:6.1f} %  {self.folder} (floor {self.floor:g} %)"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print one line for each floor, and the gaps of every folder below its own; return the exit status."""
    root = Path(arguments[0]) if arguments else ROOT
    results = check(floors(root), report(root))
    for result in results:
        print(result if result.reached else f"{result}  BELOW ITS FLOOR")
        if not result.reached:
            print("".join(f"    {gap}\n" for gap in result.gaps), end="")
    return int(not all(result.reached for result in results))


def floors(root: Path) -> dict[str, float]:
    """Read the floor of each folder."""
    table = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["fieldpost"]["coverage"]
    return {folder: float(floor) for folder, floor in table.items()}


def report(root: Path) -> Files:
    """Return what was measured for each module, by its path relative to `root`."""
    coverage = Coverage(data_file=str(root / ".coverage"), config_file=str(root / "pyproject.toml"))
    coverage.load()
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder, "coverage.json")
        coverage.json_report(outfile=str(written))
        files: Files = json.loads(written.read_text(encoding="utf-8"))["files"]
    return {_relative(path, root): file for path, file in files.items()}


def check(floors: Mapping[str, float], files: Files) -> list[Result]:
    """Add up lines and branches below each folder."""
    return [_result(folder, floor, files) for folder, floor in floors.items()]


def _result(folder: str, floor: float, files: Files) -> Result:
    below = {path: file for path, file in files.items() if path == folder or path.startswith(f"{folder}/")}
    sums = [file["summary"] for file in below.values()]
    return Result(
        folder,
        floor,
        covered=sum(one["covered_lines"] + one.get("covered_branches", 0) for one in sums),
        total=sum(one["num_statements"] + one.get("num_branches", 0) for one in sums),
        gaps=[f"{path}: {gap}" for path, file in sorted(below.items()) if (gap := _gap(file))],
    )


def _gap(file: Mapping[str, Any]) -> str:
    lines = [str(line) for line in file["missing_lines"]]
    branches = [f"{start}->{'exit' if end < 0 else end}" for start, end in file.get("missing_branches", ())]
    return ", ".join([*lines, *branches])


def _relative(path: str, root: Path) -> str:
    return (Path.cwd() / path).resolve().relative_to(root.resolve()).as_posix()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
