# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A batch as one Spark job: a task for each share, and what the tasks yield back on the driver."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]  # it ships no types
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from fieldpost_receiver.spark.session import JVM_GONE, spark_gone

_POOL: Final = "spark.scheduler.pool"

Task = Callable[[Iterable[Any]], Iterator[bytes]]


class BatchFailed(Exception):
    """A task failed four times, or the batch was cancelled; the text is Spark's, with a task's own in it."""


def run_tasks(session: SparkSession, task: Task, shares: Sequence[object], *, job: str) -> list[bytes]:
    """Run `task` on each share side by side; return what all of them yielded. `job` names its group and fair pool.

    Group and pool count for the calling thread, so that the threads of several jobs do not disturb each other.

    Raises:
        BatchFailed: other tasks of the batch may still run.
        FieldpostError: UNEXPECTED: the JVM is gone.
    """
    context = session.sparkContext
    try:
        context.setJobGroup(job, f"a batch of {job}")
        context.setLocalProperty(_POOL, job)
        return context.parallelize(shares, len(shares)).mapPartitions(task).collect()
    except (Py4JJavaError, PySparkException) as error:
        raise BatchFailed(str(error)) from error
    except JVM_GONE as error:
        raise spark_gone() from error


def cancel_tasks(session: SparkSession, *, job: str) -> None:
    """Let the running batch of a job fail; its workers may hold their slots for some seconds more."""
    with suppress(PySparkException, *JVM_GONE):
        session.sparkContext.cancelJobGroup(job)
