# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The sender and the look at the topic, against a real broker."""

import ctypes
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import confluent_kafka
import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient

from fieldpost_receiver.jobs.files.ingest import task
from fieldpost_receiver.jobs.files.ingest.partition_reader import Range
from fieldpost_receiver.jobs.files.ingest.rows import Row, RowKind
from fieldpost_receiver.jobs.files.ledger.outbox import Outbox
from fieldpost_receiver.jobs.files.ledger.store import LedgerStore
from fieldpost_receiver.kafka.cluster_offsets import ClusterOffsets
from fieldpost_receiver.kafka.status_producer import StatusProducer
from fieldpost_receiver.kafka.status_sender import StatusSender
from fieldpost_shared.chunks import status_partition
from fieldpost_shared.clock import SystemClock
from fieldpost_shared.codes import Code
from fieldpost_shared.crash_points import CrashPoints, NoCrashPoints
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.ids import ClientName, TransferId
from fieldpost_shared.kafka.settings import KafkaSettings
from fieldpost_shared.protocol.status import (
    Event,
    Notice,
    Phase,
    Progress,
    ReceiverState,
    Rejected,
    Status,
    decode_status,
)
from support.brokers import Topics
from support.waiting import wait_until

CLIENTS = [ClientName(f"van-{number}") for number in range(5)]


def settings(topics: Topics, status: str = "") -> KafkaSettings:
    return KafkaSettings.parse(
        {
            "bootstrap_servers": topics.bootstrap_servers,
            "files_topic": topics.files,
            "status_topic": status or topics.status,
        }
    )


@pytest.fixture
def outbox(tmp_path: Path) -> Iterator[Outbox]:
    with closing(LedgerStore.open(tmp_path / "ledger.db")) as store:
        yield Outbox(store)


def status(event: Event, client: ClientName | None = None) -> Status:
    return Status(client, "central", datetime(2027, 1, 1, tzinfo=UTC), event)


def reply(number: int) -> Status:
    client = CLIENTS[number % len(CLIENTS)]
    return status(Rejected(TransferId(f"{number:032x}"), Code.TOO_LARGE, "too large"), client)


def put(outbox: Outbox, *numbers: int) -> None:
    for number in numbers:
        outbox.put(reply(number))


def everything(topics: Topics, topic: str = "") -> dict[int, list[Status]]:
    """What the status topic holds, by partition."""
    topic = topic or topics.status
    with closing(
        Consumer({"bootstrap.servers": topics.bootstrap_servers, "group.id": "test", "log_level": 0})
    ) as reader:
        places = [TopicPartition(topic, number) for number in range(topics.partitions)]
        ends = {place.partition: reader.get_watermark_offsets(place, timeout=10)[1] for place in places}
        reader.assign([TopicPartition(topic, place.partition, 0) for place in places])
        found: dict[int, list[Status]] = {number: [] for number in ends}
        while sum(map(len, found.values())) < sum(ends.values()):
            for message in reader.consume(1, 10.0):
                assert message.error() is None
                found[message.partition() or 0].append(decode_status(message.key(), message.value()))
    return found


def deliver(sender: StatusSender) -> None:
    def done() -> bool:
        sender.step()
        return sender.idle

    wait_until(done, 30, "the replies to be delivered")


def numbers(found: list[Status]) -> list[int]:
    return [int(one.event.transfer, 16) for one in found if isinstance(one.event, Rejected)]


def sender_of(kafka: KafkaSettings, outbox: Outbox, crash: CrashPoints) -> StatusSender:
    return StatusSender(StatusProducer(kafka), kafka.status_topic, outbox, crash)


def test_replies_arrive_in_order_where_their_clients_read(topics: Topics, outbox: Outbox) -> None:
    put(outbox, *range(2_500))
    deliver(sender_of(settings(topics), outbox, NoCrashPoints()))
    assert outbox.waiting() == 0
    found = everything(topics)
    for client_number, client in enumerate(CLIENTS):
        mine = [one for one in found[status_partition(client, topics.partitions)] if one.client == client]
        assert numbers(mine) == list(range(client_number, 2_500, len(CLIENTS)))


def test_a_reply_stays_in_the_outbox_until_the_broker_has_it(topics: Topics, outbox: Outbox) -> None:
    put(outbox, 1, 2)
    sender = sender_of(settings(topics), outbox, NoCrashPoints())
    sender.step()  # produced, not yet acknowledged
    assert outbox.waiting() == 2
    assert not sender.idle
    deliver(sender)
    assert outbox.waiting() == 0


def test_a_reply_that_was_not_removed_is_sent_again_after_a_restart(topics: Topics, outbox: Outbox) -> None:
    class Dies:
        def reach(self, point: str) -> None:
            if point == "after_status_ack":
                raise KeyboardInterrupt

    put(outbox, 0, 5)
    first = sender_of(settings(topics), outbox, Dies())
    with pytest.raises(KeyboardInterrupt):
        deliver(first)
    assert outbox.waiting() == 2
    deliver(sender_of(settings(topics), outbox, NoCrashPoints()))
    assert numbers(everything(topics)[status_partition(CLIENTS[0], topics.partitions)]) == [0, 5, 0, 5]


def test_a_notice_reaches_every_partition(topics: Topics, outbox: Outbox) -> None:
    notice = status(Notice(ReceiverState.OK, "", {0: 7}))
    sender = sender_of(settings(topics), outbox, NoCrashPoints())
    sender.notice(notice)
    assert sender.finish(10.0, lambda _seconds: None)
    assert list(everything(topics).values()) == [[notice]] * topics.partitions


def test_progress_is_sent_beside_the_replies(topics: Topics, outbox: Outbox) -> None:
    progress = status(Progress(TransferId("0" * 32), 1, 2, Phase.RECEIVING), CLIENTS[0])
    sender = sender_of(settings(topics), outbox, NoCrashPoints())
    sender.send_unconfirmed([progress])
    sender.finish(10.0, lambda _seconds: None)
    assert everything(topics)[status_partition(CLIENTS[0], topics.partitions)] == [progress]
    assert outbox.waiting() == 0


def test_a_missing_status_topic_loses_no_reply(topics: Topics, outbox: Outbox) -> None:
    later = f"{topics.status}-later"
    put(outbox, 0, 5)
    sender = sender_of(settings(topics, later), outbox, NoCrashPoints())
    for _ in range(10):
        sender.step()
    sender.notice(status(Notice(ReceiverState.OK, "", {})))
    assert outbox.waiting() == 2
    topics.cluster.create_topic(later, topics.partitions)
    deliver(sender)
    assert numbers(everything(topics, later)[status_partition(CLIENTS[0], topics.partitions)]) == [0, 5]
    topics.cluster.delete_topic(later)


# the files topic


def fill(topics: Topics, partition: int, count: int) -> None:
    producer = Producer({"bootstrap.servers": topics.bootstrap_servers, "log_level": 0})
    for _ in range(count):
        producer.produce(topics.files, b"x", partition=partition)
    assert producer.flush(10) == 0


def test_a_partition_that_retention_has_emptied_is_no_barrier(topics: Topics) -> None:
    """No task reads it, so no row would ever say that it is processed."""
    fill(topics, 0, 3)
    fill(topics, 1, 5)
    admin = AdminClient({"bootstrap.servers": topics.bootstrap_servers, "log_level": 0})
    for done in admin.delete_records([TopicPartition(topics.files, 0, 3)]).values():
        done.result(10)
    with closing(ClusterOffsets(settings(topics), SystemClock())) as cluster:
        assert cluster.firsts([topics.files]) == {topics.files: {0: 3, 1: 0, 2: 0, 3: 0}}
        ends = cluster.ends([topics.files, topics.status, "nowhere"])
    assert ends[topics.files] == {0: 3, 1: 5, 2: 0, 3: 0}
    assert ends[topics.status] == dict.fromkeys(range(topics.partitions), 0)
    assert isinstance(ends["nowhere"], FieldpostError)
    assert ends["nowhere"].code is Code.NO_TOPIC


class Nowhere:
    """A task's disk that is never needed."""

    def write(self, transfer: TransferId, fingerprint: str, offset: int, data: bytes) -> None:
        raise AssertionError((transfer, fingerprint, offset, data))

    def sync(self) -> None:
        pass


def test_a_header_name_that_is_not_text_becomes_a_row_and_no_failure(topics: Topics) -> None:
    """The Python client cannot even show such a message; one of them must not stop the receiver for ever."""
    send_with_header_name(topics, b"\xff\xfe")
    fill(topics, 0, 1)
    work = [Range(0, 0, 2)]
    rows = list(task.run(settings(topics), work, Nowhere(), NoCrashPoints(), SystemClock()))
    assert [(row.kind, row.offset, row.code) for row in rows] == [
        (RowKind.BAD, 0, Code.BAD_TEXT),
        (RowKind.BAD, 1, Code.MISSING_HEADER),
        (RowKind.READ, 2, None),
    ]
    assert rows[-1] == Row(RowKind.READ, 0, 2)


def send_with_header_name(topics: Topics, name: bytes) -> None:
    """By librdkafka itself: its Python wrapper takes texts only."""
    (library,) = Path(confluent_kafka.__file__).parents[1].glob("confluent_kafka.libs/librdkafka-*")
    kafka = ctypes.CDLL(str(library))
    kafka.rd_kafka_conf_new.restype = kafka.rd_kafka_new.restype = ctypes.c_void_p
    words = ctypes.create_string_buffer(512)
    conf = ctypes.c_void_p(kafka.rd_kafka_conf_new())
    for key, value in ((b"bootstrap.servers", topics.bootstrap_servers.encode()), (b"log_level", b"0")):
        assert kafka.rd_kafka_conf_set(conf, key, value, words, ctypes.c_size_t(512)) == 0
    producer = ctypes.c_void_p(kafka.rd_kafka_new(0, conf, words, ctypes.c_size_t(512)))
    number, size, text = ctypes.c_int, ctypes.c_ssize_t, ctypes.c_char_p
    topic, partition, body, header, end = number(1), number(3), number(4), number(9), number(0)
    kafka.rd_kafka_producev(
        producer, topic, text(topics.files.encode()), partition, ctypes.c_int32(0), body, text(b"v"), size(1),
        header, text(name), text(b"x"), size(1), end,
    )  # fmt: skip
    assert kafka.rd_kafka_flush(producer, 10_000) == 0
    kafka.rd_kafka_destroy(producer)
