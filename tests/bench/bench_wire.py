# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`make bench`: contender and reference in turn in one run, as ratios, written to docs/benchmarks.md.

Absolute figures say something about this machine only; the ratio is what a change must not make worse.
"""

import hashlib
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from confluent_kafka import Producer

ROOT: Final = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from brokers import Topics  # noqa: E402 - after the path
from devkafka.cluster import Cluster  # noqa: E402
from fieldpost_desktop.engine.states import FileState  # noqa: E402
from fieldpost_shared.chunks import DEFAULT_CHUNK_SIZE, ChunkIndex  # noqa: E402
from fieldpost_shared.ids import TransferId  # noqa: E402
from fieldpost_shared.kafka.clients import uploader_producer  # noqa: E402
from fieldpost_shared.protocol.encodings import Encoding  # noqa: E402
from fieldpost_shared.protocol.messages import FileFacts, decode, encode, make_chunk, open_chunk  # noqa: E402
from uploader_kit import CLIENT, kafka_settings, running_engine  # noqa: E402

ROUNDS: Final = 3
SIZE: Final = int(os.environ.get("BENCH_MIB", "256")) * 1024 * 1024
PART: Final = os.urandom(DEFAULT_CHUNK_SIZE)
FACTS: Final = FileFacts(CLIENT, TransferId("0" * 32), "bench/file.bin", DEFAULT_CHUNK_SIZE, DEFAULT_CHUNK_SIZE, 1)
RECORD: Final = encode(make_chunk(FACTS, ChunkIndex(0), PART, Encoding.IDENTITY))
PARTS: Final = 200


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison, in MiB/s: medians of the rounds, and their spread."""

    what: str
    reference: str
    contender: list[float]
    limit: list[float]

    def markdown(self) -> str:
        ours, theirs = statistics.median(self.contender), statistics.median(self.limit)
        spread = f"{min(self.contender):.0f}-{max(self.contender):.0f}"
        return f"| {self.what} | {ours:.0f} ({spread}) | {self.reference} | {theirs:.0f} | {ours / theirs:.2f} |"


def rate(work: Callable[[], int]) -> float:
    """MiB a second of something that returns how many bytes it did."""
    began = time.perf_counter()
    return work() / (time.perf_counter() - began) / 1024**2


def hashing() -> int:
    for _ in range(PARTS):
        hashlib.sha256(PART).hexdigest()
    return PARTS * len(PART)


def encoding() -> int:
    for _ in range(PARTS):
        encode(make_chunk(FACTS, ChunkIndex(0), PART, Encoding.IDENTITY))
    return PARTS * len(PART)


def decoding() -> int:
    for _ in range(PARTS):
        message = decode(RECORD.key, RECORD.headers, RECORD.value)
        open_chunk(message)  # type: ignore[arg-type]  # it is a chunk: we made it
    return PARTS * len(PART)


def plain_producer(topics: Topics, path: Path) -> int:
    """The least that anybody must do: read, hash, produce, wait for the acknowledgements."""
    producer = Producer(uploader_producer(kafka_settings(topics), message_limit=1_048_588))
    whole = hashlib.sha256()
    with path.open("rb") as file:
        index = 0
        while part := file.read(DEFAULT_CHUNK_SIZE):
            whole.update(part)
            headers: list[tuple[str, str | bytes | None]] = [("sha256", hashlib.sha256(part).hexdigest().encode())]
            producer.produce(topics.files, value=part, headers=headers, partition=index // 8 % topics.partitions)
            while len(producer) > 32:
                producer.poll(0.05)
            producer.poll(0)
            index += 1
    producer.flush(60)
    return path.stat().st_size


def uploader(topics: Topics, folder: Path, path: Path) -> int:
    """The same by the engine, journal included, until every part and `end` are acknowledged."""
    with running_engine(folder, kafka_settings(topics)) as up:
        batch = up.engine.add([str(path)])
        while not (rows := up.rows(batch)) or rows[0].state is not FileState.SENT:
            time.sleep(0.005)
    return path.stat().st_size


def measure() -> list[Row]:
    wire = Row("encode a chunk with its hash", "SHA-256 alone", [], [])
    back = Row("decode and verify a chunk", "SHA-256 alone", [], [])
    send = Row(f"uploader engine, one file of {SIZE >> 20} MiB", "plain idempotent producer with both hashes", [], [])
    with tempfile.TemporaryDirectory() as name, Cluster(Path(name) / "kafka") as cluster:
        folder = Path(name)
        path = folder / "file.bin"
        path.write_bytes(os.urandom(SIZE))
        for number in range(ROUNDS):
            topics = Topics(cluster, f"files-{number}", f"status-{number}", 8)
            cluster.create_topic(topics.files, 8)
            cluster.create_topic(topics.status, 8)
            wire.limit.append(rate(hashing))
            wire.contender.append(rate(encoding))
            back.limit.append(rate(hashing))
            back.contender.append(rate(decoding))
            send.limit.append(rate(lambda topics=topics: plain_producer(topics, path)))  # type: ignore[misc]  # bound now
            data = folder / f"data-{number}"
            send.contender.append(rate(lambda topics=topics, data=data: uploader(topics, data, path)))  # type: ignore[misc]
            cluster.delete_topic(topics.files, topics.status)
    return [wire, back, send]


def main() -> None:
    rows = measure()
    table = "\n".join(row.markdown() for row in rows)
    text = f"""# Benchmarks

Written by `make bench` on {datetime.now(UTC):%Y-%m-%d}; {os.cpu_count()} cores, {platform.machine()}, Python
{platform.python_version()}, broker on the same machine. {ROUNDS} rounds in turn, medians and spread in MiB/s. Compare
ratios, not absolutes: the machine is small and noisy.

| what | MiB/s (spread) | against | MiB/s | ratio |
|---|---|---|---|---|
{table}
"""
    (ROOT / "docs" / "benchmarks.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
