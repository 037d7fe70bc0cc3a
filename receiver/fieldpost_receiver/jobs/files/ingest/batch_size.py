# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Size a batch: large on a backlog, small when idle.

Planning sees offsets, not bytes, so it uses the mean size of recent messages.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from fieldpost_receiver.jobs.files.ingest.partition_reader import Range

START_MEAN: Final = 1_000_000  # bytes of a message, before the first batch
_WEIGHT: Final = 0.3  # of the newest batch


def plan(start: Mapping[int, int], available: Mapping[int, int], most: int | None) -> dict[int, int]:
    """Return end offsets: everything that is there, or `most` messages shared out evenly over the partitions.

    A partition with few messages leaves its share to the others. If `most` is less than the number of partitions, they
    take turns: each batch advances the sum of the offsets, and with it the partition that the next one begins with.
    """
    left = {key: max(0, available[key] - start.get(key, 0)) for key in available}
    if most is None or sum(left.values()) <= most:
        return {key: max(available[key], start.get(key, 0)) for key in available}
    taken = dict.fromkeys(left, 0)
    budget = max(1, most)
    while budget > 0:
        hungry = [key for key in sorted(left) if taken[key] < left[key]]
        share, turn = max(1, budget // len(hungry)), sum(start.values()) % len(hungry)
        for key in hungry[turn:] + hungry[:turn]:
            portion = min(share, left[key] - taken[key], budget)
            taken[key] += portion
            budget -= portion
    return {key: start.get(key, 0) + taken[key] for key in available}


def share_out(ranges: Sequence[Range], tasks: int) -> list[list[Range]]:
    """Return one share of about the same number of messages for each task that runs at once; 0: one for each range."""
    if not tasks or len(ranges) <= tasks:
        return [[one] for one in ranges]
    shares: list[list[Range]] = [[] for _ in range(tasks)]
    for one in sorted(ranges, key=lambda one: one.start - one.end):
        min(shares, key=lambda share: sum(other.end - other.start for other in share)).append(one)
    return shares


def new_mean(mean: float, messages: int, payload: int) -> float:
    """Return the running mean of message sizes."""
    return mean if not messages else mean * (1 - _WEIGHT) + payload / messages * _WEIGHT
