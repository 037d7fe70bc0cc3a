# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The rows that a task returns to the driver: one for each message or pack member, without payload bytes."""

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Final

import pyarrow as pa

from fieldpost_shared.chunks import ChunkIndex
from fieldpost_shared.ids import ClientName, TransferId
from fieldpost_shared.protocol.messages import FileFacts


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


_TYPES: Final[dict[str, pa.DataType]] = {
    "kind": pa.string(),
    "partition": pa.int32(),
    "offset": pa.int64(),
    "client": pa.string(),
    "transfer": pa.string(),
    "path": pa.string(),
    "size": pa.int64(),
    "chunk_size": pa.int64(),
    "mtime_ns": pa.int64(),
    "index": pa.int64(),
    "sha256": pa.string(),
    "round": pa.int64(),
    "code": pa.string(),
    "detail": pa.string(),
    "count": pa.int64(),
    "payload": pa.int64(),
}
SCHEMA: Final = pa.schema([(name, _TYPES[name]) for name in (field.name for field in fields(Row))])
DDL: Final = ", ".join(  # the same schema for Spark, which needs SQL types
    f"`{field.name}` {'string' if field.type == pa.string() else 'int' if field.type == pa.int32() else 'bigint'}"
    for field in SCHEMA
)


def to_batch(rows: list[Row]) -> pa.RecordBatch:
    """Return the rows as Arrow, the format in which they cross into the JVM."""
    columns = {name: [getattr(row, name) for row in rows] for name in SCHEMA.names}
    return pa.RecordBatch.from_pydict(columns, schema=SCHEMA)


def from_table(table: pa.Table) -> list[Row]:
    """Return the rows of a table, on the driver."""
    found: list[dict[str, Any]] = table.to_pylist()
    return [Row(**(values | {"kind": RowKind(values["kind"])})) for values in found]
