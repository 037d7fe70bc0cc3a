# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The floors of coverage: added up by folder, and compared with pyproject.toml."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import coverage_floors
from coverage_floors import check, floors

ROOT = Path(__file__).parents[3]
PACKAGES = ("shared/fieldpost_shared", "desktop/fieldpost_desktop", "receiver/fieldpost_receiver")


def module(lines: int, covered: int, branches: int = 0, taken: int = 0) -> Mapping[str, Any]:
    summary = {
        "num_statements": lines,
        "covered_lines": covered,
        "num_branches": branches,
        "covered_branches": taken,
    }
    return {"summary": summary, "missing_lines": list(range(1, lines - covered + 1)), "missing_branches": [[7, -1]]}


def test_lines_and_branches_below_a_folder_are_added_up() -> None:
    files = {"a/b/x.py": module(10, 9, 4, 2), "a/b/c/y.py": module(5, 5, 1, 1), "a/bc/z.py": module(100, 0)}
    (result,) = check({"a/b": 85}, files)
    assert (result.covered, result.total, result.reached) == (17, 20, True)
    assert str(result) == "  85.0 %  a/b (floor 85 %)"


def test_a_floor_may_be_that_of_one_module() -> None:
    (result,) = check({"a/x.py": 50}, {"a/x.py": module(2, 1), "a/y.py": module(2, 0)})
    assert (result.covered, result.total, result.reached) == (1, 2, True)


def test_one_line_too_few_is_below_the_floor_and_never_rounded_up() -> None:
    (result,) = check({"a": 100}, {"a/x.py": module(100_000, 99_999)})
    assert not result.reached
    assert "99.9 %" in str(result)
    assert result.gaps == ["a/x.py: 1, 7->exit"]


def test_a_floor_of_a_folder_that_is_gone_fails() -> None:
    (result,) = check({"old": 0}, {"new/x.py": module(1, 1)})
    assert not result.reached
    assert str(result) == "old: no measured module is there"


def test_every_package_has_a_floor_and_every_floor_a_folder() -> None:
    found = floors(ROOT)
    assert set(PACKAGES) <= found.keys()
    assert found["shared/fieldpost_shared"] == 100
    assert [folder for folder in found if not (ROOT / folder).exists()] == []


@pytest.mark.parametrize(("floor", "status"), [(60, 0), (90, 1)])
def test_data_of_a_real_run_is_read_and_compared(
    tmp_path: Path, floor: int, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack/__init__.py").write_text("", "utf-8")
    (tmp_path / "pack/half.py").write_text("import sys\nif len(sys.argv) > 5:\n    print(1)\nprint(2)\n", "utf-8")
    (tmp_path / "pyproject.toml").write_text(
        f'[tool.coverage.run]\nbranch = true\nsource_pkgs = ["pack"]\n[tool.fieldpost.coverage]\npack = {floor}\n',
        "utf-8",
    )
    run = [sys.executable, "-m", "coverage", "run", "--parallel-mode", "-m", "pack.half"]
    subprocess.run(run, cwd=tmp_path, check=True, capture_output=True)
    subprocess.run([sys.executable, "-m", "coverage", "combine"], cwd=tmp_path, check=True, capture_output=True)
    assert coverage_floors.main([str(tmp_path)]) == status
    said = capsys.readouterr().out
    assert f"66.6 %  pack (floor {floor} %)" in said
    assert ("pack/half.py: 3, 2->3" in said) == bool(status)
