# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The receiver against a plain consumer that does the same work, and the way from drop to receipt.

Run by `make bench` (BENCH_BACKLOG_MIB sets the size); writes docs/benchmarks-receiver.md.
"""

import hashlib
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, cast

from confluent_kafka import Consumer, TopicPartition

ROOT: Final = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from brokers import Topics  # noqa: E402 - after the path
from devkafka.cluster import Cluster  # noqa: E402
from fieldpost_desktop.engine.states import FileState  # noqa: E402
from fieldpost_shared.kafka.clients import task_consumer  # noqa: E402
from fieldpost_shared.protocol.headers import RawHeaders  # noqa: E402
from fieldpost_shared.protocol.messages import Chunk, decode, open_chunk  # noqa: E402
from receiver_process import Receiver  # noqa: E402
from uploader_kit import Running, kafka_settings, running_engine  # noqa: E402

SIZE: Final = int(os.environ.get("BENCH_BACKLOG_MIB", "1024")) * 1024 * 1024
SMALL_FILES: Final = int(os.environ.get("BENCH_SMALL_FILES", "5000"))
LATENCY_ROUNDS: Final = 15
MIB: Final = 1024 * 1024


def main() -> None:
    lines: list[str] = []
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as name, Cluster(Path(name) / "kafka") as cluster:
        folder = Path(name)
        source = folder / "file.bin"
        _write_noise(source, SIZE)
        lines += backlog(cluster, folder, source)
        lines += latency_and_small(cluster, folder)
    text = f"""# Receiver benchmarks

Written on {datetime.now(UTC):%Y-%m-%d} by `make bench`; {os.cpu_count()} cores, {platform.machine()}; broker, sender
and receiver on the same machine, whose load was {load:.1f} before and {os.getloadavg()[0]:.1f} after. Compare
ratios, not absolutes: the machine is small and noisy. The same work means: read,
check SHA-256, write in place, fsync, read back past the cache, SHA-256 of the whole.

| what | figure |
|---|---|
{chr(10).join(lines)}
"""
    (ROOT / "docs" / "benchmarks-receiver.md").write_text(text, encoding="utf-8")
    print(text)


def topics_on(cluster: Cluster, name: str) -> Topics:
    topics = Topics(cluster, f"files-{name}", f"status-{name}", 8)
    cluster.create_topic(topics.files, 8)
    cluster.create_topic(topics.status, 8)
    return topics


def backlog(cluster: Cluster, folder: Path, source: Path) -> list[str]:
    """One file waits in the topic; then the plain consumer and the receiver take it, one after the other."""
    topics = topics_on(cluster, "backlog")
    with running_engine(folder / "data-backlog", kafka_settings(topics)) as up:
        batch = up.engine.add([str(source)])
        _until(lambda: bool(up.rows(batch)) and up.rows(batch)[0].state is FileState.SENT, 600)
        plain = [_rate(lambda: plain_consumer(topics, folder / "plain.bin"))]
        with Receiver(topics, folder / "office") as receiver:
            cpu = receiver.cpu()
            peak = _watch_memory(receiver, lambda: up.rows(batch)[0].state is FileState.CONFIRMED)
            spent = receiver.cpu() - cpu
            row = receiver.rows("SELECT first_ns, ended_ns, size FROM transfers")[0]
        plain.append(_rate(lambda: plain_consumer(topics, folder / "plain.bin")))
    ours = row["size"] / MIB / ((row["ended_ns"] - row["first_ns"]) / 1e9)
    whole = _whole_rate(receiver, row)
    reference = statistics.median(plain)
    return [
        f"| backlog of {SIZE >> 20} MiB: plain consumer doing the same work | {reference:.0f} MiB/s |",
        f"| receiver, start of its query to final name | {whole:.0f} MiB/s, ratio {whole / reference:.2f} |",
        f"| receiver, first ledger entry to final name | {ours:.0f} MiB/s, ratio {ours / reference:.2f} |",
        f"| CPU of driver, JVM and workers | {spent / (SIZE / 1024**3):.1f} s/GiB |",
        f"| peak memory: JVM {peak['java'] // 10**6} MB, largest Python process {peak['python'] // 10**6} MB | |",
    ]


def _whole_rate(receiver: Receiver, row: dict[str, int]) -> float:
    """From the start of the query, which the log tells, to the final name: the first micro-batch costs some seconds."""
    begun = next(event["ts"] for event in receiver.events() if str(event["message"]).startswith("reading "))
    start_ns = datetime.fromisoformat(begun).timestamp() * 1e9
    return row["size"] / MIB / ((row["ended_ns"] - start_ns) / 1e9)


def plain_consumer(topics: Topics, path: Path) -> int:
    """The least that anybody must do to have the file verified on disk."""
    consumer = Consumer(task_consumer(kafka_settings(topics)))
    places = [TopicPartition(topics.files, partition, 0) for partition in range(topics.partitions)]
    consumer.assign(places)
    left = sum(consumer.get_watermark_offsets(place, timeout=10)[1] for place in places)
    size = 0
    with path.open("wb") as file:
        while left > 0:
            for message in consumer.consume(min(32, left), 1.0):
                if message.error() is not None:
                    continue
                left -= 1
                decoded = decode(message.key(), cast("RawHeaders", message.headers()), message.value())
                if isinstance(decoded, Chunk):
                    plain = open_chunk(decoded)
                    os.pwrite(file.fileno(), plain, decoded.facts.plan.offset(decoded.index))
                    size += len(plain)
        os.fsync(file.fileno())
    consumer.close()
    with path.open("rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        hashlib.file_digest(file, "sha256")
    return size


def latency_and_small(cluster: Cluster, folder: Path) -> list[str]:
    topics = topics_on(cluster, "idle")
    with (
        Receiver(topics, folder / "office-idle") as receiver,
        running_engine(folder / "data-idle", kafka_settings(topics)) as up,
    ):
        warm = up.engine.add([_file(folder / "warm.bin", 1_000_000)])
        up.wait_confirmed(warm, 1, 120)
        seconds = sorted(_one_file(up, folder, number) for number in range(LATENCY_ROUNDS))
        many = folder / "many"
        many.mkdir()
        for number in range(SMALL_FILES):
            (many / f"{number}.txt").write_bytes(b"%d" % number * 128)
        began = time.perf_counter()
        batch = up.engine.add([str(many)])
        up.wait_confirmed(batch, SMALL_FILES, 300)
        rate = SMALL_FILES / (time.perf_counter() - began)
        idle = _idle_cpu(receiver)
    p50, p95 = seconds[len(seconds) // 2], seconds[int(len(seconds) * 0.95)]
    return [
        f"| one file of 1 MB on an idle system, drop to receipt | p50 {p50:.2f} s, p95 {p95:.2f} s |",
        f"| {SMALL_FILES} files of about 0.5 KB, drop to the last receipt | {rate:.0f} files/s |",
        f"| receiver idle | {idle:.1f} % of a core |",
    ]


def _one_file(up: Running, folder: Path, number: int) -> float:
    path = _file(folder / f"one-{number}.bin", 1_000_000)
    began = time.perf_counter()
    batch = up.engine.add([path])
    up.wait_confirmed(batch, 1, 60)
    return time.perf_counter() - began


def _file(path: Path, size: int) -> str:
    path.write_bytes(os.urandom(size))
    return str(path)


def _write_noise(path: Path, size: int) -> None:
    with path.open("wb") as file:
        for _ in range(size // MIB):
            file.write(os.urandom(MIB))


def _idle_cpu(receiver: Receiver) -> float:
    before, began = receiver.cpu(), time.perf_counter()
    time.sleep(10)
    return (receiver.cpu() - before) / (time.perf_counter() - began) * 100


def _watch_memory(receiver: Receiver, done: Callable[[], bool]) -> dict[str, int]:
    peak = {"java": 0, "python": 0}
    deadline = time.monotonic() + 600
    while not done() and time.monotonic() < deadline:
        for name, rss in receiver.rss().items():
            kind = "java" if name.startswith("java") else "python"
            peak[kind] = max(peak[kind], rss)
        time.sleep(0.2)
    return peak


def _rate(work: Callable[[], int]) -> float:
    began = time.perf_counter()
    return work() / (time.perf_counter() - began) / MIB


def _until(condition: Callable[[], bool], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.05)


if __name__ == "__main__":
    main()
