# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Staging in memory: both the driver's and the tasks' side."""

import errno
from types import TracebackType
from typing import Self

from fieldpost_receiver.storage.errors import LateTask, NotWhole, StorageError
from fieldpost_receiver.storage.memory.disk import MemoryDisk, Stored
from fieldpost_receiver.storage.port import StagedEntry, StagedFile, Synced, Whereabouts
from fieldpost_shared.ids import TransferId


class MemoryStagingWriter:
    """Implements `StagingWriter`: bytes are in place at once, and only a sync counts them."""

    def __init__(self, disk: MemoryDisk, token: str) -> None:
        self._disk = disk
        with disk.lock:
            if disk.driver_holds or disk.token != token:
                raise LateTask
            disk.tasks += 1
        self._unsynced: set[StagedFile] = set()
        self._written = 0

    def write(self, transfer: TransferId, fingerprint: str, offset: int, data: bytes | bytearray | memoryview) -> None:
        file, size = StagedFile(transfer, fingerprint), len(data)
        with self._disk.lock:
            staged = self._disk.staged.setdefault(file, bytearray())
            missing = max(0, offset + size - len(staged))
            if missing > self._disk.free_bytes():
                raise StorageError("write", errno.ENOSPC)
            staged.extend(bytes(missing))
            staged[offset : offset + size] = data
        self._unsynced.add(file)
        self._written += size

    def sync(self) -> Synced:
        done = Synced(len(self._unsynced), self._written)
        self._unsynced, self._written = set(), 0
        return done

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._disk.lock:
            self._disk.tasks -= 1


class MemoryStaging:
    """Implements `Staging`."""

    def __init__(self, disk: MemoryDisk) -> None:
        self._disk = disk

    def seal(self, transfer: TransferId, fingerprint: str, size: int) -> StagedFile:
        file, disk = StagedFile(transfer, fingerprint), self._disk
        with disk.lock:
            staged = disk.staged.get(file)
            sealed = disk.sealed.get(file)
            if sealed is None and staged is None and size == 0:
                staged = bytearray()
            found = sealed.data if sealed is not None else staged
            if found is None or len(found) != size:
                raise NotWhole(size, None if found is None else len(found))
            if sealed is None:
                disk.sealed[file] = Stored(bytes(found), 0)
            disk.staged.pop(file, None)
        return file

    def sync(self) -> None:
        pass

    def whereabouts(self, file: StagedFile) -> Whereabouts:
        with self._disk.lock:
            if file in self._disk.sealed:
                return Whereabouts.SEALED
            return Whereabouts.STAGED if file in self._disk.staged else Whereabouts.GONE

    def discard(self, transfer: str, fingerprint: str | None = None) -> None:
        with self._disk.lock:
            for file in list(self._disk.staged):
                if file.transfer == transfer and fingerprint in {None, file.fingerprint}:
                    del self._disk.staged[file]

    def discard_sealed(self, file: StagedFile) -> None:
        with self._disk.lock:
            self._disk.sealed.pop(file, None)

    def list_staged(self) -> list[StagedEntry]:
        with self._disk.lock:
            return [StagedEntry(file, len(data), len(data), 0) for file, data in self._disk.staged.items()]

    def list_sealed(self) -> list[StagedEntry]:
        with self._disk.lock:
            found = self._disk.sealed.items()
            return [StagedEntry(file, len(one.data), len(one.data), one.mtime_ns) for file, one in found]

    def free_bytes(self) -> int:
        return self._disk.free_bytes()

    def close(self) -> None:
        pass
