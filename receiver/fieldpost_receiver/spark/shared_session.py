# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The one Spark session of the process, opened when the first job needs it. A second JVM cannot be started in it."""

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from fieldpost_receiver.config.settings import SparkSettings
from fieldpost_receiver.spark import class_archive
from fieldpost_receiver.spark.run_batch import Task, cancel_tasks, run_tasks
from fieldpost_receiver.spark.session import JVM_GONE, jvm_ended, open_session, spark_errors, spark_gone, tasks_at_once
from fieldpost_receiver.spark.warm_up import warm_up

_LOG: Final = logging.getLogger(__name__)
_ENDS_S: Final = 10.0  # for the warm-up after Spark was stopped


class RunsTasks(Protocol):
    """Where the tasks of a batch run."""

    @property
    def slots(self) -> int:
        """How many tasks run side by side; 0 on a cluster, whose executors come and go."""

    def run_tasks(self, task: Task, shares: Sequence[object], *, job: str) -> list[bytes]:
        """Run `task` on each share side by side; return what all of them yielded; see `run_batch.run_tasks`."""


@dataclass(frozen=True, slots=True)
class OneTask:
    """Runs one task at a time, for a job whose last batch failed: one that hangs keeps no slot from the others."""

    spark: RunsTasks
    slots: int = 1

    def run_tasks(self, task: Task, shares: Sequence[object], *, job: str) -> list[bytes]:
        """Run the tasks of a batch that was planned for one slot."""
        return self.spark.run_tasks(task, shares, job=job)


class SharedSession:
    """May be used from any thread. `modules` are what the workers load first."""

    def __init__(self, settings: SparkSettings, *, state_dir: Path, scratch: Path, modules: Sequence[str]) -> None:
        self._settings = settings
        self._state_dir = state_dir
        self._scratch = scratch
        self._modules = modules
        self._lock = threading.Lock()
        self._session: SparkSession | None = None
        self._warm_up: threading.Thread | None = None

    def open(self) -> None:
        """Start Spark, if it does not run.

        Raises:
            FieldpostError: UNEXPECTED: it does not start.
        """
        self._opened()

    @property
    def slots(self) -> int:
        """How many tasks run side by side; 0 on a cluster, whose executors come and go."""
        return tasks_at_once(self._opened(), self._settings)

    def run_tasks(self, task: Task, shares: Sequence[object], *, job: str) -> list[bytes]:
        """Run one batch of a job; see `run_batch.run_tasks`."""
        return run_tasks(self._opened(), task, shares, job=job)

    def cancel_tasks(self, *, job: str) -> None:
        """Let the running batch of a job fail; its workers may hold their slots for some seconds more."""
        if self._session is not None:
            cancel_tasks(self._session, job=job)

    def check(self) -> None:
        """Ask the system whether the JVM still runs.

        Raises:
            FieldpostError: UNEXPECTED: it has ended.
        """
        if self._session is not None and jvm_ended(self._session):
            raise spark_gone()

    @property
    def is_open(self) -> bool:
        """Whether Spark was started."""
        return self._session is not None

    @property
    def answers(self) -> bool:
        """Whether Spark runs and its Java process answers; one that hangs lets this wait.

        Raises:
            FieldpostError: UNEXPECTED: Spark is gone.
        """
        if self._session is None:
            return False
        with spark_errors():
            return not self._session.sparkContext._jsc.sc().isStopped()  # noqa: SLF001 - the cheapest question

    def close(self) -> None:
        """End Spark."""
        if self._session is not None:
            try:
                self._session.stop()
            except (PySparkException, *JVM_GONE) as error:
                _LOG.info("Spark did not stop in good order: %s", error)
        if self._warm_up is not None:
            self._warm_up.join(_ENDS_S)

    def _opened(self) -> SparkSession:
        with self._lock:
            if self._session is None:
                with spark_errors():
                    archive = class_archive.options_for(self._state_dir, self._settings)
                    self._session = open_session(self._settings, self._scratch, archive_options=archive)
                    self._warm_up = warm_up(self._session, self._modules)
            return self._session
