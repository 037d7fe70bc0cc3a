# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The partition that docs/protocol.md prescribes for a chunk."""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_RUN: Final = 8


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a chunk was found."""

    transfer: str
    index: int
    partition: int
    place: str

    def fits(self, counts: Iterable[int]) -> bool:
        """Whether the chunk belongs there for one of these numbers of partitions."""
        start = zlib.crc32(self.transfer.encode())
        return any((start % count + self.index // _RUN) % count == self.partition for count in counts)

    def __str__(self) -> str:
        return f"{self.place}: chunk {self.index} of {self.transfer} does not belong into this partition"


class Placements:
    """Chunks that looked misplaced. Judged when asked for: that the topic grew may be known a little later."""

    def __init__(self) -> None:
        self._doubtful: list[Placement] = []

    def check(self, found: Placement, counts: Iterable[int]) -> None:
        if not found.fits(counts):
            self._doubtful.append(found)

    def violations(self, counts: Iterable[int]) -> list[str]:
        known = tuple(counts)
        return [str(found) for found in list(self._doubtful) if not found.fits(known)]
