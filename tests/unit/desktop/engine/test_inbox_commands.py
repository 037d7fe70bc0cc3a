# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Files that a preview found: queued as found, each once, a piece in each step."""

import shutil
from pathlib import Path

from fieldpost_desktop.engine.journal.inbox import hand_over, hand_over_files
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.sources.dropped_files import PIECE, DroppedFiles
from fieldpost_shared.codes import Code
from support.engine.core import Rig


def drop(rig: Rig, found: DroppedFiles) -> None:
    hand_over_files(rig.folder / "journal.db", found.pieces(), batch="b", now_ns=1)
    found.close()
    rig.core.look_into_inbox()


def is_working(rig: Rig) -> bool:
    return rig.core.working


def test_a_dropped_folder_is_not_walked_through_a_second_time(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    rig.file("trip/a.txt", b"a")
    rig.file("trip/bad\nname.txt", b"b")
    found = DroppedFiles.of([str(tmp_path / "sources" / "trip")])
    rig.file("trip/later.txt", b"came after the question")
    drop(rig, found)
    rig.core.commands.pause_all()
    rig.steps(3)
    rows = {row.path: row for row in rig.core.files.of_batch("b")}
    assert [(row.state, row.code) for row in rows.values()] == [
        (FileState.QUEUED, ""),
        (FileState.ATTENTION, Code.NAME_REFUSED),
    ]
    rig.core.commands.resume_all()
    rig.until_confirmed(rows["trip/a.txt"])
    rig.close()


def test_a_folder_that_is_gone_after_the_question_still_gets_its_rows(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    rig.file("trip/a.txt", b"a")
    found = DroppedFiles.of([str(tmp_path / "sources" / "trip")])
    shutil.rmtree(tmp_path / "sources" / "trip")
    drop(rig, found)
    rig.until(lambda: [row.code for row in rig.core.files.of_batch("b")] == [Code.FILE_GONE])
    rig.close()


def test_a_large_drop_is_queued_piece_by_piece_and_survives_a_crash(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    rig.core.commands.pause_all()
    for number in range(2 * PIECE + 1):
        rig.file(f"many/{number:04}.txt", b"1")
    drop(rig, DroppedFiles.of([str(tmp_path / "sources" / "many")]))
    rig.steps(1)
    assert len(rig.core.files.of_batch("b")) == PIECE
    assert is_working(rig)
    rig.reopen()
    rig.steps(3)
    assert len(rig.core.files.of_batch("b")) == 2 * PIECE + 1
    assert rig.core.files.counts()[FileState.QUEUED][0] == 2 * PIECE + 1
    rig.steps(1)
    assert not is_working(rig)
    rig.close()


def test_a_command_that_makes_no_sense_stops_nothing(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    for command in (
        {"command": "add", "batch": "b"},
        {"command": "add", "files": [{}], "batch": "b"},
        {"command": "?"},
    ):
        hand_over(rig.folder / "journal.db", command, 1)
    drop(rig, DroppedFiles.of([str(rig.file("a.txt", b"a"))]))
    rig.steps(3)
    assert [row.path for row in rig.core.files.of_batch("b")] == ["a.txt"]
    rig.close()
