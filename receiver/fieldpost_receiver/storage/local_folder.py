# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A folder of this machine that is not a destination: the state folder, whatever kind the destination is."""

from pathlib import Path

from fieldpost_receiver.storage.errors import storing
from fieldpost_receiver.storage.folder.disk import Disk, closing
from fieldpost_receiver.storage.folder.storage import try_rename


def free_bytes(folder: Path) -> int:
    """Return what can still be written there.

    Raises:
        StorageError: the folder cannot be opened.
    """
    disk = Disk()
    with storing("read the free space of the state folder"), closing(disk, disk.open_root(folder)) as opened:
        return disk.free_bytes(opened)


def sync_folder(folder: Path) -> None:
    """Make the folder's entries durable.

    Raises:
        OSError: the disk failed.
    """
    disk = Disk()
    with closing(disk, disk.open_root(folder)) as opened:
        disk.sync_folder(opened)


def try_folder(folder: Path) -> None:
    """Write, rename and sync in a folder, and leave nothing behind.

    Raises:
        OSError: the folder cannot be used.
    """
    disk = Disk()
    with closing(disk, disk.open_root(folder)) as opened:
        try_rename(disk, opened, opened, None)
