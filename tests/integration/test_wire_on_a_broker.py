# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The protocol package against a real broker: sizes to the byte, partitions, and a file there and back."""

import hashlib
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

import pytest
from confluent_kafka import Consumer, KafkaError, Message, Producer, TopicPartition

from fieldpost_shared.bitmap import ChunkSet
from fieldpost_shared.chunks import ChunkIndex, batch_size, files_partition, status_partition
from fieldpost_shared.ids import ClientName, new_transfer_id
from fieldpost_shared.kafka.clients import task_consumer, uploader_producer
from fieldpost_shared.kafka.settings import KafkaSettings
from fieldpost_shared.protocol.encodings import Encoding
from fieldpost_shared.protocol.headers import RawHeaders
from fieldpost_shared.protocol.messages import Chunk, End, FileFacts, Record, decode, encode, make_chunk, open_chunk
from support.brokers import Topics
from support.waiting import wait_until

DEFAULT_LIMIT = 1_048_588  # what a broker takes unless configured otherwise
CLIENT = ClientName("van-7")


def settings_for(topics: Topics) -> KafkaSettings:
    return KafkaSettings(
        bootstrap_servers=topics.bootstrap_servers, files_topic=topics.files, status_topic=topics.status
    )


def deliver(producer: Producer, topic: str, record: Record, partition: int) -> KafkaError | None:
    outcome: list[KafkaError | None] = []
    producer.produce(
        topic,
        value=record.value,
        key=record.key,
        headers=list(record.headers),
        partition=partition,
        on_delivery=lambda error, _message: outcome.append(error),
    )
    producer.flush(30)
    return outcome[0]


@contextmanager
def everything_in(topics: Topics) -> Iterator[Iterator[Message]]:
    consumer = Consumer(task_consumer(settings_for(topics)))
    consumer.assign([TopicPartition(topics.files, partition, 0) for partition in range(topics.partitions)])

    def read() -> Iterator[Message]:
        finished: set[int | None] = set()
        while len(finished) < topics.partitions:
            for message in consumer.consume(32, 1.0):
                error = message.error()
                if error is None:
                    yield message
                elif error.code() == KafkaError._PARTITION_EOF:
                    finished.add(message.partition())

    try:
        yield read()
    finally:
        consumer.close()


def full_chunk(length: int) -> Record:
    facts = FileFacts(CLIENT, new_transfer_id(0), "x" * 200, length, 2 * 1024 * 1024, -1)
    return encode(make_chunk(facts, ChunkIndex(0), b"\1" * length, Encoding.IDENTITY))


def test_the_largest_message_that_fits_is_known_to_the_byte(topics: Topics) -> None:
    producer = Producer(uploader_producer(settings_for(topics), message_limit=DEFAULT_LIMIT + 1_000))
    sample = full_chunk(1_047_000)  # as many digits as the one looked for
    sizes = range(1_047_000, DEFAULT_LIMIT)
    largest = full_chunk(max(n for n in sizes if batch_size(sample.key, sample.headers, n) <= DEFAULT_LIMIT))
    assert batch_size(largest.key, largest.headers, len(largest.value)) == DEFAULT_LIMIT
    assert deliver(producer, topics.files, largest, 0) is None
    refused = deliver(producer, topics.files, full_chunk(len(largest.value) + 1), 0)
    assert refused is not None
    assert refused.code() == KafkaError.MSG_SIZE_TOO_LARGE


@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 65_537, 3_000_000])
def test_a_file_comes_back_whole_from_all_partitions(topics: Topics, size: int) -> None:
    content = random.Random(size).randbytes(size)  # noqa: S311 - reproducible test data
    facts = FileFacts(CLIENT, new_transfer_id(size), "ordner/bericht ü.pdf", size, 65_536, 1)
    producer = Producer(uploader_producer(settings_for(topics), message_limit=DEFAULT_LIMIT))
    for index in map(ChunkIndex, range(facts.plan.count)):
        start = facts.plan.offset(index)
        chunk = make_chunk(facts, index, content[start : start + facts.plan.length(index)], Encoding.ZSTD)
        partition = files_partition(facts.transfer, index, topics.partitions)
        assert deliver(producer, topics.files, encode(chunk), partition) is None
    end = encode(End(facts, hashlib.sha256(content).hexdigest(), 0))
    assert deliver(producer, topics.files, end, 0) is None

    arrived, have = bytearray(size), ChunkSet(facts.plan.count)
    with everything_in(topics) as messages:
        for raw in messages:
            message = decode(raw.key(), cast("RawHeaders", raw.headers()), raw.value())
            if isinstance(message, Chunk):
                start = message.facts.plan.offset(message.index)
                arrived[start : start + message.facts.plan.length(message.index)] = open_chunk(message)
                have.add(message.index)
            elif isinstance(message, End):
                assert message.sha256 == hashlib.sha256(content).hexdigest()
    assert have.complete
    assert arrived == content


@pytest.mark.parametrize("topics", [7], indirect=True)
def test_a_clients_status_partition_is_the_one_the_client_library_picks(topics: Topics) -> None:
    producer = Producer({"bootstrap.servers": topics.bootstrap_servers})
    placed: dict[str, int | None] = {}

    def note(_error: KafkaError | None, message: Message) -> None:
        placed[(message.key() or b"").decode()] = message.partition()

    names = [f"client-{number}" for number in range(50)]
    for name in names:
        producer.produce(topics.status, value=b"{}", key=name, on_delivery=note)
    producer.flush(30)
    wait_until(lambda: len(placed) == len(names), 10, "every message to be placed")
    assert placed == {name: status_partition(ClientName(name), topics.partitions) for name in names}
