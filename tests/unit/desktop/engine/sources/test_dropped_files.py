# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What a preview found is kept until it is queued, in little memory."""

import errno
from pathlib import Path

import pytest

from fieldpost_desktop.engine.model.file_row import SourceFile
from fieldpost_desktop.engine.sources import dropped_files
from fieldpost_desktop.engine.sources.dropped_files import PIECE, DroppedFiles, items_of
from fieldpost_desktop.engine.sources.expand import NotAdded, expand
from fieldpost_desktop.engine.sources.preview import preview
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError


def test_what_a_preview_found_comes_back_in_its_order(tmp_path: Path) -> None:
    for name in ("trip/b.txt", "trip/deep/ü.txt", "trip/a\nb.txt", "c.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"12345")
    asked = [str(tmp_path / "trip"), str(tmp_path / "c.txt"), str(tmp_path / "gone.txt")]
    found = DroppedFiles()
    preview(asked, found, lambda _: True)
    (piece,) = found.pieces()
    assert items_of(piece) == list(expand(asked))
    assert [type(item) for item in items_of(piece)].count(NotAdded) == 2
    found.close()


def test_a_million_files_would_not_stay_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dropped_files, "_IN_MEMORY", 1000)
    found = DroppedFiles()
    files = [SourceFile(f"/in/{number}", f"{number}", number, 1, "1:1") for number in range(2 * PIECE + 1)]
    for file in files:
        found.add(file)
    assert found._lines._rolled  # type: ignore[attr-defined]
    pieces = [items_of(piece) for piece in found.pieces()]
    assert [len(piece) for piece in pieces] == [PIECE, PIECE, 1]
    assert [item for piece in pieces for item in piece] == files
    found.close()


def test_no_room_for_what_was_found_is_told_with_its_code(monkeypatch: pytest.MonkeyPatch) -> None:
    found = DroppedFiles()

    def full(_line: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(found._lines, "write", full)
    with pytest.raises(FieldpostError, match="No space left") as raised:
        found.add(NotAdded("/a", "a", Code.FILE_GONE, ""))
    assert raised.value.code is Code.LOCAL_DISK_FULL
    found.close()


@pytest.mark.parametrize(
    "values", [{}, {"source": "/a"}, {"source": "/a", "path": "a"}, {"source": "/a", "path": "a", "code": "x"}]
)
def test_a_piece_of_another_version_is_refused(values: dict[str, object]) -> None:
    with pytest.raises(KeyError):
        items_of([values])
