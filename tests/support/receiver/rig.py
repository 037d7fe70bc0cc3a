# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The whole receiver without Spark and Kafka: lists stand for the topic, everything else is the real thing on a disk.

Micro-batches are run as Spark runs them: the checkpoint moves only after a batch has returned, and a batch that was
not finished is run again with the same offsets after a restart.
"""

import hashlib
import random
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from confluent_kafka import KafkaError, TopicPartition

from fieldpost_receiver.config.receiver_toml import load
from fieldpost_receiver.jobs.files.ingest import task
from fieldpost_receiver.jobs.files.ingest.partition_reader import Range
from fieldpost_receiver.jobs.files.ingest.rows import Row, pack_rows, unpack_rows
from fieldpost_receiver.jobs.files.job import FilesJob
from fieldpost_receiver.jobs.files.job_dir import JobDir
from fieldpost_receiver.kafka import status_producer
from fieldpost_receiver.kafka.status_producer import StatusProducer
from fieldpost_receiver.kafka.status_sender import StatusSender
from fieldpost_receiver.storage.folder.staging_writer import FolderStagingWriter
from fieldpost_receiver.storage.folder.working_folder import TASKS_LOCK
from fieldpost_shared.chunks import ChunkIndex
from fieldpost_shared.clock import FakeClock
from fieldpost_shared.crash_points import CrashPoints, NoCrashPoints
from fieldpost_shared.ids import ClientName, TransferId
from fieldpost_shared.protocol.encodings import Encoding
from fieldpost_shared.protocol.headers import RawHeaders
from fieldpost_shared.protocol.messages import Cancel, End, FileFacts, Record, encode, make_chunk
from fieldpost_shared.protocol.packs import PackedFile, make_pack
from fieldpost_shared.protocol.status import Event, Received, Status, decode_status
from support.receiver.files_job import free_space_of, open_files_job

CLIENT = ClientName("van-7")
CHUNK = 65_536
MTIME_NS = 1_700_000_000_123_456_789
PARTITIONS = 2


def noise(size: int) -> bytes:
    return random.Random(size).randbytes(size)  # noqa: S311 - reproducible


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@dataclass(frozen=True)
class Sent:
    """A file as its sender cuts it."""

    number: int
    path: str
    content: bytes
    client: ClientName = CLIENT

    @property
    def facts(self) -> FileFacts:
        return FileFacts(self.client, TransferId(f"{self.number:032x}"), self.path, len(self.content), CHUNK, MTIME_NS)

    @property
    def id(self) -> TransferId:
        return self.facts.transfer

    def chunk(self, index: int) -> Record:
        plain = self.content[index * CHUNK : (index + 1) * CHUNK]
        return encode(make_chunk(self.facts, ChunkIndex(index), plain, Encoding.IDENTITY))

    def chunks(self) -> list[Record]:
        return [self.chunk(index) for index in range(self.facts.plan.count)]

    def end(self, number: int = 0, digest: str = "") -> Record:
        return encode(End(self.facts, digest or sha256(self.content), number))

    def cancel(self) -> Record:
        return encode(Cancel(self.client, self.id))

    def packed(self) -> PackedFile:
        return PackedFile(self.id, self.path, MTIME_NS, sha256(self.content), self.content)


def pack(*files: Sent) -> Record:
    return encode(make_pack(files[0].client, [file.packed() for file in files], Encoding.ZSTD))


def cut_otherwise(file: Sent, chunk_size: int, index: int) -> Record:
    """A chunk of the same file by a sender that cuts it differently."""
    plain = file.content[index * chunk_size : (index + 1) * chunk_size]
    about = replace(file.facts, chunk_size=chunk_size)
    return encode(make_chunk(about, ChunkIndex(index), plain, Encoding.IDENTITY))


class Message:
    """What a consumer hands out; `headers` may fail as confluent-kafka does."""

    def __init__(self, partition: int, offset: int, record: Record | None) -> None:
        self._partition = partition
        self._offset = offset
        self._record = record

    def error(self) -> KafkaError | None:
        return None

    def partition(self) -> int:
        return self._partition

    def offset(self) -> int:
        return self._offset

    def key(self) -> bytes | None:
        return self._record.key if self._record else None

    def value(self) -> bytes | None:
        return self._record.value if self._record else None

    def headers(self) -> RawHeaders | None:
        if self._record is None:
            raise SystemError("returned a result with an exception set")
        return self._record.headers


@dataclass
class Topic:
    """The files topic; None is a record whose headers the library cannot read."""

    partitions: list[list[Record | None]] = field(default_factory=lambda: [[] for _ in range(PARTITIONS)])

    def send(self, *records: Record | list[Record] | None, partition: int | None = None) -> None:
        for record in (one for item in records for one in (item if isinstance(item, list) else [item])):
            shortest = min(range(len(self.partitions)), key=lambda number: len(self.partitions[number]))
            self.partitions[shortest if partition is None else partition].append(record)

    def ends(self) -> dict[int, int]:
        return {number: len(records) for number, records in enumerate(self.partitions)}

    def consumer(self, _config: object, logger: object) -> "Consumer":
        assert logger is not None
        return Consumer(self)


class Consumer:
    """Reads a `Topic`."""

    def __init__(self, topic: Topic) -> None:
        self._topic = topic
        self._places: dict[int, int] = {}

    def assign(self, places: list[TopicPartition]) -> None:
        self._places = {place.partition: place.offset for place in places}

    def pause(self, places: list[TopicPartition]) -> None:
        for place in places:
            del self._places[place.partition]

    def consume(self, most: int, _seconds: float) -> list[Message]:
        """A little of each partition in turn, as from a broker."""
        found: list[Message] = []
        for partition, start in self._places.items():
            records = self._topic.partitions[partition][start : start + max(1, most // len(self._places))]
            self._places[partition] += len(records)
            found += [Message(partition, start + number, record) for number, record in enumerate(records)]
        return found

    def close(self) -> None:
        pass


class Producer:
    """Sends and acknowledges at the next poll: what was only produced is lost in a crash. `judge` sees what is sent."""

    def __init__(self, judge: Callable[[Status], None]) -> None:
        self._judge = judge
        self._produced: list[tuple[Status, Callable[[KafkaError | None, None], None]]] = []

    def produce(
        self, _topic: str, value: bytes, key: bytes | None, partition: int, on_delivery: Callable[..., None]
    ) -> None:
        assert partition == -1
        self._produced.append((decode_status(key, value), on_delivery))

    def poll(self, _seconds: float) -> None:
        produced, self._produced = self._produced, []
        for status, report in produced:
            self._judge(status)
            report(None, None)


class Rig:
    """A receiver on `folder`; `reopen` is what a restart does."""

    def __init__(self, folder: Path, crash: CrashPoints | None = None, **settings: str) -> None:
        self.folder = folder
        self.destination = folder / "destination"
        self.destination.mkdir(exist_ok=True)  # a recorded one is there
        self.topic = Topic()
        self.position = dict.fromkeys(range(PARTITIONS), 0)
        self.clock = FakeClock()
        self.crash = crash or NoCrashPoints()
        self.said: list[Event] = []
        self.judge_receipts = True
        keys = {"state_dir": "state", "destination": "destination", "publishers": "1", "min_free_space": "1MiB"}
        lines = [f"{key} = {_toml(value)}" for key, value in (keys | settings).items()]
        path = folder / "receiver.toml"
        path.write_text("\n".join(["[receiver]", *lines, "[kafka]", 'bootstrap_servers = "none:1"']), encoding="utf-8")
        (self.config,) = load(path, {}).jobs
        self.state = JobDir.of(self.config)
        self.job: FilesJob = self._open()
        self._is_open = True
        self.sender = self.new_sender()

    def new_sender(self) -> StatusSender:
        return StatusSender(
            StatusProducer(self.config.kafka), self.config.kafka.status_topic, self.job.outbox, self.crash
        )

    def _open(self) -> FilesJob:
        job = open_files_job(self.config, self.clock, self.crash, self.topic.ends)
        self.space = free_space_of(job)
        self.space.update()
        job.sealing.sweep()
        job.sealing.seal()
        return job

    def reopen(self) -> None:
        """Everything in memory is gone."""
        self.close()
        self.job = self._open()
        self._is_open = True
        self.sender = self.new_sender()

    def close(self) -> None:
        if self._is_open:  # else it could not be opened again
            self.job.close()
        self._is_open = False

    # steps

    def batch(self, most: int = 1_000) -> bool:
        """One micro-batch of at most so many messages of each partition; whether there was anything to read."""
        ends = {number: min(end, self.position[number] + most) for number, end in self.topic.ends().items()}
        if ends == self.position:
            return False
        skip = frozenset(self.job.transfers.not_to_write(1_000))
        rows = self._read([Range(number, self.position[number], end, skip) for number, end in ends.items()])
        self.job.take_batch(rows)
        self.job.sealing.seal()
        self.position = ends
        return True

    def _read(self, work: list[Range]) -> list[Row]:
        with FolderStagingWriter(self.config.receiver.destination) as staging:
            rows = list(task.run(self.config.kafka, work, staging, self.crash, self.clock))
        return unpack_rows(pack_rows(rows))

    def publish(self) -> None:
        """Everything that is sealed."""
        self.job.publishers.step()
        while not self.job.publishers.idle:
            wait(self.job.publishers._busy)
            self.job.publishers.step()

    def deliver(self) -> None:
        """Everything that is to be said."""
        self.sender.step()
        while not self.sender.idle:
            self.sender.step()
        self.said += [status.event for status in self.job.replies.take_unconfirmed()]

    def settle(self, most: int = 1_000, between: Callable[[], None] = lambda: None) -> None:
        """Until nothing is left to do."""
        working = True
        while working:
            working = self.batch(most)
            for step in (between, self.publish, between, self.deliver, between):
                step()

    def take(self, *records: Record | list[Record] | None) -> list[Event]:
        """Send these, settle, and tell what was answered."""
        self.topic.send(*records)
        self.settle()
        said, self.said = self.said, []
        return said

    # what others see

    def tree(self) -> dict[str, bytes]:
        """Every final name with its bytes."""
        return {
            str(path.relative_to(self.destination)): path.read_bytes()
            for path in self.destination.rglob("*")
            if ".fieldpost" not in path.parts and path.is_file()
        }

    def leftovers(self) -> list[str]:
        return [
            path.name
            for path in (self.destination / ".fieldpost").rglob("*")
            if not path.is_dir() and path.name != TASKS_LOCK
        ]

    def _judge(self, status: Status) -> None:
        """A receipt is only said of bytes that bear a final name."""
        if isinstance(status.event, Received) and self.judge_receipts:
            assert status.event.sha256 in {sha256(content) for content in self.tree().values()}
        self.said.append(status.event)

    def producer(self, _config: object, logger: object) -> Producer:
        assert logger is not None
        return Producer(self._judge)


def _toml(value: str) -> str:
    return value if value.isdigit() else f'"{value}"'


@contextmanager
def rig_at(folder: Path, patch: pytest.MonkeyPatch, crash: CrashPoints | None = None, **settings: str) -> Iterator[Rig]:
    """A rig whose consumers and producers are wired to its lists."""
    folder.mkdir(exist_ok=True)
    rig = Rig(folder, crash, **settings)
    patch.setattr(task, "Consumer", rig.topic.consumer)
    patch.setattr(status_producer, "Producer", rig.producer)
    try:
        yield rig
    finally:
        rig.close()
