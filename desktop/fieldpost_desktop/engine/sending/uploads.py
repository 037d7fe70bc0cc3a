# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""One file on its way: which parts left, which are acknowledged, and what its whole hash is."""

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field

from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.sources.file_reader import SourceReader, WholeHash
from fieldpost_shared.bitmap import ChunkSet
from fieldpost_shared.chunks import ChunkIndex
from fieldpost_shared.protocol.messages import FileFacts


@dataclass(frozen=True, slots=True)
class ChunkToken:
    """Which part a report is about. A report of an older generation is of no use."""

    file: int
    generation: int
    index: ChunkIndex
    digest: bytes
    length: int


@dataclass(frozen=True, slots=True)
class PackToken:
    """Which files a report is about."""

    files: tuple[tuple[int, int], ...]  # id and generation
    length: int


@dataclass(frozen=True, slots=True)
class EndToken:
    """The `end` of which file, answering which round."""

    file: int
    generation: int
    length: int = 0


@dataclass(frozen=True, slots=True)
class CancelToken:
    """The `cancel` of which transfer."""

    transfer: str
    length: int = 0


Token = ChunkToken | PackToken | EndToken | CancelToken


@dataclass(slots=True)
class Upload:
    """A file that is being sent in parts."""

    row: FileRow
    facts: FileFacts
    reader: SourceReader
    have: ChunkSet
    whole: WholeHash | None  # None: the hash is known, or `verifying` finds it
    verifying: Future[str] | None = None
    in_flight: set[ChunkIndex] = field(default_factory=set)
    again: list[ChunkIndex] = field(default_factory=list)  # taken back before they left
    ending: Future[None] | None = None
    end_sent: bool = False
    given_up: bool = False  # tells the verifier to stop
    _todo: Iterator[ChunkIndex] | None = None

    def next_index(self) -> ChunkIndex | None:
        """The next part to read; None when all have been read."""
        if self.again:
            return self.again.pop()
        if self._todo is None:
            self._todo = self.have.missing_from()
        return next(self._todo, None)

    @property
    def acknowledged(self) -> int:
        """Parts that the broker has."""
        return len(self.have)

    def whole_sha256(self) -> str | None:
        """The file's hash, once it is known."""
        if self.row.sha256:
            return self.row.sha256
        if self.whole is not None:
            return self.whole.hexdigest() if self.whole.position == self.facts.plan.count else None
        if self.verifying is not None and self.verifying.done():
            return self.verifying.result() or None
        return None
