# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What a scan writes into the journal, one transaction for many files.

Files are looked at outside of it, since a slow drive must not hold up the sender. So each note says on which row it
was founded: one that another thread has changed meanwhile is left alone, and the next scan decides anew.
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
    """A file, or a version of one, that the journal did not know; `before` is what it knew of the place."""

    before: KnownFile | None
    found: SourceFile
    state: FileState
    columns: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A row moves on; `anew`: what was sent of it so far is void."""

    before: KnownFile
    state: FileState
    columns: Mapping[str, object]
    anew: bool = False


@dataclass(frozen=True, slots=True)
class VanishedFile:
    """A file is gone that was never queued."""

    before: KnownFile


ScanWrite = NewFile | ChangedFile | VanishedFile


class FolderRulesChanged(Exception):
    """The folder was removed, switched off or got other rules in the middle of its scan, which is void."""


class ScanWrites:
    """Writes notes and tells whoever listens, after the commit."""

    def __init__(self, store: Store, clock: Clock, listener: Listener) -> None:
        self._store = store
        self._clock = clock
        self._listener = listener
        self.files = Files(store)
        self.folders = Folders(store)

    def write(self, folder: Folder, notes: Sequence[ScanWrite]) -> int:
        """Write what still holds; tells how many files were queued.

        Raises:
            FolderChanged: nothing was written.
        """
        if not notes:
            return 0
        with self._store.transaction():
            now = self.folders.get(folder.id)
            if now is None or not now.enabled or now.rules != folder.rules:
                raise FolderRulesChanged
            events = [event for note in notes if (event := self._write(note)) is not None]
        for event in events:
            self._listener(event)
        return sum(isinstance(event, FileChanged) and event.row.state is FileState.QUEUED for event in events)

    def _write(self, note: ScanWrite) -> Event | None:
        row = self.files.by_source(note.found.source if isinstance(note, NewFile) else note.before.source)
        if not _is_same(row, note.before):
            return None
        if isinstance(note, NewFile):
            added = self._add(note)
            return None if added.state is FileState.CANCELLED else FileChanged(added)  # passed over: no news
        if isinstance(note, ChangedFile) and row is not None:
            change = self.files.begin_anew if note.anew and row.transfer is not None else self.files.change
            return FileChanged(change(row, note.state, **note.columns))
        self.folders.forget(note.before.id)
        return FileDropped(note.before.id)

    def _add(self, note: NewFile) -> FileRow:
        row = self.files.add(note.found, note.state, self._clock.now_ns())
        return self.files.change(row, note.state, **note.columns) if note.columns else row


def _is_same(row: FileRow | None, before: KnownFile | None) -> bool:
    if row is None or before is None:
        return row is None and before is None
    return (row.id, row.state, row.size, row.mtime_ns) == (before.id, before.state, before.size, before.mtime_ns)
