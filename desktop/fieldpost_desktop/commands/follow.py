# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Following files in the journal, whichever process runs the engine: what changed, what is under way, what is left."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from fieldpost_desktop.engine.journal.files import FileId, FileRow, Files
from fieldpost_desktop.engine.journal.inbox import Inbox
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.states import OPEN, FileState

ENDED: Final = frozenset({FileState.CONFIRMED, FileState.CANCELLED, FileState.ATTENTION})
_OPEN: Final = ", ".join(f"'{state}'" for state in sorted(OPEN))
_UNDER_WAY: Final = (  # first what moves
    "state IN ('sending', 'retrying', 'sent', 'paused', 'queued') ORDER BY CASE state WHEN 'sending' THEN 0"
    " WHEN 'retrying' THEN 1 WHEN 'sent' THEN 2 WHEN 'paused' THEN 3 ELSE 4 END, urgent DESC, id"
)


@dataclass(frozen=True, slots=True)
class FileView:
    """A file as people see it."""

    row: FileRow
    acknowledged: int = 0  # parts
    receiver: str = ""
    confirmed_at: str = ""  # ISO, as the receiver said

    @property
    def acknowledged_bytes(self) -> int:
        """What the broker has of it."""
        row = self.row
        if row.state in {FileState.SENT, FileState.CONFIRMED}:
            return row.size
        return min(row.size, self.acknowledged * row.chunk_size)


@dataclass(frozen=True, slots=True)
class Scope:
    """Which files: the rows that a condition on `files` selects."""

    condition: str
    values: tuple[object, ...] = ()
    batch: str = ""  # if it is one: handed over, perhaps not looked up yet


def batch_scope(batch: str) -> Scope:
    """Return the scope of the files that were handed over together."""
    return Scope("id IN (SELECT file FROM batches WHERE batch = ?)", (batch,), batch)


def open_scope(store: Store) -> Scope:
    """Return the scope of all files that are open now, and of all that come."""
    rows = store.rows(f"SELECT min(id) AS first FROM files WHERE state IN ({_OPEN})")  # noqa: S608 - ours
    newest = store.rows("SELECT coalesce(max(id), 0) AS newest FROM files")
    return Scope("id >= ?", (rows[0]["first"] or newest[0]["newest"] + 1,))


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The files of a scope at one moment."""

    changed: Sequence[FileView] = ()
    counts: Mapping[FileState, int] = field(default_factory=dict)
    looked_up: bool = True  # else more files are to come

    @property
    def total(self) -> int:
        """All files."""
        return sum(self.counts.values())

    @property
    def confirmed(self) -> int:
        """Those with a receipt."""
        return self.counts.get(FileState.CONFIRMED, 0)

    @property
    def finished(self) -> bool:
        """Whether every file has reached its end."""
        return self.looked_up and all(state in ENDED for state in self.counts)


_Mark = tuple[FileState, str, int, int]


class Follower:
    """Reads the journal again and again; returns what changed since the last time."""

    def __init__(self, store: Store, scope: Scope) -> None:
        self._store = store
        self._files = Files(store)
        self._inbox = Inbox(store)
        self._scope = scope
        self._seen: dict[FileId, _Mark] = {}

    def skip_ended(self) -> None:
        """Report nothing about files that have ended before."""
        self._seen |= {file: mark for file, mark in self._marks() if mark[0] in ENDED}

    def look(self) -> Snapshot:
        """Return the present state, with what changed since the last call."""
        looked_up = not self._is_in_inbox()  # first: what is looked up after this moment is seen in the next look
        marks = list(self._marks())
        changed = [self._view(file) for file, mark in marks if self._seen.get(file) != mark]
        self._seen |= {view.row.id: _mark(view.row) for view in changed if view is not None}
        counts = Counter(mark[0] for _, mark in marks)
        return Snapshot([view for view in changed if view is not None], counts, looked_up)

    def under_way(self, most: int) -> list[FileView]:
        """Return the files that are not finished, those that move first."""
        rows = self._store.rows(
            f"SELECT id FROM files WHERE {self._scope.condition} AND {_UNDER_WAY} LIMIT ?",  # noqa: S608 - ours
            *self._scope.values,
            most,
        )
        return [view for row in rows if (view := self._view(row["id"])) is not None]

    def _marks(self) -> Iterator[tuple[FileId, _Mark]]:
        rows = self._store.rows(
            f"SELECT id, state, code, attempt, generation FROM files WHERE {self._scope.condition} ORDER BY id",  # noqa: S608 - ours
            *self._scope.values,
        )
        return ((row["id"], (FileState(row["state"]), row["code"], row["attempt"], row["generation"])) for row in rows)

    def _is_in_inbox(self) -> bool:
        batch = self._scope.batch
        return bool(batch) and any(order.get("batch") == batch for _, order in self._inbox.peek())

    def _view(self, file: FileId) -> FileView | None:
        row = self._files.find(file)
        return None if row is None else view_of(self._store, row)


def view_of(store: Store, row: FileRow) -> FileView:
    """Return a row with its acknowledged parts, or its receipts."""
    if row.state is FileState.CONFIRMED:
        receipts = Files(store).receivers(row.id)
        at = max((receipt["at"] for receipt in receipts.values()), default="")
        return FileView(row, receiver=", ".join(sorted(receipts)), confirmed_at=at)
    if not row.chunk_size:
        return FileView(row)
    found = store.rows("SELECT count(*) AS parts FROM chunks WHERE file = ?", row.id)
    return FileView(row, found[0]["parts"])


def _mark(row: FileRow) -> _Mark:
    return row.state, row.code, row.attempt, row.generation
