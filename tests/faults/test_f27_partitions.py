# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F27: partitions are added in mid-file, and their leaders move."""

from pathlib import Path

import pytest

from faults.bookkeeping import Case
from faults.scene import CHUNK, Scene
from fieldpost_shared.chunks import status_partition
from fieldpost_shared.ids import ClientName
from support.brokers import StartBroker, Topics, lasting_topics
from support.waiting import wait_until

SLOW = {"FIELDPOST_BANDWIDTH_LIMIT": "1MB"}
MOVED = "van-7"  # its status partition is another one of 16 than of 4


def test_f27_partitions_added_in_mid_file_lose_nothing_and_are_read(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    """Parts of one file are in old and new partitions, and its receipt comes in another one than it would have."""
    assert status_partition(ClientName(MOVED), 4) != status_partition(ClientName(MOVED), 16)
    scene = Scene(case, secure_topics, tmp_path)
    with scene.judged():
        scene.receiver.start()
        van = scene.van(MOVED)
        van.load("big.bin", case.size(90, 200) * CHUNK)
        van.send(env=SLOW)
        if case.is_long:  # one that runs on looks for its new status partition once a minute
            other = scene.van("van-8")
            other.load("meanwhile.bin", 100 * CHUNK)
            other.send(env=SLOW)
        wait_until(lambda: scene.staged() > 3, 60, "some parts")
        secure_topics.cluster.grow(secure_topics.files, 16)
        secure_topics.cluster.grow(secure_topics.status, 16)
        case.fault(2)
        assert van.sendings[-1].kill(), "in mid-file"
        van.send()  # knows all 16 from its start
        van.finish(60)
        read = {row["partition"] for row in scene.receiver.rows("SELECT * FROM processed")}
        assert read - set(range(4)), "none of the new ones was read"
        if case.is_long:
            scene.van("van-8").finish(180)


def test_f27_leaders_that_move_cost_nothing(case: Case, own_broker: StartBroker, tmp_path: Path) -> None:
    if not case.is_long:
        pytest.skip("three nodes: in the long run only")
    cluster = own_broker(nodes=3, secure=True)
    topics = lasting_topics(cluster)
    scene = Scene(case, topics, tmp_path)
    with scene.judged():
        scene.receiver.start()
        van = scene.van()
        van.load("big.bin", 60 * CHUNK)
        van.send(env=SLOW)
        wait_until(lambda: scene.staged() > 1, 60, "some parts")
        for _ in range(3):
            node = case.random.choice([1, 2, 3])
            cluster.stop(node)  # in good order: each of its partitions gets another leader
            case.fault()
            cluster.restart(node)
            cluster.wait_in_sync(topics.files)
        van.finish(180)
