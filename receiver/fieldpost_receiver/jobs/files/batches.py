# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The batches of the files job as the service sees them: a thread that is started, fails, is drained or finishes."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from fieldpost_receiver.jobs.files.batch_runner import JOB, BatchRunner, TopicOffsets
from fieldpost_receiver.jobs.files.ingest import spark_task
from fieldpost_receiver.jobs.files.ingest.plan import BatchLimits
from fieldpost_receiver.jobs.files.job import FilesJob
from fieldpost_receiver.spark import class_archive, task_failure
from fieldpost_receiver.spark.run_batch import BatchFailed, cancel_tasks
from fieldpost_receiver.spark.session import JVM_GONE, jvm_ended, open_session, spark_errors, tasks_at_once
from fieldpost_receiver.spark.task_failure import TaskFailure
from fieldpost_receiver.spark.warm_up import warm_up
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

_LOG: Final = logging.getLogger(__name__)
_LATELY_S: Final = 60.0
_LOOK_S: Final = 0.1
_ENDS_S: Final = 10.0  # for a thread after it was told to stop


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
    """Started again after a failure, on one session that is opened with the first start. For the service's thread."""

    def __init__(
        self, job: FilesJob, topic: TopicOffsets, *, scratch: Path, state_dir: Path, clock: Clock, once: bool
    ) -> None:
        self._job = job
        self._scratch = scratch
        self._state_dir = state_dir
        self._clock = clock
        self._stop = threading.Event()
        self._runner = BatchRunner(job, topic, clock=clock, stop=self._stop, once=once)
        self._session: SparkSession | None = None
        self._warm_up: threading.Thread | None = None
        self._thread: threading.Thread | None = None
        self._failure: JobFailure | None = None
        self._fatal: FieldpostError | None = None

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
        self._failure = self._runner.worked = None
        self._thread = threading.Thread(target=self._run, args=(session, limits), name=JOB, daemon=True)
        self._thread.start()
        _LOG.info("reading %s", self._job.config.kafka.files_topic)

    @property
    def finished(self) -> bool:
        """Whether a run with --once has read everything."""
        return self._runner.finished

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
        worked = self._runner.worked
        return worked is not None and self._clock.monotonic() - worked < _LATELY_S

    @property
    def waiting_for_tasks(self) -> str:
        """What the next batch waits for, in words; "" if it does not wait for the tasks of an earlier one."""
        return self._runner.waiting_for_tasks

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
        if self.alive and self._session is not None:
            cancel_tasks(self._session, job=JOB)
            self._wait_for_end(_ENDS_S, wait)

    def _wait_for_end(self, seconds: float, wait: Callable[[float], None]) -> None:
        tries = int(seconds / _LOOK_S)
        while tries > 0 and self.alive:
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

    def _run(self, session: SparkSession, limits: BatchLimits) -> None:
        """Run batches, in their own thread, until one fails."""
        try:
            self._runner.run(session, limits)
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
