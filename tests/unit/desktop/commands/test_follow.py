# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Following files in the journal: what changed since the last look, and when everything has ended."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fieldpost_desktop.commands.follow import Follower
from fieldpost_desktop.engine.journal.files import Files
from fieldpost_desktop.engine.journal.follow import batch_scope, open_scope
from fieldpost_desktop.engine.journal.inbox import hand_over
from fieldpost_desktop.engine.journal.store import Store, reading
from fieldpost_desktop.engine.model.file_row import FileRow, SourceFile
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.chunks import ChunkIndex


class Journal:
    """A journal that a test writes and a follower reads through its own connection."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.store = Store.open(path)
        self.files = Files(self.store)

    def add(self, name: str, batch: str = "b") -> FileRow:
        return self.files.add(SourceFile(f"/{name}", name, 100_000, 0, ""), FileState.QUEUED, 1, batch)

    def confirm(self, row: FileRow) -> None:
        self.files.add_receipt(row.id, "central", "2026-01-01T00:00:00+00:00", renamed=False, duplicate=False)
        self.files.change(self.files.get(row.id), FileState.CONFIRMED, ended_ns=2)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    found = Journal(tmp_path / "journal.db")
    yield found
    found.store.close()


def test_each_change_is_told_once(journal: Journal) -> None:
    row = journal.add("a")
    journal.add("of another batch", "other")
    with reading(journal.path) as store:
        follower = Follower(store, batch_scope("b"))
        assert [view.row.path for view in follower.look().changed] == ["a"]
        assert follower.look().changed == []
        journal.files.change(row, FileState.SENDING, chunk_size=65_536)
        journal.files.acknowledge(row.id, [(ChunkIndex(0), b"")])
        (view,) = follower.look().changed
        assert (view.row.state, view.acknowledged, view.acknowledged_bytes) == (FileState.SENDING, 1, 65_536)
        journal.confirm(row)
        snapshot = follower.look()
        (view,) = snapshot.changed
        assert (view.receiver, view.confirmed_at) == ("central", "2026-01-01T00:00:00+00:00")
        assert snapshot.finished


def test_nothing_is_finished_while_the_order_lies_in_the_inbox(journal: Journal) -> None:
    hand_over(journal.path, {"command": "add", "paths": [], "batch": "b"}, 1)
    with reading(journal.path) as store:
        follower = Follower(store, batch_scope("b"))
        assert not follower.look().finished
        journal.confirm(journal.add("a"))
        snapshot = follower.look()
        assert (snapshot.finished, snapshot.confirmed) == (False, 1)
        with journal.store.transaction() as db:
            db.execute("DELETE FROM inbox")
        assert follower.look().finished


def test_what_needs_a_person_has_ended_until_it_goes_on(journal: Journal) -> None:
    row = journal.files.change(journal.add("a"), FileState.ATTENTION, code="file_gone")
    with reading(journal.path) as store:
        follower = Follower(store, batch_scope("b"))
        assert follower.look().finished
        journal.files.change(row, FileState.QUEUED)
        assert not follower.look().finished


def test_what_moves_is_shown_first(journal: Journal) -> None:
    rows = [journal.add(name) for name in "abcde"]
    journal.files.change(journal.files.change(rows[3], FileState.SENDING), FileState.SENT)
    journal.files.change(rows[4], FileState.SENDING)
    journal.confirm(rows[0])
    with reading(journal.path) as store:
        follower = Follower(store, batch_scope("b"))
        assert [view.row.path for view in follower.under_way(3)] == ["e", "d", "b"]


def test_watching_begins_with_what_is_open_and_passes_over_the_rest(journal: Journal) -> None:
    done, waiting, also_done = (journal.add(name) for name in ("done", "waiting", "also done"))
    journal.confirm(done)
    journal.confirm(also_done)
    with reading(journal.path) as store:
        follower = Follower(store, open_scope(store))
        follower.skip_ended()
        assert [view.row.path for view in follower.look().changed] == ["waiting"]
        journal.add("new")
        journal.confirm(waiting)
        assert [view.row.path for view in follower.look().changed] == ["waiting", "new"]


def test_watching_an_empty_journal_begins_with_what_comes(journal: Journal) -> None:
    with reading(journal.path) as store:
        follower = Follower(store, open_scope(store))
        assert follower.look().total == 0
        journal.add("new")
        assert follower.look().total == 1
