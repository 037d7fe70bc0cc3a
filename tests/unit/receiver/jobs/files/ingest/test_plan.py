# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Planning of batches from what the ledger knows; Spark and Kafka are not asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_receiver.jobs.files.ingest.plan import BatchLimits, plan_shares

offsets = st.dictionaries(st.integers(0, 9), st.integers(0, 500))


def limits(*, messages: int = 1_000, size: int = 10**9, tasks: int = 0) -> BatchLimits:
    return BatchLimits(max_bytes=size, max_messages=messages, tasks=tasks)


def ranges(processed: dict[int, int], ends: dict[int, int], given: BatchLimits) -> list[tuple[int, int, int]]:
    shares = plan_shares(processed, ends, mean=1_000, limits=given)
    return sorted((one.partition, one.start, one.end) for share in shares for one in share)


def test_a_batch_begins_where_the_ledger_says() -> None:
    assert ranges({0: 9, 1: 7}, {0: 20, 1: 20}, limits()) == [(0, 9, 20), (1, 7, 20)]


def test_a_partition_that_is_read_to_its_end_gets_no_task() -> None:
    assert ranges({0: 20, 1: 7}, {0: 20, 1: 20}, limits()) == [(1, 7, 20)]
    assert ranges({0: 20}, {0: 20}, limits()) == []


def test_a_topic_that_ends_before_what_was_read_plans_nothing() -> None:
    assert ranges({0: 20}, {0: 3}, limits()) == []


@pytest.mark.parametrize("given", [limits(messages=6), limits(size=6_000)])
def test_a_batch_keeps_to_its_messages_and_bytes(given: BatchLimits) -> None:
    assert sum(end - start for _, start, end in ranges({0: 0, 1: 0}, {0: 100, 1: 100}, given)) == 6


@given(offsets, offsets, st.integers(1, 50), st.integers(0, 4))
def test_batches_read_every_message_once_in_order(
    processed: dict[int, int], ends: dict[int, int], messages: int, tasks: int
) -> None:
    position = {partition: processed.get(partition, 0) for partition in ends}
    while planned := ranges(position, ends, limits(messages=messages, tasks=tasks)):
        assert sum(end - start for _, start, end in planned) <= messages
        for partition, start, end in planned:
            assert start == position[partition] < end <= ends[partition]
            position[partition] = end
    assert all(position[partition] >= end for partition, end in ends.items())
