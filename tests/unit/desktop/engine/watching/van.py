# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A laptop in a van: a journal, a folder of photos, a clock that stands still, and a probe that can be told."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from fieldpost_desktop.engine.journal.files import Files
from fieldpost_desktop.engine.journal.folders import Folder, Folders
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.events import Event
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.folder_rules import FolderRules
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.sources.file_probe import deny_writers_probe
from fieldpost_desktop.engine.watching.folder_kind import LOCAL
from fieldpost_desktop.engine.watching.scan import Scanner, ScanResult
from fieldpost_shared.clock import FakeClock
from fieldpost_shared.codes import Code


class Van:
    """Writes files as people and programs do, and asks the journal what became of them."""

    def __init__(self, place: Path, store: Store) -> None:
        self.root = place / "photos"
        self.root.mkdir()
        self.store = store
        self.clock = FakeClock()
        self.files = Files(store)
        self.folders = Folders(store)
        self.locked: dict[str, Code] = {}  # by name: what the probe says
        self.events: list[Event] = []
        self.stopping = False
        self.scanner = Scanner(store, self.clock, self.probe, self.events.append, lambda: self.stopping)

    def watch(self, **rules: object) -> Folder:
        made = replace(FolderRules(), **rules)  # type: ignore[arg-type]  # the fields of the rules
        return self.folders.add(str(self.root), made, self.clock.now_ns())

    def folder(self) -> Folder:
        return self.folders.all()[0]

    def probe(self, path: str) -> Code | None:
        return self.locked.get(Path(path).name) or deny_writers_probe(path)

    def write(self, name: str, content: bytes = b"photo") -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        os.utime(path, ns=(self.clock.now_ns(), self.clock.now_ns()))
        return path

    def scan(self) -> ScanResult:
        return self.scanner.scan(self.folder(), LOCAL.settle_s)

    def settle(self) -> ScanResult:
        return self.scanner.settle(self.folder(), LOCAL.settle_s)

    def wait(self, seconds: float) -> None:
        """Time passes, then the folder is scanned."""
        self.clock.advance(seconds)
        self.scan()

    def queue(self, name: str, content: bytes = b"photo") -> FileRow:
        """A file that has come as far as the queue."""
        self.write(name, content)
        self.scan()
        self.wait(LOCAL.settle_s)
        return self.row(name)

    def confirm(self, name: str, content: bytes = b"photo") -> FileRow:
        """A file whose receipt is there."""
        row = self.queue(name, content)
        return self.files.change(row, FileState.CONFIRMED, ended_ns=self.clock.now_ns(), clean_up="due")

    def row(self, name: str) -> FileRow:
        row = self.files.by_source(str(self.root / name))
        assert row is not None, f"nothing is known of {name}"
        return row

    def states(self) -> dict[str, FileState]:
        """The newest state of each file that is known, by the path under which it travels."""
        return {row.path: row.state for row in sorted(self.files.history(), key=lambda row: row.id)}

    def rows_of(self, name: str) -> list[FileRow]:
        return sorted((row for row in self.files.history() if row.path == name), key=lambda row: row.id)


@contextmanager
def a_van(place: Path) -> Iterator[Van]:
    """Open the journal for as long as a test takes."""
    store = Store.open(place / "data" / "journal.db")
    try:
        yield Van(place, store)
    finally:
        store.close()
