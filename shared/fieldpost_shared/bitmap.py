# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Which chunks of a file are there: one bit each, 13 KB for 100 GB in chunks of 1 MB."""

from collections.abc import Iterator
from typing import Final

from fieldpost_shared.chunks import ChunkIndex

MAX_CHUNKS: Final = 1 << 27  # 1 TiB in the smallest useful chunks needs 2^24; more is never allocated
Range = tuple[int, int]


class ChunkSet:
    """A growing set of chunk indexes below a fixed count."""

    __slots__ = ("_bits", "_have", "count")

    def __init__(self, count: int, bits: bytes = b"") -> None:
        if not 0 <= count <= MAX_CHUNKS:
            raise ValueError(f"{count} chunks; at most {MAX_CHUNKS}")
        if len(bits) > (count + 7) // 8 or (bits and count % 8 and len(bits) * 8 > count and bits[-1] >> count % 8):
            raise ValueError(f"the bitmap has bits beyond its {count} chunks")
        self.count = count
        self._bits = bytearray(bits.ljust((count + 7) // 8, b"\0"))
        self._have = sum(byte.bit_count() for byte in self._bits)

    def add(self, index: ChunkIndex) -> bool:
        """Put a chunk in; tells whether it was new."""
        if not 0 <= index < self.count:
            raise IndexError(f"chunk {index} of {self.count}")
        byte, bit = index >> 3, 1 << (index & 7)
        if self._bits[byte] & bit:
            return False
        self._bits[byte] |= bit
        self._have += 1
        return True

    def discard(self, index: ChunkIndex) -> None:
        """Take a chunk out, if it is in."""
        if index in self:
            self._bits[index >> 3] &= ~(1 << (index & 7))
            self._have -= 1

    def __contains__(self, index: ChunkIndex) -> bool:
        return 0 <= index < self.count and bool(self._bits[index >> 3] & (1 << (index & 7)))

    def __len__(self) -> int:
        return self._have

    @property
    def complete(self) -> bool:
        """Whether no chunk is missing."""
        return self._have == self.count

    def missing_from(self, start: int = 0) -> Iterator[ChunkIndex]:
        """The chunks not in the set, in order, skipping full bytes at once."""
        index = start
        while index < self.count:
            byte = self._bits[index >> 3]
            if byte == 0xFF:  # noqa: PLR2004 - eight chunks that are all there
                index = (index | 7) + 1
                continue
            if not byte & (1 << (index & 7)):
                yield ChunkIndex(index)
            index += 1

    def missing_ranges(self, limit: int) -> tuple[Range, ...]:
        """The first `limit` stretches of missing chunks as inclusive (first, last) pairs."""
        ranges: list[Range] = []
        first = last = -1
        for index in self.missing_from():
            if index == last + 1 and first >= 0:
                last = index
                continue
            if first >= 0:
                ranges.append((first, last))
                if len(ranges) == limit:
                    return tuple(ranges)
            first = last = index
        if first >= 0:
            ranges.append((first, last))
        return tuple(ranges)

    def __bytes__(self) -> bytes:
        return bytes(self._bits)
