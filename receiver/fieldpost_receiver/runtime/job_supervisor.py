# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Start a job's batches, again with back-off when one fails, and decide which failures end the receiver."""

import errno
import logging
from random import Random
from typing import Final

from fieldpost_receiver.jobs.files.batches import FilesBatches, JobFailure
from fieldpost_receiver.jobs.files.job import FilesJob
from fieldpost_receiver.runtime.free_space import FreeSpace
from fieldpost_receiver.telemetry.metrics import QueryState
from fieldpost_shared.codes import CODES, Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.protocol.status import ReceiverState

_LOG: Final = logging.getLogger(__name__)
_BACK_OFF_S: Final = (1.0, 60.0)
_LEDGER_FAILURES: Final = {
    Code.LEDGER_DAMAGED: "a batch could not use it; see the log",
}
# The broker has said why a task could not read: the code's own words are clearer than the library's.
_REFUSED_BY_BROKER: Final = frozenset({Code.SIGN_IN_REFUSED, Code.NO_SECURE_CONNECTION})


class JobSupervisor:
    """Used by the service's thread only."""

    def __init__(self, job: FilesJob, batches: FilesBatches, space: FreeSpace, *, once: bool) -> None:
        self._job = job
        self._batches = batches
        self._space = space
        self._once = once
        self._random = Random()  # noqa: S311 - jitter
        self._failures = 0
        self._failure = ""  # of the last batch, if none has succeeded since
        self._next_start = 0.0

    def step(self, now: float) -> None:
        """Start the batches when they are due.

        Raises:
            FieldpostError: a failure that a restart would not mend: STORAGE_FAILED, LEDGER_DAMAGED, or Spark is gone.
        """
        failure = self._batches.take_failure()
        if failure is not None:
            self._plan_restart(failure, now)
            self._judge(failure)
        if not self._batches.started and now >= self._next_start and not self.waits_for_space:
            self._batches.start()
            self._job.metrics.query(QueryState.RUNNING)
        elif self._batches.worked_lately:
            self._failures, self._failure = 0, ""

    @property
    def reasons(self) -> list[str]:
        """Why no files arrive now; nothing if they do."""
        if self._failure:
            return [f"the last batch failed: {self._failure}"]
        if not self._batches.alive:
            return ["no batches run"]
        return [waits] if (waits := self._batches.waiting_for_tasks) else []

    @property
    def waits_for_space(self) -> bool:
        """Whether nothing is started: the disk is full, and the next batch would fail again."""
        return self._space.state is ReceiverState.PAUSED and not self._once

    @property
    def ready(self) -> bool:
        """Whether batches run, everything was read, or nothing is read for want of space."""
        return self._batches.started or self.waits_for_space

    def is_healthy(self, now: float) -> bool:
        """Return whether Spark answers, everything was read, or the next start is not due.

        The duration of a batch does not count: a slow one would be interrupted and repeated for ever.
        """
        return self._batches.spark_answers or self._batches.finished or self.waits_for_space or now <= self._next_start

    def _plan_restart(self, failure: JobFailure, now: float) -> None:
        self._failures += 1
        low, high = _BACK_OFF_S
        delay = self._random.uniform(low, min(high, low * 2**self._failures))
        self._next_start = now + delay
        self._job.metrics.query(QueryState.RESTARTING)
        code = None if failure.cause is None else failure.cause.code
        self._failure = _reason(failure)
        _LOG.info("a batch failed; the next try is in %.0f s: %s", delay, self._failure, extra={"code": code})

    def _judge(self, failure: JobFailure) -> None:
        """Wait for space on a full disk, end the receiver on another fault of a disk, else let it try again."""
        cause = failure.cause
        if cause is not None and cause.code in _LEDGER_FAILURES:
            raise FieldpostError(cause.code, _LEDGER_FAILURES[cause.code])
        if cause is not None and cause.code is Code.RECEIVER_FULL and cause.errno == errno.ENOSPC:
            self._space.ran_out()
        elif cause is not None and cause.code in {Code.RECEIVER_FULL, Code.STORAGE_FAILED}:  # also a quota's limit
            raise FieldpostError(Code.STORAGE_FAILED, f"a task could not write: {cause.detail}")
        else:
            self._space.try_state_disk()  # Spark may have failed to write its temporary files


def _reason(failure: JobFailure) -> str:
    cause = failure.cause
    if cause is None:
        return failure.text[:500]
    if cause.code in _REFUSED_BY_BROKER:
        return f"{cause.code}: {CODES[cause.code].words.format(office='Kafka')}"
    return f"{cause.code}: {cause.detail}"
