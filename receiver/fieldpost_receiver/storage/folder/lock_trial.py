# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Try out whether a lock in the destination counts elsewhere: some file systems keep `flock` to one machine."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from fieldpost_receiver.storage.errors import storing
from fieldpost_receiver.storage.folder.disk import Disk, closing
from fieldpost_receiver.storage.folder.working_folder import WORKING_FOLDER
from fieldpost_receiver.storage.port import LockSeen


@dataclass(frozen=True, slots=True)
class FolderLockTrial:
    """Implements `LockTrial`: in the working folder, or beside where it will be before the first run."""

    destination: Path
    name: str

    @contextmanager
    def held(self) -> Iterator[None]:
        disk = Disk()
        with storing("try a lock"), self._folder(disk) as folder:
            file = disk.open_to_write(folder, self.name)
        with closing(disk, file):
            with storing("try a lock"):
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield

    def look(self) -> LockSeen:
        disk = Disk()
        with storing("try a lock"):
            try:
                with self._folder(disk) as folder, closing(disk, disk.open_to_read(folder, self.name)) as file:
                    fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return LockSeen.HELD
            except FileNotFoundError:
                return LockSeen.ABSENT
        return LockSeen.FREE

    def remove(self) -> None:
        disk = Disk()
        with storing("remove a lock"), suppress(FileNotFoundError), self._folder(disk) as folder:
            disk.unlink(folder, self.name)

    @contextmanager
    def _folder(self, disk: Disk) -> Iterator[int]:
        with closing(disk, disk.open_root(self.destination)) as root:
            try:
                working = disk.open_folder(root, WORKING_FOLDER)
            except FileNotFoundError:
                yield root
                return
            with closing(disk, working):
                yield working
