# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Plan a batch from the ledger: which offsets are read next, in how many shares. No plan is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fieldpost_receiver.jobs.files.ingest.batch_size import START_MEAN, plan, share_out
from fieldpost_receiver.jobs.files.ingest.partition_reader import Range


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchLimits:
    """How large a batch may be, and how many tasks run at once (0: one for each partition)."""

    max_bytes: int
    max_messages: int
    tasks: int

    def messages(self, mean: float | None) -> int:
        """Return how many messages of this mean size fit."""
        return max(1, min(self.max_messages, int(self.max_bytes / max(mean or START_MEAN, 1.0))))


def plan_shares(
    processed: Mapping[int, int],
    ends: Mapping[int, int],
    *,
    mean: float | None,
    limits: BatchLimits,
    skip: frozenset[str] = frozenset(),
) -> Sequence[Sequence[Range]]:
    """Return the ranges of the next batch, a share for each task; nothing if everything is read."""
    planned = plan(processed, ends, limits.messages(mean))
    ranges = [
        Range(partition, processed.get(partition, 0), last, skip)
        for partition, last in sorted(planned.items())
        if last > processed.get(partition, 0)
    ]
    return share_out(ranges, limits.tasks)
