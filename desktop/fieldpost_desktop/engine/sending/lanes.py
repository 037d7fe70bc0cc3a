# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Two lanes: small files and large ones, so that neither holds the other up. A lane reads ahead by a part or two."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Final

from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.runtime.worker_threads import WorkerRole, Workers
from fieldpost_desktop.engine.sending.packs import PackReading, ReadPack
from fieldpost_desktop.engine.sending.uploads import ChunkToken, PackToken, Token, Upload
from fieldpost_desktop.engine.sources.file_reader import ReadChunk
from fieldpost_shared.chunks import MIB
from fieldpost_shared.protocol.limits import MAX_SIZE
from fieldpost_shared.protocol.messages import Record

SMALL_LANE: Final = 8 * MIB
READ_AHEAD: Final = 2
UPCOMING_MOST: Final = 5_000  # files looked up at once: more than one full pack


@dataclass(frozen=True, slots=True)
class ReadyMessage:
    """A message that waits for room in the window."""

    record: Record
    partition_of: Callable[[int], int]  # from the number of partitions, which may have grown since
    token: Token


@dataclass(slots=True)
class Lane:
    """What one lane is doing."""

    role: WorkerRole
    smallest: int
    largest: int
    upload: Upload | None = None  # whose parts are being read
    reading: Future[ReadChunk] | None = None
    packing: Future[ReadPack] | None = None
    packed: PackReading | None = None  # what `packing` reads
    ready: deque[ReadyMessage] = field(default_factory=deque)
    line: dict[int, FileRow] = field(default_factory=dict)  # the next files by number, looked up a few at a time

    @property
    def idle(self) -> bool:
        """Whether it could take on more reading."""
        return self.reading is None and self.packing is None and len(self.ready) < READ_AHEAD

    def read_next(self, workers: Workers) -> None:
        """Have the next part of the current file read; let go of the file after its last part."""
        upload = self.upload
        if upload is None:
            return
        index = upload.next_index()
        if index is None:
            self.upload = None
            return
        self.reading = workers.submit(self.role, lambda: upload.reader.read(index, upload.whole))

    def files(self) -> set[int]:
        """The files it has in hand."""
        of_packs = {file for ready in self.ready if isinstance(ready.token, PackToken) for file, _ in ready.token.files}
        of_parts = {ready.token.file for ready in self.ready if isinstance(ready.token, ChunkToken)}
        return of_packs | of_parts | ({self.upload.row.id} if self.upload else set())

    def leave(self, gone: set[int]) -> None:
        """Stop reading these files, and let others come first."""
        if self.upload is not None and self.upload.row.id in gone:
            self.upload = None
            self.reading = None  # its result is of no use; the desk finishes it in peace
        for file in gone:
            self.line.pop(file, None)


def two_lanes() -> tuple[Lane, Lane]:
    """Small files first: they are quick, and nobody should wait for them."""
    return Lane(WorkerRole.SMALL, 0, SMALL_LANE), Lane(WorkerRole.LARGE, SMALL_LANE + 1, MAX_SIZE)
