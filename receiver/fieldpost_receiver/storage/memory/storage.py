# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A destination in memory. Several `MemoryStorage` on one `MemoryDisk` are what restarts are to a folder."""

import errno
from dataclasses import dataclass, field

from fieldpost_receiver.storage.errors import StorageError
from fieldpost_receiver.storage.memory.disk import MemoryDisk
from fieldpost_receiver.storage.memory.published import MemoryPublished
from fieldpost_receiver.storage.memory.staging import MemoryStaging, MemoryStagingWriter
from fieldpost_receiver.storage.memory.tasks_lock import MemoryTasksLock
from fieldpost_receiver.storage.port import Published, Staging, StagingWriter, TasksLock


@dataclass(frozen=True, slots=True)
class MemoryStorage:
    """Implements `Storage`."""

    disk: MemoryDisk = field(default_factory=MemoryDisk)

    def create(self) -> None:
        self.disk.created = True

    def open_staging(self) -> Staging:
        return MemoryStaging(self._created())

    def open_published(self) -> Published:
        return MemoryPublished(self._created())

    def open_writer(self, token: str) -> StagingWriter:
        return MemoryStagingWriter(self._created(), token)

    def tasks_lock(self) -> TasksLock:
        return MemoryTasksLock(self.disk)

    def free_bytes(self) -> int:
        return self.disk.free_bytes()

    def _created(self) -> MemoryDisk:
        if not self.disk.created:
            raise StorageError("open", errno.ENOENT)
        return self.disk
