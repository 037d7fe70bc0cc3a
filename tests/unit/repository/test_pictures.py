# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The pictures of the documents: as many as are shown, and no more."""

import subprocess
from pathlib import Path

import pytest

from screenshots.shown import FOLDER, copy_shown, shown_pictures

ROOT = Path(__file__).parents[3]
PICTURES = {".png", ".svg", ".jpg", ".gif", ".webp"}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / FOLDER).mkdir(parents=True)
    (tmp_path / "README.md").write_text(
        "![The list](docs/screenshots/en/list.png) ![](https://a.example/b.png)\n", "utf-8"
    )
    (tmp_path / "docs/design").mkdir()
    (tmp_path / "docs/design/a.md").write_text("| ![](../screenshots/de/tray.png) | [no](b.png) |\n", "utf-8")
    return tmp_path


def in_git() -> set[Path]:
    listed = subprocess.run(["git", "ls-files", "docs"], cwd=ROOT, check=True, capture_output=True, text=True)
    paths = {Path(line) for line in listed.stdout.splitlines()}
    return {path for path in paths if path.suffix in PICTURES and (ROOT / path).is_file()}


def test_every_picture_in_git_is_shown_by_a_document() -> None:
    assert in_git() - shown_pictures(ROOT) == set(), "`make screenshots` makes them at any time: remove them from git"


def test_every_picture_that_a_document_shows_is_in_git() -> None:
    assert shown_pictures(ROOT) - in_git() == set()


def test_the_pictures_are_small() -> None:
    assert sum((ROOT / path).stat().st_size for path in in_git()) < 1_000_000


def test_pictures_are_found_in_every_document_of_the_repository(repository: Path) -> None:
    assert shown_pictures(repository) == {FOLDER / "en/list.png", FOLDER / "de/tray.png"}


def test_only_pictures_that_a_document_shows_are_copied(repository: Path, tmp_path: Path) -> None:
    made = tmp_path / "build"
    for name in ("en/list.png", "en/menu.png"):
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_bytes(b"picture")
    assert copy_shown(made, repository, {"en"}) == []
    assert [path.name for path in (repository / FOLDER).rglob("*.png")] == ["list.png"]


def test_a_shown_picture_that_was_not_made_is_reported(repository: Path, tmp_path: Path) -> None:
    assert copy_shown(tmp_path / "none", repository, {"en", "de"}) == [FOLDER / "de/tray.png", FOLDER / "en/list.png"]
