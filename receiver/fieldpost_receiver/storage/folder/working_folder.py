# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`.fieldpost`, the receiver's own folder in the destination: staged and sealed files, and their names in it."""

from pathlib import Path
from typing import Final

from fieldpost_receiver.storage.errors import storing
from fieldpost_receiver.storage.folder.disk import Disk, closing
from fieldpost_receiver.storage.port import RESERVED, StagedFile
from fieldpost_shared.ids import TransferId

WORKING_FOLDER: Final = RESERVED
STAGING: Final = "staging"  # written by tasks
SEALED: Final = "sealed"  # complete; no task opens it
TASKS_LOCK: Final = "tasks.lock"  # who may write staged files now
_OURS_ALONE: Final = 0o700

_PART: Final = ".part"


def sealed_name(file: StagedFile) -> str:
    """Return the name of a file among the sealed ones."""
    return f"{file.transfer}-{file.fingerprint}"


def part_name(file: StagedFile) -> str:
    """Return the name of a file among the staged ones."""
    return sealed_name(file) + _PART


def file_named(name: str) -> StagedFile | None:
    """Return the file of either name; None if the name is foreign."""
    transfer, _, fingerprint = name.removesuffix(_PART).partition("-")
    try:
        return StagedFile(TransferId(transfer), fingerprint)
    except ValueError:
        return None


def create_working_folders(destination: Path, disk: Disk | None = None) -> None:
    """Create what is not there yet; see `Storage.create`.

    Raises:
        StorageError: the destination is missing or cannot be written.
    """
    disk = disk or Disk()
    with storing("create the working folders"), closing(disk, disk.open_root(destination)) as root:
        _create(disk, root, WORKING_FOLDER)
        with closing(disk, disk.open_folder(root, WORKING_FOLDER)) as working:
            for name in (STAGING, SEALED):
                _create(disk, working, name)


def open_working_folder(destination: Path, name: str, disk: Disk) -> int:
    """Open `STAGING` or `SEALED`.

    Raises:
        StorageError: it is missing, or something else bears its name.
    """
    with (
        storing(f"open the {name} folder"),
        closing(disk, disk.open_root(destination)) as root,
        closing(disk, disk.open_folder(root, WORKING_FOLDER)) as working,
    ):
        return disk.open_folder(working, name)


def open_lock_file(destination: Path, disk: Disk) -> int:
    """Open `TASKS_LOCK`, created where a version without it made the working folder.

    Raises:
        StorageError: the working folder is missing.
    """
    with (
        storing("open the tasks' lock"),
        closing(disk, disk.open_root(destination)) as root,
        closing(disk, disk.open_folder(root, WORKING_FOLDER)) as working,
    ):
        return disk.open_to_write(working, TASKS_LOCK)


def _create(disk: Disk, folder: int, name: str) -> None:
    try:
        disk.make_folder(folder, name, _OURS_ALONE)
    except FileExistsError:
        return  # opening it tells whether it is a folder
    disk.sync_folder(folder)
