# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What a scan writes into the journal, one transaction for many files.

Files are checked outside of it, because a slow drive must not block the sender. So each write names the row it was
based on: a row that another thread has changed meanwhile is left alone, and the next scan decides anew.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fieldpost_desktop.engine.journal.files import Files
from fieldpost_desktop.engine.journal.folders import Folder, Folders, KnownFile
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.events import Event, FileChanged, FileDropped, Listener
from fieldpost_desktop.engine.model.file_row import FileRow, SourceFile
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.clock import Clock


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file, or a version of one, that the journal did not know; `before` is what it knew under this path."""

    before: KnownFile | None
    found: SourceFile
    state: FileState
    columns: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A row that changes; `anew`: what was sent of it so far is void."""

    before: KnownFile
    state: FileState
    columns: Mapping[str, object]
    anew: bool = False


@dataclass(frozen=True, slots=True)
class VanishedFile:
    """A file that is gone and was never queued."""

    before: KnownFile


ScanWrite = NewFile | ChangedFile | VanishedFile


class FolderRulesChanged(Exception):
    """The folder was removed, switched off or got other rules in the middle of its scan, which is void."""


class ScanWrites:
    """Writes into the journal, and tells the listener after the commit."""

    def __init__(self, store: Store, clock: Clock, listener: Listener) -> None:
        self._store = store
        self._clock = clock
        self._listener = listener
        self.files = Files(store)
        self.folders = Folders(store)

    def write(self, folder: Folder, writes: Sequence[ScanWrite]) -> int:
        """Write what still holds; return how many files were queued.

        Raises:
            FolderChanged: nothing was written.
        """
        if not writes:
            return 0
        with self._store.transaction():
            now = self.folders.get(folder.id)
            if now is None or not now.enabled or now.rules != folder.rules:
                raise FolderRulesChanged
            events = [event for write in writes if (event := self._write(write)) is not None]
        for event in events:
            self._listener(event)
        return sum(isinstance(event, FileChanged) and event.row.state is FileState.QUEUED for event in events)

    def _write(self, write: ScanWrite) -> Event | None:
        row = self.files.by_source(write.found.source if isinstance(write, NewFile) else write.before.source)
        if not _is_same(row, write.before):
            return None
        if isinstance(write, NewFile):
            added = self._add(write)
            return None if added.state is FileState.CANCELLED else FileChanged(added)  # skipped: no news
        if isinstance(write, ChangedFile) and row is not None:
            change = self.files.begin_anew if write.anew and row.transfer is not None else self.files.change
            return FileChanged(change(row, write.state, **write.columns))
        self.folders.forget(write.before.id)
        return FileDropped(write.before.id)

    def _add(self, write: NewFile) -> FileRow:
        row = self.files.add(write.found, write.state, self._clock.now_ns())
        return self.files.change(row, write.state, **write.columns) if write.columns else row


def _is_same(row: FileRow | None, before: KnownFile | None) -> bool:
    if row is None or before is None:
        return row is None and before is None
    return (row.id, row.state, row.size, row.mtime_ns) == (before.id, before.state, before.size, before.mtime_ns)
