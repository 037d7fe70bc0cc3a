# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Uploader and receiver, both real, over a real broker."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from devkafka.cluster import Cluster
from fieldpost_desktop.engine.sources.dropped_files import DroppedFiles
from fieldpost_receiver.spark.class_archive import FOLDER
from support.brokers import StartBroker, Topics
from support.engine.uploader import CLIENT, kafka_settings, running_engine
from support.processes.receiver import Receiver, prepared_classes
from support.samples import digest, make

CHUNK = 983_040
# Spark takes some seconds to start, more on a busy machine; a long run by hand takes longer.
pytestmark = pytest.mark.timeout(int(os.environ.get("RECEIVER_TIMEOUT", "240")))


@pytest.fixture(scope="module")
def cluster(module_broker: StartBroker) -> Cluster:
    return module_broker()


@pytest.fixture
def topics(cluster: Cluster, request: pytest.FixtureRequest) -> Iterator[Topics]:
    mark = hashlib.sha256(request.node.name.encode()).hexdigest()[:8]
    pair = Topics(cluster, f"files-{mark}", f"status-{mark}", 4)
    cluster.create_topic(pair.files, 4)
    cluster.create_topic(pair.status, 4)
    yield pair
    cluster.delete_topic(pair.files, pair.status)


def assert_arrived(receiver: Receiver, sources: dict[str, Path]) -> None:
    """Everything once, equal, with its time; and nothing else."""
    arrived = receiver.files()
    assert set(arrived) == {f"{CLIENT}/{name}" for name in sources}
    for name, source in sources.items():
        assert digest(arrived[f"{CLIENT}/{name}"]) == digest(source)
        assert arrived[f"{CLIENT}/{name}"].stat().st_mtime_ns == source.stat().st_mtime_ns


def test_files_of_every_edge_size_arrive_and_a_stop_is_clean(topics: Topics, tmp_path: Path) -> None:
    sizes = [0, 1, CHUNK // 4, CHUNK // 4 + 1, CHUNK - 1, CHUNK, CHUNK + 1, 30_000_000]
    sources = {f"edge-{size}.bin": make(tmp_path / "in", f"edge-{size}.bin", size, size) for size in sizes}
    many = {f"many/{number}.txt": make(tmp_path / "in", f"many/{number}.txt", 1_000, number) for number in range(500)}
    with Receiver(topics, tmp_path / "office") as receiver:
        with running_engine(tmp_path / "data", kafka_settings(topics)) as up:
            batch = up.engine.add(DroppedFiles.of([*map(str, sources.values()), str(tmp_path / "in" / "many")]))
            up.wait_confirmed(batch, len(sources) + len(many), 120)
            receipts = {row.path: row.sha256 for row in up.rows(batch)}
        assert_arrived(receiver, sources | many)
        assert receipts == {name: digest(path) for name, path in (sources | many).items()}
        second = Receiver(topics, tmp_path / "office")
        assert second.run_once() == 75, "one receiver for each state folder"
        assert receiver.stop() == 0
        published = [event for event in receiver.events() if event.get("event") == "file_published"]
        assert len(published) == len(sources) + len(many)


def test_a_prepared_receiver_takes_its_classes_from_the_archive(topics: Topics, tmp_path: Path) -> None:
    archive = prepared_classes()
    with Receiver(topics, tmp_path / "office", spark={"java_options": ""}) as receiver:
        assert _archives_of(receiver) == []
        assert receiver.stop() == 0
        own = receiver.state / FOLDER / archive.name
        own.parent.mkdir()
        own.symlink_to(archive)
        said = receiver.command("prepare")
        assert (said.returncode, said.stdout) == (0, "Prepared already.\n")
        receiver.start()
        assert _archives_of(receiver) == [str(archive)]


def _archives_of(receiver: Receiver) -> list[str]:
    """What its JVM has mapped; the one that Java brings itself lies elsewhere."""
    paths = {str(mapped.path) for mapped in receiver.jvm().memory_maps()}
    return [path for path in paths if path.endswith(".jsa") and FOLDER in path]
