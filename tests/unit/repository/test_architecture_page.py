# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The way of one file in ARCHITECTURE.md is true: its functions exist, and its figures are counted."""

import ast
import re
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[3]
PACKAGES: Final = (ROOT / "desktop/fieldpost_desktop", ROOT / "receiver/fieldpost_receiver")
FIGURES: Final = re.compile(r"\*\*(\d+)\s+steps\s+in\s+(\d+)\s+modules\s+with\s+(\d+)\s+changes\s+of\s+thread\*\*")
STEPS: Final = re.compile(r"`([a-z_/]+): ([\w., ]+)`")


@pytest.fixture(scope="module")
def section() -> str:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    return page.partition("## The way of one file\n")[2].partition("\n## ")[0]


@pytest.fixture(scope="module")
def rows(section: str) -> list[list[str]]:
    """The cells of the table, without its head: what happens, steps, thread, on disk after it."""
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def steps_in(cell: str) -> set[tuple[str, str]]:
    """The steps of a cell as module and function."""
    return {(module, name) for module, names in STEPS.findall(cell) for name in names.split(", ")}


def functions_of(module: Path) -> set[str]:
    """The functions and methods that a module defines."""
    found = set()
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{inner.name}" for inner in node.body if isinstance(inner, ast.FunctionDef)}
    return found


def test_every_step_on_the_way_of_one_file_is_a_function_of_the_sources(rows: list[list[str]]) -> None:
    wrong = set()
    for module, name in {step for row in rows for step in steps_in(row[1])}:
        places = [path for package in PACKAGES if (path := package / f"{module}.py").is_file()]
        if len(places) != 1 or name not in functions_of(places[0]):
            wrong.add(f"{module}: {name}")
    assert wrong == set()


def test_the_way_of_one_file_has_as_many_steps_as_the_page_says(section: str, rows: list[list[str]]) -> None:
    steps = {step for row in rows for step in steps_in(row[1])}
    changes = sum(before[2] != after[2] for before, after in pairwise(rows))
    told = FIGURES.search(section)
    assert told is not None
    assert tuple(map(int, told.groups())) == (len(steps), len({module for module, _ in steps}), changes)
