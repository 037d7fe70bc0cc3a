# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Whose turn it is, with real threads."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from fieldpost_receiver.runtime.scheduler import Scheduler
from support.waiting import wait_until

IN_TIME_S = 20.0


@dataclass
class Taker:
    """A job whose turns last until the test ends them."""

    name: str
    comes_first: bool = False
    is_due: bool = True
    asked: int = 0
    turns: int = 0
    at_once: int = 0
    most_at_once: int = 0
    _ends: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def due(self) -> bool:
        self.asked += 1
        return self.is_due

    def run_turn(self) -> None:
        with self._lock:
            self.turns += 1
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        self._ends.acquire(timeout=IN_TIME_S)
        with self._lock:
            self.at_once -= 1

    def end_turns(self, number: int = 1) -> None:
        self._ends.release(number)


class World:
    """Schedulers that end with the test, and their jobs."""

    def __init__(self) -> None:
        self.jobs: list[Taker] = []
        self.schedulers: list[Scheduler] = []

    def scheduler(self, *jobs: Taker, slots: int = 1) -> Scheduler:
        one = Scheduler(slots)
        for job in jobs:
            one.add(job)
        self.jobs += jobs
        self.schedulers.append(one)
        one.start()
        return one

    def running(self) -> set[str]:
        return {job.name for job in self.jobs if job.at_once}

    def close(self) -> None:
        for job in self.jobs:
            job.is_due = False
            job.end_turns(1_000)
        for one in self.schedulers:
            one.stop()
            assert not alive(one)


def alive(scheduler: Scheduler) -> list[str]:
    return [thread.name for thread in (scheduler._thread, *scheduler._drivers) if thread.is_alive()]


@pytest.fixture
def world() -> Iterator[World]:
    made = World()
    yield made
    made.close()


def looks_again(scheduler: Scheduler, job: Taker) -> None:
    """Wait until it has asked a waiting job, and decided about it: a second question comes after the first decision."""
    before = job.asked

    def asked_twice() -> bool:
        scheduler.wake()
        return job.asked >= before + 2

    wait_until(asked_twice, IN_TIME_S, f"the scheduler to ask {job.name} twice")


def runs(world: World, scheduler: Scheduler, *names: str) -> None:
    """Wait until exactly these have a turn."""

    def are_running() -> bool:
        scheduler.wake()
        return world.running() == set(names)

    wait_until(are_running, IN_TIME_S, f"turns of {', '.join(names)}")


def test_every_due_job_gets_turns_side_by_side(world: World) -> None:
    scheduler = world.scheduler(Taker("a"), Taker("b"))
    runs(world, scheduler, "a", "b")
    assert scheduler.is_running("a")
    for job in world.jobs:
        job.is_due = False
        job.end_turns()
    wait_until(lambda: not scheduler.is_running("a") and not scheduler.is_running("b"), IN_TIME_S, "their ends")
    assert [job.turns for job in world.jobs] == [1, 1]


def test_a_job_that_stays_due_gets_its_next_turn_without_being_asked_for(world: World) -> None:
    job = Taker("a")
    world.scheduler(job)
    job.end_turns(50)
    wait_until(lambda: job.turns > 50, IN_TIME_S, "the turn after the 50th")


def test_a_job_never_has_two_turns_at_once_however_often_it_is_woken(world: World) -> None:
    jobs = [Taker("a"), Taker("b", comes_first=True)]
    scheduler = world.scheduler(*jobs, slots=8)
    for job in jobs:
        job.end_turns(200)
    stop = threading.Event()

    def wake_always() -> None:
        while not stop.wait(0):
            scheduler.wake()

    wakers = [threading.Thread(target=wake_always, daemon=True) for _ in range(2)]
    for waker in wakers:
        waker.start()
    try:
        wait_until(lambda: all(job.turns > 200 for job in jobs), IN_TIME_S, "200 turns of each")
    finally:
        stop.set()
        for waker in wakers:
            waker.join(IN_TIME_S)
    looks_again(scheduler, spare(scheduler, world))
    assert [job.most_at_once for job in jobs] == [1, 1]


def spare(scheduler: Scheduler, world: World) -> Taker:
    """A job that is asked and never due."""
    one = Taker("spare", is_due=False)
    world.jobs.append(one)
    scheduler.add(one)
    return one


@pytest.mark.parametrize(("slots", "at_once"), [(1, 2), (2, 2), (5, 5), (16, 16), (64, 16)])
@pytest.mark.parametrize("first", [0, 1, 3])
def test_turns_at_once_are_bounded_and_grow_with_jobs_that_come_first(
    world: World, slots: int, at_once: int, first: int
) -> None:
    ordinary = [Taker(f"ordinary {number}") for number in range(at_once + 3)]
    scheduler = world.scheduler(
        *ordinary, *(Taker(f"first {number}", comes_first=True) for number in range(first)), slots=slots
    )
    wait_until(lambda: len(world.running()) == at_once + first, IN_TIME_S, "all turns that there can be")
    looks_again(scheduler, ordinary[-1])
    assert len(world.running()) == at_once + first
    assert len(scheduler._drivers) == at_once + first


def test_a_job_that_comes_first_overtakes_those_that_wait(world: World) -> None:
    a, b, c, d = (Taker(name) for name in "abcd")
    late = Taker("late", comes_first=True, is_due=False)
    scheduler = world.scheduler(a, b, c, d, late)
    runs(world, scheduler, "a", "b", "c")
    looks_again(scheduler, d)
    late.is_due = True
    looks_again(scheduler, d)
    a.end_turns()
    runs(world, scheduler, "b", "c", "late")
    looks_again(scheduler, d)
    assert d.turns == 0


def test_a_job_that_comes_first_finds_a_thread_while_all_others_are_busy(world: World) -> None:
    ordinary = [Taker(name) for name in "abc"]
    scheduler = world.scheduler(*ordinary)
    runs(world, scheduler, "a", "b")
    late = Taker("late", comes_first=True)
    world.jobs.append(late)
    scheduler.add(late)
    runs(world, scheduler, "a", "b", "late")


def test_the_job_that_has_waited_longest_is_next(world: World) -> None:
    a, b, c, d = (Taker(name) for name in "abcd")
    c.is_due = False
    scheduler = world.scheduler(a, b, c, d)
    runs(world, scheduler, "a", "b")
    looks_again(scheduler, d)
    c.is_due = True
    looks_again(scheduler, c)
    for ends, running in ((a, "bd"), (b, "dc"), (d, "ca"), (c, "ab"), (a, "bd")):
        ends.end_turns()
        runs(world, scheduler, *running)
        looks_again(scheduler, ends)


def test_a_job_that_is_not_due_takes_no_turn_until_it_is(world: World) -> None:
    job = Taker("a", is_due=False)
    scheduler = world.scheduler(job)
    looks_again(scheduler, job)
    assert job.turns == 0
    assert not scheduler._drivers, "no thread is made for nothing"
    job.is_due = True
    scheduler.wake()
    wait_until(lambda: job.turns == 1, IN_TIME_S, "its turn")


def test_a_pause_that_ends_is_noticed_although_nobody_wakes_the_scheduler(world: World) -> None:
    job = Taker("a", is_due=False)
    world.scheduler(job)
    wait_until(lambda: job.asked, IN_TIME_S, "the first look")
    job.is_due = True
    wait_until(lambda: job.turns == 1, IN_TIME_S, "its turn")


def test_a_removed_job_ends_its_turn_and_gets_no_other(world: World) -> None:
    job = Taker("a")
    scheduler = world.scheduler(job)
    runs(world, scheduler, "a")
    scheduler.remove("a")
    scheduler.remove("a")
    assert scheduler.is_running("a")
    job.end_turns(5)
    wait_until(lambda: not scheduler.is_running("a"), IN_TIME_S, "its end")
    looks_again(scheduler, spare(scheduler, world))
    assert job.turns == 1


def test_a_driver_thread_is_kept_for_the_next_turn(world: World) -> None:
    job = Taker("a")
    scheduler = world.scheduler(job, slots=16)
    job.end_turns(100)
    wait_until(lambda: job.turns > 100, IN_TIME_S, "100 turns")
    assert len(scheduler._drivers) == 1


def test_stopping_waits_for_running_turns_gives_no_more_and_ends_all_threads(world: World) -> None:
    jobs = [Taker(name) for name in "abc"]
    scheduler = world.scheduler(*jobs)
    runs(world, scheduler, "a", "b")
    stopping = threading.Thread(target=scheduler.stop, daemon=True)
    stopping.start()
    wait_until(lambda: "scheduler" not in alive(scheduler), IN_TIME_S, "its own thread to end")
    assert world.running() == {"a", "b"}
    for job in jobs:
        job.end_turns(5)
    stopping.join(IN_TIME_S)
    assert not stopping.is_alive()
    assert alive(scheduler) == []
    assert [job.turns for job in jobs] == [1, 1, 0]


def test_a_scheduler_that_never_had_a_job_ends_at_once(world: World) -> None:
    scheduler = world.scheduler()
    scheduler.stop()
    assert alive(scheduler) == []


def test_a_turn_that_was_given_begins_although_others_still_wait(world: World) -> None:
    a, b, c = (Taker(name) for name in "abc")
    world.scheduler(a, b, c)
    wait_until(lambda: world.running() == {"a", "b"}, IN_TIME_S, "turns of a and b")
    wait_until(lambda: c.asked >= 2, IN_TIME_S, "c to wait")
    a.end_turns()
    wait_until(lambda: world.running() == {"b", "c"}, IN_TIME_S, "c to get the turn of a")
