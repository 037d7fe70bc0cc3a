# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Ask the executors of a cluster something before a run: a session of its own, a few tiny tasks, answers by machine."""

import pickle
import socket
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pyspark.sql import SparkSession

from fieldpost_receiver.config.settings import SparkSettings
from fieldpost_receiver.spark.run_batch import BatchFailed, cancel_tasks, run_tasks
from fieldpost_receiver.spark.session import open_session, spark_errors
from fieldpost_receiver.spark.task_failure import marking_failures, parse
from fieldpost_shared.errors import FieldpostError

_JOB: Final = "check"
_TASKS_A_SLOT: Final = 4  # so that a task runs in every executor that is there, however quick they are
_LEAST_TASKS: Final = 8

Question = Callable[[], str]


class ExecutorsSilent(Exception):
    """No executor took a task in time."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a task does; travels pickled."""

    question: Question

    def __call__(self, shares: Iterable[object]) -> Iterator[bytes]:
        for _ in shares:
            with marking_failures():
                yield pickle.dumps((socket.gethostname(), self.question()))


class Executors:
    """The executors of an open session."""

    def __init__(self, session: SparkSession) -> None:
        self._session = session

    def ask(self, question: Question, *, seconds: float) -> dict[str, set[str]]:
        """Return what the tasks answered, by the name of their machine.

        Raises:
            ExecutorsSilent: there was no answer within this time.
            FieldpostError: a task failed with a code.
            BatchFailed: a task failed otherwise, for example for want of our package.
        """
        tasks = max(_LEAST_TASKS, _TASKS_A_SLOT * self._session.sparkContext.defaultParallelism)
        late = threading.Event()

        def give_up() -> None:
            late.set()
            cancel_tasks(self._session, job=_JOB)

        timer = threading.Timer(seconds, give_up)
        timer.start()
        try:
            found = run_tasks(self._session, _Asked(question), list(range(tasks)), job=_JOB)
        except BatchFailed as error:
            if late.is_set():
                raise ExecutorsSilent from error
            failure = parse(str(error))
            if failure is not None:
                raise FieldpostError(failure.code, failure.detail) from error
            raise
        finally:
            timer.cancel()
        answers: dict[str, set[str]] = {}
        for machine, answer in map(pickle.loads, found):
            answers.setdefault(machine, set()).add(answer)
        return answers


@contextmanager
def open_executors(spark: SparkSettings) -> Iterator[Executors]:
    """Open a session beside that of a running receiver, and end it.

    Raises:
        FieldpostError: Spark does not start, or the cluster refuses.
    """
    with tempfile.TemporaryDirectory() as scratch, spark_errors():
        session = open_session(spark, Path(scratch) / "spark")
        try:
            yield Executors(session)
        finally:
            session.stop()
