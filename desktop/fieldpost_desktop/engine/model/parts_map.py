# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""How far each part of one file is, as the window draws it; a part is the window's word for a chunk."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.bitmap import ChunkSet, Range
from fieldpost_shared.chunks import ChunkIndex


class PartState(IntEnum):
    """How far a part is; the order is the order of badness, so that the worst of several is their maximum."""

    CONFIRMED = 0  # the office has the whole file
    ACKNOWLEDGED = 1  # the server has it
    IN_FLIGHT = 2
    ASKED_AGAIN = 3  # the office misses it
    NOT_SENT = 4


@dataclass(frozen=True, slots=True)
class PartsMap:
    """Every part is in one of the ranges, which are inclusive (first, last) and in order."""

    count: int
    ranges: Mapping[PartState, Sequence[Range]] = field(default_factory=dict)


_OF_A_PACK = {
    FileState.SENDING: PartState.IN_FLIGHT,
    FileState.SENT: PartState.ACKNOWLEDGED,
    FileState.CONFIRMED: PartState.CONFIRMED,
}


def parts_of(row: FileRow, have: ChunkSet, in_flight: Collection[ChunkIndex]) -> PartsMap:
    """Return the parts of a file, from the acknowledged chunks and those in flight."""
    if row.plan is None or not row.plan.count:  # it travels with others in one message, or has no bytes
        return PartsMap(1, {_OF_A_PACK.get(row.state, PartState.NOT_SENT): ((0, 0),)})
    count = row.plan.count
    if row.state is FileState.CONFIRMED:
        return PartsMap(count, {PartState.CONFIRMED: ((0, count - 1),)})
    # The office asks only after all was sent: what is missing since then is what it asked for.
    missing = PartState.ASKED_AGAIN if row.round else PartState.NOT_SENT
    flying = sorted(index for index in in_flight if index not in have)
    open_ranges = have.missing_ranges(count)
    found = {
        PartState.ACKNOWLEDGED: _between(open_ranges, count),
        PartState.IN_FLIGHT: _runs(flying),
        missing: _without(open_ranges, flying),
    }
    return PartsMap(count, {state: ranges for state, ranges in found.items() if ranges})


def _between(ranges: Sequence[Range], count: int) -> tuple[Range, ...]:
    """Return what the ranges leave out of the parts from 0 on."""
    starts = [0, *(last + 1 for _, last in ranges)]
    ends = [*(first - 1 for first, _ in ranges), count - 1]
    return tuple((first, last) for first, last in zip(starts, ends, strict=True) if first <= last)


def _runs(indexes: Iterable[int]) -> tuple[Range, ...]:
    """Return sorted parts as ranges."""
    runs: list[Range] = []
    for index in indexes:
        if runs and runs[-1][1] == index - 1:
            runs[-1] = (runs[-1][0], index)
        else:
            runs.append((index, index))
    return tuple(runs)


def _without(ranges: Iterable[Range], taken: Sequence[int]) -> tuple[Range, ...]:
    """Return the ranges less single parts, which are sorted and lie all in the ranges."""
    left: list[Range] = []
    at = 0
    for first, last in ranges:
        start = first
        while at < len(taken) and taken[at] <= last:
            if start < taken[at]:
                left.append((start, taken[at] - 1))
            start = taken[at] + 1
            at += 1
        if start <= last:
            left.append((start, last))
    return tuple(left)
