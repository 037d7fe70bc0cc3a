# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`.fieldpost`, the receiver's own folder in the destination: who may be in it, and under which names."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from fieldpost_receiver.storage.errors import storing
from fieldpost_receiver.storage.folder.disk import Disk, closing
from fieldpost_shared.ids import TransferId, is_transfer_id

WORKING_FOLDER: Final = ".fieldpost"
STAGING: Final = "staging"  # written by tasks
SEALED: Final = "sealed"  # complete; no task opens it
_OURS_ALONE: Final = 0o700

_FINGERPRINT: Final = re.compile(r"[0-9a-f]{16}", re.ASCII)
_PART: Final = ".part"


@dataclass(frozen=True, slots=True)
class StagedFile:
    """One version of the facts of one transfer, and the names of its bytes.

    Raises:
        ValueError: an id that did not come out of the protocol's checks.
    """

    transfer: TransferId
    fingerprint: str

    def __post_init__(self) -> None:
        if not is_transfer_id(self.transfer) or not _FINGERPRINT.fullmatch(self.fingerprint):
            raise ValueError("no transfer id or no fingerprint")

    @property
    def sealed_name(self) -> str:
        """Its name among the sealed files."""
        return f"{self.transfer}-{self.fingerprint}"

    @property
    def part_name(self) -> str:
        """Its name among the staged files."""
        return self.sealed_name + _PART

    @classmethod
    def called(cls, name: str) -> Self | None:
        """The file of either name; None if the name is not one of ours."""
        transfer, _, fingerprint = name.removesuffix(_PART).partition("-")
        try:
            return cls(TransferId(transfer), fingerprint)
        except ValueError:
            return None


def create_working_folders(destination: Path, disk: Disk | None = None) -> None:
    """Create what is not there yet. Only for a new ledger.

    Later a missing folder means that the destination is not mounted, and creating it would fill the disk below.

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


def _create(disk: Disk, folder: int, name: str) -> None:
    try:
        disk.make_folder(folder, name, _OURS_ALONE)
    except FileExistsError:
        return  # opening it will tell whether it is a folder
    disk.sync_folder(folder)
