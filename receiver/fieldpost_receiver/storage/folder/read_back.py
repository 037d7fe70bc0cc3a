# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Read a file back from the disk: what a receipt rests on. Constant memory, any size."""

import errno
import hashlib
import mmap
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count, cycle
from typing import Final

from fieldpost_receiver.storage.errors import storing
from fieldpost_receiver.storage.folder.disk import Disk
from fieldpost_receiver.storage.port import IsCancelled, never
from fieldpost_shared.chunks import MIB

_BUFFER: Final = 1 * MIB  # larger ones leave the processor's cache before they are hashed
_AHEAD: Final = 2  # blocks that the disk reads meanwhile: one alone leaves it idle between two reads
_LARGE: Final = 8 * MIB  # from here on threads that read ahead are worth their start


@dataclass(frozen=True, slots=True)
class ReadBack:
    """What the disk holds of a file."""

    sha256: str
    size: int


def read_back(disk: Disk, file: int, is_cancelled: IsCancelled = never, *, fetched: bool = False) -> ReadBack | None:
    """Hash an open file from its beginning, past the page cache; None if cancelled on the way.

    Pages that were not synced stay in the cache, so sync first. `fetched`: what the cache holds was just read from
    the disk, see `Disk.fetch_from_disk`.

    Raises:
        StorageError: the disk cannot read what it was given.
    """
    with storing("read back"):
        expected = disk.fstat(file).st_size
        if expected >= _LARGE and not fetched:
            try:
                return _past_the_cache(disk, file, is_cancelled)
            except OSError as error:
                if error.errno != errno.EINVAL:  # not every file system can; then all of it is read the other way
                    raise
                disk.read_through_the_cache(file)
        return _through_the_cache(disk, file, is_cancelled, expected, fetched=fetched)


def _past_the_cache(disk: Disk, file: int, is_cancelled: IsCancelled) -> ReadBack | None:
    """Hash one block while the disk reads the next ones. Memory of its own: such reads want whole pages."""
    digest, size = hashlib.sha256(), 0
    buffers = cycle(memoryview(mmap.mmap(-1, _BUFFER)) for _ in range(_AHEAD + 1))
    offsets = count(step=_BUFFER)
    disk.read_past_the_cache(file)
    with ThreadPoolExecutor(_AHEAD, thread_name_prefix="read-back") as readers:

        def begin() -> tuple[memoryview, Future[int]]:
            buffer = next(buffers)
            return buffer, readers.submit(disk.read_at, file, buffer, next(offsets))

        reading = deque(begin() for _ in range(_AHEAD))
        while True:
            buffer, done = reading.popleft()
            read = done.result()
            if is_cancelled():
                return None
            size += read
            if read < _BUFFER:  # the end; an offset within a block could not be read from
                digest.update(buffer[:read])
                return ReadBack(digest.hexdigest(), size)
            reading.append(begin())
            digest.update(buffer)


def _through_the_cache(
    disk: Disk, file: int, is_cancelled: IsCancelled, expected: int, *, fetched: bool
) -> ReadBack | None:
    digest, size = hashlib.sha256(), 0
    buffer = memoryview(bytearray(max(1, min(_BUFFER, expected + 1))))  # one more: sees the end in the same read
    if not fetched:
        disk.read_from_disk(file)
    while count := disk.read_into(file, buffer):
        if is_cancelled():
            return None
        digest.update(buffer[:count])
        size += count
    return ReadBack(digest.hexdigest(), size)
