# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Final names in memory."""

import errno
import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

from fieldpost_receiver.config.settings import ConflictPolicy
from fieldpost_receiver.storage.errors import NameTaken, PathBlocked, StorageError
from fieldpost_receiver.storage.memory.disk import MemoryDisk, Stored
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
from fieldpost_shared.names import Blocked, numbered, twin_key

_PROPERTIES: Final = Properties(consumes_sealed=True, has_twins=True, knows_free_space=True)
_LONGEST: Final = 255  # bytes of a segment, as on the usual file systems


class MemoryPublished:
    """Implements `Published`."""

    def __init__(self, disk: MemoryDisk) -> None:
        self._disk = disk

    @property
    def properties(self) -> Properties:
        return _PROPERTIES

    def find(self, name: Segments) -> Existing | None:
        check_segments(name)
        with self._disk.lock:
            name = self._spelled(name)
            stored = self._disk.published.get(name)
            if stored is not None:
                return Existing(name, len(stored.data), stored.mtime_ns, is_file=True)
            is_folder = any(one[: len(name)] == name for one in self._disk.published)
            return Existing(name, 0, 0, is_file=False) if is_folder else None

    def kept_beside(self, name: Segments) -> list[Existing]:
        found: list[Existing] = []
        while (one := self.find((*name[:-1], numbered(name[-1], len(found) + 2)))) is not None:
            found.append(one)
        return found

    def same_content(self, existing: Existing, content: Content, is_cancelled: IsCancelled = never) -> bool:
        with self._disk.lock:
            stored = self._disk.published.get(existing.segments)
        return stored is not None and not is_cancelled() and _holds(stored, content)

    def choose(self, name: Segments, policy: ConflictPolicy) -> Place:
        check_segments(name)
        if any(len(segment.encode()) > _LONGEST for segment in name):
            raise PathBlocked(Blocked.NOT_STORABLE)
        with self._disk.lock:
            found = self.find(name)
            if found is None:
                return Place(self._spelled(name))
            if policy is ConflictPolicy.KEEP_BOTH:
                number = len(self.kept_beside(name)) + 2
                return Place(self._spelled((*name[:-1], numbered(name[-1], number))), renamed=True)
            if policy is ConflictPolicy.REPLACE and found.is_file:
                return Place(found.segments, replaces=True)
            raise NameTaken

    def verify(self, files: Sequence[SealedFile], is_cancelled: IsCancelled = never) -> list[Verdict]:
        verdicts = []
        for one in files:
            same = _holds(self._sealed(one.file), one.content)
            verdict = Verdict.SAME if same else Verdict.DIFFERENT
            verdicts.append(Verdict.CANCELLED if is_cancelled() else verdict)
        return verdicts

    def prepare(self, files: Sequence[SealedFile]) -> None:
        for one in files:
            self._sealed(one.file).mtime_ns = one.content.mtime_ns

    def publish(self, file: StagedFile, place: Place) -> Place:
        check_segments(place.segments)
        with self._disk.lock:
            stored = self._sealed(file)
            name = self._spelled(place.segments)
            found = self.find(name)
            if found is not None and not (place.replaces and found.is_file):
                raise NameTaken
            self._disk.published[name] = stored
            del self._disk.sealed[file]
        return Place(name, place.renamed, place.replaces)

    def settle(self, names: Iterable[Segments]) -> None:
        pass

    def close(self) -> None:
        pass

    def _sealed(self, file: StagedFile) -> Stored:
        with self._disk.lock:
            try:
                return self._disk.sealed[file]
            except KeyError:
                raise StorageError("open a sealed file", errno.ENOENT) from None

    def _spelled(self, name: Segments) -> Segments:
        """Return the name with the folders, and the file if it is there, as they are spelled already.

        Raises:
            PathBlocked: a file stands where a folder should be.
        """
        spelled: Segments = ()
        for depth, segment in enumerate(name, 1):
            there = {one[depth - 1] for one in self._disk.published if one[: depth - 1] == spelled}
            twins = [one for one in there if twin_key(one) == twin_key(segment)]
            spelled = (*spelled, segment if segment in there or not twins else twins[0])
            if depth < len(name) and spelled in self._disk.published:
                raise PathBlocked(Blocked.NOT_A_FOLDER)
        return spelled


def _holds(stored: Stored, content: Content) -> bool:
    return (hashlib.sha256(stored.data).hexdigest(), len(stored.data)) == (content.sha256, content.size)
