# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Random lives of uploader, topic and receiver: after every step the oracle's promises hold, and all comes to an end.

CI tries what fits into its time; `--hypothesis-profile=long` at least 2,000 sequences. `--hypothesis-seed` chooses
others; `--hypothesis-show-statistics` tells what happened in them.
"""

import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule, run_state_machine_as_test

from engine_kit import CHUNK
from faults.model_world import CRITICAL, LOW, PLENTY, World
from fieldpost_desktop.engine.states import FileState
from fieldpost_shared.crash_points import RECEIVER, UPLOADER
from oracle import demand

CI_SEQUENCES: Final = 60
LONG_SEQUENCES: Final = 2_000
SIZES: Final = (0, 1, 5_000, CHUNK, 2 * CHUNK, 2 * CHUNK + 1, 7 * CHUNK + 5)
NAMES: Final = ("a.bin", "b.txt", "c (2).txt", "D.bin", "d.bin", "e")
DAY_S: Final = 86_400.0
picks = st.integers(0, 1_000)
few = st.integers(1, 6)
TALLY: Counter[str] = Counter()


class Life(RuleBasedStateMachine):
    """One sequence."""

    def __init__(self) -> None:
        super().__init__()
        self.broken = False
        self.folder = tempfile.TemporaryDirectory(prefix="fieldpost-model-")
        self.patch = pytest.MonkeyPatch()
        self.world = World(Path(self.folder.name), self.patch)

    @initialize(name=st.sampled_from(NAMES), size=st.sampled_from(SIZES))
    def begin(self, name: str, size: int) -> None:
        self.add(name, size)

    # files

    @rule(name=st.sampled_from(NAMES), size=st.sampled_from(SIZES))
    def add(self, name: str, size: int) -> None:
        path = self.world.write(name, size)
        self.world.sender_works(lambda: self.world.sender.add(path))

    @rule(pick=picks)
    def add_the_same_again(self, pick: int) -> None:
        name = sorted(self.world.sources)[pick % len(self.world.sources)]
        path = self.world.sender.folder / "sources" / name
        if path.exists():
            self.world.sender_works(lambda: self.world.sender.add(path))

    @rule(pick=picks, size=st.sampled_from(SIZES))
    def change_a_file(self, pick: int, size: int) -> None:
        self.world.write(sorted(self.world.sources)[pick % len(self.world.sources)], size)

    @rule(pick=picks, gone=st.booleans())
    def rename_or_delete_a_file(self, pick: int, gone: bool) -> None:
        name = sorted(self.world.sources)[pick % len(self.world.sources)]
        path = self.world.sender.folder / "sources" / name
        if path.exists():
            path.unlink() if gone else path.rename(path.with_name(f"{path.name}.moved"))

    # the uploader

    @rule(steps=few, messages=st.none() | st.integers(0, 5))
    def send(self, steps: int, messages: int | None) -> None:
        self.world.sender_works(lambda: self.world.send(steps, messages))

    @rule(most=few)
    def hear(self, most: int) -> None:
        self.world.sender_works(lambda: self.world.hear(most))

    @rule()
    def crash_the_uploader(self) -> None:
        self.world.sender_restarts()

    @rule(point=st.sampled_from(UPLOADER), passes=st.integers(1, 3))
    def plant_a_crash_in_the_uploader(self, point: str, passes: int) -> None:
        self.world.sender_bomb.set(point, passes)

    @rule(pick=picks, what=st.sampled_from(["cancel", "pause", "resume", "retry"]))
    def a_person_acts(self, pick: int, what: str) -> None:
        rows = self.world.rows()
        if rows:
            commands = self.world.sender.core.commands
            self.world.sender_works(lambda: getattr(commands, what)([rows[pick % len(rows)].id]))

    @rule(pick=picks)
    def send_again(self, pick: int) -> None:
        rows = self.world.rows()
        if rows:
            self.world.sender_works(lambda: self.world.sender.core.commands.send_again(rows[pick % len(rows)].id))

    @rule(paused=st.booleans())
    def pause_or_resume_all(self, paused: bool) -> None:
        commands = self.world.sender.core.commands
        self.world.sender_works(commands.pause_all if paused else commands.resume_all)

    @rule()
    def lower_the_limit(self) -> None:
        self.world.sender.topic.message_limit = 120_000

    # the topic

    @precondition(lambda self: self.world.topic.places())
    @rule(pick=picks, partition=picks)
    def repeat_a_record(self, pick: int, partition: int) -> None:
        topic = self.world.topic
        number, offset = topic.places()[pick % len(topic.places())]
        record = topic.partitions[number][offset]
        if (number, offset) not in topic.bad:
            topic.repeat(record, partition % len(topic.partitions))

    @precondition(lambda self: self.world.topic.places())
    @rule(pick=picks, how=st.sampled_from(["gap", "damage", "retention"]))
    def lose_a_record(self, pick: int, how: str) -> None:
        topic = self.world.topic
        number, offset = topic.places()[pick % len(topic.places())]
        match how:
            case "gap":
                topic.gaps.add((number, offset))
            case "damage":
                topic.damage(number, offset)
            case _:
                topic.expire(number, offset + 1)

    @precondition(lambda self: len(self.world.topic.partitions) < 5)
    @rule()
    def add_a_partition(self) -> None:
        self.world.topic.grow()
        self.world.sender.topic.partitions += 1

    # the receiver

    @rule(most=st.lists(st.integers(0, 6), min_size=5, max_size=5))
    def take_a_batch(self, most: list[int]) -> None:
        self.world.receiver_works(lambda: self.world.batch(dict(enumerate(most))))

    @rule()
    def publish(self) -> None:
        self.world.receiver_works(self.world.publish)

    @rule()
    def answer(self) -> None:
        self.world.receiver_works(self.world.answer)

    @rule()
    def notice(self) -> None:
        self.world.receiver_works(self.world.notice)

    @rule()
    def upkeep(self) -> None:
        self.world.receiver_works(self.world.receiver.shop.upkeep.step)

    @rule()
    def crash_the_receiver(self) -> None:
        self.world.receiver.reopen()

    @rule(point=st.sampled_from(RECEIVER), passes=st.integers(1, 3))
    def plant_a_crash_in_the_receiver(self, point: str, passes: int) -> None:
        self.world.receiver_bomb.set(point, passes)

    @rule()
    def lose_the_checkpoint(self) -> None:
        self.world.lose_checkpoint()

    @rule(free=st.sampled_from([PLENTY, LOW, CRITICAL]), fails=st.booleans())
    def fill_or_free_the_disk(self, free: int, fails: bool) -> None:
        self.world.free, self.world.writes_fail = free, fails and free != PLENTY

    @rule(pick=picks)
    def take_a_file_away(self, pick: int) -> None:
        names = sorted(self.world.evidence().final_names())
        if names:
            self.world.office_takes(names[pick % len(names)])

    # both

    @rule(rounds=few)
    def everybody_works(self, rounds: int) -> None:
        for _ in range(rounds):
            self.world.sender_works(lambda: self.world.send(3, None))
            self.take_a_batch([6] * 5)
            self.publish()
            self.answer()
            self.hear(100)

    @rule(seconds=st.sampled_from([1.0, 10.0, 300.0, 3 * 3600.0, 15 * DAY_S]))
    def time_passes(self, seconds: float) -> None:
        self.world.sender.clock.advance(seconds)

    # what must be so

    @invariant()
    def every_promise_holds(self) -> None:
        self.broken = True
        demand(self.world.violations())
        self.broken = False

    def teardown(self) -> None:
        try:
            if not self.broken:
                self._end()
        finally:
            self.world.close()
            self.patch.undo()
            self.folder.cleanup()

    def _end(self) -> None:
        world = self.world
        world.let_run()
        world.sender.clock.advance(15 * DAY_S)  # what nobody goes on with is given up
        world.let_run()
        demand(world.final_violations())
        TALLY["sequences"] += 1
        TALLY["messages"] += sum(len(records) for records in world.topic.partitions)
        TALLY.update(f"died {point}" for point in world.deaths)
        for row in world.rows():
            outcome = f"{row.state} {row.code}".strip()
            TALLY[outcome] += 1
            event(f"ended {outcome}")


@pytest.fixture
def statistics(capsys: pytest.CaptureFixture[str]) -> Iterator[None]:
    TALLY.clear()
    yield
    with capsys.disabled():
        print("\nmodel:", ", ".join(f"{what} {count}" for what, count in sorted(TALLY.items())))  # noqa: T201 - the run's figures


def _settings() -> settings:
    is_long = settings().max_examples >= LONG_SEQUENCES
    return settings(
        max_examples=LONG_SEQUENCES if is_long else CI_SEQUENCES,
        stateful_step_count=60 if is_long else 40,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


@pytest.mark.timeout(6 * 3600)
@pytest.mark.usefixtures("statistics")
def test_every_life_ends_with_each_file_equal_or_explained() -> None:
    run_state_machine_as_test(Life, settings=_settings())
    assert TALLY[FileState.CONFIRMED] > 0
