# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The tasks' lock in memory, the driver's side."""

from fieldpost_receiver.storage.memory.disk import MemoryDisk


class MemoryTasksLock:
    """Implements `TasksLock`."""

    def __init__(self, disk: MemoryDisk) -> None:
        self._disk = disk

    def try_take(self) -> bool:
        with self._disk.lock:
            if self._disk.tasks:
                return False
            self._disk.driver_holds, self._disk.token = True, ""
            return True

    def release(self, token: str = "") -> None:
        with self._disk.lock:
            if self._disk.driver_holds:
                self._disk.driver_holds, self._disk.token = False, token

    def holders(self) -> list[int]:
        return []  # they are threads of this process
