# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The arithmetic of chunks: where each lies in its file, in which partition it travels, how large it may be."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NewType

from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.ids import ClientName, TransferId

ChunkIndex = NewType("ChunkIndex", int)
ByteOffset = NewType("ByteOffset", int)
Header = tuple[str, bytes]

KIB: Final = 1024
MIB: Final = 1024 * KIB

DEFAULT_CHUNK_SIZE: Final = 960 * KIB  # fits the default limits of broker and client with room for our headers
SMALLEST_USEFUL_CHUNK: Final = 64 * KIB  # below this the overhead of a message outweighs what it carries
ROUNDING: Final = 4 * KIB  # whole pages on disk
RUN_LENGTH: Final = 8  # consecutive chunks that share a partition: the receiver writes in long stretches
LINK_SECONDS: Final = 5  # a chunk should not take longer than this, so that progress is seen and little is lost

_BATCH_HEADER: Final = 61  # bytes of a Kafka record batch (v2) before its first record
_VARINT_7_BITS: Final = 7


@dataclass(frozen=True, slots=True)
class ChunkPlan:
    """How a file of `size` bytes is cut: every chunk but the last has `chunk_size` bytes."""

    size: int
    chunk_size: int

    @property
    def count(self) -> int:
        """How many chunks; none for an empty file."""
        return -(-self.size // self.chunk_size)

    def offset(self, index: ChunkIndex) -> ByteOffset:
        """Where the chunk starts in its file."""
        self._check(index)
        return ByteOffset(index * self.chunk_size)

    def length(self, index: ChunkIndex) -> int:
        """How many plain bytes the chunk has."""
        self._check(index)
        return min(self.chunk_size, self.size - index * self.chunk_size)

    def _check(self, index: ChunkIndex) -> None:
        if not 0 <= index < self.count:
            raise IndexError(f"chunk {index} of {self.count}")


def files_partition(transfer: TransferId, index: ChunkIndex, partitions: int) -> int:
    """The partition of a chunk: runs rotate over all partitions from a start that the transfer decides."""
    return (zlib.crc32(transfer.encode("ascii")) + index // RUN_LENGTH) % partitions


def status_partition(client: ClientName, partitions: int) -> int:
    """The partition of a client's status messages, as librdkafka chooses it for that key."""
    return zlib.crc32(client.encode("ascii")) % partitions


def batch_size(key: bytes, headers: Sequence[Header], value_length: int) -> int:
    """The bytes that a record counts for against the broker's `max.message.bytes`, alone in its batch."""
    body = 1 + 1 + 1  # attributes, timestamp delta 0, offset delta 0
    body += _field(len(key)) + _field(value_length) + _varint(len(headers))
    for name, value in headers:
        body += _field(len(name.encode())) + _field(len(value))
    return _BATCH_HEADER + _varint(body) + body


def chunk_size_for(limit: int, overhead: int, link_rate: float | None, wanted: int = DEFAULT_CHUNK_SIZE) -> int:
    """The chunk size for a new transfer.

    Args:
        limit: the broker's `max.message.bytes` for the topic.
        overhead: bytes of a full message beyond its payload.
        link_rate: bytes a second that the link moved lately; None while unknown.
        wanted: the configured size.

    Raises:
        FieldpostError: the broker's limit leaves no useful chunk.
    """
    fits = limit - overhead
    if fits < SMALLEST_USEFUL_CHUNK:
        raise FieldpostError(Code.LIMIT_TOO_SMALL, f"the broker takes messages of {limit} bytes at most")
    size = min(fits, max(wanted, SMALLEST_USEFUL_CHUNK))
    if link_rate is not None:
        size = min(size, max(int(link_rate * LINK_SECONDS), SMALLEST_USEFUL_CHUNK))
    return size - size % ROUNDING


def _field(length: int) -> int:
    """A length-prefixed field of a record."""
    return _varint(length) + length


def _varint(number: int) -> int:
    """Bytes of a non-negative number as a zigzag varint: its sign costs one bit."""
    return max(1, -(-(number << 1).bit_length() // _VARINT_7_BITS))
