# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Batches from plan to seal, with real tasks, lock, folder and ledger; they run in this process instead of Spark's."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from fieldpost_receiver.jobs.files.batch_runner import BatchRunner
from fieldpost_receiver.jobs.files.ingest.partition_reader import Range
from fieldpost_receiver.jobs.job import BatchFailure
from fieldpost_receiver.spark.run_batch import BatchFailed, Task
from fieldpost_receiver.storage.destinations import storage_of
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_shared.clock import SystemClock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from support.receiver.rig import CHUNK, Rig, Sent, noise, rig_at
from support.waiting import wait_until

IN_TIME_S = 20.0
BIG = Sent(1, "big.bin", noise(3 * CHUNK + 17))


class Offsets:
    """The topic of the rig; as if the broker were away while `away`."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self.away = False

    def marks(self) -> Mapping[int, int] | None:
        return None if self.away else self._rig.topic.ends()

    def firsts(self) -> Mapping[int, int] | None:
        return None if self.away else dict.fromkeys(self._rig.topic.ends(), 0)


@dataclass
class Here:
    """Runs tasks in this process; `fails` lets the next batch fail behind its tasks."""

    slots: int = 2
    fails: Exception | None = None

    def run_tasks(self, task: Task, shares: Sequence[object], *, job: str) -> list[bytes]:
        assert job == "files"
        pieces = [piece for share in shares for piece in task([share])]
        error, self.fails = self.fails, None
        if error is not None:
            raise error
        return pieces


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    with rig_at(tmp_path / "rig", monkeypatch) as one:
        bounded = replace(one.config.spark, max_batch_rows=7)
        one.config = replace(one.config, spark=bounded)
        one.reopen()
        yield one


def runner(rig: Rig, *, once: bool, offsets: Offsets | None = None) -> BatchRunner:
    return BatchRunner(rig.job, offsets or Offsets(rig), clock=SystemClock(), once=once)


def run(one: BatchRunner) -> int:
    """Give it turns as the scheduler does; return how many it took."""
    turns = 0
    while one.due():
        one.run_batch(Here(), stopping=lambda: False)
        turns += 1
    return turns


def finish(rig: Rig) -> dict[str, bytes]:
    rig.publish()
    return rig.tree()


def test_a_run_with_once_reads_everything_in_bounded_batches_and_ends(rig: Rig) -> None:
    rig.topic.send(BIG.chunks(), BIG.end(), *[None] * 30)
    one = runner(rig, once=True)
    assert run(one) > 3
    assert one.finished
    assert one.processed == rig.job.reading.processed() == rig.topic.ends()
    assert finish(rig) == {"van-7/big.bin": BIG.content}


def test_a_job_with_nothing_to_read_takes_one_turn_and_then_none(rig: Rig) -> None:
    one = runner(rig, once=False)
    assert run(one) == 1, "it clears up after the last run, and notes where its partitions begin"
    assert rig.job.reading.processed() == dict.fromkeys(rig.topic.ends(), 0)
    rig.topic.send(BIG.chunks())
    assert one.due()


def test_what_comes_after_the_start_of_a_run_with_once_waits_for_the_next(rig: Rig) -> None:
    rig.topic.send(BIG.chunks())
    one = runner(rig, once=True)
    one.run_batch(Here(), stopping=lambda: False)
    target = rig.topic.ends()
    rig.topic.send(BIG.end())
    run(one)
    assert rig.job.reading.processed() == target
    assert one.finished
    run(runner(rig, once=True))
    assert finish(rig) == {"van-7/big.bin": BIG.content}


def test_a_file_that_the_last_run_completed_is_sealed_at_the_start(rig: Rig) -> None:
    rig.topic.send(BIG.chunks(), BIG.end())
    rig.job.maintenance.begin_partitions(dict.fromkeys(rig.topic.ends(), 0))
    rig.job.take_batch(rig._read([*ranges_of(rig)]))  # and then the process died
    run(runner(rig, once=True))
    assert finish(rig) == {"van-7/big.bin": BIG.content}


def ranges_of(rig: Rig) -> Iterator[Range]:
    for partition, end in rig.topic.ends().items():
        yield Range(partition, 0, end)


def test_what_a_failed_batch_staged_is_swept_before_the_next_one(rig: Rig) -> None:
    rig.topic.send(BIG.chunks())
    one = runner(rig, once=False)
    with pytest.raises(BatchFailed):
        one.run_batch(Here(fails=BatchFailed("a task failed")), stopping=lambda: False)
    assert rig.leftovers(), "its tasks had written"
    for records in rig.topic.partitions:
        records.clear()  # retention passed before they were read again
    assert one.due(), "it clears up although there is nothing to read"
    one.run_batch(Here(), stopping=lambda: False)
    assert rig.leftovers() == []
    assert not one.due()


def test_nothing_begins_while_a_task_of_an_earlier_batch_holds_the_lock(rig: Rig) -> None:
    lock, stop = rig.job.tasks_lock, threading.Event()
    assert lock.try_take()
    lock.release("an earlier batch")
    rig.topic.send(BIG.chunks(), BIG.end())
    one = runner(rig, once=False)
    thread = threading.Thread(target=one.run_batch, args=(Here(),), kwargs={"stopping": stop.is_set}, daemon=True)
    with storage_of(rig.config.receiver).open_writer("an earlier batch"):
        thread.start()
        wait_until(lambda: "have not ended" in one.waiting_for_tasks, IN_TIME_S, "the wait to be told")
        stop.set()
        thread.join(IN_TIME_S)
    assert not thread.is_alive()
    assert rig.job.reading.processed() == {}
    assert one.waiting_for_tasks == ""
    run(runner(rig, once=True))
    assert finish(rig) == {"van-7/big.bin": BIG.content}


def test_a_new_partition_waits_until_the_broker_tells_where_it_begins(rig: Rig) -> None:
    class WithoutFirsts(Offsets):
        def firsts(self) -> Mapping[int, int] | None:
            return None

    one = runner(rig, once=False, offsets=WithoutFirsts(rig))
    with pytest.raises(FieldpostError) as caught:
        one.run_batch(Here(), stopping=lambda: False)
    assert caught.value.code is Code.NO_CONNECTION
    assert rig.job.reading.processed() == {}


def test_reading_goes_on_when_the_broker_is_back(rig: Rig) -> None:
    offsets = Offsets(rig)
    offsets.away = True
    rig.topic.send(BIG.chunks(), BIG.end())
    one = runner(rig, once=True, offsets=offsets)
    assert run(one) == 1, "only the last run is cleared up"
    assert not one.finished
    offsets.away = False
    run(one)
    assert finish(rig) == {"van-7/big.bin": BIG.content}


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
    failure = BatchFailure.of(error)
    assert (failure.cause and failure.cause.code) == code
    assert failure.text
