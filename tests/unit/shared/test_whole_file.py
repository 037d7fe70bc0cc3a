# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A file is written whole or not at all."""

from pathlib import Path

import pytest

from fieldpost_shared.whole_file import whole_file


def content(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="ascii") for path in folder.iterdir()}


def test_the_new_content_takes_the_place_of_the_old(tmp_path: Path) -> None:
    (tmp_path / "settings").write_text("old", encoding="ascii")
    with whole_file(tmp_path / "settings") as unfinished:
        unfinished.write_text("new", encoding="ascii")
        assert (tmp_path / "settings").read_text(encoding="ascii") == "old"
    assert content(tmp_path) == {"settings": "new"}


def test_what_fails_half_way_leaves_the_old_content_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "settings").write_text("old", encoding="ascii")
    with pytest.raises(UnicodeEncodeError), whole_file(tmp_path / "settings") as unfinished:
        _write_half(unfinished)
    assert content(tmp_path) == {"settings": "old"}


def test_what_failed_first_is_told_even_if_nothing_can_be_tidied(tmp_path: Path) -> None:
    (tmp_path / "settings.part").mkdir()  # cannot be written, nor removed like a file
    with pytest.raises(IsADirectoryError), whole_file(tmp_path / "settings") as unfinished:
        unfinished.write_text("new", encoding="ascii")
    assert (tmp_path / "settings.part").is_dir()


def test_what_was_left_by_a_power_cut_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "settings.part").write_text("half", encoding="ascii")
    with whole_file(tmp_path / "settings") as unfinished:
        unfinished.write_text("new", encoding="ascii")
    assert content(tmp_path) == {"settings": "new"}


def _write_half(path: Path) -> None:
    with path.open("w", encoding="ascii", buffering=1) as file:
        file.writelines(["new\n", "\N{SNOWMAN}"])
