# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The scan of a folder: the truth about what lies in it.

1. Walk through it and journal files that the journal does not know.
2. Check the files that wait: changed, vanished, or ready for the queue.
3. Journal that the scan is complete.

Rows beyond settling belong to the sending engine, which notices changes itself; of those that need a person only the
ones whose file came back or changed are taken up again. Between two scans step 2 alone is done when a file may be
ready. Nothing is held for each file: both steps go through in batches.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeVar

from fieldpost_desktop.engine.journal.folders import Folder, KnownFile
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.events import Listener
from fieldpost_desktop.engine.sources.file_probe import code_of_os_error
from fieldpost_desktop.engine.sources.filter import FileFilter
from fieldpost_desktop.engine.watching.compare import Comparison
from fieldpost_desktop.engine.watching.scan_writes import FolderRulesChanged, ScanWrite, ScanWrites, VanishedFile
from fieldpost_desktop.engine.watching.settle import SettleCheck, WriteProbe
from fieldpost_desktop.engine.watching.walk import UnreadableFolders, walk
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code

T = TypeVar("T")

BATCH: Final = 500  # files for each query and transaction: some 50 ms of the journal's time when all are new


@dataclass(slots=True)
class ScanResult:
    """What a scan did."""

    complete: bool = False  # not if it was stopped, or the folder was not there or changed
    queued: int = 0
    ready_ns: int | None = None  # when a waiting file may be ready


class ScanStopped(Exception):
    """The program ends in the middle of a scan."""


class Scanner:
    """Scans one folder at a time, on one thread."""

    def __init__(
        self, store: Store, clock: Clock, probe: WriteProbe, listener: Listener, stopping: Callable[[], bool]
    ) -> None:
        self._clock = clock
        self._probe = probe
        self._stopping = stopping
        self._scan_writes = ScanWrites(store, clock, listener)
        self._folders = self._scan_writes.folders

    def scan(self, folder: Folder, settle_s: float) -> ScanResult:
        """Scan all of a folder."""
        result, unreadable = ScanResult(), UnreadableFolders()
        try:
            self._find(folder, unreadable)
            self._settle(folder, settle_s, result)
        except OSError as error:
            self._unreachable(folder, error)
        except (FolderRulesChanged, ScanStopped):
            pass
        else:
            result.complete = True
            code = Code.FILE_UNREADABLE if unreadable.count else None
            self._folders.note_scan(folder.id, self._clock.now_ns(), code=code, detail=unreadable.detail())
        return result

    def settle(self, folder: Folder, settle_s: float) -> ScanResult:
        """Check only the files that wait."""
        result = ScanResult()
        try:
            self._settle(folder, settle_s, result)
            result.complete = True
        except OSError as error:
            self._unreachable(folder, error)
        except (FolderRulesChanged, ScanStopped):
            pass
        return result

    def _find(self, folder: Folder, unreadable: UnreadableFolders) -> None:
        comparison = Comparison(folder, self._folders, self._clock.now_ns())
        candidates = self._until_stopped(walk(folder.path, FileFilter(folder.rules), unreadable))
        while batch := list(islice(candidates, BATCH)):
            self._scan_writes.write(folder, list(comparison.compare(batch)))

    def _settle(self, folder: Folder, settle_s: float, result: ScanResult) -> None:
        settle_check = SettleCheck(folder, settle_s, probe=self._probe, now_ns=self._clock.now_ns())
        for page in self._folders.waiting_files(folder.id, BATCH):
            writes = self._check(settle_check, page)
            if any(isinstance(write, VanishedFile) for write in writes):
                os.scandir(folder.path).close()  # still there, so that "not found" was about the files
            result.queued += self._scan_writes.write(folder, writes)
        result.ready_ns = settle_check.ready_ns

    def _check(self, settle_check: SettleCheck, page: list[KnownFile]) -> list[ScanWrite]:
        judged = (settle_check.check(known) for known in self._until_stopped(iter(page)))
        return [write for write in judged if write is not None]

    def _until_stopped(self, things: Iterator[T]) -> Iterator[T]:
        for thing in things:
            if self._stopping():
                raise ScanStopped
            yield thing

    def _unreachable(self, folder: Folder, error: OSError) -> None:
        """Journal that a folder cannot be reached, which says nothing about its files."""
        denied = code_of_os_error(error) is Code.FILE_UNREADABLE
        code = Code.FILE_UNREADABLE if denied else Code.FOLDER_GONE
        detail = os.strerror(error.errno or 0)
        if (folder.code, folder.detail) != (code, detail):
            self._folders.note_trouble(folder.id, code, detail)
