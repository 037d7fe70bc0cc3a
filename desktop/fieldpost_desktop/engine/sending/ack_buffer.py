# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Acknowledgements on their way into the journal: 16 at a time or after 500 ms, one transaction each time.

After a crash before the write those chunks are sent again, which the receiver allows.
"""

from collections.abc import Callable
from typing import Final

from fieldpost_desktop.engine.model.file_row import FileId
from fieldpost_desktop.engine.runtime.context import EngineContext
from fieldpost_shared.chunks import ChunkIndex

_MOST: Final = 16
_LONGEST_S: Final = 0.5


class AckBuffer:
    """Calls `written` for every file that has more acknowledged chunks in the journal."""

    def __init__(self, context: EngineContext, written: Callable[[FileId], None]) -> None:
        self._context = context
        self._written = written
        self._chunks: dict[FileId, list[tuple[ChunkIndex, bytes]]] = {}
        self._count = 0
        self._since = 0.0

    def add(self, file: FileId, index: ChunkIndex, digest: bytes) -> None:
        """Take a chunk that the broker acknowledged."""
        if not self._count:
            self._since = self._context.clock.monotonic()
        self._chunks.setdefault(file, []).append((index, digest))
        self._count += 1

    def flush_if_due(self) -> None:
        """Write when there are enough, or the first has waited long enough."""
        if self._count >= _MOST or (self._count and self._context.clock.monotonic() - self._since >= _LONGEST_S):
            self.flush()

    def flush(self) -> None:
        """Write now."""
        if not self._count:
            return
        self._context.crash.reach("after_ack")
        chunks, self._chunks, self._count = self._chunks, {}, 0
        with self._context.store.transaction():
            for file, acknowledged in chunks.items():
                self._context.files.acknowledge(file, acknowledged)
        for file in chunks:
            self._written(file)
