# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Final names in a folder: choosing one under the conflict policy, and the steps by which a sealed file gets it.

The publisher's numbers: (1, 2) `verify` reads back and compares; (3) intent with the name from `choose`, after
`prepare` gave the file its time and mode; (4) `publish` renames; (5) `settle` syncs folders; (6) ledger. A crash
between any two leaves either the sealed file or the whole file under its name.
"""

import errno
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from fieldpost_receiver.config.settings import ConflictPolicy
from fieldpost_receiver.storage.errors import NameTaken, PathBlocked, storing
from fieldpost_receiver.storage.folder.disk import Disk, closing
from fieldpost_receiver.storage.folder.folder_tree import Chain, FolderTree, Ownership, naming
from fieldpost_receiver.storage.folder.read_back import ReadBack, read_back
from fieldpost_receiver.storage.folder.working_folder import SEALED, open_working_folder, sealed_name
from fieldpost_receiver.storage.port import (
    Content,
    Existing,
    IsCancelled,
    Place,
    Properties,
    SealedFile,
    Segments,
    StagedFile,
    Verdict,
    check_segments,
    never,
)
from fieldpost_shared.names import numbered

_SYNC_SINGLY: Final = 8  # as in staging
_FETCHED: Final = 64  # small files that the disk reads ahead
_PROPERTIES: Final = Properties(consumes_sealed=True, has_twins=True, knows_free_space=True)
_NOT_TO_BE_READ: Final = frozenset({errno.ENOENT, errno.ELOOP, errno.EACCES, errno.EPERM})


class Destination:
    """Implements `Published`."""

    def __init__(self, root: Path, ownership: Ownership | None = None, disk: Disk | None = None) -> None:
        self._disk = disk or Disk()
        self._ownership = ownership or Ownership()
        with storing("open the destination"):
            self._tree = FolderTree(root, self._ownership, self._disk)
        self._sealed = open_working_folder(root, SEALED, self._disk)

    @property
    def properties(self) -> Properties:
        return _PROPERTIES

    def close(self) -> None:
        self._tree.close()
        self._disk.close(self._sealed)

    # looking

    def find(self, name: Segments) -> Existing | None:
        check_segments(name)
        with storing("look"), suppress(FileNotFoundError), self._tree.enter(name[:-1], create=False) as chain:
            return self._look(chain, name[-1])
        return None

    def kept_beside(self, name: Segments) -> list[Existing]:
        check_segments(name)
        found: list[Existing] = []
        with storing("look"), suppress(FileNotFoundError), self._tree.enter(name[:-1], create=False) as chain:
            while (one := self._look(chain, numbered(name[-1], len(found) + 2))) is not None:
                found.append(one)
        return found

    def same_content(self, existing: Existing, content: Content, is_cancelled: IsCancelled = never) -> bool:
        if not existing.is_file or existing.size != content.size:
            return False
        folders, name = existing.segments[:-1], existing.segments[-1]
        with storing("read what is there"):
            try:
                with (
                    self._tree.enter(folders, create=False) as chain,
                    closing(self._disk, self._disk.open_to_read(chain.last, name)) as file,
                ):
                    is_same = self._holds(file, content, is_cancelled)
                    if is_same:
                        self._tree.make_durable(chain)
                    return is_same
            except PathBlocked:
                return False
            except OSError as error:
                if error.errno in _NOT_TO_BE_READ:
                    return False
                raise

    def choose(self, name: Segments, policy: ConflictPolicy) -> Place:
        """Return a free name and create its folders; see `Published.choose`."""
        check_segments(name)
        with storing("choose a name"):
            return self._tree.within(name[:-1], lambda chain: self._choose_in(chain, name[-1], policy))

    # the steps of a sealed file

    def verify(self, files: Sequence[SealedFile], is_cancelled: IsCancelled = never) -> list[Verdict]:
        """Read back and compare. Of several files the disk reads the next ones meanwhile; one may be large."""
        fetched = len(files) > 1
        verdicts: list[Verdict] = []
        for start in range(0, len(files), _FETCHED):
            some = files[start : start + _FETCHED]
            if fetched:
                self._fetch(some)
            verdicts += [self._verify(sealed, is_cancelled, fetched=fetched) for sealed in some]
        return verdicts

    def prepare(self, files: Sequence[SealedFile]) -> None:
        for sealed in files:
            self._set_attributes(sealed)
        self._sync_sealed(files)

    def publish(self, file: StagedFile, place: Place) -> Place:
        """Rename, without replacing unless the place says so; see `Published.publish`."""
        check_segments(place.segments)
        with storing("rename"), naming():
            return self._tree.within(place.segments[:-1], lambda chain: self._rename_into(chain, file, place))

    def settle(self, names: Iterable[Segments]) -> None:
        """Sync each folder once. One that was moved away since is not found: then all of the file system is synced."""
        folders = {name[:-1] for name in names}
        with storing("sync folders"):
            for segments in folders:
                try:
                    with self._tree.enter(segments, create=False) as chain:
                        self._tree.make_durable(chain)
                except (FileNotFoundError, PathBlocked):
                    self._disk.syncfs(self._sealed)

    def _fetch(self, files: Sequence[SealedFile]) -> None:
        """Let the disk begin to read small files, all of them while the first is looked at."""
        with storing("open a sealed file"):
            for sealed in files:
                with closing(self._disk, self._open_sealed(sealed.file)) as opened:
                    self._disk.fetch_from_disk(opened)

    def _verify(self, sealed: SealedFile, is_cancelled: IsCancelled, *, fetched: bool) -> Verdict:
        with storing("open a sealed file"):
            opened = self._open_sealed(sealed.file)
        with closing(self._disk, opened):
            found = read_back(self._disk, opened, is_cancelled, fetched=fetched)
        if found is None:
            return Verdict.CANCELLED
        return Verdict.SAME if found == _expected(sealed.content) else Verdict.DIFFERENT

    def _set_attributes(self, sealed: SealedFile) -> None:
        """Set time, group and mode. Can be repeated."""
        with storing("set time and mode"), closing(self._disk, self._open_sealed(sealed.file)) as opened:
            if self._ownership.gid is not None:
                self._disk.set_group(opened, self._ownership.gid)
            self._disk.set_mode(opened, self._ownership.file_mode)
            self._disk.set_mtime(opened, sealed.content.mtime_ns)

    def _sync_sealed(self, files: Sequence[SealedFile]) -> None:
        with storing("sync sealed files"):
            if len(files) > _SYNC_SINGLY:  # cheaper than one by one
                self._disk.syncfs(self._sealed)
                return
            for sealed in files:
                with closing(self._disk, self._open_sealed(sealed.file)) as opened:
                    self._disk.fsync(opened)

    def _open_sealed(self, file: StagedFile) -> int:
        return self._disk.open_to_read(self._sealed, sealed_name(file))

    def _holds(self, file: int, content: Content, is_cancelled: IsCancelled) -> bool:
        if not stat.S_ISREG(self._disk.fstat(file).st_mode):
            return False
        self._disk.fsync(file)  # another program that put it there may not have done so
        return read_back(self._disk, file, is_cancelled) == _expected(content)

    def _look(self, chain: Chain, name: str) -> Existing | None:
        with naming(), suppress(FileNotFoundError), self._tree.lock:
            spelling = self._tree.index.find(chain.last, name)
            if spelling is not None:
                seen = self._disk.stat(chain.last, spelling)
                segments = (*chain.names, spelling)
                return Existing(segments, seen.st_size, seen.st_mtime_ns, stat.S_ISREG(seen.st_mode))
        return None

    def _choose_in(self, chain: Chain, name: str, policy: ConflictPolicy) -> Place:
        found = self._look(chain, name)
        if found is None:
            return Place((*chain.names, name))
        if policy is ConflictPolicy.KEEP_BOTH:
            return Place((*chain.names, self._free_number(chain, name)), renamed=True)
        if policy is ConflictPolicy.REPLACE and found.is_file:
            return Place(found.segments, replaces=True)
        raise NameTaken

    def _free_number(self, chain: Chain, name: str) -> str:
        """Return `a (2).txt`, or the next that is free: by doubling and halving, since there may be thousands."""
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
        source, name = (self._sealed, sealed_name(file)), place.segments[-1]
        with self._tree.lock:  # between looking for a twin and entering the name no other thread may act
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


def _expected(content: Content) -> ReadBack:
    return ReadBack(content.sha256, content.size)
