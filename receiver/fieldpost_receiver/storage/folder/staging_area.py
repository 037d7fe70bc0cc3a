# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Staging in a folder, the driver's side: a seal is a rename out of the folder that tasks write to."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from fieldpost_receiver.storage.errors import NotWhole, storing
from fieldpost_receiver.storage.folder.disk import Disk, closing
from fieldpost_receiver.storage.folder.working_folder import (
    SEALED,
    STAGING,
    file_named,
    open_working_folder,
    part_name,
    sealed_name,
)
from fieldpost_receiver.storage.port import StagedEntry, StagedFile, Whereabouts
from fieldpost_shared.ids import TransferId

_BLOCK: Final = 512  # the unit of st_blocks, whatever the file system's own is


class StagingArea:
    """Implements `Staging`: the staged and the sealed files in the working folder."""

    def __init__(self, destination: Path, disk: Disk | None = None) -> None:
        self._disk = disk or Disk()
        self._staging = open_working_folder(destination, STAGING, self._disk)
        self._sealed = open_working_folder(destination, SEALED, self._disk)

    def close(self) -> None:
        for folder in (self._staging, self._sealed):
            self._disk.close(folder)

    def seal(self, transfer: TransferId, fingerprint: str, size: int) -> StagedFile:
        # A staged file that a replayed batch has begun anew is dropped.
        file = StagedFile(transfer, fingerprint)
        with storing("seal"):
            if self._size(self._sealed, sealed_name(file)) is not None:
                self._check_size(self._sealed, sealed_name(file), size)
                self._remove(self._staging, part_name(file))
                return file
            if size == 0:
                self._touch(part_name(file))
            self._check_size(self._staging, part_name(file), size)
            self._disk.rename_new(self._staging, part_name(file), self._sealed, sealed_name(file))
        return file

    def sync(self) -> None:
        # Without it a power cut could undo a seal that the ledger knows of, and a file that is not among the sealed
        # ones counts as published.
        with storing("sync the seals"):
            self._disk.sync_folder(self._sealed)
            self._disk.sync_folder(self._staging)

    def whereabouts(self, file: StagedFile) -> Whereabouts:
        with storing("look"):
            if self._size(self._sealed, sealed_name(file)) is not None:
                return Whereabouts.SEALED
            is_staged = self._size(self._staging, part_name(file)) is not None
            return Whereabouts.STAGED if is_staged else Whereabouts.GONE

    def discard(self, transfer: str, fingerprint: str | None = None) -> None:
        # A sealed file stays: what a late message left behind must never take a complete file with it. Without a
        # fingerprint the folder is read.
        with storing("discard"):
            files = self._all_of(transfer) if fingerprint is None else [StagedFile(TransferId(transfer), fingerprint)]
            for file in files:
                self._remove(self._staging, part_name(file))

    def discard_sealed(self, file: StagedFile) -> None:
        with storing("discard"):
            self._remove(self._sealed, sealed_name(file))

    def list_staged(self) -> list[StagedEntry]:
        return self._list(self._staging, part_name)

    def list_sealed(self) -> list[StagedEntry]:
        return self._list(self._sealed, sealed_name)

    def free_bytes(self) -> int:
        with storing("ask for free space"):
            return self._disk.free_bytes(self._staging)

    def _list(self, folder: int, name_of: Callable[[StagedFile], str]) -> list[StagedEntry]:
        found = []
        with storing("list"):
            for name in self._disk.list_names(folder):
                file = file_named(name)
                if file is not None and name == name_of(file):
                    with suppress(FileNotFoundError):  # removed meanwhile
                        found.append(_entry(file, self._disk.stat(folder, name)))
        return found

    def _all_of(self, transfer: str) -> list[StagedFile]:
        found = [file_named(name) for name in self._disk.list_names(self._staging)]
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
        """Create an empty file: it has no chunk that would have done so."""
        with suppress(FileExistsError), closing(self._disk, self._disk.create(self._staging, name)) as file:
            self._disk.fsync(file)

    def _remove(self, folder: int, name: str) -> None:
        with suppress(FileNotFoundError):
            self._disk.unlink(folder, name)


def _entry(file: StagedFile, seen: os.stat_result) -> StagedEntry:
    return StagedEntry(file, seen.st_size, seen.st_blocks * _BLOCK, seen.st_mtime_ns)
