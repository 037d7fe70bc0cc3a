# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A file as the journal keeps it, and a file on disk that is not in the journal yet."""

from dataclasses import dataclass

from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.chunks import ChunkPlan
from fieldpost_shared.ids import TransferId
from fieldpost_shared.protocol.encodings import Encoding

FileId = int


@dataclass(frozen=True, slots=True)
class FileRow:
    """One file as the journal knows it."""

    id: FileId
    source: str
    path: str
    folder: int | None
    size: int
    mtime_ns: int
    identity: str
    seen_ns: int
    state: FileState
    transfer: TransferId | None
    generation: int
    chunk_size: int
    encoding: Encoding
    sha256: str
    attempt: int
    next_try_ns: int | None
    code: str
    detail: str
    resends: int
    round: int
    end_partition: int | None
    end_offset: int | None
    asked: int
    ask_ns: int | None
    urgent: bool
    anyway: bool
    added_ns: int
    started_ns: int | None
    sent_ns: int | None
    ended_ns: int | None
    clean_up: str
    clean_up_tries: int

    @property
    def plan(self) -> ChunkPlan | None:
        """Return how the file is cut; None while it is not, or when it travels in a pack."""
        return ChunkPlan(self.size, self.chunk_size) if self.chunk_size else None


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file on disk, ready to be queued."""

    source: str
    path: str
    size: int
    mtime_ns: int
    identity: str
    folder: int | None = None
