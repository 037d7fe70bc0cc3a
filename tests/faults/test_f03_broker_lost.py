# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F03: the broker is lost: all of it, or one node of three after the other."""

import time
from pathlib import Path

import pytest

from faults.bookkeeping import Case
from faults.outages import complaints, down, last, wait_connected, wait_for_more
from faults.scene import MB, Scene
from support.brokers import StartBroker, Topics, lasting_topics

SHOWN_S = 30.0  # an outage of this length is told
LIMIT = {"FIELDPOST_BANDWIDTH_LIMIT": "4MB"}


def test_f03_a_broker_that_dies_in_mid_file_and_comes_back_costs_nothing(
    case: Case, rough_topics: Topics, tmp_path: Path
) -> None:
    deaths = case.size(1, 5)
    scene = Scene(case, rough_topics, tmp_path)
    with scene.judged():
        scene.receiver.start()
        receiver = scene.receiver.process
        van = scene.van()
        van.load("a.bin", (deaths + 1) * 12 * MB)
        for number in range(20):
            van.load(f"small-{number}.txt", 5_000)
        van.send(env=LIMIT)
        for _ in range(deaths):
            wait_for_more(scene, case.random.randrange(1, 6))
            wait_connected(van)  # else two outages are one to the uploader, and a long one
            known = len(complaints(van))
            began = time.monotonic()
            with down(rough_topics.cluster):
                case.fault()
                last(case.size(2, case.random.randrange(1, 20)))  # and the 3 s that it takes to start
            heard = complaints(van)[known:]
            if time.monotonic() - began < SHOWN_S:  # a busy machine may start a broker for longer
                assert not heard, "brokers restart: nobody needs to hear of it"
        van.finish(120)
        assert scene.receiver.process is receiver
        assert receiver is not None
        assert receiver.poll() is None, "it went on; nobody had to start it"
        assert {row.generation for row in van.cli.rows()} == {1}, "no file began anew"


def test_f03_three_brokers_each_lost_in_turn_stop_nothing(case: Case, own_broker: StartBroker, tmp_path: Path) -> None:
    if not case.is_long:
        pytest.skip("three brokers start too slowly for the CI size")
    cluster = own_broker(nodes=3, secure=True)
    topics = lasting_topics(cluster)
    scene = Scene(case, topics, tmp_path)
    with scene.judged():
        scene.receiver.start()
        van = scene.van()
        van.load("a.bin", 200 * MB)
        van.send(env=LIMIT)
        for node in (1, 2, 3):
            wait_for_more(scene, case.random.randrange(1, 6))
            with down(cluster, node):
                case.fault()
                wait_for_more(scene, 10)
            cluster.wait_in_sync(topics.files)
        van.finish(180)
        assert not complaints(van)
        assert {row.generation for row in van.cli.rows()} == {1}
