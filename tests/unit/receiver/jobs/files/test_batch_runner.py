# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Batches from plan to seal, with real tasks, lock, folder and ledger; they run in this process instead of Spark's."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

import pytest
from pyspark.sql import SparkSession

from fieldpost_receiver.jobs.files import batch_runner
from fieldpost_receiver.jobs.files.batch_runner import BatchRunner
from fieldpost_receiver.jobs.files.batches import JobFailure
from fieldpost_receiver.jobs.files.ingest.partition_reader import Range
from fieldpost_receiver.jobs.files.ingest.plan import BatchLimits
from fieldpost_receiver.spark.run_batch import BatchFailed, Task
from fieldpost_receiver.storage.destinations import storage_of
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_shared.clock import SystemClock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from support.receiver.rig import CHUNK, Rig, Sent, noise, rig_at
from support.waiting import wait_until

LIMITS = BatchLimits(max_bytes=10**9, max_messages=7, tasks=2)
SPARK = cast("SparkSession", None)  # not asked
IN_TIME_S = 20.0
BIG = Sent(1, "big.bin", noise(3 * CHUNK + 17))


class Offsets:
    """The topic of the rig; as if the broker were away while `away`."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self.away = False

    def firsts(self) -> Mapping[int, int] | None:
        return dict.fromkeys(self._rig.topic.ends(), 0)

    def ends(self) -> Mapping[int, int] | None:
        return None if self.away else self._rig.topic.ends()


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    def run_here(_session: object, task: Task, shares: Sequence[object], *, job: str) -> list[bytes]:
        assert job == "files"
        return [piece for share in shares for piece in task([share])]

    monkeypatch.setattr(batch_runner, "run_tasks", run_here)
    with rig_at(tmp_path / "rig", monkeypatch) as one:
        yield one


def runner(rig: Rig, *, once: bool, stop: threading.Event | None = None, offsets: Offsets | None = None) -> BatchRunner:
    return BatchRunner(rig.job, offsets or Offsets(rig), clock=SystemClock(), stop=stop or threading.Event(), once=once)


def finish(rig: Rig) -> dict[str, bytes]:
    rig.publish()
    return rig.tree()


def test_a_run_with_once_reads_everything_in_bounded_batches_and_ends(rig: Rig) -> None:
    rig.topic.send(BIG.chunks(), BIG.end(), *[None] * 30)
    one = runner(rig, once=True)
    one.run(SPARK, LIMITS)
    assert one.finished
    assert one.worked is not None
    assert rig.job.reading.processed() == rig.topic.ends()
    assert finish(rig) == {"van-7/big.bin": BIG.content}


def test_what_comes_after_the_start_of_a_run_with_once_waits_for_the_next(rig: Rig) -> None:
    rig.topic.send(BIG.chunks())
    one = runner(rig, once=True)
    target = one._next_ends()
    rig.topic.send(BIG.end())
    one.run(SPARK, LIMITS)
    assert rig.job.reading.processed() == target
    runner(rig, once=True).run(SPARK, LIMITS)
    assert finish(rig) == {"van-7/big.bin": BIG.content}


def test_a_file_that_the_last_run_completed_is_sealed_at_the_start(rig: Rig) -> None:
    rig.topic.send(BIG.chunks(), BIG.end())
    one = runner(rig, once=True)
    assert one._next_ends() is not None
    rig.job.take_batch(rig._read([*ranges_of(rig)]))  # and then the process died
    runner(rig, once=True).run(SPARK, LIMITS)
    assert finish(rig) == {"van-7/big.bin": BIG.content}


def ranges_of(rig: Rig) -> Iterator[Range]:
    for partition, end in rig.topic.ends().items():
        yield Range(partition, 0, end)


def running(one: BatchRunner, stop: threading.Event, until: Callable[[], bool]) -> None:
    """Run in a thread, as the service does, until something is true; then stop."""
    thread = threading.Thread(target=one.run, args=(SPARK, LIMITS), daemon=True)
    thread.start()
    try:
        wait_until(until, IN_TIME_S, "the batches")
    finally:
        stop.set()
        thread.join(IN_TIME_S)
    assert not thread.is_alive()


def test_nothing_begins_while_a_task_of_an_earlier_batch_holds_the_lock(rig: Rig) -> None:
    lock, stop = rig.job.tasks_lock, threading.Event()
    assert lock.try_take()
    lock.release("an earlier batch")
    rig.topic.send(BIG.chunks(), BIG.end())
    one = runner(rig, once=False, stop=stop)
    with storage_of(rig.config.receiver).open_writer("an earlier batch"):
        running(one, stop, lambda: "have not ended" in one.waiting_for_tasks)
    assert rig.job.reading.processed() == {}
    assert one.waiting_for_tasks == ""
    runner(rig, once=True).run(SPARK, LIMITS)
    assert finish(rig) == {"van-7/big.bin": BIG.content}


def test_reading_goes_on_when_the_broker_is_back_and_stops_when_told(rig: Rig) -> None:
    offsets, stop = Offsets(rig), threading.Event()
    offsets.away = True
    rig.topic.send(BIG.chunks(), BIG.end())
    one = runner(rig, once=False, stop=stop, offsets=offsets)
    assert one._next_ends() is None
    offsets.away = False
    running(one, stop, lambda: rig.job.reading.processed() == rig.topic.ends() and one.worked is not None)
    assert finish(rig) == {"van-7/big.bin": BIG.content}


def test_nothing_is_read_while_reading_is_paused(rig: Rig) -> None:
    rig.topic.send(BIG.chunks())
    rig.job.reading.pause("low space")
    assert runner(rig, once=True)._next_ends() is None


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (StorageError("write", 5), Code.STORAGE_FAILED),
        (FieldpostError(Code.LEDGER_DAMAGED, "x"), Code.LEDGER_DAMAGED),
        (BatchFailed("[fieldpost-failure code=no_connection errno=0 detail=away]"), Code.NO_CONNECTION),
        (BatchFailed("cancelled"), None),
        (ValueError(), None),
    ],
)
def test_the_code_of_a_failed_batch_is_known_wherever_it_failed(error: Exception, code: Code | None) -> None:
    failure = JobFailure.of_error(error)
    assert (failure.cause and failure.cause.code) == code
    assert failure.text
