# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F15: answers lost, an hour late, doubled or of an older round: asking converges, no part goes twice in a round."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from faults.bookkeeping import Case
from faults.model_world import World
from faults.raw_records import IN_MEMORY
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.receipts.apply import StatusBatch
from fieldpost_shared.protocol.messages import Chunk, decode
from fieldpost_shared.protocol.status import Missing, Notice, Status

HOUR: Final = 3600.0
FATES: Final = ["heard", "lost", "late", "twice", "old"]
MOST_HOURS: Final = 48


class BadPost:
    """The way of every answer to the uploader. Notices arrive: they are repeated each minute anyway."""

    def __init__(self, case: Case, world: World, fates: list[str]) -> None:
        self._case, self._world, self._fates = case, world, fates
        self._late: list[tuple[float, Status]] = []
        self.said: list[Status] = []
        world._say = self.take  # type: ignore[method-assign]  # the receiver's mouth

    def take(self, status: Status) -> None:
        random, now = self._case.random, self._world.sender.clock.monotonic()
        fate = "heard" if isinstance(status.event, Notice) else random.choice(self._fates)
        self._case.fault(fate != "heard")
        older = [one for one in self.said if not isinstance(one.event, Notice)]
        self.said.append(status)
        if fate == "late":
            self._late.append((now + HOUR, status))
        elif fate == "twice":
            self._hand_over(status, status)
        elif fate == "old":
            self._hand_over(status, *random.choices(older, k=min(3, len(older))))
        elif fate == "heard":
            self._hand_over(status)

    def bring_the_late(self) -> None:
        now = self._world.sender.clock.monotonic()
        due = [status for moment, status in self._late if moment <= now]
        self._late = [(moment, status) for moment, status in self._late if moment > now]
        self._hand_over(*due)

    def _hand_over(self, *statuses: Status) -> None:
        self._world.sender.status_topic.extend(statuses)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with TemporaryDirectory(prefix="fieldpost-status-", dir=IN_MEMORY) as made:
        world = World(Path(made), monkeypatch)
        yield world
        world.close()


def sent_parts(world: World) -> Counter[tuple[str, int]]:
    """How often each part left."""
    found: Counter[tuple[str, int]] = Counter()
    for _, _, record in world.sender.topic.records:
        message = decode(record.key, record.headers, record.value)
        if isinstance(message, Chunk):
            found[message.facts.transfer, message.index] += 1
    return found


def asked_parts(said: list[Status]) -> Counter[tuple[str, int]]:
    """In how many different rounds each part was asked for."""
    rounds = {
        (status.event.transfer, index, status.event.round)
        for status in said
        if isinstance(status.event, Missing)
        for first, last in status.event.ranges
        for index in range(first, last + 1)
    }
    return Counter((transfer, index) for transfer, index, _ in rounds)


@pytest.mark.parametrize("fates", [["lost", "heard"], ["late", "lost"], ["twice", "old"], FATES], ids="-".join)
def test_f15_asking_again_converges_and_no_part_goes_twice_in_a_round(
    case: Case, world: World, fates: list[str]
) -> None:
    post = BadPost(case, world, fates)
    files = case.size(5, 60)
    for number in range(files):
        path = world.write(f"{number}.bin", case.random.choice([0, 1_000, 300_000, 700_000]))
        world.sender.add(path)
        case.moved(path.stat().st_size)
    minutes = 0
    while any(row.state is not FileState.CONFIRMED for row in world.rows()):
        assert minutes < MOST_HOURS * 60, [(row.path, row.state, row.code) for row in world.rows()]
        world.topic.unlucky = case.random.choice([0, 0, 1]) if minutes < 10 else 0
        world.everybody_works()
        post.bring_the_late()
        world.sender.clock.advance(10.0 if minutes < 10 else 60.0)
        minutes += 1
    sent, asked = sent_parts(world), asked_parts(post.said)
    assert not {part: count for part, count in sent.items() if count > 1 + asked[part]}
    world.unheard = post.said
    case.demand(world.violations())


def test_f15_every_answer_of_the_past_heard_again_changes_nothing(case: Case, world: World) -> None:
    post = BadPost(case, world, ["heard"])
    rows = [world.sender.add(world.write(f"{number}.bin", 700_000))[0] for number in range(case.size(3, 20))]
    world.topic.unlucky = 3
    for _ in range(30):
        world.everybody_works()
        world.sender.clock.advance(5.0)
    assert all(world.sender.row(row).state is FileState.CONFIRMED for row in rows)
    before, records = [world.sender.row(row) for row in rows], len(world.sender.topic.records)
    past = [status for status in post.said if not isinstance(status.event, Notice)]
    assert any(isinstance(status.event, Missing) for status in past)
    case.random.shuffle(past)
    case.fault(len(past))
    world.sender.status_topic += past
    world.sender.core.deliver(StatusBatch(0, len(world.sender.status_topic), past))
    for _ in range(10):
        world.send(3, None)
        world.sender.clock.advance(5.0)
    assert [world.sender.row(row) for row in rows] == before
    assert len(world.sender.topic.records) == records, "nothing is sent again"
