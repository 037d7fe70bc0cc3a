# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The batches of one open job: a turn when one is due, a pause after one that failed."""

import logging
from collections.abc import Callable
from typing import Final

from fieldpost_receiver.jobs.job import BatchFailure, Job
from fieldpost_receiver.runtime.retry_pause import RetryPause
from fieldpost_receiver.spark.run_batch import BatchFailed
from fieldpost_receiver.spark.shared_session import OneTask, SharedSession
from fieldpost_receiver.telemetry.logs import job_name
from fieldpost_receiver.telemetry.metrics import JobMetrics, QueryState
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import CODES, Code
from fieldpost_shared.errors import FieldpostError

_LOG: Final = logging.getLogger(__name__)
# The broker has said why a task could not read: the code's own words are clearer than the library's.
_REFUSED_BY_BROKER: Final = frozenset({Code.SIGN_IN_REFUSED, Code.NO_SECURE_CONNECTION})


class BatchTurns:
    """`due` and `run_turn` are the scheduler's (see `Turns`), everything else is for the job's own thread."""

    def __init__(
        self,
        job: Job,
        *,
        name: str,
        log_name: str,
        comes_first: bool,
        spark: SharedSession,
        metrics: JobMetrics,
        clock: Clock,
        wake: Callable[[], None],
        spark_gone: Callable[[FieldpostError], None],
    ) -> None:
        self.name = name
        self.comes_first = comes_first
        self._job = job
        self._log_name = log_name
        self._spark = spark
        self._metrics = metrics
        self._clock = clock
        self._wake = wake
        self._spark_gone = spark_gone
        self._pause = RetryPause(shortest=1.0, longest=60.0)
        self._next_try = 0.0
        self._failed: BatchFailure | None = None  # not judged yet
        self._fatal: FieldpostError | None = None
        self.failure = ""  # of the last batch, in words
        self.has_begun = False  # Spark runs, and the first turn is over
        self.has_succeeded = False
        self.is_paused = False
        self.is_stopping = False

    def due(self) -> bool:
        """Return whether a batch should run now."""
        if self.is_paused or self.is_stopping or self._failed is not None or self._fatal is not None:
            return False
        return self._clock.monotonic() >= self._next_try and self._job.due()

    def run_turn(self) -> None:
        """Run one batch; what it raises is kept for `step`."""
        if self.is_paused or self.is_stopping:
            return  # it was due when the turn was given
        job_name.set(self._log_name)
        try:
            self._open_spark()
            if not self.has_begun:
                _LOG.info("reading %s", self._job.reading)
            spark = OneTask(self._spark) if self.failure else self._spark
            self._job.run_batch(spark, stopping=lambda: self.is_stopping)
        except Exception as error:  # noqa: BLE001 - it is judged in the job's thread
            self._keep(error)
        else:
            self._succeed()
        finally:
            self.has_begun = True
            self._wake()

    def step(self, now: float) -> float | None:
        """Judge a failed batch, and plan the next try; return the seconds until it, None if there was no failure.

        Raises:
            FieldpostError: UNEXPECTED if Spark is gone, or what the job says cannot be mended by trying again.
        """
        if self._fatal is not None:
            raise self._fatal
        failed = self._failed
        if failed is not None:
            pause = self._pause.next()
            self._next_try, self.failure, self._failed = now + pause, _words(failed), None
            self._metrics.query(QueryState.RESTARTING)
            self._metrics.restarted()
            code = None if failed.cause is None else failed.cause.code
            text = "a batch failed; the next try is in %.0f s: %s"
            _LOG.info(text, pause, self.failure, extra={"code": code})
            self._job.judge(failed)
        return max(0.0, self._next_try - now) if self.failure else None

    def _open_spark(self) -> None:
        try:
            self._spark.open()
        except FieldpostError as error:  # whatever its code: without Spark no job runs
            self._end_service(error)
            raise

    def _end_service(self, error: FieldpostError) -> None:
        self._fatal = error
        self._spark_gone(error)

    def _succeed(self) -> None:
        self.has_succeeded = True
        self._pause.reset()
        if self.failure:
            self.failure = ""
            self._metrics.query(QueryState.RUNNING)

    def _keep(self, error: Exception) -> None:
        if isinstance(error, FieldpostError) and error.code is Code.UNEXPECTED:
            self._end_service(error)
        elif not isinstance(error, FieldpostError | BatchFailed):
            _LOG.error("a batch failed for an unknown reason", exc_info=error)
        self._failed = BatchFailure.of(error)


def _words(failure: BatchFailure) -> str:
    cause = failure.cause
    if cause is None:
        return failure.text[:500]
    if cause.code in _REFUSED_BY_BROKER:
        return f"{cause.code}: {CODES[cause.code].words.format(office='Kafka')}"
    return f"{cause.code}: {cause.detail}"
