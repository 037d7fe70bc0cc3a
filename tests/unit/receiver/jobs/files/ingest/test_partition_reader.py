# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""One consumer reads ranges of several partitions: each message once, none beyond an end, whatever is gone."""

from typing import cast

import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException, Message
from hypothesis import given
from hypothesis import strategies as st

from faults.model_topic import LossyConsumer, SharedTopic
from fieldpost_receiver.jobs.files.ingest.batch_size import share_out
from fieldpost_receiver.jobs.files.ingest.partition_reader import PartitionReader, Range
from fieldpost_receiver.jobs.files.ingest.rows import Row, RowKind
from fieldpost_shared.chunks import MIB
from fieldpost_shared.clock import FakeClock
from fieldpost_shared.protocol.messages import Record
from support.receiver.rig import Message as RigMessage

LOGS = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 6), st.sets(st.integers(0, 6))),
    min_size=1,
    max_size=5,
)


def topic_of(*counts: int, low: int = 0) -> SharedTopic:
    """So many records in each partition, none of them before `low`."""
    topic = SharedTopic(len(counts))
    for number, count in enumerate(counts):
        topic.partitions[number] = [None] * count
        topic.expire(number, low)
    return topic


def items(consumer: Consumer, ranges: list[Range]) -> list[tuple[int, Message | Row]]:
    return list(PartitionReader(consumer, "files", ranges, clock=FakeClock(), errors=[]).items())


def read(topic: SharedTopic, ranges: list[Range]) -> list[tuple[int, Message | Row]]:
    consumer = cast("Consumer", LossyConsumer(topic))
    return items(consumer, ranges)


@given(LOGS)
def test_every_message_of_a_range_comes_once_and_losses_are_reported(
    logs: list[tuple[int, int, int, set[int]]],
) -> None:
    """(records, how many of them are deleted, where the range begins, which offsets have no record)"""
    topic = topic_of(*(count for count, *_ in logs))
    ranges = []
    for number, (count, deleted, start, gaps) in enumerate(logs):
        topic.expire(number, deleted)
        topic.gaps |= {(number, offset) for offset in gaps}
        ranges.append(Range(number, min(start, count), count))
    found = read(topic, ranges)
    places = [(number, item.offset()) for number, item in found if not isinstance(item, Row)]
    begins = {one.partition: max(one.start, topic.low[one.partition]) for one in ranges}
    assert sorted(places) == sorted(place for place in topic.places(begins) if begins[place[0]] < ranges[place[0]].end)
    lost = {number: item.count for number, item in found if isinstance(item, Row)}
    gone = {one.partition: min(topic.low[one.partition], one.end) - one.start for one in ranges}
    assert lost == {number: count for number, count in gone.items() if count > 0}


def test_a_range_ends_where_it_was_planned_although_there_is_more() -> None:
    topic = topic_of(9, 9)
    found = read(topic, [Range(0, 2, 5), Range(1, 0, 9)])
    assert [item.offset() for number, item in found if number == 0 and not isinstance(item, Row)] == [2, 3, 4]


@pytest.mark.parametrize(("length", "most"), [(16 * MIB, 2), (4 * MIB, 8), (960 * 1024, 32), (0, 32)])
def test_large_messages_never_take_more_memory_at_once_than_the_usual_ones(length: int, most: int) -> None:
    class Counting(LossyConsumer):
        def __init__(self, topic: SharedTopic) -> None:
            super().__init__(topic)
            self.handed: list[int] = []

        def consume(self, most: int, seconds: float) -> list[RigMessage]:
            found = super().consume(most, seconds)
            self.handed.append(len(found))
            return found

    topic, record = topic_of(200), Record(b"", [], bytes(length))
    topic.partitions[0] = [record] * 200
    consumer = Counting(topic)
    found = list(
        PartitionReader(cast("Consumer", consumer), "files", [Range(0, 0, 200)], clock=FakeClock(), errors=[]).items()
    )
    assert len(found) == 200
    assert max(consumer.handed) == most


def test_offsets_of_another_topic_are_an_error_and_no_loss() -> None:
    class Refusing(LossyConsumer):
        def get_watermark_offsets(self, *_: object, **__: object) -> tuple[int, int]:
            return 0, 9

    topic = topic_of(9, low=5)
    with pytest.raises(KafkaException) as caught:
        list(
            PartitionReader(
                cast("Consumer", Refusing(topic)), "files", [Range(0, 2, 9)], clock=FakeClock(), errors=[]
            ).items()
        )
    assert caught.value.args[0].code() == KafkaError._AUTO_OFFSET_RESET


def test_a_lost_row_has_the_first_lost_offset_and_their_number() -> None:
    topic = topic_of(9, low=5)
    assert read(topic, [Range(0, 2, 9)])[0] == (0, Row(RowKind.LOST, 0, 2, count=3))


@given(st.lists(st.integers(1, 100), max_size=20), st.integers(0, 8))
def test_shares_have_all_ranges_once_and_are_about_even(sizes: list[int], tasks: int) -> None:
    ranges = [Range(number, 0, size) for number, size in enumerate(sizes)]
    shares = share_out(ranges, tasks)
    assert sorted(one.partition for share in shares for one in share) == list(range(len(sizes)))
    assert all(shares)
    if tasks and len(ranges) > tasks:
        assert len(shares) == tasks
        weights = [sum(one.end for one in share) for share in shares]
        assert max(weights) - min(weights) <= max(sizes)
    else:
        assert len(shares) == len(ranges)
