# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Following files in the journal, whichever process runs the engine: what changed, what is under way, what is left."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from fieldpost_desktop.engine.journal import follow
from fieldpost_desktop.engine.journal.files import Files
from fieldpost_desktop.engine.journal.follow import Mark, Scope
from fieldpost_desktop.engine.journal.inbox import Inbox
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.file_row import FileId, FileRow
from fieldpost_desktop.engine.model.states import FileState

ENDED: Final = frozenset({FileState.CONFIRMED, FileState.CANCELLED, FileState.ATTENTION})


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


class Follower:
    """Reads the journal again and again; returns what changed since the last time."""

    def __init__(self, store: Store, scope: Scope) -> None:
        self._store = store
        self._files = Files(store)
        self._inbox = Inbox(store)
        self._scope = scope
        self._seen: dict[FileId, Mark] = {}

    def skip_ended(self) -> None:
        """Report nothing about files that have ended before."""
        self._seen |= {file: mark for file, mark in follow.marks(self._store, self._scope) if mark[0] in ENDED}

    def look(self) -> Snapshot:
        """Return the present state, with what changed since the last call."""
        looked_up = not self._is_in_inbox()  # first: what is looked up after this moment is seen in the next look
        marks = list(follow.marks(self._store, self._scope))
        changed = [self._view(file) for file, mark in marks if self._seen.get(file) != mark]
        self._seen |= {view.row.id: _mark(view.row) for view in changed if view is not None}
        counts = Counter(mark[0] for _, mark in marks)
        return Snapshot([view for view in changed if view is not None], counts, looked_up)

    def under_way(self, most: int) -> list[FileView]:
        """Return the files that are not finished, those that move first."""
        found = follow.unfinished(self._store, self._scope, most)
        return [view for file in found if (view := self._view(file)) is not None]

    def _is_in_inbox(self) -> bool:
        batch = self._scope.batch
        return bool(batch) and self._inbox.has("batch", batch)

    def _view(self, file: FileId) -> FileView | None:
        row = self._files.find(file)
        return None if row is None else view_of(self._store, row)


def view_of(store: Store, row: FileRow) -> FileView:
    """Return a row with its acknowledged parts, or its receipts."""
    if row.state is FileState.CONFIRMED:
        receipts = Files(store).receipts_of(row.id)
        at = max((receipt["at"] for receipt in receipts.values()), default="")
        return FileView(row, receiver=", ".join(sorted(receipts)), confirmed_at=at)
    if not row.chunk_size:
        return FileView(row)
    return FileView(row, Files(store).acknowledged(row.id))


def _mark(row: FileRow) -> Mark:
    return row.state, row.code, row.attempt, row.generation
