# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The self-test's look at where a frozen program takes its modules from."""

import io
import json
import sys
from argparse import Namespace
from pathlib import Path

import pytest

from fieldpost_desktop.commands import self_test
from fieldpost_desktop.commands.exit_codes import Exit
from fieldpost_desktop.commands.terminal import Terminal
from fieldpost_shared.clock import SystemClock


def look(tmp_path: Path) -> tuple[Exit, dict[str, str]]:
    terminal = Terminal(io.StringIO(), io.StringIO())
    parts = {"bundle": self_test.CHECKS["bundle"]}
    code = self_test.run(SystemClock(), Namespace(file=tmp_path / "result.json"), terminal, parts)
    found: dict[str, str] = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))["parts"]["bundle"]
    return code, found


def test_it_is_the_last_part_since_by_then_everything_was_imported() -> None:
    assert list(self_test.CHECKS)[-1] == "bundle"


def test_a_module_from_elsewhere_fails_the_self_test_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    code, found = look(tmp_path)
    assert code is Exit.NEEDS_YOU
    assert found["outcome"] == "failed"
    assert str(self_test.__file__) in found["detail"]


def test_a_neighbour_with_a_similar_name_is_outside_too(tmp_path: Path) -> None:
    inside, neighbour = tmp_path / "_internal/rich/live.pyc", tmp_path / "_internal-old/rich/live.pyc"
    assert self_test.outside(tmp_path / "_internal", [str(inside), str(neighbour)]) == [str(neighbour)]


def test_everything_from_inside_is_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "_MEIPASS", tmp_path.anchor, raising=False)
    monkeypatch.setattr(sys, "path", [place for place in sys.path if Path(place).is_absolute()])
    code, found = look(tmp_path)
    assert (code, found["outcome"]) == (Exit.DONE, "ok"), found


def test_a_program_that_runs_from_its_sources_has_no_bundle(tmp_path: Path) -> None:
    code, found = look(tmp_path)
    assert (code, found["outcome"]) == (Exit.DONE, "skipped")
