# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F25: retention deletes messages that nobody has read, some of a file's or all that there are."""

from pathlib import Path

import pytest
from confluent_kafka import Consumer, TopicPartition

from faults.bookkeeping import Case
from faults.model_world import World
from faults.scene import CHUNK, Scene, Van
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.protocol.status import MissingReason
from oracle import nobody_waits
from support.brokers import Topics
from support.engine.core import CHUNK as SMALL_CHUNK


def ends(topics: Topics) -> dict[int, int]:
    """Where each partition ends."""
    consumer = Consumer({"bootstrap.servers": topics.bootstrap_servers, "group.id": "looks-only"})
    try:
        places = [TopicPartition(topics.files, number) for number in topics.cluster.partitions(topics.files)]
        return {place.partition: consumer.get_watermark_offsets(place, timeout=10)[1] for place in places}
    finally:
        consumer.close()


def send_one(scene: Scene, name: str, size: int) -> None:
    van = scene.van(name)
    van.load("other.bin", size)
    van.send()
    van.finish()


def test_f25_unread_parts_that_expire_are_asked_for_again_and_other_files_go_on(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    scene = Scene(case, secure_topics, tmp_path)
    with scene.judged():
        scene.receiver.start()
        send_one(scene, "before", CHUNK)  # now it knows where it is
        for number in range(case.size(1, 3)):
            some_expire(case, scene, scene.van(f"some-{number}"))
        if case.is_long:  # whoever hears nothing asks after two minutes
            all_expire(case, scene, scene.van("all"))


def some_expire(case: Case, scene: Scene, van: Van) -> None:
    topics, before = scene.topics, ends(scene.topics)
    van.load("big.bin", 40 * CHUNK)
    with scene.nobody_reads():
        van.send()
        van.wait_sent(1)
        unread = [(number, before[number], end) for number, end in ends(topics).items() if end > before[number]]
        for partition, first, end in case.random.sample(unread, 2):
            topics.cluster.delete_records(topics.files, partition, case.random.randint(first + 1, end))
            case.fault()
    van.finish()
    asked = [one for one in scene.evidence().said if one.kind == "missing" and one.client == van.name]
    assert MissingReason.EXPIRED in {one.fields["reason"] for one in asked}


def all_expire(case: Case, scene: Scene, van: Van) -> None:
    """Chunks, `end` and pack: nothing tells any more that there was a file, only its sender knows."""
    van.load("lost.bin", 10 * CHUNK)
    van.load("lost.txt", 1_000)
    with scene.nobody_reads():
        van.send()
        van.wait_sent(2)
        for partition, end in ends(scene.topics).items():
            scene.topics.cluster.delete_records(scene.topics.files, partition, end)
            case.fault()
    send_one(scene, "after", 10 * CHUNK)
    van.finish(180)


def test_f25_files_of_which_everything_expires_are_asked_about_and_arrive(case: Case, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        world = World(tmp_path, patch)
        try:
            for number in range(case.size(3, 30)):
                world.sender.add(world.write(f"{number}.bin", case.random.randrange(8 * SMALL_CHUNK)))
                world.send(10, None)
                for partition, records in enumerate(world.topic.partitions):
                    world.topic.expire(partition, len(records))
                    case.fault()
            world.let_run()
            case.demand(nobody_waits(world.evidence()))
            assert {row.state for row in world.rows()} == {FileState.CONFIRMED}
        finally:
            world.close()
