# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""One file on its way: which chunks left, which are acknowledged, and what its whole hash is."""

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field

from fieldpost_desktop.engine.model.file_row import FileId, FileRow
from fieldpost_desktop.engine.sources.file_reader import SourceReader, WholeHash
from fieldpost_shared.bitmap import ChunkSet
from fieldpost_shared.chunks import ChunkIndex
from fieldpost_shared.protocol.messages import FileFacts


@dataclass(frozen=True, slots=True)
class ChunkToken:
    """Which chunk a delivery report is about. A report of an older generation changes nothing."""

    file: FileId
    generation: int
    index: ChunkIndex
    digest: bytes
    length: int


@dataclass(frozen=True, slots=True)
class PackToken:
    """Which files the report of a pack is about."""

    files: tuple[tuple[FileId, int], ...]  # id and generation
    length: int


@dataclass(frozen=True, slots=True)
class EndToken:
    """Which file the report of an `end` is about."""

    file: FileId
    generation: int
    length: int = 0


@dataclass(frozen=True, slots=True)
class CancelToken:
    """Which transfer the report of a `cancel` is about."""

    transfer: str
    length: int = 0


Token = ChunkToken | PackToken | EndToken | CancelToken


def files_of(token: Token) -> set[FileId]:
    """Return the files that a message is about."""
    match token:
        case ChunkToken() | EndToken():
            return {token.file}
        case PackToken():
            return {file for file, _ in token.files}
        case CancelToken():
            return set()


@dataclass(slots=True)
class Upload:
    """A file that is being sent in chunks."""

    row: FileRow
    facts: FileFacts
    reader: SourceReader
    acknowledged: ChunkSet
    whole: WholeHash | None  # None: the hash is known, or `verifying` finds it
    verifying: Future[str] | None = None
    in_flight: set[ChunkIndex] = field(default_factory=set)
    unsent: list[ChunkIndex] = field(default_factory=list)  # read, and taken back before they left
    final_check: Future[None] | None = None
    end_sent: bool = False
    abandoned: bool = False  # tells the verifying worker to stop
    _unread: Iterator[ChunkIndex] | None = None

    def next_index(self) -> ChunkIndex | None:
        """Return the next chunk to read; None when all have been read."""
        if self.unsent:
            return self.unsent.pop()
        if self._unread is None:
            self._unread = self.acknowledged.missing_from()
        return next(self._unread, None)

    @property
    def acknowledged_bytes(self) -> int:
        """Return how many bytes of the file the broker has."""
        return min(self.row.size, len(self.acknowledged) * self.facts.chunk_size)

    def whole_sha256(self) -> str | None:
        """Return the file's hash, once it is known.

        Raises:
            FieldpostError: reading the file again showed that it changed or is gone.
        """
        if self.row.sha256:
            return self.row.sha256
        if self.whole is not None:
            return self.whole.hexdigest() if self.whole.position == self.facts.plan.count else None
        if self.verifying is not None and self.verifying.done():
            return self.verifying.result() or None
        return None
