# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The limit: a plain producer and a plain consumer, which do the least that anybody must do for a verified file.

Read, SHA-256 of each part and of the whole, produce with idempotence; consume, check, write in place, sync, read back
past the cache, SHA-256 of the whole. No journal, no ledger, no answers: a crash of either loses the file.
"""

import hashlib
import os
import time
from pathlib import Path
from typing import Any, Final, cast

from confluent_kafka import Consumer, Message, Producer, TopicPartition

from bench.worker import arguments, serve
from fieldpost_shared.chunks import DEFAULT_CHUNK_SIZE
from fieldpost_shared.kafka.clients import WINDOW_BYTES, task_consumer, uploader_producer
from fieldpost_shared.kafka.settings import KafkaSettings

_LIMIT: Final = 1_048_588
_RUN: Final = 8  # parts in a row to one partition, as Fieldpost does
_LET_GO: Final = 8 * 1024**2
_BUFFER: Final = 1024**2


def produce(settings: KafkaSettings, path: Path, partitions: int) -> None:
    producer = Producer(uploader_producer(settings, message_limit=_LIMIT))
    whole, buffered = hashlib.sha256(), WINDOW_BYTES // DEFAULT_CHUNK_SIZE
    with path.open("rb") as file:
        index = 0
        while part := file.read(DEFAULT_CHUNK_SIZE):
            whole.update(part)
            headers: list[tuple[str, str | bytes | None]] = [
                ("offset", str(index * DEFAULT_CHUNK_SIZE).encode()),
                ("sha256", hashlib.sha256(part).digest()),
            ]
            producer.produce(settings.files_topic, value=part, headers=headers, partition=index // _RUN % partitions)
            while len(producer) > buffered:
                producer.poll(0.05)
            index += 1
    producer.flush(120)


def consume(settings: KafkaSettings, path: Path, size: int, partitions: int) -> None:
    consumer = Consumer(task_consumer(settings))
    consumer.assign([TopicPartition(settings.files_topic, partition, 0) for partition in range(partitions)])
    left = held = size
    with path.open("wb") as file:
        while left > 0:
            for message in consumer.consume(32, 1.0):
                if message.error() is None:
                    left -= _write(file.fileno(), message)
            if held - left >= _LET_GO:
                held = left
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)  # as Fieldpost does, see `Disk.let_go`
        os.fsync(file.fileno())
    consumer.close()
    _read_back(path)


def _write(file: int, message: Message) -> int:
    headers, part = dict(cast("list[tuple[str, bytes]]", message.headers())), message.value() or b""
    if hashlib.sha256(part).digest() != headers["sha256"]:
        raise ValueError("a part is damaged")
    return os.pwrite(file, part, int(headers["offset"]))


def _read_back(path: Path) -> None:
    digest, buffer = hashlib.sha256(), memoryview(bytearray(_BUFFER))
    with path.open("rb", buffering=0) as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        while count := file.readinto(buffer):
            digest.update(buffer[:count])


def main() -> None:
    given = arguments()
    settings, partitions = KafkaSettings.parse(given["kafka"]), int(given["partitions"])

    def answer(order: dict[str, Any]) -> dict[str, Any]:
        began = time.perf_counter()
        if order["do"] == "produce":
            produce(settings, Path(order["path"]), partitions)
        else:
            consume(settings, Path(order["path"]), order["size"], partitions)
        return {"seconds": time.perf_counter() - began}

    serve(answer)


if __name__ == "__main__":
    main()
