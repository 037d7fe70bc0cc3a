# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Uploader and receiver, both real, over a real broker."""

import hashlib
import os
import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from confluent_kafka import Producer

from brokers import StartBroker, Topics
from devkafka.cluster import Cluster
from fieldpost_desktop.engine.settings import EngineSettings
from fieldpost_desktop.engine.states import FileState
from receiver_process import Receiver
from samples import digest, make
from uploader_kit import CLIENT, kafka_settings, running_engine
from waiting import wait_until

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
            batch = up.engine.add([*map(str, sources.values()), str(tmp_path / "in" / "many")])
            up.wait_confirmed(batch, len(sources) + len(many), 120)
            receipts = {row.path: row.sha256 for row in up.rows(batch)}
        assert_arrived(receiver, sources | many)
        assert receipts == {name: digest(path) for name, path in (sources | many).items()}
        second = Receiver(topics, tmp_path / "office")
        assert second.run_once() == 75, "one receiver for each state folder"
        assert receiver.stop() == 0
        published = [event for event in receiver.events() if event.get("event") == "file_published"]
        assert len(published) == len(sources) + len(many)


def test_kills_at_random_moments_publish_nothing_early_or_twice(topics: Topics, tmp_path: Path) -> None:
    kills = int(os.environ.get("RECEIVER_KILLS", "3"))
    size = int(os.environ.get("RECEIVER_KILLS_SIZE", "150000000"))
    source = make(tmp_path / "in", "big.bin", size)
    small = {f"s{number}.txt": make(tmp_path / "in", f"s{number}.txt", 5_000, number) for number in range(50)}
    rng = random.Random(5)  # noqa: S311 - reproducible
    receiver = Receiver(topics, tmp_path / "office")
    with closing(receiver), running_engine(tmp_path / "data", kafka_settings(topics)) as up:
        up.engine.use(EngineSettings(bandwidth_limit=size // (25 * (kills + 1))))
        batch = up.engine.add([str(source), *map(str, small.values())])
        for _ in range(kills):
            receiver.start()
            goal = staged_chunks(receiver) + 1 + rng.randrange(3)
            wait_until(lambda goal=goal: everything_staged(receiver) or staged_chunks(receiver) >= goal, 60, "chunks")  # type: ignore[misc]  # bound now
            assert whole_or_absent(receiver, source, small)
            receiver.kill()
            assert whole_or_absent(receiver, source, small)
        receiver.start()
        up.engine.use(EngineSettings())
        up.wait_confirmed(batch, 1 + len(small), 150 + size / 5e6)
    receiver.kill()
    assert_arrived(receiver, small | {"big.bin": source})


def staged_chunks(receiver: Receiver) -> int:
    rows = receiver.rows("SELECT coalesce(sum(have), 0) AS n FROM transfers")
    return int(rows[0]["n"]) if rows else 0


def everything_staged(receiver: Receiver) -> bool:
    """Nothing more can come: the kills from here on hit publishing only."""
    return not receiver.rows("SELECT 1 FROM transfers WHERE state = 'receiving'") and staged_chunks(receiver) > 0


def whole_or_absent(receiver: Receiver, source: Path, small: dict[str, Path]) -> bool:
    """A final name never shows unfinished bytes."""
    expected = {f"{CLIENT}/{name}": path.stat().st_size for name, path in small.items()}
    expected[f"{CLIENT}/big.bin"] = source.stat().st_size
    return all(path.stat().st_size == expected[name] for name, path in receiver.files().items())


def test_retention_of_unread_chunks_is_asked_for_again(topics: Topics, tmp_path: Path) -> None:
    source = make(tmp_path / "in", "a.bin", 40 * CHUNK)
    with running_engine(tmp_path / "data", kafka_settings(topics)) as up:
        batch = up.engine.add([str(source)])
        wait_until(lambda: [row for row in up.rows(batch) if row.state is FileState.SENT], 60, "all to be sent")
        topics.cluster.delete_records(topics.files, 0, 3)
        topics.cluster.delete_records(topics.files, 1, 2)
        with Receiver(topics, tmp_path / "office") as receiver:
            up.wait_confirmed(batch, 1, 120)
            assert_arrived(receiver, {"a.bin": source})
            assert receiver.rows("SELECT expired FROM transfers")


def test_partitions_added_in_mid_file_are_read_from_their_beginning(topics: Topics, tmp_path: Path) -> None:
    source = make(tmp_path / "in", "a.bin", 60 * CHUNK)
    with (
        Receiver(topics, tmp_path / "office") as receiver,
        running_engine(tmp_path / "data", kafka_settings(topics)) as up,
    ):
        up.engine.use(EngineSettings(bandwidth_limit=2_500_000))
        batch = up.engine.add([str(source)])
        wait_until(lambda: staged_chunks(receiver) > 5, 60, "some chunks")
        topics.cluster.grow(topics.files, 16)
        up.engine.do(lambda _commands: up.engine.core.sender.outgoing.link.refresh()).result(30)  # type: ignore[union-attr]  # up by now
        up.engine.use(EngineSettings())
        up.wait_confirmed(batch, 1, 120)
        assert_arrived(receiver, {"a.bin": source})
        assert len(receiver.rows("SELECT * FROM processed")) > 4


def test_once_takes_what_is_there_and_ends(topics: Topics, tmp_path: Path) -> None:
    sources = {f"{number}.bin": make(tmp_path / "in", f"{number}.bin", 2_000_000, number) for number in range(5)}
    receiver = Receiver(topics, tmp_path / "office")
    with closing(receiver), running_engine(tmp_path / "data", kafka_settings(topics)) as up:
        batch = up.engine.add([str(path) for path in sources.values()])
        wait_until(lambda: sum(row.state is FileState.SENT for row in up.rows(batch)) == 5, 60, "all to be sent")
        assert receiver.run_once() == 0
        up.wait_confirmed(batch, len(sources), 30)
    assert_arrived(receiver, sources)
    assert receiver.run_once() == 0, "nothing to do is fine"


def test_hostile_messages_are_quarantined_and_the_query_lives(topics: Topics, tmp_path: Path) -> None:
    producer = Producer({"bootstrap.servers": topics.bootstrap_servers})
    noise = random.Random(3)  # noqa: S311 - reproducible
    good = make(tmp_path / "in", "good.bin", 3 * CHUNK)
    outside = tmp_path / "office" / "outside"
    outside.mkdir(parents=True)
    with (
        Receiver(topics, tmp_path / "office") as receiver,
        running_engine(tmp_path / "data", kafka_settings(topics)) as up,
    ):
        (receiver.destination / CLIENT).symlink_to(outside)
        for number in range(300):
            headers: list[tuple[str, str | bytes | None]] = [
                (
                    noise.choice(["fieldpost", "kind", "client", "path", "size", "x"]),
                    noise.randbytes(noise.randrange(60)),
                )
                for _ in range(noise.randrange(0, 90))
            ]
            traversal = [("fieldpost", b"1.0"), ("kind", b"chunk"), ("client", b"c"), ("path", b"../../etc/passwd")]
            producer.produce(topics.files, noise.randbytes(200), headers=[*(traversal if number % 3 else headers)])
        producer.flush(30)
        batch = up.engine.add([str(good)])
        wait_until(
            lambda: [row for row in up.rows(batch) if row.state is FileState.ATTENTION],
            90,
            "the planted link to be refused",
        )
        assert list(outside.iterdir()) == [], "a planted link is never followed"
        (receiver.destination / CLIENT).unlink()
        again = up.engine.add([str(make(tmp_path / "in", "good2.bin", 3 * CHUNK, 9))])
        up.wait_confirmed(again, 1, 60)
        assert sum(row["count"] for row in receiver.rows("SELECT count FROM refusals")) == 300
        assert receiver.process is not None
        assert receiver.process.poll() is None
