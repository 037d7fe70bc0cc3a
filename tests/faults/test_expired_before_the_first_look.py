# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A partition whose records all expired before the receiver first looked counts as processed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from faults.model_world import World
from fieldpost_desktop.engine.model.states import FileState
from oracle import demand, nobody_waits
from support.engine.core import CHUNK


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    patch = pytest.MonkeyPatch()
    world = World(tmp_path, patch)
    yield world
    world.close()
    patch.undo()


def test_a_pack_that_expired_before_the_first_start_is_asked_for_and_arrives(world: World) -> None:
    world.sender.add(world.write("a.txt", 5_000))
    world.send(6, None)
    for partition, records in enumerate(world.topic.partitions):
        world.topic.expire(partition, len(records))
    world.lose_position()  # or the very first start: it begins at the oldest record of each partition
    world.let_run()
    demand(nobody_waits(world.evidence()))
    assert [row.state for row in world.rows()] == [FileState.CONFIRMED]


def test_an_end_with_holes_is_answered_beside_a_partition_of_expired_records(world: World) -> None:
    world.sender.add(world.write("old.txt", 5_000))
    world.send(6, None)
    (number, offset), *_ = world.topic.places()
    for partition, records in enumerate(world.topic.partitions):
        world.topic.repeat(world.topic.partitions[number][offset], partition)
        world.topic.expire(partition, len(records))
    world.lose_position()
    world.sender.core.commands.cancel([row.id for row in world.rows()])
    world.send(6, None)
    world.topic.unlucky = 1  # a chunk
    world.sender.add(world.write("new.bin", 5 * CHUNK))
    world.send(6, None)
    world.let_run()
    demand(nobody_waits(world.evidence()))
