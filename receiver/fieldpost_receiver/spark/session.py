# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Spark as the receiver uses it: one session, one query, one action in each micro-batch."""

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from py4j.protocol import Py4JError  # type: ignore[import-untyped]  # it ships no types
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from fieldpost_receiver.config.receiver_toml import SparkSettings
from fieldpost_receiver.jobs.files.ingest.rows import Row, from_table
from fieldpost_receiver.jobs.files.ingest.spark_source import FieldpostSource, SourceOptions
from fieldpost_receiver.spark.worker_python import worker_python
from fieldpost_receiver.storage.errors import storing
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

_SETTINGS: Final = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.speculation": "false",  # two copies of a task would write the same file at once
    "spark.task.reaper.enabled": "true",  # a task that was given up must not go on writing
    "spark.sql.streaming.minBatchesToRetain": "10",
    "spark.sql.streaming.metricsEnabled": "false",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.shuffle.partitions": "1",
    "spark.log.level": "ERROR",  # what matters of it reaches our log as the query's failure
}
_JAVA_OPTIONS: Final = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xss512k -XX:MaxMetaspaceSize=200m"
# What Spark writes to the checkpoint has such a name until it is whole; its checksum lies beside it.
_UNFINISHED: Final = re.compile(r"\.{1,2}.+\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp(\.crc)?")


GONE: Final = (Py4JError, OSError)  # the JVM was killed, or ran out of memory


@contextmanager
def asking() -> Iterator[None]:
    """Spark's JVM cannot be started twice in a process, so its end is ours; the service manager starts us again."""
    try:
        yield
    except PySparkException as error:
        raise FieldpostError(Code.UNEXPECTED, f"Spark refuses: {str(error)[:500]}") from error
    except GONE as error:
        raise FieldpostError(Code.UNEXPECTED, "Spark's Java process is gone") from error


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """What the query is made of."""

    source: SourceOptions
    checkpoint: Path
    trigger_ms: int
    once: bool = False


def open_session(spark: SparkSettings, scratch: Path, classes: str = "") -> SparkSession:
    """The session; `classes` are the JVM's options about an archive of its classes, see `streaming_archive`.

    What Spark puts aside goes to `scratch`, which nobody else uses: in the system's folder for such things each
    killed receiver would leave some for ever.
    """
    shutil.rmtree(scratch, ignore_errors=True)
    with storing("use the state folder"):
        scratch.mkdir(parents=True, exist_ok=True)
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["PYSPARK_PYTHON"] = python_of_workers(spark.master, os.environ)
    builder = SparkSession.builder.appName("fieldpost-receiver").master(_with_retries(spark.master))
    for key, value in _SETTINGS.items():
        builder = builder.config(key, value)
    # Of an option that comes twice the JVM takes the last.
    options = (_JAVA_OPTIONS, f'"-Djava.io.tmpdir={scratch}"', classes, spark.java_options)
    builder = builder.config("spark.driver.extraJavaOptions", " ".join(filter(None, options)))
    builder = builder.config("spark.driver.memory", f"{spark.driver_memory // 1024**2}m")
    if spark.master.startswith("local"):
        builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
        builder = builder.config("spark.local.dir", str(scratch))  # elsewhere the executors' machines have their own
    else:
        builder = builder.config("spark.executor.memory", f"{spark.executor_memory // 1024**2}m")
    session = builder.getOrCreate()
    session.dataSource.register(FieldpostSource)
    return session


def java_program() -> str | None:
    """The Java that Spark starts; None if there is none."""
    home = os.environ.get("JAVA_HOME")
    return shutil.which(str(Path(home) / "bin" / "java") if home else "java")


def python_of_workers(master: str, environ: Mapping[str, str]) -> str:
    """This very Python: another one on PATH would not find our packages. On a cluster one may name another."""
    return worker_python() if master.startswith("local") else environ.get("PYSPARK_PYTHON") or sys.executable


def tasks_at_once(session: SparkSession, master: str) -> int:
    """How many run side by side; 0 on a cluster, whose executors come and go."""
    return session.sparkContext.defaultParallelism if master.startswith("local") else 0


def start(session: SparkSession, plan: QueryPlan, take: Callable[[list[Row], int], None]) -> StreamingQuery:
    """Start the query; `take` gets the rows of each micro-batch on the driver, in order, and again after a failure.

    Raises:
        StorageError: the checkpoint could not be tidied.
    """
    tidy(plan.checkpoint)

    def take_batch(frame: DataFrame, number: int) -> None:
        take(from_table(frame.toArrow()), number)  # the one action: a second would read Kafka again

    frame = session.readStream.format("fieldpost").options(**plan.source.as_options()).load()
    writer = frame.writeStream.queryName("files").option("checkpointLocation", str(plan.checkpoint))
    writer = writer.foreachBatch(take_batch)
    if plan.once:
        return writer.trigger(availableNow=True).start()
    return writer.trigger(processingTime=f"{plan.trigger_ms} milliseconds").start()


def tidy(checkpoint: Path) -> None:
    """Remove what Spark began to write and could not finish, on a full disk or when it was killed. No query may run.

    Spark leaves it there, and does not begin with its first batch, now or ever, beside anything at all.
    """
    with storing("tidy the checkpoint"):
        for path in list(checkpoint.rglob("*")):
            if _UNFINISHED.fullmatch(path.name):
                path.unlink(missing_ok=True)


def failure_of(query: StreamingQuery) -> str:
    """Why a query ended, in a line; "" if it did not fail."""
    try:
        error = query.exception()
    except PySparkException as failed:
        return str(failed)
    return "" if error is None else str(error)


def _with_retries(master: str) -> str:
    """`local[n]` alone never retries a task; `local[n,4]` does."""
    if master == "local":
        return "local[1,4]"
    if master.startswith("local[") and "," not in master:
        return f"{master[:-1]},4]"
    return master
