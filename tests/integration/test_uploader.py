# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The uploader against a real broker, judged by an office that knows only docs/protocol.md."""

import random
from pathlib import Path

from confluent_kafka import Consumer, TopicPartition

from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.ports import Config
from fieldpost_desktop.engine.profile.settings import EngineSettings
from fieldpost_desktop.engine.sources.dropped_files import DroppedFiles
from reference_receiver.checker import compare
from support.brokers import Topics
from support.engine.uploader import CLIENT, kafka_settings, running_engine, running_office
from support.waiting import wait_until

CHUNK = 983_040


def make(folder: Path, name: str, size: int, seed: int = 0) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(random.Random(seed).randbytes(size))  # noqa: S311 - reproducible test data
    return path


def test_files_of_every_edge_size_arrive_and_are_confirmed(topics: Topics, tmp_path: Path) -> None:
    sizes = [0, 1, CHUNK // 4, CHUNK // 4 + 1, CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK, 20_000_000]
    sources = {f"edge-{size}.bin": make(tmp_path / "in", f"edge-{size}.bin", size, size) for size in sizes}
    with (
        running_office(topics, tmp_path / "out") as office,
        running_engine(tmp_path / "data", kafka_settings(topics)) as up,
    ):
        batch = up.engine.add(DroppedFiles.of([str(path) for path in sources.values()]))
        up.wait_confirmed(batch, len(sizes))
        assert office.violations == []
    assert compare(sources, tmp_path / "out", CLIENT) == []


def test_thousands_of_small_files_are_confirmed_one_by_one(topics: Topics, tmp_path: Path) -> None:
    sources = {f"many/{number % 50}/{number}.txt": f"note {number}\n".encode() for number in range(3_000)}
    for name, data in sources.items():
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    with (
        running_office(topics, tmp_path / "out") as office,
        running_engine(tmp_path / "data", kafka_settings(topics)) as up,
    ):
        batch = up.engine.add(DroppedFiles.of([str(tmp_path / "in" / "many")]))
        up.wait_confirmed(batch, len(sources))
        assert office.violations == []
    assert compare({name: tmp_path / "in" / name for name in sources}, tmp_path / "out", CLIENT) == []


def test_lost_parts_are_sent_again_until_the_file_is_confirmed(topics: Topics, tmp_path: Path) -> None:
    path = make(tmp_path / "in", "a.bin", 20 * CHUNK)
    with (
        running_office(topics, tmp_path / "out") as office,
        running_engine(tmp_path / "data", kafka_settings(topics)) as up,
    ):
        office.switches.lose(lambda _facts, index: index in {0, 7, 19}, times=3)
        batch = up.engine.add(DroppedFiles.of([str(path)]))
        up.wait_confirmed(batch, 1)
    assert compare({"a.bin": path}, tmp_path / "out", CLIENT) == []


def test_pause_really_pauses_and_resume_goes_on(topics: Topics, tmp_path: Path) -> None:
    path = make(tmp_path / "in", "a.bin", 60 * CHUNK)
    with (
        running_office(topics, tmp_path / "out") as office,
        running_engine(tmp_path / "data", kafka_settings(topics)) as up,
    ):
        up.engine.use(EngineSettings(bandwidth_limit=20_000_000))
        batch = up.engine.add(DroppedFiles.of([str(path)]))
        wait_until(lambda: office.seen.bytes_received() > 3 * CHUNK, 30, "some parts to arrive")
        up.engine.do(lambda commands: commands.pause_all()).result(10)
        wait_until(lambda: not up.engine.overall().result(10).pausing, 10, "the pause")
        high = topics_end(topics)
        wait_until(lambda: up.rows(batch)[0].state is FileState.QUEUED, 10, "the file to wait")
        up.engine.overall().result(10)
        assert topics_end(topics) == high
        up.engine.do(lambda commands: commands.resume_all()).result(10)
        up.engine.use(EngineSettings())
        up.wait_confirmed(batch, 1)
    assert compare({"a.bin": path}, tmp_path / "out", CLIENT) == []


def test_with_two_required_receivers_both_must_confirm(topics: Topics, tmp_path: Path) -> None:
    path = make(tmp_path / "in", "a.bin", 3 * CHUNK)
    config = Config(CLIENT, receivers=("central", "archive"))
    with (
        running_office(topics, tmp_path / "out"),
        running_engine(tmp_path / "data", kafka_settings(topics), config) as up,
    ):
        batch = up.engine.add(DroppedFiles.of([str(path)]))
        wait_until(lambda: up.files.receipts_of(1).keys() == {"central"}, 30, "the first receipt")
        assert up.rows(batch)[0].state is FileState.SENT
        with running_office(topics, tmp_path / "archive", "archive"):
            up.wait_confirmed(batch, 1)


def topics_end(topics: Topics) -> int:
    consumer = Consumer({"bootstrap.servers": topics.bootstrap_servers, "group.id": "looks-only"})
    try:
        places = [TopicPartition(topics.files, partition) for partition in range(topics.partitions)]
        return sum(consumer.get_watermark_offsets(place, timeout=10)[1] for place in places)
    finally:
        consumer.close()
