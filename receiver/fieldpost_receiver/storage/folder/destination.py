# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Final names: choosing one under the conflict policy, and the steps by which a sealed file gets it.

The publisher's numbers: (1) read back, (2) compare, (3) intent with the name from `choose`, after `dress` and
`sync_sealed` gave the file its time and mode, so that the final name never shows others; (4) `rename`;
(5) `sync`; (6) ledger. A crash between any two leaves either the sealed file or the whole file under its name.
"""

import errno
import stat
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fieldpost_receiver.config.receiver_toml import ConflictPolicy
from fieldpost_receiver.jobs.files.final_name import Parts
from fieldpost_receiver.storage.errors import NameTaken, PathBlocked, storing
from fieldpost_receiver.storage.folder.disk import Disk, closing
from fieldpost_receiver.storage.folder.folder_tree import Chain, FolderTree, Ownership, check_parts, naming
from fieldpost_receiver.storage.folder.read_back import ReadBack, never, read_back
from fieldpost_receiver.storage.folder.working_folder import SEALED, StagedFile, open_working_folder
from fieldpost_shared.names import numbered

_SYNC_SINGLY: Final = 8  # as in staging
_NOT_TO_BE_READ: Final = frozenset({errno.ENOENT, errno.ELOOP, errno.EACCES, errno.EPERM})


@dataclass(frozen=True, slots=True)
class Place:
    """A final name that was free, or may be replaced, when it was chosen."""

    parts: Parts
    renamed: bool = False  # not the name that was wished for
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class Existing:
    """What bears a name, or a twin of it, now."""

    parts: Parts  # as it is spelled on the disk
    size: int
    mtime_ns: int
    is_file: bool


class Destination:
    """The published files. Safe for several threads, except that one sealed file belongs to one of them."""

    def __init__(self, root: Path, ownership: Ownership | None = None, disk: Disk | None = None) -> None:
        self._disk = disk or Disk()
        self._ownership = ownership or Ownership()
        with storing("open the destination"):
            self._tree = FolderTree(root, self._ownership, self._disk)
        self._sealed = open_working_folder(root, SEALED, self._disk)

    def close(self) -> None:
        """Let go of the folders."""
        self._tree.close()
        self._disk.close(self._sealed)

    # looking

    def existing(self, parts: Parts) -> Existing | None:
        """What is there under this name, or under one that differs only in case or composition.

        Raises:
            PathBlocked: a link or a file stands where a folder should be.
        """
        check_parts(parts)
        with storing("look"), suppress(FileNotFoundError), self._tree.enter(parts[:-1], create=False) as chain:
            return self._look(chain, parts[-1])
        return None

    def kept_beside(self, parts: Parts) -> list[Existing]:
        """What bears this name with a number: `a (2).txt` and so on, up to the first that is free."""
        check_parts(parts)
        found: list[Existing] = []
        with storing("look"), suppress(FileNotFoundError), self._tree.enter(parts[:-1], create=False) as chain:
            while (one := self._look(chain, numbered(parts[-1], len(found) + 2))) is not None:
                found.append(one)
        return found

    def same_content(
        self, existing: Existing, sha256: str, size: int, is_cancelled: Callable[[], bool] = never
    ) -> bool:
        """Whether it is a file with these bytes; reads all of it if the size is right.

        If so, it is made durable too, whoever put it there: a receipt may rest on it. Something that cannot be read
        counts as different, and so does one that is cancelled on the way.
        """
        if not existing.is_file or existing.size != size:
            return False
        folders, name = existing.parts[:-1], existing.parts[-1]
        with storing("read what is there"):
            try:
                with (
                    self._tree.enter(folders, create=False) as chain,
                    closing(self._disk, self._disk.open_to_read(chain.last, name)) as file,
                ):
                    is_same = self._holds(file, ReadBack(sha256, size), is_cancelled)
                    if is_same:
                        self._tree.make_durable(chain)
                    return is_same
            except PathBlocked:
                return False
            except OSError as error:
                if error.errno in _NOT_TO_BE_READ:
                    return False
                raise

    def choose(self, parts: Parts, policy: ConflictPolicy) -> Place:
        """The final name, for the intent; creates the folders. It may be taken by the time of the rename.

        Raises:
            NameTaken: the policy refuses, or a folder bears the name of a file that should be replaced.
            PathBlocked: a link, a file or the file system's rules stand in the way.
            StorageError: the disk failed.
        """
        check_parts(parts)
        with storing("choose a name"):
            return self._tree.within(parts[:-1], lambda chain: self._choose_in(chain, parts[-1], policy))

    # steps

    def fetch(self, files: Iterable[StagedFile]) -> None:
        """Before step 1, for many small files: the disk reads them all while the first is looked at."""
        with storing("open a sealed file"):
            for file in files:
                with closing(self._disk, self._open_sealed(file)) as opened:
                    self._disk.fetch_from_disk(opened)

    def read_back(
        self, file: StagedFile, is_cancelled: Callable[[], bool] = never, *, fetched: bool = False
    ) -> ReadBack | None:
        """Step 1: what the disk really holds; None if cancelled on the way."""
        with storing("open a sealed file"):
            opened = self._open_sealed(file)
        with closing(self._disk, opened):
            return read_back(self._disk, opened, is_cancelled, fetched=fetched)

    def dress(self, file: StagedFile, mtime_ns: int) -> None:
        """Give a sealed file its final time, group and mode. Can be repeated."""
        with storing("set time and mode"), closing(self._disk, self._open_sealed(file)) as opened:
            if self._ownership.gid is not None:
                self._disk.set_group(opened, self._ownership.gid)
            self._disk.set_mode(opened, self._ownership.file_mode)
            self._disk.set_mtime(opened, mtime_ns)

    def sync_sealed(self, files: Collection[StagedFile]) -> None:
        """Make dressed files durable: one by one if few, else the whole file system."""
        with storing("sync sealed files"):
            if len(files) > _SYNC_SINGLY:
                self._disk.syncfs(self._sealed)
                return
            for file in files:
                with closing(self._disk, self._open_sealed(file)) as opened:
                    self._disk.fsync(opened)

    def rename(self, file: StagedFile, place: Place) -> Place:
        """Step 4: the sealed file gets its final name; tells the name as the disk spells it.

        Raises:
            NameTaken: somebody was faster. Choose again, and note the new intent first.
            PathBlocked: something has come in the way since.
            StorageError: the disk failed; the file is still sealed.
        """
        check_parts(place.parts)
        with storing("rename"), naming():
            return self._tree.within(place.parts[:-1], lambda chain: self._rename_into(chain, file, place))

    def sync(self, places: Iterable[Parts]) -> None:
        """Step 5: make the new names durable, each folder once; never fails because of a name.

        Of a folder that was moved away since nobody knows where it is now: then all of the file system is synced.
        """
        folders = {parts[:-1] for parts in places}
        with storing("sync folders"):
            for parts in folders:
                try:
                    with self._tree.enter(parts, create=False) as chain:
                        self._tree.make_durable(chain)
                except (FileNotFoundError, PathBlocked):
                    self._disk.syncfs(self._sealed)

    def _open_sealed(self, file: StagedFile) -> int:
        return self._disk.open_to_read(self._sealed, file.sealed_name)

    def _holds(self, file: int, wanted: ReadBack, is_cancelled: Callable[[], bool]) -> bool:
        if not stat.S_ISREG(self._disk.fstat(file).st_mode):
            return False
        self._disk.fsync(file)  # a stranger may not have done so
        return read_back(self._disk, file, is_cancelled) == wanted

    def _look(self, chain: Chain, name: str) -> Existing | None:
        with naming(), suppress(FileNotFoundError), self._tree.lock:
            spelling = self._tree.index.find(chain.last, name)
            if spelling is not None:
                seen = self._disk.stat(chain.last, spelling)
                parts = (*chain.names, spelling)
                return Existing(parts, seen.st_size, seen.st_mtime_ns, stat.S_ISREG(seen.st_mode))
        return None

    def _choose_in(self, chain: Chain, name: str, policy: ConflictPolicy) -> Place:
        found = self._look(chain, name)
        if found is None:
            return Place((*chain.names, name))
        if policy is ConflictPolicy.KEEP_BOTH:
            return Place((*chain.names, self._free_number(chain, name)), renamed=True)
        if policy is ConflictPolicy.REPLACE and found.is_file:
            return Place(found.parts, replaces=True)
        raise NameTaken

    def _free_number(self, chain: Chain, name: str) -> str:
        """`a (2).txt`, or the next that is free: by doubling and halving, since there may be thousands."""
        taken, free = 1, 2
        with self._tree.lock:
            while self._tree.index.find(chain.last, numbered(name, free)) is not None:
                taken, free = free, free * 2
            while free - taken > 1:
                middle = (taken + free) // 2
                if self._tree.index.find(chain.last, numbered(name, middle)) is None:
                    free = middle
                else:
                    taken = middle
        return numbered(name, free)

    def _rename_into(self, chain: Chain, file: StagedFile, place: Place) -> Place:
        source, name = (self._sealed, file.sealed_name), place.parts[-1]
        with self._tree.lock:  # between looking for a twin and entering the name none of our threads may act
            try:
                if place.replaces:
                    self._disk.rename_over(*source, chain.last, name)
                elif self._tree.index.find(chain.last, name) in {None, name}:  # the exact name is the rename's to judge
                    self._disk.rename_new(*source, chain.last, name)
                else:
                    raise NameTaken
            except (FileExistsError, IsADirectoryError) as error:
                self._tree.index.forget(chain.last)
                raise NameTaken from error
            self._tree.index.add(chain.last, name)
        return Place((*chain.names, name), place.renamed, place.replaces)
