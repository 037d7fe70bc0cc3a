# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The folders below the destination: entered one by one without following links, created where missing.

No strings are joined to a path. A link that is swapped in meanwhile is refused when it is met, and a folder that is
moved away after it was opened stays the folder that was opened.
"""

import errno
import os
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from fieldpost_receiver.storage.errors import PathBlocked
from fieldpost_receiver.storage.folder.disk import Disk, closing
from fieldpost_receiver.storage.folder.name_index import NameIndex
from fieldpost_receiver.storage.port import Segments, check_segments
from fieldpost_shared.names import Blocked

T = TypeVar("T")

_ATTEMPTS: Final = 5  # at a folder that is removed while a file is brought into it
_NO_FOLDER: Final = frozenset({errno.ENOTDIR, errno.ELOOP})
# A file system with stricter rules than names.py: no fault of the disk, and none of the other files.
_NOT_STORABLE: Final = frozenset({errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL, errno.EMLINK})


@dataclass(frozen=True, slots=True)
class Ownership:
    """Modes and group of what is published; no group leaves it to the file system."""

    file_mode: int = 0o640
    folder_mode: int = 0o750
    gid: int | None = None


@dataclass(frozen=True, slots=True)
class Chain:
    """The open folders from the root to where a file lies, and how those below the root are spelled."""

    folders: list[int]
    names: Segments

    @property
    def last(self) -> int:
        """The folder that holds the file."""
        return self.folders[-1]


@contextmanager
def naming() -> Iterator[None]:
    """Tell apart a name that this file system does not take from a disk that fails.

    Raises:
        PathBlocked: the name is at fault.
    """
    try:
        yield
    except OSError as error:
        if error.errno in _NOT_STORABLE:
            raise PathBlocked(Blocked.NOT_STORABLE) from error
        if error.errno == errno.EXDEV:
            raise PathBlocked(Blocked.OTHER_DISK) from error
        raise


class FolderTree:
    """Opens chains of folders. Raises `OSError`, and `PathBlocked` where a name is at fault."""

    def __init__(self, root: Path, ownership: Ownership, disk: Disk) -> None:
        self._disk = disk
        self._ownership = ownership
        self._root = disk.open_root(root)
        self._lasting: set[tuple[int, int]] = set()  # folders whose own names are known to be durable
        self.index = NameIndex(disk)
        self.lock = threading.RLock()  # held for looking into the index and acting on it

    def close(self) -> None:
        """Let go of the root."""
        self._disk.close(self._root)

    @contextmanager
    def enter(self, segments: Segments, *, create: bool) -> Iterator[Chain]:
        """Open each of these folders, or the twin of one that is there; nothing stays open afterwards.

        Raises:
            FileNotFoundError: one is missing and may not be created.
            PathBlocked: a link, a file or the file system's rules stand in the way.
        """
        check_segments(segments)
        with ExitStack() as opened:
            folders, spelled = [self._root], []
            for name in segments:
                folder, spelling = self._step(folders[-1], name, create=create)
                folders.append(opened.enter_context(closing(self._disk, folder)))
                spelled.append(spelling)
            yield Chain(folders, tuple(spelled))

    def within(self, segments: Segments, action: Callable[[Chain], T]) -> T:
        """Act in a folder that is created where missing, once more if it is removed meanwhile."""
        for _ in range(_ATTEMPTS - 1):
            with suppress(FileNotFoundError), self.enter(segments, create=True) as chain:
                return action(chain)
        with self.enter(segments, create=True) as chain:
            return action(chain)

    def make_durable(self, chain: Chain) -> None:
        """Sync the last folder's entries, and the names of all folders on the way that may not be durable yet.

        Each folder is synced when it is created; one that a crash or another program left behind is synced here, once.
        """
        for above, folder in zip(chain.folders, chain.folders[1:], strict=False):
            identity = self._identity(folder)
            if identity not in self._lasting:
                self._disk.sync_folder(above)
                self._lasting.add(identity)
        self._disk.sync_folder(chain.last)

    def _step(self, above: int, name: str, *, create: bool) -> tuple[int, str]:
        with suppress(FileNotFoundError):
            return self._open(above, name), name
        with self.lock:
            spelling = self.index.find(above, name)
            if spelling is None and create:
                return self._create(above, name), name
        if spelling is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        return self._open(above, spelling), spelling

    def _open(self, above: int, name: str) -> int:
        try:
            with naming():
                return self._disk.open_folder(above, name)
        except OSError as error:
            if error.errno not in _NO_FOLDER:
                raise
            is_link = stat.S_ISLNK(self._disk.stat(above, name).st_mode)
            raise PathBlocked(Blocked.SYMLINK if is_link else Blocked.NOT_A_FOLDER) from error

    def _create(self, above: int, name: str) -> int:
        with naming(), suppress(FileExistsError):  # created meanwhile: as good
            self._disk.make_folder(above, name, self._ownership.folder_mode)
        self.index.add(above, name)
        folder = self._open(above, name)
        try:
            self._dress(folder)
            self._disk.sync_folder(folder)
            self._disk.sync_folder(above)
            self._lasting.add(self._identity(folder))
        except OSError:
            self._disk.close(folder)
            raise
        return folder

    def _dress(self, folder: int) -> None:
        if self._ownership.gid is not None:
            self._disk.set_group(folder, self._ownership.gid)
        self._disk.set_mode(folder, self._ownership.folder_mode)  # the umask may have taken some away

    def _identity(self, folder: int) -> tuple[int, int]:
        seen: os.stat_result = self._disk.fstat(folder)
        return seen.st_dev, seen.st_ino
