# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What every kind of job is to the service that runs it: batches that come due, and work of its own between them.

A job's own thread opens it, calls `step` and everything below it, and closes it. The scheduler's thread asks `due`,
and a driver thread runs `run_batch`; there is one batch of a job at a time.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from fieldpost_receiver.kafka.clusters import Cluster
from fieldpost_receiver.spark import task_failure
from fieldpost_receiver.spark.shared_session import RunsTasks
from fieldpost_receiver.spark.task_failure import TaskFailure
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_receiver.telemetry.metrics import JobMetrics
from fieldpost_shared.clock import Clock
from fieldpost_shared.crash_points import CrashPoints
from fieldpost_shared.errors import FieldpostError


@dataclass(frozen=True, slots=True, kw_only=True)
class JobServices:
    """What the service gives to each job."""

    cluster: Cluster
    metrics: JobMetrics
    clock: Clock
    crash: CrashPoints
    wake: Callable[[], None]  # begin the next `step` early
    once: bool  # end when everything that is there now is done


@dataclass(frozen=True, slots=True)
class BatchFailure:
    """Why a batch failed: a text, and the failure with a code that it carries, if any."""

    text: str
    cause: TaskFailure | None = None

    @classmethod
    def of(cls, error: Exception) -> "BatchFailure":
        """Return the failure of a batch that ended with this error on the driver, or in Spark."""
        if isinstance(error, FieldpostError):
            number = error.errno if isinstance(error, StorageError) else None
            return cls(str(error), TaskFailure(error.code, error.detail, number))
        text = str(error) or type(error).__name__
        return cls(text, task_failure.parse(text))


class Job(Protocol):
    """A job that is open."""

    @property
    def reading(self) -> str:
        """What it reads, for the log."""

    def due(self) -> bool:
        """Return whether a batch has something to do; asks neither network nor disk."""

    def run_batch(self, spark: RunsTasks, *, stopping: Callable[[], bool]) -> None:
        """Plan a batch, run it and take its rows; give up waiting when `stopping`.

        Raises:
            Exception: the batch failed; it is planned anew after a pause.
        """

    def judge(self, failure: BatchFailure) -> None:
        """Draw the conclusions of a failed batch.

        Raises:
            FieldpostError: trying again would not mend it.
        """

    def step(self, now: float) -> float:
        """Do what is due between batches; return for how many seconds there is nothing to do.

        Raises:
            FieldpostError: the job cannot go on.
        """

    @property
    def waits(self) -> bool:
        """Whether it does not read now by its own decision, for want of space."""

    @property
    def reasons(self) -> list[str]:
        """Why nothing arrives although no batch has failed; nothing if it does."""

    @property
    def summary(self) -> str:
        """One line for people; asks neither network nor disk, because the service's thread wants it."""

    @property
    def finished(self) -> bool:
        """Whether everything that was there at the start of a run with --once is done."""

    def stop_reading(self) -> None:
        """Tell its senders that it is being stopped; the last batch may still run."""

    def finish(self) -> None:
        """Send the last replies, when no batch runs any more."""

    def close(self) -> None:
        """Release everything."""
