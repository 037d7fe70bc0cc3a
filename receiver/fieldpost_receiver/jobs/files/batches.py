# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The batches of the files job, one after the other in a thread of its own, each one a plain Spark job.

1. tasks' lock taken (after a start or a failed batch: what no transfer needs is swept); ranges planned from the ledger
2. lock released for the tasks of this batch: they read, check, write in place, sync; their rows come back
3. rows to the ledger, with how far each partition is processed
4. tasks' lock taken: seal what is complete

The ledger is the only state: after a crash anywhere the next start plans anew from what it knows.
"""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol
from uuid import uuid4

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from fieldpost_receiver.jobs.files.ingest import spark_task
from fieldpost_receiver.jobs.files.ingest.partition_reader import Range
from fieldpost_receiver.jobs.files.ingest.plan import BatchLimits, plan_shares
from fieldpost_receiver.jobs.files.ingest.rows import Row, RowKind, unpack_rows
from fieldpost_receiver.jobs.files.ingest.spark_task import BatchWork
from fieldpost_receiver.jobs.files.job import FilesJob
from fieldpost_receiver.spark import class_archive, task_failure
from fieldpost_receiver.spark.run_batch import BatchFailed, cancel_tasks, run_tasks
from fieldpost_receiver.spark.session import JVM_GONE, jvm_ended, open_session, spark_errors, tasks_at_once
from fieldpost_receiver.spark.task_failure import TaskFailure
from fieldpost_receiver.spark.warm_up import warm_up
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

_LOG: Final = logging.getLogger(__name__)
_NAME: Final = "files"
_LATELY_S: Final = 60.0
_LOOK_S: Final = 0.1  # at the tasks' lock
_SLOW_LOCK_S: Final = 60.0
_ENDS_S: Final = 10.0  # for a thread after it was told to stop
_REMEMBERED: Final = 20_000  # finished ids in the skip list: what may still be repeated in the topic


class TopicOffsets(Protocol):
    """Offsets of the files topic by partition; None while the broker does not answer."""

    def firsts(self) -> Mapping[int, int] | None:
        """Return the first offset of each partition."""

    def ends(self) -> Mapping[int, int] | None:
        """Return the end offset of each partition."""


@dataclass(frozen=True, slots=True)
class JobFailure:
    """Why the batches ended: a text, and the failure with a code that it carries, if any."""

    text: str
    cause: TaskFailure | None = None

    @classmethod
    def of(cls, text: str) -> "JobFailure":
        """Parse Spark's text."""
        return cls(text, task_failure.parse(text))

    @classmethod
    def of_error(cls, error: Exception) -> "JobFailure":
        """Return the failure of a batch that ended with this error on the driver, or in Spark."""
        if isinstance(error, FieldpostError):
            number = error.errno if isinstance(error, StorageError) else None
            return cls(str(error), TaskFailure(error.code, error.detail, number))
        return cls.of(str(error) or type(error).__name__)


class FilesBatches:
    """Started again after a failure, on one session that is opened with the first start."""

    def __init__(
        self, job: FilesJob, topic: TopicOffsets, *, scratch: Path, state_dir: Path, clock: Clock, once: bool
    ) -> None:
        self._job = job
        self._topic = topic
        self._scratch = scratch
        self._state_dir = state_dir
        self._clock = clock
        self._once = once
        self._target: Mapping[int, int] | None = None  # the end of a run with --once
        self._session: SparkSession | None = None
        self._warm_up: threading.Thread | None = None
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._failure: JobFailure | None = None
        self._fatal: FieldpostError | None = None
        self._worked: float | None = None
        self._waits_since: float | None = None
        self._number = 0  # of the next batch, for the log
        self.finished = False  # a run with --once has read everything

    # the service's thread

    def start(self) -> None:
        """Start where the ledger says.

        Raises:
            FieldpostError: Spark does not start.
        """
        session, spark = self._open_session(), self._job.config.spark
        limits = BatchLimits(
            max_bytes=spark.max_batch_bytes,
            max_messages=spark.max_batch_rows,
            tasks=tasks_at_once(session, spark.master),
        )
        self._failure = self._worked = None
        self._thread = threading.Thread(target=self._run, args=(session, limits), name=_NAME, daemon=True)
        self._thread.start()
        _LOG.info("reading %s", self._job.config.kafka.files_topic)

    @property
    def started(self) -> bool:
        """Whether batches run or have finished."""
        return self._thread is not None or self.finished

    @property
    def alive(self) -> bool:
        """Whether batches run."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def spark_answers(self) -> bool:
        """Whether batches run, and Spark's Java process answers; one that hangs lets this wait.

        Raises:
            FieldpostError: Spark is gone.
        """
        if self._session is None or not self.alive:
            return False
        with spark_errors():
            return not self._session.sparkContext._jsc.sc().isStopped()  # noqa: SLF001 - the cheapest question

    @property
    def worked_lately(self) -> bool:
        """Whether, in the last minute and since the last start, a batch succeeded or there was nothing to read."""
        return self._worked is not None and self._clock.monotonic() - self._worked < _LATELY_S

    @property
    def waiting_for_tasks(self) -> str:
        """What the next batch waits for, in words; "" if it does not wait for the tasks of an earlier one."""
        since = self._waits_since
        if since is None or (seconds := self._clock.monotonic() - since) < 1:
            return ""
        held = ", ".join(map(str, self._job.tasks_lock.holders())) or "not known"
        return f"tasks of an earlier batch have not ended for {seconds:.0f} s (process ids: {held})"

    def take_failure(self) -> JobFailure | None:
        """Return once why the batches ended; None while they run, or if everything was read.

        Raises:
            FieldpostError: the JVM is gone, and a second one cannot be started in this process.
        """
        if self._session is not None and jvm_ended(self._session):
            raise FieldpostError(Code.UNEXPECTED, "Spark's Java process is gone")
        if self._thread is None or self._thread.is_alive():
            return None
        self._thread = None
        if self._fatal is not None:
            raise self._fatal
        return None if self.finished else self._failure or JobFailure("it was stopped")

    def drain(self, seconds: float, wait: Callable[[float], None]) -> None:
        """Plan no new batch, let the running one finish, or cancel it after this time."""
        self._stop.set()
        self._wait_for_end(seconds, wait)
        if self._thread is not None and self._thread.is_alive() and self._session is not None:
            cancel_tasks(self._session, job=_NAME)
            self._wait_for_end(_ENDS_S, wait)

    def _wait_for_end(self, seconds: float, wait: Callable[[float], None]) -> None:
        tries = int(seconds / _LOOK_S)
        while tries > 0 and self._thread is not None and self._thread.is_alive():
            wait(_LOOK_S)
            tries -= 1

    def close(self) -> None:
        """End Spark, and wait for the threads that use it."""
        self._stop.set()
        if self._session is not None:
            try:
                self._session.stop()
            except (PySparkException, *JVM_GONE) as error:
                _LOG.info("Spark did not stop in good order: %s", error)
        for thread in (self._warm_up, self._thread):
            if thread is not None:
                thread.join(_ENDS_S)

    def _open_session(self) -> SparkSession:
        if self._session is None:
            spark = self._job.config.spark
            with spark_errors():
                archive = class_archive.options_for(self._state_dir, spark)
                self._session = open_session(spark, self._scratch, archive_options=archive)
                self._warm_up = warm_up(self._session, [spark_task.__name__])
        return self._session

    # the batches' own thread

    def _run(self, session: SparkSession, limits: BatchLimits) -> None:
        try:
            self._work(session, limits)
        except (BatchFailed, StorageError) as error:
            self._failure = JobFailure.of_error(error)
        except FieldpostError as error:
            if error.code is Code.UNEXPECTED:
                self._fatal = error
            self._failure = JobFailure.of_error(error)
        except Exception as error:  # noqa: BLE001 - it must not end the thread in silence
            _LOG.exception("a batch failed for an unknown reason")
            self._failure = JobFailure.of_error(error)
        finally:
            self._job.wake()

    def _work(self, session: SparkSession, limits: BatchLimits) -> None:
        self._seal(sweep=True)  # what the last run completed
        while not self._stop.is_set():
            ends = self._next_ends()
            if ends is None or not self._run_batch(session, limits, ends):
                if self.finished:
                    return
                self._stop.wait(self._job.config.spark.trigger)

    def _next_ends(self) -> Mapping[int, int] | None:
        """Return how far the topic reaches now; None while nothing may be read, or the broker does not answer."""
        if self._job.reading.paused():
            return None
        ends = self._target or self._topic.ends()
        if self._once:
            self._target = ends
        if ends is not None and not ends.keys() <= self._job.reading.processed().keys():
            firsts = self._topic.firsts()
            if firsts is None:
                return None
            self._job.maintenance.begin_partitions(firsts)
        return ends

    def _run_batch(self, session: SparkSession, limits: BatchLimits, ends: Mapping[int, int]) -> bool:
        """Run one batch; return whether there was anything to read."""
        job, began = self._job, self._clock.monotonic()
        processed = job.reading.processed()
        if all(end <= processed.get(partition, 0) for partition, end in ends.items()):
            self._worked, self.finished = began, self._once
            return False
        skip = frozenset(job.transfers.not_to_write(_REMEMBERED))
        shares = plan_shares(processed, ends, mean=job.reading.mean_message_bytes(), limits=limits, skip=skip)
        if self._take_lock():
            rows = self._rows_of(session, shares)
            job.take_batch(rows)
            self._seal()
            self._report(rows, began)
        return True

    def _rows_of(self, session: SparkSession, shares: Sequence[Sequence[Range]]) -> list[Row]:
        config = self._job.config
        work = BatchWork(
            kafka=dict(config.kafka_options), destination=str(config.receiver.destination), token=uuid4().hex
        )
        self._job.tasks_lock.release(work.token)
        return unpack_rows(run_tasks(session, work, shares, job=_NAME))

    def _seal(self, *, sweep: bool = False) -> None:
        """Seal what is complete when no task runs any more; not if the service stops meanwhile."""
        if not self._take_lock():
            return
        try:
            if sweep:
                self._job.sealing.sweep()
            self._job.sealing.seal()
        finally:
            self._job.tasks_lock.release()
        self._job.wake()  # files may be sealed, and replies may wait

    def _report(self, rows: list[Row], began: float) -> None:
        self._worked = self._clock.monotonic()
        chunks = sum(row.kind is RowKind.CHUNK for row in rows)
        size = sum(row.payload for row in rows)
        self._job.metrics.batch(rows=len(rows), chunks=chunks, size=size, seconds=self._worked - began)
        _LOG.debug("batch %d: %d rows, %d bytes", self._number, len(rows), size)
        self._number += 1

    def _take_lock(self) -> bool:
        """Wait until no task of this job runs; return False if the service stops meanwhile."""
        self._waits_since, told = self._clock.monotonic(), False
        try:
            while not self._job.tasks_lock.try_take():
                if self._stop.wait(_LOOK_S):
                    return False
                if not told and self._clock.monotonic() - self._waits_since > _SLOW_LOCK_S:
                    told = True
                    _LOG.warning("%s", self.waiting_for_tasks)
        finally:
            self._waits_since = None
        return True
