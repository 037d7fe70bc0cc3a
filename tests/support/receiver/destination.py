# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A receiver's destination on a real disk, for tests of what happens there."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from fieldpost_receiver.config.settings import ConflictPolicy
from fieldpost_receiver.storage.folder.destination import Destination
from fieldpost_receiver.storage.folder.disk import Disk
from fieldpost_receiver.storage.folder.folder_tree import Ownership
from fieldpost_receiver.storage.folder.staging_area import StagingArea
from fieldpost_receiver.storage.folder.staging_writer import FolderStagingWriter
from fieldpost_receiver.storage.folder.working_folder import create_working_folders
from fieldpost_receiver.storage.port import Content, Place, SealedFile, StagedFile
from fieldpost_shared.ids import TransferId

FINGERPRINT = "fedcba9876543210"
MTIME_NS = 1_700_000_000_123_456_789


def transfer_id(number: int) -> TransferId:
    return TransferId(f"{number:032x}")


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def tree(root: Path) -> dict[str, str]:
    """Every file and link below a folder, with its content or target; the receiver's own folder left out."""
    return {
        str(path.relative_to(root)): f"-> {path.readlink()}" if path.is_symlink() else path.read_text()
        for path in sorted(root.rglob("*"))
        if ".fieldpost" not in path.parts and (path.is_symlink() or path.is_file())
    }


@dataclass
class Shelf:
    """Both sides of a destination, and the publisher's steps in their order."""

    root: Path
    area: StagingArea
    destination: Destination
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def sealed(self, content: str) -> StagedFile:
        """A complete file that waits for its name."""
        transfer, data = transfer_id(next(self._numbers)), content.encode()
        with FolderStagingWriter(self.root) as writer:
            writer.write(transfer, FINGERPRINT, 0, data)
            writer.sync()
        file = self.area.seal(transfer, FINGERPRINT, len(data))
        self.area.sync()
        return file

    def publish(
        self,
        file: StagedFile,
        *name: str,
        policy: ConflictPolicy = ConflictPolicy.KEEP_BOTH,
        mtime_ns: int = MTIME_NS,
    ) -> Place:
        """All steps that touch the disk, as the publisher takes them."""
        place = self.destination.choose(name, policy)
        self.destination.prepare([SealedFile(file, Content("", 0, mtime_ns))])
        place = self.destination.publish(file, place)
        self.destination.settle([place.segments])
        return place

    def put(self, content: str, *name: str, policy: ConflictPolicy = ConflictPolicy.KEEP_BOTH) -> Place:
        return self.publish(self.sealed(content), *name, policy=policy)


@contextmanager
def shelf_at(root: Path, disk: Disk | None = None, ownership: Ownership | None = None) -> Iterator[Shelf]:
    root.mkdir(exist_ok=True)
    create_working_folders(root)
    area, destination = StagingArea(root), Destination(root, ownership, disk)
    try:
        yield Shelf(root, area, destination)
    finally:
        area.close()
        destination.close()
