# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What is found in dropped files and folders, and under which names it travels."""

from pathlib import Path

from fieldpost_desktop.engine.model.file_row import SourceFile
from fieldpost_desktop.engine.sources.expand import NotAdded, expand
from fieldpost_shared.codes import Code


def test_a_dropped_folder_is_expanded_without_junk_and_links(tmp_path: Path) -> None:
    folder = tmp_path / "trip"
    (folder / "Sent").mkdir(parents=True)
    (folder / ".git").mkdir()
    for name in ("a.txt", "Sent/b.txt", "~$a.docx", "Thumbs.db", ".hidden", ".git/config"):
        (folder / name).write_text("x", encoding="utf-8")
    (folder / "link.txt").symlink_to(folder / "a.txt")
    assert sorted(item.path for item in expand([str(folder)])) == ["trip/Sent/b.txt", "trip/a.txt"]


def test_a_dropped_file_is_sent_whatever_it_is_called(tmp_path: Path) -> None:
    path = tmp_path / ".hidden.tmp"
    path.write_text("x", encoding="utf-8")
    (item,) = expand([str(path)])
    assert isinstance(item, SourceFile)


def test_what_cannot_be_sent_says_why(tmp_path: Path) -> None:
    bad = tmp_path / "a\nb.txt"
    bad.write_text("x", encoding="utf-8")
    gone, refused = expand([str(tmp_path / "gone.txt"), str(bad)])
    assert isinstance(gone, NotAdded)
    assert gone.code is Code.FILE_GONE
    assert isinstance(refused, NotAdded)
    assert refused.code is Code.NAME_REFUSED


def test_names_are_sent_in_one_normal_form(tmp_path: Path) -> None:
    decomposed = "u\u0308ber.txt"
    (tmp_path / decomposed).write_text("x", encoding="utf-8")
    (item,) = expand([str(tmp_path / decomposed)])
    assert item.path == "\u00fcber.txt"
