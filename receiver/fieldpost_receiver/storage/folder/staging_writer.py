# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Staging in a folder, a task's side: bytes go in place into sparse files, and a row is yielded only after `sync`.

A file belongs to one transfer and one fingerprint of its facts, so messages that contradict each other cannot mix, and
tasks need not ask each other.
"""

import errno
import stat
from collections import OrderedDict
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from fieldpost_receiver.storage.errors import TooLargeForDisk, storing
from fieldpost_receiver.storage.folder.disk import Disk
from fieldpost_receiver.storage.folder.tasks_lock import hold_as_task
from fieldpost_receiver.storage.folder.working_folder import STAGING, open_working_folder, part_name
from fieldpost_receiver.storage.port import StagedFile, Synced
from fieldpost_shared.chunks import MIB
from fieldpost_shared.ids import TransferId
from fieldpost_shared.protocol.limits import MAX_SIZE

MAX_OPEN: Final = 64  # far below the usual limit of 1,024, with several tasks in a process
SYNC_SINGLY: Final = 8  # more files than these, and one syncfs is cheaper than their fdatasyncs
LET_GO: Final = 8 * MIB  # written since the last time: what the disk begins with now, `sync` need not wait for


class FolderStagingWriter:
    """Implements `StagingWriter`.

    After a failed sync the kernel takes the lost pages for clean, and a second sync would succeed falsely. The
    writer is of no use then: the task fails, and its retry writes everything again.
    """

    def __init__(
        self,
        destination: Path,
        disk: Disk | None = None,
        *,
        token: str = "",
        max_open: int = MAX_OPEN,
        sync_singly: int = SYNC_SINGLY,
    ) -> None:
        self._disk = disk or Disk()
        self._max_open = max_open
        # A file that was closed unsynced can hide its error; then there are too many for single syncs anyway.
        self._sync_singly = min(sync_singly, max_open)
        self._open: OrderedDict[str, int] = OrderedDict()  # least recently written first
        self._unsynced: set[str] = set()
        self._written = 0
        self._let_go = 0  # so much of what was written
        self._names_unsynced = False
        self._usable = True
        self._lock = hold_as_task(destination, token, self._disk)
        try:
            self._folder = open_working_folder(destination, STAGING, self._disk)  # before any write: see Disk.syncfs
        except BaseException:
            self._disk.close(self._lock)
            raise

    def write(self, transfer: TransferId, fingerprint: str, offset: int, data: bytes | bytearray | memoryview) -> None:
        name = part_name(StagedFile(transfer, fingerprint))
        self._check_usable()
        if offset + len(data) > MAX_SIZE:  # the kernel would blame the call, not the file
            raise TooLargeForDisk
        with storing("write"):
            file = self._descriptor(name)
            self._unsynced.add(name)
            self._write_all(file, offset, memoryview(data).cast("B"))
            if self._written - self._let_go >= LET_GO:
                self._let_go = self._written
                self._disk.let_go(file)

    def sync(self) -> Synced:
        self._check_usable()
        if not self._unsynced:
            return Synced()
        done = Synced(len(self._unsynced), self._written)
        self._usable = False
        with storing("sync"):
            self._sync_files()
        self._usable = True
        self._unsynced.clear()
        self._written = self._let_go = 0
        self._names_unsynced = False
        return done

    def close(self) -> None:
        """Close all files; what was not synced does not count."""
        self._usable = False
        files = [*self._open.values(), self._folder, self._lock] if self._folder >= 0 else []  # the lock last
        self._open.clear()
        self._folder = -1
        with storing("close"):
            for file in files:
                self._disk.close(file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _check_usable(self) -> None:
        if not self._usable:
            raise ValueError("this writer is closed, or its last sync failed")

    def _write_all(self, file: int, offset: int, left: memoryview) -> None:
        while left:
            count = self._disk.pwrite(file, left, offset)
            self._written += count
            offset += count
            left = left[count:]

    def _sync_files(self) -> None:
        if len(self._unsynced) > self._sync_singly:
            self._disk.syncfs(self._folder)  # names too
            return
        for name in self._unsynced:
            self._disk.fdatasync(self._open[name])
        if self._names_unsynced:
            self._disk.sync_folder(self._folder)

    def _descriptor(self, name: str) -> int:
        if name in self._open:
            self._open.move_to_end(name)
            return self._open[name]
        if len(self._open) >= self._max_open:
            _, oldest = self._open.popitem(last=False)
            self._disk.close(oldest)
        file = self._open[name] = self._open_own(name)
        # Even of a file that was there: the task that created it may not have synced its name yet.
        self._names_unsynced = True
        return file

    def _open_own(self, name: str) -> int:
        """Open or create; a planted link of either sort makes way for a new file, its target stays as it is."""
        try:
            file = self._disk.open_to_write(self._folder, name)
        except OSError as error:
            if error.errno != errno.ELOOP:
                raise
        else:
            if self._is_own(file):
                return file
            self._disk.close(file)
        self._disk.unlink(self._folder, name)
        return self._disk.create(self._folder, name)

    def _is_own(self, file: int) -> bool:
        try:
            found = self._disk.fstat(file)
        except OSError:
            self._disk.close(file)
            raise
        return stat.S_ISREG(found.st_mode) and found.st_nlink == 1
