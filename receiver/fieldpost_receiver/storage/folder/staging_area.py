# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Staging, the driver's side: sealing complete files, discarding others, telling what is there."""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from fieldpost_receiver.storage.errors import NotWhole, storing
from fieldpost_receiver.storage.folder.disk import Disk, closing
from fieldpost_receiver.storage.folder.working_folder import SEALED, STAGING, StagedFile, open_working_folder
from fieldpost_shared.ids import TransferId

_BLOCK: Final = 512  # the unit of st_blocks, whatever the file system's own is


class Whereabouts(StrEnum):
    """Where a file's bytes are."""

    STAGED = "staged"
    SEALED = "sealed"
    GONE = "gone"  # renamed to its final name, discarded, or never there


@dataclass(frozen=True, slots=True)
class Found:
    """One file in the working folder. `allocated` is what it takes on disk: staged files are sparse."""

    file: StagedFile
    size: int
    allocated: int
    mtime_ns: int


class StagingArea:
    """The staged and the sealed files of a destination. Safe for several threads."""

    def __init__(self, destination: Path, disk: Disk | None = None) -> None:
        self._disk = disk or Disk()
        self._staging = open_working_folder(destination, STAGING, self._disk)
        self._sealed = open_working_folder(destination, SEALED, self._disk)

    def close(self) -> None:
        """Let go of both folders."""
        for folder in (self._staging, self._sealed):
            self._disk.close(folder)

    def seal(self, transfer: TransferId, fingerprint: str, size: int) -> StagedFile:
        """Take a complete file out of the tasks' reach; call when no task runs, and `sync` before it is noted.

        Sealing again is harmless: a staged file that a replayed batch has begun anew is dropped.

        Raises:
            NotWhole: the file has not exactly `size` bytes, or it is not there. Nothing was changed.
            StorageError: the disk failed; sealing can be tried again.
        """
        file = StagedFile(transfer, fingerprint)
        with storing("seal"):
            if self._size(self._sealed, file.sealed_name) is not None:
                self._check_size(self._sealed, file.sealed_name, size)
                self._remove(self._staging, file.part_name)
                return file
            if size == 0:
                self._touch(file.part_name)
            self._check_size(self._staging, file.part_name, size)
            self._disk.rename_new(self._staging, file.part_name, self._sealed, file.sealed_name)
        return file

    def sync(self) -> None:
        """Make all seals so far durable: one call for many.

        Without it a power cut could undo a seal that the ledger knows of, and a file that is not among the sealed
        ones counts as published.
        """
        with storing("sync the seals"):
            self._disk.sync_folder(self._sealed)
            self._disk.sync_folder(self._staging)

    def whereabouts(self, file: StagedFile) -> Whereabouts:
        """Where the file is now."""
        with storing("look"):
            if self._size(self._sealed, file.sealed_name) is not None:
                return Whereabouts.SEALED
            is_staged = self._size(self._staging, file.part_name) is not None
            return Whereabouts.STAGED if is_staged else Whereabouts.GONE

    def discard(self, transfer: str, fingerprint: str | None = None) -> None:
        """Remove what is staged of a transfer; nothing there is fine.

        Without a fingerprint all versions go, at the price of reading the folder. A sealed file stays: what a late
        message left behind must never take a complete file with it.
        """
        with storing("discard"):
            files = self._all_of(transfer) if fingerprint is None else [StagedFile(TransferId(transfer), fingerprint)]
            for file in files:
                self._remove(self._staging, file.part_name)

    def discard_sealed(self, file: StagedFile) -> None:
        """Remove a complete file that is not wanted any more: rejected, cancelled or a duplicate."""
        with storing("discard"):
            self._remove(self._sealed, file.sealed_name)

    def list_staged(self) -> list[Found]:
        """The files that tasks write; names that are not ours are passed over."""
        return self._list(self._staging, lambda file: file.part_name)

    def list_sealed(self) -> list[Found]:
        """The files that wait for publishing."""
        return self._list(self._sealed, lambda file: file.sealed_name)

    def free_bytes(self) -> int:
        """What can still be written to the destination's file system."""
        with storing("ask for free space"):
            return self._disk.free_bytes(self._staging)

    def _list(self, folder: int, name_of: Callable[[StagedFile], str]) -> list[Found]:
        found = []
        with storing("list"):
            for name in self._disk.list_names(folder):
                file = StagedFile.called(name)
                if file is not None and name == name_of(file):
                    with suppress(FileNotFoundError):  # somebody was faster
                        found.append(_found(file, self._disk.stat(folder, name)))
        return found

    def _all_of(self, transfer: str) -> list[StagedFile]:
        found = [StagedFile.called(name) for name in self._disk.list_names(self._staging)]
        return [file for file in found if file is not None and file.transfer == transfer]

    def _check_size(self, folder: int, name: str, expected: int) -> None:
        found = self._size(folder, name)
        if found != expected:
            raise NotWhole(expected, found)

    def _size(self, folder: int, name: str) -> int | None:
        try:
            return self._disk.stat(folder, name).st_size
        except FileNotFoundError:
            return None

    def _touch(self, name: str) -> None:
        """An empty file has no chunk that would have created it."""
        with suppress(FileExistsError), closing(self._disk, self._disk.create(self._staging, name)) as file:
            self._disk.fsync(file)

    def _remove(self, folder: int, name: str) -> None:
        with suppress(FileNotFoundError):
            self._disk.unlink(folder, name)


def _found(file: StagedFile, seen: os.stat_result) -> Found:
    return Found(file, seen.st_size, seen.st_blocks * _BLOCK, seen.st_mtime_ns)
