# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Two lanes, for small files and large ones, so that neither waits for the other. A lane reads a chunk or two ahead."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Final

from fieldpost_desktop.engine.model.file_row import FileId, FileRow
from fieldpost_desktop.engine.runtime.worker_threads import WorkerRole
from fieldpost_desktop.engine.sending.packs import PackReading, ReadPack
from fieldpost_desktop.engine.sending.uploads import Token, Upload, files_of
from fieldpost_desktop.engine.sources.file_reader import ReadChunk
from fieldpost_shared.chunks import MIB, ChunkIndex, files_partition
from fieldpost_shared.ids import TransferId
from fieldpost_shared.protocol.limits import MAX_SIZE
from fieldpost_shared.protocol.messages import Record

SMALL_LANE: Final = 8 * MIB
READ_AHEAD: Final = 2
UPCOMING_MOST: Final = 5_000  # files looked up at once: more than one full pack
_FIRST: Final = ChunkIndex(0)


@dataclass(frozen=True, slots=True)
class ReadyMessage:
    """A message that waits for room in the window."""

    record: Record
    partition_of: Callable[[int], int]  # from the number of partitions, which may have grown since
    token: Token


def partition_of(transfer: TransferId, index: ChunkIndex = _FIRST) -> Callable[[int], int]:
    """Return the function from the number of partitions to the partition of a chunk; other messages use the first."""
    return lambda count: files_partition(transfer, index, count)


@dataclass(slots=True)
class Lane:
    """What one lane is doing."""

    role: WorkerRole
    smallest: int
    largest: int
    upload: Upload | None = None  # whose chunks are being read
    reading: Future[ReadChunk] | None = None
    packing: Future[ReadPack] | None = None
    packed: PackReading | None = None  # what `packing` reads
    ready: deque[ReadyMessage] = field(default_factory=deque)
    upcoming: dict[FileId, FileRow] = field(default_factory=dict)  # the next files, looked up many at a time

    @property
    def idle(self) -> bool:
        """Return whether the lane can take on more reading."""
        return self.reading is None and self.packing is None and len(self.ready) < READ_AHEAD

    def takes(self, size: int) -> bool:
        """Return whether a file of this size belongs to the lane."""
        return self.smallest <= size <= self.largest

    def files(self) -> set[FileId]:
        """Return the files that are being read or have messages ready."""
        read = {file for message in self.ready for file in files_of(message.token)}
        return read | ({self.upload.row.id} if self.upload else set())

    def withdraw(self, files: set[FileId]) -> list[Token]:
        """Stop reading these files and take their messages back; return the tokens of those messages."""
        withdrawn = [message.token for message in self.ready if not files.isdisjoint(files_of(message.token))]
        self.ready = deque(message for message in self.ready if files.isdisjoint(files_of(message.token)))
        if self.upload is not None and self.upload.row.id in files:
            self.upload = None
            self.reading = None  # its result is of no use; the worker finishes it in peace
        for file in files:
            self.upcoming.pop(file, None)
        return withdrawn


def two_lanes() -> tuple[Lane, Lane]:
    """Return the lanes; the small files come first, because they are quick."""
    return Lane(WorkerRole.SMALL, 0, SMALL_LANE), Lane(WorkerRole.LARGE, SMALL_LANE + 1, MAX_SIZE)
