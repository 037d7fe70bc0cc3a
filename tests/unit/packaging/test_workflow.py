# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The workflow that builds on Windows cannot be run here; what can be read off it is."""

import re
from pathlib import Path

WORKFLOW = (Path(__file__).parents[3] / ".github/workflows/windows.yml").read_text(encoding="utf-8")


def test_it_says_that_it_has_not_been_run_here() -> None:
    assert "NOT RUN HERE" in WORKFLOW


def test_it_may_read_the_sources_and_nothing_else() -> None:
    (permissions,) = re.findall(r"^ *permissions:\n((?: +\w.*\n)+)", WORKFLOW, re.MULTILINE)
    assert re.findall(r"(\w+): (\w+)", permissions) == [("contents", "read")]
    assert "persist-credentials: false" in WORKFLOW
    assert "secrets." not in WORKFLOW


def test_every_action_is_pinned_and_comes_from_github_itself() -> None:
    actions = re.findall(r"uses: (\S+)", WORKFLOW)
    assert actions
    assert all(re.fullmatch(r"actions/[a-z-]+@(?:v\d+|[0-9a-f]{40})", action) for action in actions)


def test_it_uses_the_same_recipe_pins_and_checks_as_make_exe() -> None:
    for used in ("packaging/fieldpost.spec", "constraints.txt", "self-test", "windows.examine", "sha256sum"):
        assert used in WORKFLOW
