# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Several jobs in one receiver, all of it real: Kafka, Spark, processes, commands beside the running service."""

import json
import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Consumer, TopicPartition

from devkafka.cluster import Cluster
from fieldpost_desktop.engine.ports import Config
from fieldpost_desktop.engine.sources.dropped_files import DroppedFiles
from support.brokers import StartBroker, Topics
from support.engine.uploader import CLIENT, Running, kafka_settings, running_engine
from support.processes.receiver import Receiver
from support.samples import digest, make
from support.waiting import wait_until

IN_TIME_S = 90.0
SIZE = 3_000_000
IDLE = 18
pytestmark = pytest.mark.timeout(int(os.environ.get("RECEIVER_TIMEOUT", "300")))


@pytest.fixture(scope="module")
def cluster(module_broker: StartBroker) -> Cluster:
    return module_broker()


@pytest.fixture
def topics(cluster: Cluster) -> Iterator[Topics]:
    pair = Topics(cluster, "north-files", "status", 4)
    names = (pair.files, "south-files", pair.status)
    for name in names:
        cluster.create_topic(name, 4)
    yield pair
    cluster.delete_topic(*names)


def folder(base: Path, name: str) -> Path:
    made = base / "office" / name
    made.mkdir(parents=True)
    return made


def send(up: Running, path: Path) -> str:
    return up.engine.add(DroppedFiles.of([str(path)]))


def job(receiver: Receiver, name: str) -> dict[str, Any]:
    listed = receiver.command("jobs", "list", "--json")
    assert listed.returncode == 0, listed.stderr
    return next(one for one in json.loads(listed.stdout) if one["name"] == name)


def wait_for_state(receiver: Receiver, name: str, state: str) -> dict[str, Any]:
    wait_until(lambda: job(receiver, name)["state"] == state, IN_TIME_S, f"job {name} to be {state}")
    return job(receiver, name)


def committed(topics: Topics, group: str, topic: str) -> dict[int, int]:
    config = {"bootstrap.servers": topics.bootstrap_servers, "group.id": group, "log_level": 0}
    with closing(Consumer(config)) as consumer:
        found = consumer.committed([TopicPartition(topic, number) for number in range(4)], timeout=10)
    return {place.partition: place.offset for place in found if place.offset >= 0}


def test_two_jobs_take_two_topics_to_two_destinations(topics: Topics, tmp_path: Path) -> None:
    north, south = folder(tmp_path, "north"), folder(tmp_path, "south")
    jobs = {"north": {"destination": str(north)}, "south": {"destination": str(south), "files_topic": "south-files"}}
    sources = {name: make(tmp_path / "in", f"{name}.bin", SIZE, seed) for seed, name in enumerate(jobs)}
    settings = {"north": kafka_settings(topics), "south": replace(kafka_settings(topics), files_topic="south-files")}
    with Receiver(topics, tmp_path / "office", jobs=jobs) as receiver:
        for name, kafka in settings.items():
            with running_engine(tmp_path / name, kafka) as up:
                up.wait_confirmed(send(up, sources[name]), 1, IN_TIME_S)
        for name, place in (("north", north), ("south", south)):
            assert digest(place / CLIENT / f"{name}.bin") == digest(sources[name])
            assert [path.name for path in (place / CLIENT).iterdir()] == [f"{name}.bin"]
            assert (receiver.state / "jobs" / name / "ledger.db").exists()
        wait_until(
            lambda: sum(committed(topics, "connect-south", "south-files").values()) > 0,
            IN_TIME_S,
            "the group to show how far the job has read",
        )
        found = json.loads(receiver.command("status", "--json").stdout)["jobs"]
        assert {name: one["files_published"] for name, one in found.items()} == {"north": 1, "south": 1}
        assert receiver.stop() == 0
        told = {event.get("job") for event in receiver.events() if event.get("event") == "file_published"}
        assert told == {"north", "south"}


def test_a_file_is_confirmed_only_when_both_jobs_of_a_topic_have_it(topics: Topics, tmp_path: Path) -> None:
    jobs = {name: {"name": name, "destination": str(folder(tmp_path, name))} for name in ("main", "archive")}
    first, second = (make(tmp_path / "in", f"{number}.bin", SIZE, number) for number in (1, 2))
    config = Config(CLIENT, receivers=tuple(jobs))
    with (
        Receiver(topics, tmp_path / "office", jobs=jobs) as receiver,
        running_engine(tmp_path / "data", kafka_settings(topics), config) as up,
    ):
        up.wait_confirmed(send(up, first), 1, IN_TIME_S)
        assert receiver.command("jobs", "pause", "archive").returncode == 0
        wait_for_state(receiver, "archive", "PAUSED")
        batch = send(up, second)
        arrived = receiver.folder / "main" / CLIENT / second.name
        wait_until(arrived.exists, IN_TIME_S, "the file in the job that goes on")
        (row,) = up.rows(batch)
        wait_until(lambda: "main" in up.files.receipts_of(row.id), IN_TIME_S, "its receipt")
        assert not (receiver.folder / "archive" / CLIENT / second.name).exists()
        assert receiver.command("jobs", "resume", "archive").returncode == 0
        up.wait_confirmed(batch, 1, IN_TIME_S)
        for name in jobs:
            assert digest(receiver.folder / name / CLIENT / second.name) == digest(second)


def test_a_job_that_cannot_run_stops_no_other_and_starts_when_it_is_mended(topics: Topics, tmp_path: Path) -> None:
    late = "late-files"
    jobs = {
        "good": {"destination": str(folder(tmp_path, "good"))},
        "late": {"destination": str(folder(tmp_path, "late")), "files_topic": late, "name": "late"},
    }
    source = make(tmp_path / "in", "a.bin", SIZE, 1)
    with Receiver(topics, tmp_path / "office", jobs=jobs) as receiver:
        failed = wait_for_state(receiver, "late", "FAILED")
        assert late in failed["detail"]
        assert "topics create" in failed["detail"]
        with running_engine(tmp_path / "data", kafka_settings(topics)) as up:
            up.wait_confirmed(send(up, source), 1, IN_TIME_S)
        assert receiver.command("topics", "create").returncode == 0
        assert receiver.command("jobs", "restart", "late").returncode == 0
        wait_for_state(receiver, "late", "RUNNING")
        with running_engine(tmp_path / "late-data", replace(kafka_settings(topics), files_topic=late)) as up:
            up.wait_confirmed(send(up, source), 1, IN_TIME_S)
        assert receiver.stop() == 0
    topics.cluster.delete_topic(late)


def test_a_stopped_job_stays_stopped_after_a_new_start_until_it_is_resumed(topics: Topics, tmp_path: Path) -> None:
    jobs = {
        "north": {"destination": str(folder(tmp_path, "north"))},
        "south": {"destination": str(folder(tmp_path, "south")), "files_topic": "south-files"},
    }
    with Receiver(topics, tmp_path / "office", jobs=jobs) as receiver:
        wait_for_state(receiver, "south", "RUNNING")
        assert "stopped when its running batch has ended" in receiver.command("jobs", "stop", "south").stdout
        wait_for_state(receiver, "south", "STOPPED")
        receiver.kill()
        assert job(receiver, "south")["state"] == "NOT RUNNING"
        receiver.start()
        wait_for_state(receiver, "north", "RUNNING")
        wait_for_state(receiver, "south", "STOPPED")
        receiver.command("jobs", "resume", "south")
        wait_for_state(receiver, "south", "RUNNING")


def test_idle_jobs_need_no_process_and_hardly_a_thread(topics: Topics, tmp_path: Path) -> None:
    def described(names: list[str]) -> dict[str, dict[str, str]]:
        return {name: {"destination": str(tmp_path / "many" / name), "name": name} for name in names}

    few, many = ["a", "b"], ["a", "b", *(f"idle-{number}" for number in range(IDLE))]
    for name in many:
        (tmp_path / "many" / name).mkdir(parents=True)
    with Receiver(topics, tmp_path / "office-2", jobs=described(few)) as receiver:
        wait_for_state(receiver, "b", "RUNNING")
        of_few = receiver.family()[0].num_threads()
    with Receiver(topics, tmp_path / "office-20", jobs=described(many)) as receiver:
        for name in many:
            wait_for_state(receiver, name, "RUNNING")
        most = of_few + 3 * IDLE  # its own and a driver thread, while clients come and go
        driver = receiver.family()[0]
        wait_until(lambda: driver.num_threads() <= most, IN_TIME_S, "the clients that committed offsets to be closed")
        assert [name for name, _ in receiver.helpers()].count("java") == 1
        assert receiver.stop() == 0
