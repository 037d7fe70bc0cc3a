# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Sends to the office by our own encoder and a bare producer: any order and any mistake is possible."""

import hashlib
import random
from collections.abc import Iterable
from dataclasses import dataclass

from confluent_kafka import KafkaError, Message, Producer

from fieldpost_shared.chunks import ChunkIndex, files_partition
from fieldpost_shared.ids import ClientName, TransferId, new_transfer_id
from fieldpost_shared.protocol.encodings import Encoding
from fieldpost_shared.protocol.messages import End, FileFacts, Record, encode, make_chunk
from fieldpost_shared.protocol.packs import PackedFile
from support.brokers import Topics

CHUNK = 65_536
CLIENT = ClientName("van-7")


def noise(size: int) -> bytes:
    return random.Random(size).randbytes(size)  # noqa: S311 - reproducible test data


@dataclass(frozen=True)
class SentFile:
    """A file of this test, cut by our own encoder."""

    facts: FileFacts
    content: bytes

    @property
    def id(self) -> TransferId:
        return self.facts.transfer

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    def chunk(self, index: int, encoding: Encoding = Encoding.IDENTITY) -> Record:
        start = index * self.facts.chunk_size
        plain = self.content[start : start + self.facts.chunk_size]
        return encode(make_chunk(self.facts, ChunkIndex(index), plain, encoding))

    def end(self, round_: int = 0) -> Record:
        return encode(End(self.facts, self.sha256, round_))


def a_file(size: int, path: str = "ordner/bericht ü.pdf", content: bytes | None = None) -> SentFile:
    facts = FileFacts(CLIENT, new_transfer_id(1_800_000_000_000_000_000), path, size, CHUNK, 1_700_000_000_123_456_789)
    return SentFile(facts, noise(size) if content is None else content)


def packed(path: str, body: bytes) -> PackedFile:
    return PackedFile(new_transfer_id(1), path, 1_600_000_000_000_000_000, hashlib.sha256(body).hexdigest(), body)


class RawSender:
    """Puts records into the files topic; each call returns when the broker has acknowledged them all."""

    def __init__(self, topics: Topics) -> None:
        self._topics = topics
        self._producer = Producer({"bootstrap.servers": topics.bootstrap_servers, "linger.ms": 0, "log_level": 0})
        self._refused: list[str] = []

    def send(self, records: Iterable[Record], partition: int = 0) -> None:
        for record in records:
            self._put(record, partition)
        self._flush()

    def chunks(self, file: SentFile, indexes: Iterable[int], encoding: Encoding = Encoding.IDENTITY) -> None:
        for index in indexes:
            partition = files_partition(file.id, ChunkIndex(index), self._topics.partitions)
            self._put(file.chunk(index, encoding), partition)
        self._flush()

    def whole(self, file: SentFile) -> None:
        self.chunks(file, range(file.facts.plan.count))
        self.send([file.end()])

    def _put(self, record: Record, partition: int) -> None:
        headers: list[tuple[str, str | bytes | None]] = list(record.headers)
        self._producer.produce(
            self._topics.files, record.value, record.key, partition, headers=headers, on_delivery=self._delivered
        )

    def _delivered(self, error: KafkaError | None, _message: Message) -> None:
        if error is not None:
            self._refused.append(str(error))

    def _flush(self) -> None:
        waiting = self._producer.flush(30)
        assert (waiting, self._refused) == (0, [])
