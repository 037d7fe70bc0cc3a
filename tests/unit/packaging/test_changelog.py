# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The fragments of the changelog, and the section that a release makes of them."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["towncrier"]
KINDS = [kind["directory"] for kind in SETTINGS["type"]]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """With the real settings and changelog, and fragments of its own."""
    for name in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "changelog.d").mkdir()
    shutil.copy(ROOT / "changelog.d/README.md", tmp_path / "changelog.d/README.md")
    for name, text in {"+pace.fixed.md": "Slow lines are used.", "+folders.added.md": "More folders."}.items():
        (tmp_path / "changelog.d" / name).write_text(f"{text}\n", encoding="utf-8")
    return tmp_path


def gather(repository: Path, *options: str) -> str:
    command = [sys.executable, "-m", "towncrier", "build", "--version", "9.8.7", "--date", "2030-01-02", *options]
    return subprocess.run(command, cwd=repository, check=True, capture_output=True, text=True).stdout


def test_a_release_puts_all_fragments_above_the_older_versions(repository: Path) -> None:
    before = (repository / "CHANGELOG.md").read_text(encoding="utf-8")
    gather(repository, "--yes")
    after = (repository / "CHANGELOG.md").read_text(encoding="utf-8")
    head, section, older = re.split(r"(?=## 9\.8\.7)|(?=## 0\.)", after, maxsplit=2)
    assert before.startswith(head.rstrip())
    assert before.endswith(older)
    assert section.split("\n\n")[:5] == [
        "## 9.8.7 (2030-01-02)",
        "### Added",
        "- More folders.",
        "### Fixed",
        "- Slow lines are used.",
    ]


def test_a_release_removes_the_fragments_and_keeps_their_readme(repository: Path) -> None:
    gather(repository, "--yes")
    assert [path.name for path in (repository / "changelog.d").iterdir()] == ["README.md"]


def test_a_draft_shows_the_next_section_and_changes_nothing(repository: Path) -> None:
    def content() -> dict[str, str]:
        return {str(path): path.read_text(encoding="utf-8") for path in repository.rglob("*.md")}

    before = content()
    assert "- More folders." in gather(repository, "--draft")
    assert content() == before


def test_every_fragment_has_a_known_kind_and_a_text() -> None:
    for path in (ROOT / "changelog.d").iterdir():
        if path.name != "README.md":
            assert re.fullmatch(rf"\+[a-z0-9-]+\.(?:{'|'.join(KINDS)})\.md", path.name), path.name
            assert path.read_text(encoding="utf-8").strip(), path.name


def test_the_readme_explains_every_kind() -> None:
    readme = (ROOT / "changelog.d/README.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", readme, re.MULTILINE) == KINDS
