# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from fieldpost_desktop.engine.journal.files import Files
from fieldpost_desktop.engine.journal.inbox import Inbox, hand_over, hand_over_all
from fieldpost_desktop.engine.journal.schema import VERSION
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.file_row import SourceFile
from fieldpost_desktop.engine.model.states import FileState, WrongTransition
from fieldpost_shared.chunks import ChunkIndex
from fieldpost_shared.codes import Code
from fieldpost_shared.database import open_for_reading
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.ids import TransferId

TRANSFER = TransferId("0190f3a2b4c57d8e9fa0b1c2d3e4f506")


def found(name: str = "a.bin", size: int = 100) -> SourceFile:
    return SourceFile(f"/in/{name}", name, size, 5, "1:2")


def test_a_journal_of_a_newer_fieldpost_is_refused_untouched(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    Store.open(path).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(FieldpostError) as caught:
        Store.open(path)
    assert caught.value.code is Code.PROFILE_TOO_NEW


def test_a_damaged_journal_is_said_to_be_damaged(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(b"this is no database, " * 500)
    with pytest.raises(FieldpostError) as caught:
        Store.open(path)
    assert caught.value.code is Code.JOURNAL_DAMAGED


def test_a_transaction_is_all_or_nothing_however_deep(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "journal.db")
    files = Files(store)

    def fail_late() -> None:
        with store.transaction():
            files.add(found(), FileState.QUEUED, 1)
            with store.transaction():
                files.add(found("b.bin"), FileState.QUEUED, 1)
            raise KeyError

    with pytest.raises(KeyError):
        fail_late()
    assert files.counts() == {}
    store.close()


def test_what_was_committed_survives_a_power_cut(tmp_path: Path) -> None:
    """What lies on the disk after each commit, copied away while the engine still runs, is a whole journal."""
    store = Store.open(tmp_path / "live" / "journal.db")
    files = Files(store)
    row = files.add(found(size=99_999), FileState.QUEUED, 1)
    row = files.change(row, FileState.SENDING, transfer=TRANSFER, chunk_size=16_384)
    for number in range(5):
        files.acknowledge(row.id, [(ChunkIndex(number), bytes(32))])
        cut = tmp_path / f"cut-{number}"
        shutil.copytree(tmp_path / "live", cut)
        after = Store.open(cut / "journal.db")
        assert len(Files(after).acknowledged_chunks(Files(after).get(row.id))) == number + 1
        after.close()
    store.close()


def test_a_process_killed_in_a_transaction_leaves_the_state_before_it(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys; from pathlib import Path\n"
        "from fieldpost_desktop.engine.journal.store import Store\n"
        "store = Store.open(Path(sys.argv[1]))\n"
        "store.set_meta('k', 'committed')\n"
        "with store.transaction():\n"
        "    store.set_meta('k', 'half')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    path = tmp_path / "journal.db"
    subprocess.run([sys.executable, "-c", script, str(path)], check=False)
    store = Store.open(path)
    assert store.meta("k") == "committed"
    store.close()


def test_a_wrong_step_changes_nothing(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "journal.db")
    files = Files(store)
    row = files.add(found(), FileState.QUEUED, 1)
    with pytest.raises(WrongTransition):
        files.change(row, FileState.SENT, sha256="x")
    assert files.get(row.id) == row
    store.close()


def test_a_new_generation_forgets_chunks_and_receipts_and_cancels_the_old_id(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "journal.db")
    files = Files(store)
    row = files.change(
        files.add(found(size=99_999), FileState.QUEUED, 1), FileState.SENDING, transfer=TRANSFER, chunk_size=16_384
    )
    files.acknowledge(row.id, [(ChunkIndex(0), bytes(32)), (ChunkIndex(2), bytes(32))])
    files.record_round(row.id, "central", 3)
    files.add_receipt(row.id, "central", "now", renamed=False, duplicate=False)
    assert files.forget_chunk_ranges(row.id, [(1, 2)]) == 1
    anew = files.begin_anew(row, FileState.QUEUED)
    assert (anew.generation, anew.transfer, anew.chunk_size) == (2, None, 0)
    assert (len(files.acknowledged_chunks(anew)), files.receipts_of(row.id), files.rounds(row.id)) == (0, {}, {})
    assert files.cancels() == [TRANSFER]
    files.forget_cancel(TRANSFER)
    assert files.cancels() == []
    store.close()


def test_first_in_line_is_first(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "journal.db")
    files = Files(store)
    rows = [files.add(found(f"{number}", number), FileState.QUEUED, 1) for number in range(5)]
    files.change(rows[3], FileState.QUEUED, urgent=1)
    assert [row.size for row in files.waiting(0, 100, 10)] == [3, 0, 1, 2, 4]
    assert [row.size for row in files.waiting(1, 3, 2, busy=[rows[3].id])] == [1, 2]
    store.close()


def test_history_is_paged_newest_first_and_searched_literally(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "journal.db")
    files = Files(store)
    for number in range(7):
        files.add(found(f"100%_{number}.txt"), FileState.QUEUED, 1)
    first = list(files.history(most=3))
    second = list(files.history(before=first[-1].id, most=3))
    assert [row.id for row in first + second] == [7, 6, 5, 4, 3, 2]
    assert [row.path for row in files.history(text="%_6")] == ["100%_6.txt"]
    assert list(files.history(text="\\")) == []
    store.close()


def test_another_process_hands_over_and_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    store = Store.open(path)
    inbox = Inbox(store)
    assert inbox.news()
    assert not inbox.news()
    script = (
        "import sys, json; from pathlib import Path\n"
        "from fieldpost_desktop.engine.journal.inbox import hand_over\n"
        "hand_over(Path(sys.argv[1]), json.loads(sys.argv[2]), 7)\n"
    )
    order = {"command": "add", "paths": ["/in/ü.txt"], "batch": "b"}
    subprocess.run([sys.executable, "-c", script, str(path), json.dumps(order)], check=True)
    assert inbox.news()
    found = inbox.first()
    assert found is not None
    number, seen = found
    assert seen == order
    assert inbox.has("batch", "b")
    inbox.done(number)
    assert inbox.first() is None
    assert not inbox.has("batch", "b")
    store.close()


def test_many_commands_are_handed_over_in_their_order(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "journal.db")
    inbox = Inbox(store)
    hand_over_all(tmp_path / "journal.db", ({"command": "?", "number": number} for number in range(120)), 1)
    seen = []
    while (found := inbox.first()) is not None:
        number, command = found
        seen.append(command["number"])
        inbox.done(number)
    assert seen == list(range(120))
    store.close()


def test_handing_over_while_the_engine_writes_waits_its_turn(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    store = Store.open(path)
    with closing(open_for_reading(path)) as reader:
        hand_over(path, {"command": "pause"}, 1)
        assert reader.execute("SELECT count(*) FROM inbox").fetchone()[0] == 1
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            reader.execute("DELETE FROM inbox")
    store.close()
