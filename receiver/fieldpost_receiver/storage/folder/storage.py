# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A folder of a file system as destination: opens its sides, and tries it out for `check`."""

from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from fieldpost_receiver.storage.errors import storing
from fieldpost_receiver.storage.folder.destination import Destination
from fieldpost_receiver.storage.folder.disk import Disk, closing
from fieldpost_receiver.storage.folder.folder_tree import Ownership
from fieldpost_receiver.storage.folder.lock_trial import FolderLockTrial
from fieldpost_receiver.storage.folder.staging_area import StagingArea
from fieldpost_receiver.storage.folder.staging_writer import FolderStagingWriter
from fieldpost_receiver.storage.folder.tasks_lock import FolderTasksLock
from fieldpost_receiver.storage.folder.working_folder import SEALED, WORKING_FOLDER, create_working_folders
from fieldpost_receiver.storage.port import Fitness, LockTrial, Published, Staging, StagingWriter, TasksLock


@dataclass(frozen=True, slots=True)
class FolderStorage:
    """Implements `Storage`, `TriesOut` and `TriesLock`."""

    root: Path
    ownership: Ownership = field(default_factory=Ownership)

    def create(self) -> None:
        create_working_folders(self.root)

    def open_staging(self) -> Staging:
        return StagingArea(self.root)

    def open_published(self) -> Published:
        return Destination(self.root, self.ownership)

    def open_writer(self, token: str) -> StagingWriter:
        return FolderStagingWriter(self.root, token=token)

    def tasks_lock(self) -> TasksLock:
        return FolderTasksLock(self.root)

    def lock_trial(self) -> LockTrial:
        return FolderLockTrial(self.root, f".fieldpost-check-{uuid4().hex}-lock")

    def free_bytes(self) -> int:
        disk = Disk()
        with storing("ask for free space"), closing(disk, disk.open_root(self.root)) as root:
            return disk.free_bytes(root)

    def try_out(self, *, was_used: bool) -> Fitness:
        root, disk = self.root, Disk()
        try:
            with closing(disk, disk.open_root(root)) as opened:
                sealed = _open_sealed(disk, opened)
                if sealed is None and was_used:
                    words = f"{root} lacks the folder {WORKING_FOLDER}, which an earlier run made"
                    return Fitness(usable=False, words=words, remedy="Is the disk mounted?")
                try:
                    replaces = try_rename(disk, opened if sealed is None else sealed, opened, self.ownership.gid)
                finally:
                    if sealed is not None:
                        disk.close(sealed)
        except FileNotFoundError:
            return Fitness(usable=False, words=f"{root} is not there", remedy="Make or mount it.")
        except OSError as error:
            remedy = f"The receiver's user must be able to write {root} and everything in it."
            return Fitness(usable=False, words=f"{root}: {error.strerror}", remedy=remedy)
        if replaces:
            words = f"{root}: a rename replaces what is there"
            return Fitness(usable=False, words=words, remedy="Use another file system.")
        words = f"{root}: create, rename without replacing and sync work on one file system"
        return Fitness(usable=True, words=words)


def _open_sealed(disk: Disk, root: int) -> int | None:
    try:
        with closing(disk, disk.open_folder(root, WORKING_FOLDER)) as working:
            return disk.open_folder(working, SEALED)
    except FileNotFoundError:
        return None


def try_rename(disk: Disk, source: int, target: int, gid: int | None) -> bool:
    """Create two files and rename both to one name; return whether the second replaced the first.

    Raises:
        OSError: a step failed. Nothing is left behind in any case.
    """
    mark = uuid4().hex
    first, second, final = (f".fieldpost-check-{mark}-{number}" for number in range(3))
    try:
        for name in (first, second):
            with closing(disk, disk.create(source, name)) as file:
                disk.pwrite(file, memoryview(b"check"), 0)
                if gid is not None:
                    disk.set_group(file, gid)
                disk.fsync(file)
        disk.rename_new(source, first, target, final)
        try:
            disk.rename_new(source, second, target, final)
        except FileExistsError:
            return False
        finally:
            disk.sync_folder(target)
        return True
    finally:
        for folder, name in ((source, first), (source, second), (target, final)):
            with suppress(FileNotFoundError):
                disk.unlink(folder, name)
