# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the office knows of one transfer: which chunks it has, what it asked for, how it ended."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from reference_receiver.messages import Facts

MOST_RANGES: Final = 1_000
MOST_FRUITLESS_ROUNDS: Final = 5

Range = tuple[int, int]


@dataclass(slots=True, eq=False)  # each is itself, whatever it holds
class Transfer:
    """One send of one version of one file. `facts` is None if it was cancelled before anything else came."""

    client: str
    id: str
    facts: Facts | None = None
    sha256: str = ""  # of the whole file, fixed by the first end
    have: dict[int, str] = field(default_factory=dict)  # the SHA-256 of each chunk that was written
    damaged: set[int] = field(default_factory=set)
    withheld: set[int] = field(default_factory=set)  # chunks that a switch of the test kept from us
    pack_withheld: bool = False
    answer: Mapping[str, object] | None = None  # the terminal one
    progress_at: float | None = None
    round: int = 0  # of the last `missing`
    asked: tuple[Range, ...] = ()
    came_since: set[int] = field(default_factory=set)  # what came at all since the last `missing`
    written_since: bool = False
    fruitless: int = 0

    @property
    def count(self) -> int:
        return self.facts.count if self.facts else 0

    @property
    def complete(self) -> bool:
        """Every chunk is there; says nothing about the end."""
        return self.facts is not None and len(self.have) == self.count

    def holes(self) -> tuple[Range, ...]:
        """The first ranges of missing chunks. Walks over what is there: a header may claim trillions."""
        return tuple(islice(self._holes(), MOST_RANGES))

    def _holes(self) -> Iterator[Range]:
        after = 0
        for index in [*sorted(self.have), self.count]:
            if index > after:
                yield after, index - 1
            after = index + 1

    def excused(self, ranges: tuple[Range, ...]) -> bool:
        """Whether the office itself kept away, or found damaged, all that is missing."""
        return self.pack_withheld or _covered(ranges, self.withheld | self.damaged)

    def answered_in_full(self) -> bool:
        """Whether everything that was asked for came again."""
        return _covered(self.asked, self.came_since)

    def ask(self, answered_round: int) -> tuple[Range, ...]:
        """The ranges to ask for in reply to an end: the same round again, unless that end answers it.

        A first `missing` has round 1. A round that brought nothing is fruitless.
        """
        ranges = self.holes()
        if answered_round >= self.round:
            self.fruitless += bool(self.round) and not self.written_since
            self.round = max(self.round, answered_round) + 1
            self.asked, self.came_since, self.written_since = ranges, set(), False
        return ranges

    def close(self, answer: Mapping[str, object]) -> None:
        """The terminal answer. What led to it is forgotten: a long run has many transfers."""
        self.answer = answer
        for parts in (self.have, self.damaged, self.withheld, self.came_since):
            parts.clear()

    def reason(self, ranges: tuple[Range, ...]) -> str:
        return "damaged" if _covered(ranges, self.damaged) else "never_arrived"


def _covered(ranges: tuple[Range, ...], indexes: set[int]) -> bool:
    there = sorted(indexes)
    return all(bisect_right(there, last) - bisect_left(there, first) == last - first + 1 for first, last in ranges)
