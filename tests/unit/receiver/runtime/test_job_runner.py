# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The life of a job in its own thread, on a real scheduler; the job itself and Spark are scripted."""

import logging
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest

from fieldpost_receiver.config.receiver_toml import load
from fieldpost_receiver.config.settings import JobConfig, JobKind
from fieldpost_receiver.jobs.job import BatchFailure, JobServices
from fieldpost_receiver.kafka.clusters import Clusters
from fieldpost_receiver.runtime import job_runner
from fieldpost_receiver.runtime.job_kinds import Kind
from fieldpost_receiver.runtime.job_runner import JobRunner, Shared
from fieldpost_receiver.runtime.job_store import JobState, Target
from fieldpost_receiver.runtime.retry_pause import RetryPause
from fieldpost_receiver.runtime.scheduler import Scheduler
from fieldpost_receiver.spark.run_batch import BatchFailed
from fieldpost_receiver.spark.shared_session import SharedSession
from fieldpost_receiver.telemetry.metrics import Metrics
from fieldpost_shared.clock import SystemClock
from fieldpost_shared.codes import Code
from fieldpost_shared.crash_points import NoCrashPoints
from fieldpost_shared.errors import FieldpostError
from support.waiting import wait_until

IN_TIME_S = 20.0
SETTINGS = """
[receiver]
state_dir = "state"
[kafka]
bootstrap_servers = "none:1"
[jobs.a]
"connector.class" = "files"
name = "a"
destination = "a"
[jobs.b]
"connector.class" = "files"
name = "b"
destination = "b"
"""
TEMPORARY = FieldpostError(Code.NO_CONNECTION, "no answer")
PERSON = FieldpostError(Code.SIGN_IN_REFUSED, "wrong password")


@dataclass
class Work:
    """An open job with some batches to do; `done` tells what happened to it, in order."""

    services: JobServices
    to_do: int = 1
    batches: int = 0
    done: list[str] = field(default_factory=list)
    gate: threading.Event = field(default_factory=threading.Event)  # a batch ends when it is open
    batch_fails: Exception | None = None
    step_fails: Exception | None = None
    judge_fails: FieldpostError | None = None
    judged: list[BatchFailure] = field(default_factory=list)
    reading: str = "a topic"
    waits: bool = False
    reasons: list[str] = field(default_factory=list)
    summary: str = "all is well"
    finished: bool = False

    def __post_init__(self) -> None:
        self.gate.set()

    def due(self) -> bool:
        return self.to_do > 0

    def run_batch(self, _spark: object, *, stopping: Callable[[], bool]) -> None:
        assert not stopping()
        self.batches += 1
        self.to_do -= 1
        self.done.append("batch")
        self.gate.wait(IN_TIME_S)
        self.done.append("batch ended")
        error, self.batch_fails = self.batch_fails, None
        if error is not None:
            raise error

    def judge(self, failure: BatchFailure) -> None:
        self.judged.append(failure)
        if self.judge_fails is not None:
            raise self.judge_fails

    def step(self, _now: float) -> float:
        error, self.step_fails = self.step_fails, None
        if error is not None:
            raise error
        return IN_TIME_S

    def stop_reading(self) -> None:
        self.done.append("stop reading")

    def finish(self) -> None:
        self.done.append("finish")

    def close(self) -> None:
        self.done.append("close")


@dataclass
class Spark:
    """Runs already; a cancelled batch fails, unless its tasks do not hear it."""

    works: dict[str, list[Work]]
    cancelled: list[str] = field(default_factory=list)
    is_deaf: bool = False

    def open(self) -> None:
        pass

    def cancel_tasks(self, *, job: str) -> None:
        self.cancelled.append(job)
        if not self.is_deaf:
            self.works[job][-1].batch_fails = BatchFailed("cancelled")
            self.works[job][-1].gate.set()


class ShortPause(RetryPause):
    """A hundredth of the pauses."""

    def __init__(self, *, shortest: float, longest: float) -> None:
        super().__init__(shortest=shortest / 100, longest=longest / 10_000)


class World:
    """The service around jobs `a` and `b`. `openings` are what the next openings of a job fail with, None: nothing."""

    def __init__(self, folder: Path) -> None:
        path = folder / "receiver.toml"
        path.write_text(SETTINGS, encoding="utf-8")
        self.configs = {job.name: job for job in load(path, {}).jobs}
        self.works: dict[str, list[Work]] = defaultdict(list)
        self.openings: dict[str, list[Exception | None]] = defaultdict(list)
        self.tries: dict[str, int] = defaultdict(int)
        self.states: dict[str, list[JobState]] = defaultdict(list)
        self.runners: dict[str, JobRunner] = {}
        self.prepare: Callable[[Work], None] = lambda _work: None
        self.spark = Spark(self.works)
        self.metrics = Metrics("central")
        self.scheduler = Scheduler(2)
        self.scheduler.start()
        self.clusters = Clusters(SystemClock(), every=1.0, moved=self.scheduler.wake)

    def open(self, config: JobConfig, services: JobServices) -> Work:
        self.tries[config.name] += 1
        error = self.openings[config.name].pop(0) if self.openings[config.name] else None
        if error is not None:
            raise error
        work = Work(services)
        self.prepare(work)
        self.works[config.name].append(work)
        return work

    def start(self, name: str = "a", target: Target = Target.RUNNING, *, once: bool = False) -> JobRunner:
        shared = Shared(
            spark=cast("SharedSession", self.spark),
            scheduler=self.scheduler,
            clusters=self.clusters,
            metrics=self.metrics,
            clock=SystemClock(),
            crash=NoCrashPoints(),
            once=once,
            names_jobs=True,
            changed=lambda: self.states[name].append(runner.state),
            spark_gone=lambda error: pytest.fail(f"Spark is there: {error}"),
        )
        runner = self.runners[name] = JobRunner(self.configs[name], shared, target)
        runner.start()
        return runner

    def work(self, name: str = "a", number: int = 1) -> Work:
        """The job as it was opened for this time."""
        wait_until(lambda: len(self.works[name]) >= number, IN_TIME_S, f"opening {number} of {name}")
        return self.works[name][number - 1]

    def let_another_work(self) -> None:
        """Give job `b` a batch: the scheduler has then looked at all jobs."""
        if "b" not in self.runners:
            self.start("b")
        work = self.work("b")
        wait_until(lambda: not work.to_do, IN_TIME_S, "the batches of b")
        before, work.to_do = work.batches, 1
        self.scheduler.wake()
        wait_until(lambda: work.batches == before + 1, IN_TIME_S, "a batch of b")

    def close(self) -> None:
        for runner in self.runners.values():
            runner.stop()
        for work in (work for works in self.works.values() for work in works):
            work.gate.set()
        for runner in self.runners.values():
            runner.join(IN_TIME_S)
            assert runner.ended
        self.scheduler.stop()
        self.clusters.close()


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    made = World(tmp_path)
    kind = Kind(open=made.open, task_module="", comes_first=False)
    monkeypatch.setattr(job_runner, "KINDS", {JobKind.FILES: kind})
    monkeypatch.setattr(job_runner, "RetryPause", ShortPause)
    yield made
    made.close()


def becomes(runner: JobRunner, state: JobState) -> None:
    wait_until(lambda: runner.state is state, IN_TIME_S, f"{runner.name} to be {state}")


def closing(work: Work) -> None:
    """Let its batches last until the test opens the gate."""
    work.gate.clear()


def happens(work: Work, event: str) -> None:
    wait_until(lambda: event in work.done, IN_TIME_S, f"{event!r}")


# from opening to the first batch


def test_a_job_is_opened_and_runs_when_its_first_turn_is_over(world: World) -> None:
    world.prepare = closing
    runner = world.start()
    work = world.work()
    happens(work, "batch")
    assert (runner.state, runner.is_ready) == (JobState.STARTING, False)
    assert runner.reasons == ["no batches run"]
    work.gate.set()
    becomes(runner, JobState.RUNNING)
    assert runner.is_ready
    assert runner.is_serving
    assert runner.reasons == []
    assert runner.summary == "all is well"
    assert world.tries["a"] == 1


def test_a_job_that_waits_by_its_own_decision_is_ready_without_a_batch(world: World) -> None:
    def full(work: Work) -> None:
        work.to_do, work.waits, work.reasons = 0, True, ["Storage is full."]

    world.prepare = full
    runner = world.start()
    world.work()
    wait_until(lambda: runner.is_ready, IN_TIME_S, "it to be ready")
    assert runner.state is JobState.STARTING
    assert runner.reasons == ["Storage is full."]


def test_a_failed_batch_is_judged_by_the_job_and_leaves_it_open(world: World) -> None:
    def failing(work: Work) -> None:
        work.batch_fails = BatchFailed("a task failed")

    world.prepare = failing
    runner = world.start()
    becomes(runner, JobState.RUNNING)
    work = world.work()
    wait_until(lambda: work.judged, IN_TIME_S, "the judgement")
    assert runner.reasons == ["the last batch failed: a task failed"]
    assert runner.detail == "the last batch failed: a task failed"
    assert work.done == ["batch", "batch ended"]


# failures


@pytest.mark.logs_warnings
def test_a_job_that_could_not_be_opened_for_now_is_opened_again(world: World, caplog: pytest.LogCaptureFixture) -> None:
    world.openings["a"] = [TEMPORARY, TEMPORARY]
    runner = world.start()
    becomes(runner, JobState.RUNNING)
    again = [JobState.RESTARTING, JobState.STARTING]
    assert world.states["a"] == [*again, *again, JobState.RUNNING]
    assert world.tries["a"] == 3
    wait_until(lambda: runner.error is None, IN_TIME_S, "the error to be forgotten")
    assert [record.message for record in caplog.records if record.levelno >= logging.WARNING] == [str(TEMPORARY)] * 2


@pytest.mark.logs_warnings
def test_a_job_between_two_tries_is_down_and_tells_why(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_runner, "RetryPause", RetryPause)
    world.openings["a"] = [TEMPORARY]
    runner = world.start()
    becomes(runner, JobState.RESTARTING)
    assert runner.is_down
    assert not runner.is_serving
    assert runner.reasons == ["it could not go on: no_connection: no answer"]
    assert runner.summary == "RESTARTING"
    runner.restart()  # a person need not wait for the end of the pause
    becomes(runner, JobState.RUNNING)
    assert not runner.is_down


@pytest.mark.logs_warnings
def test_a_job_that_a_person_must_mend_waits_for_the_person(world: World) -> None:
    world.openings["a"] = [PERSON]
    runner = world.start()
    becomes(runner, JobState.FAILED)
    assert runner.is_down
    assert runner.error is PERSON
    world.let_another_work()
    assert world.tries["a"] == 1
    runner.restart()
    becomes(runner, JobState.RUNNING)
    assert world.states["a"] == [JobState.FAILED, JobState.STARTING, JobState.RUNNING]
    wait_until(lambda: runner.error is None, IN_TIME_S, "the error to be forgotten")


@pytest.mark.logs_warnings
def test_a_failed_job_can_be_stopped_and_then_started(world: World) -> None:
    world.openings["a"] = [PERSON]
    runner = world.start()
    becomes(runner, JobState.FAILED)
    runner.set_target(Target.STOPPED)
    becomes(runner, JobState.STOPPED)
    assert not runner.is_down
    assert runner.reasons == []
    runner.set_target(Target.RUNNING)
    becomes(runner, JobState.RUNNING)


@pytest.mark.logs_warnings
@pytest.mark.parametrize(
    ("code", "then"), [(Code.STORAGE_FAILED, JobState.RESTARTING), (Code.LEDGER_DAMAGED, JobState.FAILED)]
)
def test_a_batch_after_which_the_job_cannot_go_on_closes_it(
    world: World, monkeypatch: pytest.MonkeyPatch, code: Code, then: JobState
) -> None:
    def broken(work: Work) -> None:
        work.batch_fails = BatchFailed("a task could not write")
        work.judge_fails = FieldpostError(code, "a task could not write")

    monkeypatch.setattr(job_runner, "RetryPause", RetryPause)
    world.prepare = broken
    runner = world.start()
    becomes(runner, then)
    assert world.work().done == ["batch", "batch ended", "close"]
    assert runner.detail == f"{code}: a task could not write"
    world.prepare = lambda _work: None
    runner.restart()
    becomes(runner, JobState.RUNNING)
    wait_until(lambda: not runner.detail, IN_TIME_S, "the reason to be forgotten")


@pytest.mark.logs_warnings
@pytest.mark.parametrize("error", [PERSON, TEMPORARY, ZeroDivisionError("x")])
def test_a_job_that_fails_never_stops_another(world: World, error: Exception) -> None:
    other = world.start("b")
    becomes(other, JobState.RUNNING)
    world.openings["a"] = [error] * 20
    runner = world.start()
    wait_until(lambda: runner.is_down, IN_TIME_S, "a to fail")
    for _ in range(3):
        world.let_another_work()
    assert other.state is JobState.RUNNING
    assert world.states["b"] == [JobState.RUNNING]
    assert world.tries["b"] == 1


@pytest.mark.logs_warnings
def test_a_job_that_fails_between_batches_is_closed_and_opened_again(world: World) -> None:
    runner = world.start()
    becomes(runner, JobState.RUNNING)
    work = world.work()
    work.step_fails = TEMPORARY
    work.services.wake()
    becomes_open_again(world, runner)
    assert work.done == ["batch", "batch ended", "close"]


def becomes_open_again(world: World, runner: JobRunner) -> None:
    world.work(number=2)
    becomes(runner, JobState.RUNNING)


@pytest.mark.logs_warnings
def test_a_failure_between_batches_cancels_the_batch_before_the_job_is_closed(world: World) -> None:
    world.prepare = closing
    runner = world.start()
    work = world.work()
    happens(work, "batch")
    world.prepare = lambda _work: None
    work.step_fails = TEMPORARY
    work.services.wake()
    becomes_open_again(world, runner)
    assert world.spark.cancelled == ["a"]
    assert work.done == ["batch", "batch ended", "close"]


@pytest.mark.logs_warnings
def test_an_unknown_error_is_logged_with_its_traceback_and_tried_again(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.openings["a"] = [ZeroDivisionError("x")]
    runner = world.start()
    becomes(runner, JobState.RUNNING)
    unknown, failed = (record for record in caplog.records if record.levelno >= logging.WARNING)
    assert unknown.message == "the job failed for an unknown reason"
    assert unknown.exc_info is not None
    assert failed.message == "unexpected: ZeroDivisionError: x"
    assert world.states["a"] == [JobState.RESTARTING, JobState.STARTING, JobState.RUNNING]


@pytest.mark.logs_warnings
def test_ten_unknown_errors_in_a_row_are_a_matter_for_a_person(world: World) -> None:
    world.openings["a"] = [ZeroDivisionError("x")] * 10
    runner = world.start()
    becomes(runner, JobState.FAILED)
    assert world.tries["a"] == 10
    assert runner.error is not None
    assert runner.error.detail == "ZeroDivisionError: x"
    runner.restart()
    becomes(runner, JobState.RUNNING)


# targets


def test_pausing_lets_the_running_batch_end_and_begins_no_other(world: World) -> None:
    def three(work: Work) -> None:
        work.to_do = 3
        work.gate.clear()

    world.prepare = three
    runner = world.start()
    work = world.work()
    happens(work, "batch")
    world.prepare = lambda _work: None
    runner.set_target(Target.PAUSED)
    wait_until(lambda: runner._turns and runner._turns.is_paused, IN_TIME_S, "the pause to be noticed")
    assert runner.state is JobState.STARTING, "its batch still runs"
    work.gate.set()
    becomes(runner, JobState.PAUSED)
    world.let_another_work()
    assert work.done == ["batch", "batch ended"]
    assert runner.is_serving, "what is complete is still published"
    assert runner.is_ready
    assert runner.reasons == []
    runner.set_target(Target.RUNNING)
    wait_until(lambda: work.batches == 3, IN_TIME_S, "the other batches")
    becomes(runner, JobState.RUNNING)
    assert world.tries["a"] == 1


def test_a_job_that_is_paused_at_the_start_is_opened_and_begins_no_batch(world: World) -> None:
    first_round = threading.Event()
    world.prepare = lambda work: setattr(work, "step", lambda _now: (first_round.wait(IN_TIME_S), IN_TIME_S)[1])
    runner = world.start(target=Target.PAUSED)
    work = world.work()
    world.prepare = lambda _work: None
    world.let_another_work()
    assert work.done == [], "also while its first round lasts"
    first_round.set()
    becomes(runner, JobState.PAUSED)
    assert runner.is_ready
    runner.set_target(Target.RUNNING)
    becomes(runner, JobState.RUNNING)
    assert work.done == ["batch", "batch ended"]


def test_a_stopped_job_is_closed_and_opened_again_when_it_shall_run(world: World) -> None:
    runner = world.start()
    becomes(runner, JobState.RUNNING)
    runner.set_target(Target.STOPPED)
    becomes(runner, JobState.STOPPED)
    assert world.work().done == ["batch", "batch ended", "stop reading", "finish", "close"]
    assert not runner.is_serving
    assert not runner.ended
    assert runner.is_ready
    runner.set_target(Target.RUNNING)
    becomes(runner, JobState.RUNNING)
    assert world.work(number=2).done == ["batch", "batch ended"]
    assert world.tries["a"] == 2


def test_a_job_that_shall_not_run_is_not_opened(world: World) -> None:
    runner = world.start(target=Target.STOPPED)
    becomes(runner, JobState.STOPPED)
    world.let_another_work()
    assert world.tries["a"] == 0
    runner.stop()
    runner.join(IN_TIME_S)
    assert runner.ended


def test_a_restart_closes_a_job_in_good_order_and_opens_it_again(world: World) -> None:
    runner = world.start()
    becomes(runner, JobState.RUNNING)
    runner.restart()
    becomes_open_again(world, runner)
    assert world.work().done == ["batch", "batch ended", "stop reading", "finish", "close"]
    assert world.tries["a"] == 2


# the end


def test_stopping_waits_for_the_batch_then_sends_the_last_replies_then_closes(world: World) -> None:
    world.prepare = closing
    runner = world.start()
    work = world.work()
    happens(work, "batch")
    runner.stop()
    happens(work, "stop reading")
    assert "finish" not in work.done
    work.to_do = 5
    work.gate.set()
    runner.join(IN_TIME_S)
    assert runner.ended
    assert work.done == ["batch", "stop reading", "batch ended", "finish", "close"]
    assert world.spark.cancelled == []


def test_a_batch_that_does_not_end_in_time_is_cancelled(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_runner, "_DRAIN_S", 0.05)
    world.prepare = closing
    runner = world.start()
    work = world.work()
    happens(work, "batch")
    runner.stop()
    runner.join(IN_TIME_S)
    assert runner.ended
    assert world.spark.cancelled == ["a"]
    assert work.done == ["batch", "stop reading", "batch ended", "finish", "close"]


def test_a_batch_that_cannot_be_ended_keeps_the_job_open_beneath_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_runner, "_DRAIN_S", 0.05)
    monkeypatch.setattr(job_runner, "_CANCELLED_S", 0.05)
    world.spark.is_deaf = True
    world.prepare = closing
    runner = world.start()
    work = world.work()
    happens(work, "batch")
    runner.stop()
    runner.join(IN_TIME_S)
    assert runner.ended
    assert work.done == ["batch", "stop reading", "finish"]


@pytest.mark.logs_warnings
@pytest.mark.parametrize("error", [TEMPORARY, PERSON])
def test_a_job_that_is_down_stops_at_once(world: World, monkeypatch: pytest.MonkeyPatch, error: FieldpostError) -> None:
    monkeypatch.setattr(job_runner, "RetryPause", RetryPause)
    world.openings["a"] = [error]
    runner = world.start()
    wait_until(lambda: runner.is_down, IN_TIME_S, "a to fail")
    runner.stop()
    runner.join(IN_TIME_S)
    assert runner.ended
    assert world.tries["a"] == 1


def test_a_run_with_once_ends_when_the_job_has_done_everything(world: World) -> None:
    runner = world.start(once=True)
    work = world.work()
    happens(work, "batch ended")
    assert "stop reading" not in work.done
    work.finished = True
    work.services.wake()
    runner.join(IN_TIME_S)
    assert runner.ended
    assert runner.state is JobState.FINISHED
    assert runner.reasons == []
    assert work.done == ["batch", "batch ended", "stop reading", "finish", "close"]
    assert world.tries["a"] == 1


@pytest.mark.logs_warnings
@pytest.mark.parametrize(("error", "state"), [(PERSON, JobState.FAILED), (TEMPORARY, JobState.RESTARTING)])
def test_a_run_with_once_neither_waits_nor_tries_again(world: World, error: FieldpostError, state: JobState) -> None:
    world.openings["a"] = [error]
    runner = world.start(once=True)
    runner.join(IN_TIME_S)
    assert runner.ended
    assert runner.state is state
    assert runner.error is error
    assert world.tries["a"] == 1
