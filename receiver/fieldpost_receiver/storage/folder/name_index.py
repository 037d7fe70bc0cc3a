# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Which names a folder holds, for finding twins: names that are equal but for case and composition.

A twin can only be found by comparing with every entry, so a folder's names are read once and kept. 100,000
entries take 0.1 s to read and about 20 MB to keep; after that a look-up is one `fstat`. The receiver's own renames are
entered here as they happen. Any other change shows in the folder's time, and the folder is read again.
Two changes within one tick of the file system's clock may look like one: then a stranger's twin is overlooked
once, and both names stand side by side. A name that is exactly the same is never overwritten: the rename sees it.
"""

import os
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from fieldpost_receiver.storage.folder.disk import Disk
from fieldpost_shared.names import twin_key

MAX_NAMES: Final = 300_000  # kept in all folders together: about 60 MB. One larger folder is kept alone
MAX_FOLDERS: Final = 10_000


@dataclass(slots=True)
class _Folder:
    stamp: int
    names: dict[str, str]  # twin key to spelling


class NameIndex:
    """The names of the folders used last. The caller serialises access."""

    def __init__(self, disk: Disk, max_names: int = MAX_NAMES) -> None:
        self._disk = disk
        self._max_names = max_names
        self._folders: OrderedDict[tuple[int, int], _Folder] = OrderedDict()
        self._count = 0

    def find(self, folder: int, name: str) -> str | None:
        """The spelling under which a name or a twin of it is there, the exact one if there are several."""
        with suppress(FileNotFoundError):
            self._disk.stat(folder, name)
            return name
        twin = self._names(folder).get(twin_key(name))
        if twin is None:
            return None
        with suppress(FileNotFoundError):
            self._disk.stat(folder, twin)
            return twin
        self.forget(folder)
        return self._names(folder).get(twin_key(name))

    def add(self, folder: int, name: str) -> None:
        """Enter a name that was just brought into a folder in which `find` had just looked."""
        seen = self._disk.fstat(folder)
        known = self._folders.get(_identity(seen))
        if known is not None:
            before = len(known.names)
            known.names[twin_key(name)] = name
            known.stamp = seen.st_mtime_ns
            self._count += len(known.names) - before

    def forget(self, folder: int) -> None:
        """Drop what is known of a folder: it is not as it was."""
        self._drop(_identity(self._disk.fstat(folder)))

    def _names(self, folder: int) -> dict[str, str]:
        seen = self._disk.fstat(folder)
        identity = _identity(seen)
        known = self._folders.get(identity)
        if known is None or known.stamp != seen.st_mtime_ns:
            self._drop(identity)
            # The stamp is older than the listing: what comes in between is read again rather than missed.
            known = _Folder(seen.st_mtime_ns, {twin_key(name): name for name in self._disk.list_names(folder)})
            self._folders[identity] = known
            self._count += len(known.names)
        self._folders.move_to_end(identity)
        self._shrink()
        return known.names

    def _drop(self, identity: tuple[int, int]) -> None:
        known = self._folders.pop(identity, None)
        self._count -= len(known.names) if known else 0

    def _shrink(self) -> None:
        """Forget the folders used longest ago; an empty one weighs nothing here, but their number is bounded too."""
        while len(self._folders) > 1 and (self._count > self._max_names or len(self._folders) > MAX_FOLDERS):
            self._drop(next(iter(self._folders)))


def _identity(seen: os.stat_result) -> tuple[int, int]:
    return seen.st_dev, seen.st_ino
