# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The rows that a task returns to the driver: one for each message or pack member, without payload bytes."""

import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Final

from fieldpost_shared.chunks import ChunkIndex
from fieldpost_shared.ids import ClientName, TransferId
from fieldpost_shared.protocol.messages import FileFacts

PIECE: Final = 1_000  # rows


class RowKind(StrEnum):
    """The kind of a row."""

    CHUNK = "chunk"  # verified, written, synced
    WHOLE = "whole"  # a pack's member: verified, written whole, synced
    END = "end"
    CANCEL = "cancel"
    BAD = "bad"  # refused; `code` says why
    READ = "read"  # the partition is processed up to `offset`
    LOST = "lost"  # offsets [offset, offset + count) that retention deleted unread


@dataclass(frozen=True, slots=True)
class Row:
    """One row; which fields are set follows from the kind."""

    kind: RowKind
    partition: int
    offset: int
    client: str | None = None
    transfer: str | None = None
    path: str | None = None
    size: int | None = None
    chunk_size: int | None = None
    mtime_ns: int | None = None
    index: int | None = None
    sha256: str | None = None  # of the whole file, on END and WHOLE
    round: int | None = None
    code: str | None = None
    detail: str | None = None
    count: int | None = None
    payload: int = 0  # bytes of the message's value, by which the next batch is sized

    def facts(self) -> FileFacts:
        """Return the facts of a CHUNK, WHOLE or END row, which were checked when the message was decoded."""
        return FileFacts(
            ClientName(self.client or ""),
            TransferId(self.transfer or ""),
            self.path or "",
            self.size or 0,
            self.chunk_size or 0,
            self.mtime_ns or 0,
        )

    def chunk(self) -> ChunkIndex:
        """Return the index of a CHUNK row."""
        return ChunkIndex(self.index or 0)


def pack_rows(rows: Sequence[Row]) -> Iterator[bytes]:
    """Yield the rows in pieces of bounded size, as they travel through the JVM, which does not look into them."""
    for start in range(0, len(rows), PIECE):
        yield pickle.dumps([_values(row) for row in rows[start : start + PIECE]], pickle.HIGHEST_PROTOCOL)


def unpack_rows(pieces: Iterable[bytes]) -> list[Row]:
    """Return the rows of all pieces, on the driver."""
    return [
        Row(RowKind(kind), *rest)
        for piece in pieces
        for kind, *rest in pickle.loads(piece)  # noqa: S301 - our own workers' bytes, as every result of Spark
    ]


def _values(row: Row) -> tuple[Any, ...]:
    return (row.kind.value, *(getattr(row, name) for name in _NAMES))


_NAMES: Final = tuple(field.name for field in fields(Row))[1:]
