# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What a failed batch leads to; Spark is not started."""

import logging
from dataclasses import dataclass, field
from typing import cast

import pytest

from fieldpost_receiver.jobs.job import BatchFailure, Job
from fieldpost_receiver.runtime.batch_turns import BatchTurns
from fieldpost_receiver.spark.run_batch import BatchFailed
from fieldpost_receiver.spark.shared_session import RunsTasks, SharedSession
from fieldpost_receiver.spark.task_failure import MarkedFailure, marking_failures
from fieldpost_receiver.telemetry.metrics import JobMetrics, Metrics
from fieldpost_shared.clock import FakeClock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError, SettingsError

LATER_S = 61.0  # longer than any pause


@dataclass
class Batches:
    """A job whose batches fail when the test says so."""

    reading: str = "a topic"
    has_work: bool = True
    fails: Exception | None = None
    judged: list[BatchFailure] = field(default_factory=list)
    slots: list[int] = field(default_factory=list)

    def due(self) -> bool:
        return self.has_work

    def run_batch(self, spark: RunsTasks, *, stopping: object) -> None:
        assert stopping
        self.slots.append(spark.slots)
        error, self.fails = self.fails, None
        if error is not None:
            raise error

    def judge(self, failure: BatchFailure) -> None:
        self.judged.append(failure)


class Spark:
    """Runs already."""

    slots = 4
    refuses: FieldpostError | None = None

    def open(self) -> None:
        if self.refuses is not None:
            raise self.refuses


@dataclass
class World:
    """The turns of one job, and what they told others."""

    job: Batches = field(default_factory=Batches)
    clock: FakeClock = field(default_factory=FakeClock)
    spark: Spark = field(default_factory=Spark)
    woken: int = 0
    gone: list[FieldpostError] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.turns = BatchTurns(
            cast("Job", self.job),
            name="files",
            log_name="",
            comes_first=True,
            spark=cast("SharedSession", self.spark),
            metrics=JobMetrics(Metrics("central"), "files"),
            clock=self.clock,
            wake=self._wake,
            spark_gone=self.gone.append,
        )

    def _wake(self) -> None:
        self.woken += 1

    def turn(self) -> float | None:
        """One turn, and what the job's thread does after it."""
        self.turns.run_turn()
        return self.turns.step(self.clock.monotonic())


@pytest.fixture
def world() -> World:
    return World()


def crossed(error: FieldpostError) -> BatchFailed:
    with pytest.raises(MarkedFailure) as caught, marking_failures():
        raise error
    return BatchFailed(f"Job aborted due to stage failure: {caught.value}")


def test_a_batch_that_succeeds_is_followed_by_the_next_at_once(world: World) -> None:
    assert world.turn() is None
    assert world.turns.due()
    assert world.turns.has_begun
    assert world.woken == 1
    world.job.has_work = False
    assert not world.turns.due()


@pytest.mark.parametrize(
    "error",
    [
        BatchFailed("Job aborted: TimeoutError: no answer from the broker"),
        crossed(FieldpostError(Code.SIGN_IN_REFUSED, "no")),
        crossed(FieldpostError(Code.NO_CONNECTION, "no")),
        FieldpostError(Code.NO_CONNECTION, "the first offsets are not known"),
    ],
)
def test_a_failed_batch_is_tried_again_after_a_pause(world: World, error: Exception) -> None:
    world.job.fails = error
    world.turns.run_turn()
    assert not world.turns.due(), "it is not judged yet"
    pause = world.turns.step(world.clock.monotonic())
    assert pause is not None
    assert pause > 0
    assert not world.turns.due()
    world.clock.advance(LATER_S)
    assert world.turns.due()
    assert len(world.job.judged) == 1


def test_pauses_grow_with_failures_and_begin_anew_after_a_success(world: World) -> None:
    for _ in range(10):
        world.job.fails = BatchFailed("no")
        world.turn()
        world.clock.advance(LATER_S)
    assert world.turns._pause.failures == 10
    world.turn()
    assert world.turns._pause.failures == 0


def test_a_job_whose_last_batch_failed_takes_one_slot_only(world: World) -> None:
    world.job.fails = BatchFailed("a store hangs")
    for _ in range(3):
        world.turn()
    assert world.job.slots == [4, 1, 4]


def test_the_reason_of_a_failed_batch_is_told_until_one_succeeds(world: World) -> None:
    world.job.fails = crossed(FieldpostError(Code.NO_CONNECTION, "no answer"))
    world.turn()
    world.clock.advance(LATER_S)
    assert world.turns.step(world.clock.monotonic()) == 0.0
    assert world.turns.failure == "no_connection: no answer", "it may fail again"
    world.turn()
    assert world.turns.failure == ""


def test_what_a_broker_refuses_is_told_in_our_words(world: World) -> None:
    world.job.fails = crossed(FieldpostError(Code.SIGN_IN_REFUSED, "SASL authentication error"))
    world.turn()
    assert "SASL" not in world.turns.failure


def test_the_end_of_spark_ends_the_receiver_and_not_only_the_job(world: World) -> None:
    world.job.fails = FieldpostError(Code.UNEXPECTED, "Spark's Java process is gone")
    with pytest.raises(FieldpostError) as caught:
        world.turn()
    assert world.gone == [caught.value]
    assert not world.turns.due()


def test_a_spark_that_cannot_be_started_ends_the_receiver_with_its_own_reason(world: World) -> None:
    world.spark.refuses = SettingsError("spark.secret_file", "the master refuses it")
    with pytest.raises(SettingsError):
        world.turn()
    assert world.gone == [world.spark.refuses]
    assert world.job.slots == [], "no batch was tried"


@pytest.mark.logs_warnings
def test_an_unknown_error_is_logged_with_its_traceback(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    world.job.fails = ZeroDivisionError("x")
    world.turn()
    (record,) = (record for record in caplog.records if record.levelno == logging.ERROR)
    assert record.message == "a batch failed for an unknown reason"
    assert record.exc_info is not None


@pytest.mark.parametrize("flag", ["is_paused", "is_stopping"])
def test_no_batch_begins_when_the_job_is_paused_or_stopped(world: World, flag: str) -> None:
    setattr(world.turns, flag, True)
    assert not world.turns.due()
