# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The implementations of the storage port that the contract is tried on; another one is a `Subject` more."""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import ExitStack
from hashlib import sha256
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from fieldpost_receiver.config.settings import ConflictPolicy
from fieldpost_receiver.storage.folder.storage import FolderStorage
from fieldpost_receiver.storage.folder.working_folder import sealed_name
from fieldpost_receiver.storage.memory.disk import MemoryDisk
from fieldpost_receiver.storage.memory.storage import MemoryStorage
from fieldpost_receiver.storage.port import (
    Content,
    Place,
    Published,
    SealedFile,
    Segments,
    StagedFile,
    Staging,
    Storage,
)
from fieldpost_shared.ids import TransferId

BUILD: Final = Path(__file__).parents[3] / "build"
FINGERPRINT: Final = "fedcba9876543210"
MTIME_NS: Final = 1_700_000_000_123_456_789
KEEP_BOTH: Final = ConflictPolicy.KEEP_BOTH


def content_of(data: bytes) -> Content:
    return Content(sha256(data).hexdigest(), len(data), MTIME_NS)


class Subject(ABC):
    """A destination under test. `open` is what a start of the receiver does, `restart` what a crash and a start do."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self.storage = self.make()
        self.storage.create()
        self.open()

    @abstractmethod
    def make(self) -> Storage:
        """Return a new object for the same place."""

    @abstractmethod
    def visible(self) -> dict[str, bytes]:
        """Return every final name with its bytes, as a stranger sees them."""

    @abstractmethod
    def mtime_ns(self, name: Segments) -> int: ...

    @abstractmethod
    def damage(self, file: StagedFile, data: bytes) -> None:
        """Change the bytes of a sealed file behind the receiver's back."""

    def open(self) -> None:
        self.staging: Staging = self.storage.open_staging()
        self.published: Published = self.storage.open_published()

    def close(self) -> None:
        self.staging.close()
        self.published.close()

    def restart(self) -> None:
        self.close()
        self.storage = self.make()
        self.open()

    # steps

    def new_id(self) -> TransferId:
        return TransferId(f"{next(self._numbers):032x}")

    def stage(self, data: bytes, *, chunk: int = 1_000_000) -> StagedFile:
        """Write a file as a task does, its last chunk first."""
        file = StagedFile(self.new_id(), FINGERPRINT)
        with self.storage.open_writer("") as writer:
            for offset in reversed(range(0, max(1, len(data)), chunk)):
                writer.write(file.transfer, file.fingerprint, offset, data[offset : offset + chunk])
            writer.sync()
        return file

    def seal(self, data: bytes) -> SealedFile:
        staged = self.stage(data)
        sealed = self.staging.seal(staged.transfer, staged.fingerprint, len(data))
        self.staging.sync()
        return SealedFile(sealed, content_of(data))

    def publish(self, sealed: SealedFile, *name: str, policy: ConflictPolicy = KEEP_BOTH) -> Place:
        """All steps after sealing, as the publisher takes them."""
        self.published.prepare([sealed])
        place = self.published.publish(sealed.file, self.published.choose(name, policy))
        self.published.settle([place.segments])
        return place

    def put(self, data: bytes, *name: str, policy: ConflictPolicy = KEEP_BOTH) -> Place:
        return self.publish(self.seal(data), *name, policy=policy)


class FolderSubject(Subject):
    def __init__(self, root: Path) -> None:
        root.mkdir()
        self.root = root
        super().__init__()

    def make(self) -> Storage:
        return FolderStorage(self.root)

    def visible(self) -> dict[str, bytes]:
        found = {}
        for folder, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders if name != ".fieldpost"]
            for name in names:
                path = Path(folder) / name
                found[str(path.relative_to(self.root))] = path.read_bytes()
        return found

    def mtime_ns(self, name: Segments) -> int:
        return self.root.joinpath(*name).stat().st_mtime_ns

    def damage(self, file: StagedFile, data: bytes) -> None:
        (self.root / ".fieldpost" / "sealed" / sealed_name(file)).write_bytes(data)


class MemorySubject(Subject):
    def __init__(self) -> None:
        self.disk = MemoryDisk()
        super().__init__()

    def make(self) -> Storage:
        return MemoryStorage(self.disk)

    def visible(self) -> dict[str, bytes]:
        with self.disk.lock:
            return {"/".join(name): stored.data for name, stored in self.disk.published.items()}

    def mtime_ns(self, name: Segments) -> int:
        return self.disk.published[name].mtime_ns

    def damage(self, file: StagedFile, data: bytes) -> None:
        self.disk.sealed[file].data = data


@pytest.fixture(params=["folder in memory", "folder on disk", "memory"])
def subject(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Subject]:
    with ExitStack() as stack:
        match request.param:
            case "memory":
                made: Subject = MemorySubject()
            case "folder on disk":  # other folders of tests may lie in memory, whose file system answers otherwise
                BUILD.mkdir(exist_ok=True)
                folder = stack.enter_context(TemporaryDirectory(dir=BUILD, prefix="contract-"))
                made = FolderSubject(Path(folder) / "root")
            case _:
                made = FolderSubject(tmp_path / "root")
        stack.callback(made.close)
        yield made
