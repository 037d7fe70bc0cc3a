# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The workflows of GitHub cannot be run here; what can be read off them is."""

import re
from pathlib import Path

import pytest

WORKFLOWS = {
    path.stem: path.read_text(encoding="utf-8") for path in (Path(__file__).parents[3] / ".github/workflows").iterdir()
}
each = pytest.mark.parametrize("workflow", WORKFLOWS.values(), ids=WORKFLOWS)


def test_there_is_one_for_each_system() -> None:
    assert WORKFLOWS.keys() == {"linux", "windows"}


@each
def test_it_says_that_it_has_not_been_run_here(workflow: str) -> None:
    assert "NOT RUN HERE" in workflow


@each
def test_it_may_read_the_sources_and_nothing_else(workflow: str) -> None:
    (permissions,) = re.findall(r"^ *permissions:\n((?: +\w.*\n)+)", workflow, re.MULTILINE)
    assert re.findall(r"(\w+): (\w+)", permissions) == [("contents", "read")]
    assert "persist-credentials: false" in workflow
    assert "secrets." not in workflow


@each
def test_every_action_is_pinned_and_comes_from_github_itself(workflow: str) -> None:
    actions = re.findall(r"uses: (\S+)", workflow)
    assert actions
    assert all(re.fullmatch(r"actions/[a-z-]+@(?:v\d+|[0-9a-f]{40})", action) for action in actions)


def test_the_one_for_windows_uses_the_recipe_pins_and_checks_of_make_exe() -> None:
    for used in ("packaging/fieldpost.spec", "constraints.txt", "self-test", "windows.examine", "sha256sum"):
        assert used in WORKFLOWS["windows"]


def test_the_one_for_linux_runs_what_our_own_ci_runs_and_nothing_else() -> None:
    assert re.findall(r"run: (.+)", WORKFLOWS["linux"]) == [".ci/run"]
