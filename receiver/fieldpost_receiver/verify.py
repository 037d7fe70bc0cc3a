# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Reading a file back from the disk: what a receipt rests on. Constant memory, any size."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from fieldpost_receiver.disk import Disk
from fieldpost_receiver.storage_errors import storing
from fieldpost_shared.chunks import MIB

_BUFFER: Final = 1 * MIB  # larger ones leave the processor's cache before they are hashed


@dataclass(frozen=True, slots=True)
class ReadBack:
    """What the disk holds."""

    sha256: str
    size: int


def never() -> bool:
    """For those who wait until the end."""
    return False


def read_back(
    disk: Disk, file: int, is_cancelled: Callable[[], bool] = never, *, fetched: bool = False
) -> ReadBack | None:
    """Hash an open file from its current position, past the page cache; None if cancelled on the way.

    Pages that were not synced stay in the cache, so sync first. `fetched`: what the cache holds was just read from
    the disk, see `Disk.fetch_from_disk`.

    Raises:
        StorageError: the disk cannot read what it was given.
    """
    digest = hashlib.sha256()
    size = 0
    with storing("read back"):
        expected = disk.fstat(file).st_size
        buffer = memoryview(bytearray(max(1, min(_BUFFER, expected + 1))))  # one more: sees the end in the same read
        if not fetched:
            disk.read_from_disk(file)
        while count := disk.read_into(file, buffer):
            if is_cancelled():
                return None
            digest.update(buffer[:count])
            size += count
    return ReadBack(digest.hexdigest(), size)
