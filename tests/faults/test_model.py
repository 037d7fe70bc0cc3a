# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Random lives of uploader, topic and receiver: after every step the oracle's promises hold, and all comes to an end.

CI tries what fits into its time; `--hypothesis-profile=long` at least 2,000 sequences. `--hypothesis-seed` chooses
others; `--hypothesis-show-statistics` tells what happened in them.
"""

import tempfile
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import pytest
from hypothesis import HealthCheck, event, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from faults.bookkeeping import Case
from faults.model_storms import DAY_S, LOSSES, NAMES, PERSON, SHIFTS, SIZES, WAITS, storm
from faults.model_world import CRITICAL, LOW, PLENTY, World
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.crash_points import RECEIVER, UPLOADER
from oracle import Said, demand, nobody_waits

CI_SEQUENCES: Final = 40
LONG_SEQUENCES: Final = 2_000
_SHM: Final = Path("/dev/shm")  # noqa: S108 - each life has a folder of its own in it
IN_MEMORY: Final = _SHM if _SHM.is_dir() else None  # no power is cut here: thousands of fsyncs would prove nothing
picks = st.integers(0, 1_000)
few = st.integers(1, 6)
TALLY: Counter[str] = Counter()
T = TypeVar("T")


def _one_of(items: list[T], pick: int) -> list[T]:
    """The chosen one; none if there are none. What can be chosen must not decide what is drawn."""
    return [items[pick % len(items)]] if items else []


class Life(RuleBasedStateMachine):
    """One sequence."""

    def __init__(self) -> None:
        super().__init__()
        self.broken = False
        self.folder = tempfile.TemporaryDirectory(prefix="fieldpost-model-", dir=IN_MEMORY)
        self.patch = pytest.MonkeyPatch()
        self.world: World  # from the first rule on

    @initialize(
        name=st.sampled_from(NAMES), size=st.sampled_from(SIZES), policy=st.sampled_from(["keep-both", "reject"])
    )
    def begin(self, name: str, size: int, policy: str) -> None:
        self.world = World(Path(self.folder.name), self.patch, policy)
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

    @rule(point=st.sampled_from(UPLOADER), passes=st.integers(1, 3), size=st.sampled_from(SIZES), rounds=few)
    def the_uploader_dies_on_the_way(self, point: str, passes: int, size: int, rounds: int) -> None:
        self.add("dies", size)
        self.world.sender_bomb.set(point, passes)
        self.everybody_works(rounds)

    @rule(pick=picks, what=st.sampled_from(PERSON))
    def a_person_acts(self, pick: int, what: str) -> None:
        command = getattr(self.world.sender.core.commands, what)
        for row in _one_of(self.world.rows(), pick):
            self.world.sender_works(partial(command, [row.id]))

    @rule(pick=picks)
    def send_again(self, pick: int) -> None:
        for row in _one_of(self.world.rows(), pick):
            self.world.sender_works(partial(self.world.sender.core.commands.send_again, row.id))

    @rule(paused=st.booleans())
    def pause_or_resume_all(self, paused: bool) -> None:
        commands = self.world.sender.core.commands
        self.world.sender_works(commands.pause_all if paused else commands.resume_all)

    # the topic

    @rule(pick=picks, partition=picks)
    def repeat_a_record(self, pick: int, partition: int) -> None:
        topic = self.world.topic
        for number, offset in _one_of(topic.places(), pick):
            if (number, offset) not in topic.bad:
                topic.repeat(topic.partitions[number][offset], partition % len(topic.partitions))

    @rule(pick=picks, how=st.sampled_from(LOSSES))
    def lose_a_record(self, pick: int, how: str) -> None:
        topic = self.world.topic
        for number, offset in _one_of(topic.places(self.world.position) or topic.places(), pick):
            if how == "gap":
                topic.gaps.add((number, offset))
            elif how == "damage":
                topic.damage(number, offset)
            else:
                topic.expire(number, offset + 1)

    @rule(count=st.sampled_from([1, 3, 40]))
    def be_unlucky(self, count: int) -> None:
        """So many of the next records are lost."""
        self.world.topic.unlucky = count

    @rule(what=st.sampled_from(SHIFTS))
    def the_ground_shifts(self, what: str) -> None:
        """A partition more, a lower message limit, or how far the receiver has read is lost."""
        world = self.world
        if what == "limit":
            world.sender.topic.message_limit = 120_000
        elif what == "position":
            world.lose_position()
        elif len(world.topic.partitions) < 5:
            world.topic.grow()
            world.sender.topic.partitions += 1

    @rule(pick=picks, how=st.sampled_from(["lose", "repeat"]))
    def lose_or_repeat_an_answer(self, pick: int, how: str) -> None:
        self.world.lose_or_repeat_an_answer(pick, lose=how == "lose")

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
    def publish_and_answer(self) -> None:
        self.publish()
        self.answer()

    @rule()
    def upkeep_and_notice(self) -> None:
        self.world.receiver_works(self.world.receiver.job.maintenance.step)
        self.world.receiver_works(self.world.notice)

    @rule(which=st.sampled_from(["uploader", "receiver"]))
    def crash(self, which: str) -> None:
        if which == "uploader":
            self.world.sender_restarts()
        else:
            self.world.receiver.reopen()

    @rule(point=st.sampled_from(RECEIVER), passes=st.integers(1, 3), size=st.sampled_from(SIZES), rounds=few)
    def the_receiver_dies_on_the_way(self, point: str, passes: int, size: int, rounds: int) -> None:
        self.add("dies", size)
        self.world.receiver_bomb.set(point, passes)
        self.everybody_works(rounds)

    @rule(free=st.sampled_from([PLENTY, LOW, CRITICAL]), fails=st.booleans())
    def fill_or_free_the_disk(self, free: int, fails: bool) -> None:
        self.world.free, self.world.writes_fail = free, fails and free != PLENTY

    @rule(pick=picks)
    def take_a_file_away(self, pick: int) -> None:
        for name in _one_of(sorted(self.world.evidence().final_names()), pick):
            self.world.office_takes(name)

    # both

    @rule(seed=st.integers(0, 2**32 - 1), length=st.integers(5, 40))
    def a_storm(self, seed: int, length: int) -> None:
        for name, arguments in storm(seed, length):
            note(f"    {name}{arguments}")
            getattr(self, name)(*arguments)
            self.every_promise_holds()

    @rule(rounds=few)
    def everybody_works(self, rounds: int) -> None:
        for _ in range(rounds):
            self.world.sender_works(lambda: self.world.send(3, None))
            self.take_a_batch([6] * 5)
            self.publish()
            self.answer()
            self.hear(100)

    @rule(seconds=st.sampled_from([-3600.0, 3600.0]))
    def set_the_clock(self, seconds: float) -> None:
        self.world.sender.clock.jump(seconds)

    @rule(seconds=st.sampled_from(WAITS))
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
        demand(nobody_waits(world.evidence()))
        world.sender.clock.advance(15 * DAY_S)  # what nobody goes on with is given up
        world.let_run()
        world.receiver.reopen()  # what a failed task left of records that then expired is swept at a start only
        demand(world.final_violations())
        TALLY["sequences"] += 1
        TALLY["messages"] += sum(len(records) for records in world.topic.partitions)
        TALLY.update(f"died {point}" for point in world.deaths)
        TALLY.update(_word(said) for said in world.evidence().said)
        for row in world.rows():
            outcome = f"{row.state} {row.code}".strip()
            TALLY[outcome] += 1
            event(f"ended {outcome}")


def _word(said: Said) -> str:
    detail = said.fields.get("code") or said.fields.get("reason") or said.fields.get("state", "")
    return f"said {said.kind} {detail}".strip()


def _settings() -> settings:
    is_long = settings().max_examples >= LONG_SEQUENCES
    return settings(
        max_examples=LONG_SEQUENCES if is_long else CI_SEQUENCES,
        stateful_step_count=60 if is_long else 40,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


@pytest.mark.timeout(6 * 3600)
def test_every_life_ends_with_each_file_equal_or_explained(case: Case) -> None:
    TALLY.clear()
    run_state_machine_as_test(Life, settings=_settings())
    case.fault(sum(count for what, count in TALLY.items() if what.startswith("died ")))
    case.told(", ".join(f"{what} {count}" for what, count in sorted(TALLY.items())))
    assert TALLY[FileState.CONFIRMED] > 0
