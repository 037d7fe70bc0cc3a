# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Acknowledgements on their way into the journal: 16 at a time or after 500 ms, one transaction each time.

A crash before the write means that those parts are sent again, which harms nobody.
"""

from collections.abc import Callable
from typing import Final

from fieldpost_desktop.engine.model.file_row import FileId
from fieldpost_desktop.engine.runtime.context import EngineContext
from fieldpost_shared.chunks import ChunkIndex

_MOST: Final = 16
_LONGEST_S: Final = 0.5


class AckBuffer:
    """`written` is told which files have more acknowledged parts now."""

    def __init__(self, context: EngineContext, written: Callable[[FileId], None]) -> None:
        self._context = context
        self._written = written
        self._parts: dict[FileId, list[tuple[ChunkIndex, bytes]]] = {}
        self._count = 0
        self._since = 0.0

    def add(self, file: FileId, index: ChunkIndex, digest: bytes) -> None:
        """The broker has this part."""
        if not self._count:
            self._since = self._context.clock.monotonic()
        self._parts.setdefault(file, []).append((index, digest))
        self._count += 1

    def flush_if_due(self) -> None:
        """Write when enough has come together or waited long enough."""
        if self._count >= _MOST or (self._count and self._context.clock.monotonic() - self._since >= _LONGEST_S):
            self.flush()

    def flush(self) -> None:
        """Write now."""
        if not self._count:
            return
        self._context.crash.reach("after_ack")
        parts, self._parts, self._count = self._parts, {}, 0
        with self._context.store.transaction():
            for file, acknowledged in parts.items():
                self._context.files.acknowledge(file, acknowledged)
        for file in parts:
            self._written(file)
