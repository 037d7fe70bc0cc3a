# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The journal that 0.1 left behind is opened, shows what it showed, and its files go on where they were."""

import json
from pathlib import Path
from typing import Final

import pytest

from fieldpost_desktop.engine.journal.browse import Browser, FileQuery, Group
from fieldpost_desktop.engine.journal.files import Files
from fieldpost_desktop.engine.journal.folders import Folders
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.clock import FakeClock
from fieldpost_shared.protocol.status import Notice, ReceiverState
from support.engine.core import Rig
from support.recorded import NOW_NS, UPLOADER, content, rows_of, said_by_0_1, uploader_of_0_1

STAYS: Final = {  # what no retry cures
    "gone.bin": (FileState.ATTENTION, "file_gone"),
    "given up.bin": (FileState.CANCELLED, ""),
    "before.jpg": (FileState.CANCELLED, ""),
}
TABLES: Final = ("files", "folders", "chunks", "receipts", "rounds", "cancels", "status_positions", "inbox", "meta")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return uploader_of_0_1(tmp_path)


@pytest.fixture
def journal(data: Path) -> Path:
    return data / "journal.db"


def by_path(rows: list[FileRow]) -> dict[str, FileRow]:
    found = {row.path: row for row in rows}
    assert len(found) == len(rows)
    return found


def test_opening_a_journal_of_0_1_loses_no_row_and_no_value(journal: Path) -> None:
    before = {table: rows_of(journal, table) for table in TABLES}
    assert {len(rows) for rows in before.values()}.isdisjoint({0}), "each table has something in it"
    Store.open(journal).close()
    for table, rows in before.items():
        opened = rows_of(journal, table)
        assert len(opened) == len(rows)
        for old, new in zip(rows, opened, strict=True):
            assert {name: new[name] for name in old if name != "detail"} == {
                name: value for name, value in old.items() if name != "detail"
            }


def test_every_state_of_a_file_is_in_the_recording(journal: Path) -> None:
    assert {row["state"] for row in rows_of(journal, "files")} == set(FileState)


def test_the_list_shows_the_files_of_0_1_as_it_did(journal: Path, tmp_path: Path) -> None:
    Store.open(journal).close()
    lines = said_by_0_1(UPLOADER / "history.jsonl", tmp_path).splitlines()
    shown = {row.path: row for row in Browser(journal).page(FileQuery(group=Group.ALL))}
    assert len(lines) == len(shown) + 1, "what was there before a folder was watched is not shown"
    for said in map(json.loads, lines):
        if said["path"] != "before.jpg":
            row = shown[said["path"]]
            assert (row.id, row.state, row.transfer, row.size) == (
                said["id"],
                said["state"],
                said["transfer"],
                said["size"],
            )
            assert (row.code or None, row.source, row.sha256 or None) == (said["code"], said["source"], said["sha256"])


def test_acknowledged_parts_and_receipts_of_0_1_still_count(journal: Path) -> None:
    store = Store.open(journal)
    files = Files(store)
    rows = by_path(list(files.history()))
    parts = {name: files.acknowledged(rows[name].id) for name in ("under way.bin", "paused half way.bin", "late.bin")}
    assert parts == {"under way.bin": 2, "paused half way.bin": 1, "late.bin": 2}
    assert [*files.acknowledged_chunks(rows["under way.bin"]).missing_ranges(9)] == [(2, 2)]
    had = files.receipts_of(rows["had already.bin"].id)
    assert {name: (row["renamed"], row["duplicate"]) for name, row in had.items()} == {"branch": (1, 1)}
    assert files.positions() == {row["partition"]: row["next_offset"] for row in rows_of(journal, "status_positions")}
    store.close()


def test_watched_folders_of_0_1_keep_their_rules(journal: Path, tmp_path: Path) -> None:
    store = Store.open(journal)
    camera, scans, stick = Folders(store).all()
    assert [Path(folder.path).relative_to(tmp_path).name for folder in (camera, scans, stick)] == [
        "camera",
        "scans",
        "usb-stick",
    ]
    assert (camera.rules.after, camera.rules.label, camera.rules.exclude) == ("move", "camera", ("*.tmp",))
    assert (scans.rules.after, scans.rules.include, scans.rules.minimum_age_s) == ("delete", ("*.pdf",), 60)
    assert (camera.rules.take_existing, scans.rules.subfolders) == (False, False)
    assert (camera.enabled, stick.enabled, stick.scanned_ns) == (True, False, None)
    store.close()


def test_what_0_1_did_not_finish_is_sent_and_confirmed(data: Path, tmp_path: Path) -> None:
    rig = Rig(data, clock=FakeClock(NOW_NS))
    rig.steps()
    assert rig.core.overall().hold is not None, "0.1 was paused, and so it stays"
    assert not rig.topic.records
    rig.core.commands.resume_all()
    rig.core.commands.resume([row.id for row in rig.core.files.in_state(FileState.PAUSED)])
    has_read = Notice(ReceiverState.OK, "", dict.fromkeys(range(rig.topic.partitions), 1_000_000))
    rig.hear([rig.office.stamped(has_read)])  # so that receipts of 0.1 that never came are asked for

    def left() -> set[str]:
        return {row.path for row in rig.core.files.history() if row.state is not FileState.CONFIRMED}

    rig.until(lambda: left() == set(STAYS), rounds=1000)
    rows = by_path(list(rig.core.files.history()))
    assert {name: (rows[name].state, rows[name].code) for name in STAYS} == STAYS
    assert rows["handed over.txt"].state is FileState.CONFIRMED, "what waited in the inbox"
    for name, arrived in rig.office.published.items():
        source = Path(rows[name].source).relative_to(tmp_path).as_posix()
        assert arrived == content(source, rows[name].size)
    assert {"under way.bin", "asked again.bin", "late.bin", "changed.bin"} <= rig.office.published.keys()
    rig.close()
