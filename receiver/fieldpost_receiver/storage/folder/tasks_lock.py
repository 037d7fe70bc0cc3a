# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`tasks.lock` in the working folder: who may write staged files now, the tasks of one batch or the driver.

A task holds the lock shared from before its first open until after its last close; the driver must get it exclusively
before a batch, before sealing and before sweeping. The kernel releases it however a process ends, and a stopped process
keeps it, so "no task writes" is known and not assumed. The file holds the token of the batch whose tasks may begin;
while it is empty, none may.
"""

import fcntl
import os
from pathlib import Path
from typing import Final

from fieldpost_receiver.storage.errors import LateTask, storing
from fieldpost_receiver.storage.folder.disk import Disk, closing
from fieldpost_receiver.storage.folder.working_folder import open_lock_file

_LOCKS: Final = Path("/proc/locks")
_MOST_TOKEN: Final = 64


class FolderTasksLock:
    """Implements `TasksLock`, the driver's side. The file is open only while it is held: a disk may be remounted."""

    def __init__(self, destination: Path, disk: Disk | None = None) -> None:
        self._destination = destination
        self._disk = disk or Disk()
        self._file: int | None = None

    def try_take(self) -> bool:
        file = open_lock_file(self._destination, self._disk)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._write_token(file, "")
        except BlockingIOError:
            self._disk.close(file)
            return False
        except BaseException:
            self._disk.close(file)
            raise
        self._file = file
        return True

    def release(self, token: str = "") -> None:
        file, self._file = self._file, None
        if file is not None:
            try:
                self._write_token(file, token)
            finally:
                self._disk.close(file)

    def holders(self) -> list[int]:
        with closing(self._disk, open_lock_file(self._destination, self._disk)) as file:
            found = os.fstat(file)
        place = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}:{found.st_ino}"
        try:
            lines = [line.split() for line in _LOCKS.read_text(encoding="ascii").splitlines()]
        except OSError:  # no such list on this machine
            return []
        # "1: FLOCK ADVISORY READ 4711 08:01:1234 0 EOF"; a line with "->" is of one who waits
        return sorted({int(words[4]) for words in lines if words[1] == "FLOCK" and words[5] == place})

    def _write_token(self, file: int, token: str) -> None:
        with storing("write the tasks' lock"):
            os.ftruncate(file, 0)
            self._disk.pwrite(file, memoryview(token.encode("ascii")), 0)


def hold_as_task(destination: Path, token: str, disk: Disk) -> int:
    """Lock for a task of the batch with this token; return the descriptor, whose closing releases the lock.

    Raises:
        LateTask: another batch runs, or none.
        StorageError: the working folder is missing.
    """
    file = open_lock_file(destination, disk)
    try:
        fcntl.flock(file, fcntl.LOCK_SH)  # waits for the moment in which the driver looks
        _check_token(file, token)
    except BaseException:
        disk.close(file)
        raise
    return file


def _check_token(file: int, token: str) -> None:
    if os.pread(file, _MOST_TOKEN, 0) != token.encode("ascii"):
        raise LateTask
