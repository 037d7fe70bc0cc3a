# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The Spark session: its settings, its scratch folder, and errors of Spark in the receiver's words."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from py4j.protocol import Py4JError  # type: ignore[import-untyped]  # it ships no types
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from fieldpost_receiver.config.settings import SparkSettings
from fieldpost_receiver.spark.cluster_access import STANDALONE, access_settings, join_standalone
from fieldpost_receiver.spark.worker_python import worker_python
from fieldpost_receiver.storage.errors import storing
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

JVM_GONE: Final = (Py4JError, OSError)  # the JVM was killed, or ran out of memory
_SETTINGS: Final = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.speculation": "false",  # two copies of a task would write the same file at once
    "spark.task.reaper.enabled": "true",  # a task that was given up must not go on writing
    "spark.scheduler.mode": "FAIR",  # a job with large batches leaves slots to the others
    "spark.driver.maxResultSize": "256m",  # far above the rows of any batch: a mistake is an error, not a dead JVM
    # Kept in memory although there is no page that shows them: the heap grew with every batch.
    "spark.ui.retainedJobs": "20",
    "spark.ui.retainedStages": "20",
    "spark.ui.retainedTasks": "20",
    "spark.sql.ui.retainedExecutions": "20",
    "spark.log.level": "ERROR",  # what matters of it reaches our log as the batch's failure
}
_ON_A_CLUSTER: Final = 16
_SOCKET_S: Final = "120"  # Python waits 15 s for the JVM otherwise, too little at a high load
_JAVA_OPTIONS: Final = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xss512k -XX:MaxMetaspaceSize=200m"


@contextmanager
def spark_errors() -> Iterator[None]:
    """Translate errors of Spark, which end this process: a second JVM cannot be started in it.

    Raises:
        FieldpostError: UNEXPECTED.
    """
    try:
        yield
    except PySparkException as error:
        raise FieldpostError(Code.UNEXPECTED, f"Spark refuses: {str(error)[:500]}") from error
    except JVM_GONE as error:
        raise spark_gone() from error


def spark_gone() -> FieldpostError:
    """Return the failure that ends the receiver, whatever its jobs do."""
    return FieldpostError(Code.UNEXPECTED, "Spark's Java process is gone")


def open_session(spark: SparkSettings, scratch: Path, *, archive_options: str = "") -> SparkSession:
    """Start Spark.

    `archive_options` are the JVM's options about an archive of its classes (`class_archive`). Spark's temporary files
    go to `scratch`, which is emptied first: in the system's own folder each killed receiver would leave some for ever.

    Raises:
        SettingsError: a cluster refuses its secret.
    """
    shutil.rmtree(scratch, ignore_errors=True)
    with storing("use the state folder"):
        scratch.mkdir(parents=True, exist_ok=True)
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_AUTH_SOCKET_TIMEOUT", _SOCKET_S)
    os.environ["PYSPARK_PYTHON"] = python_of_workers(spark.master, os.environ)
    settings = _settings(spark, scratch, archive_options)
    if spark.master.startswith(STANDALONE):
        join_standalone(spark, settings)
    builder = SparkSession.builder
    for key, value in settings.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def _settings(spark: SparkSettings, scratch: Path, archive_options: str) -> dict[str, str]:
    """Return all of Spark's settings; the JVM's command line shows them to every user of this machine."""
    # Of an option that comes twice the JVM takes the last.
    options = (_JAVA_OPTIONS, f'"-Djava.io.tmpdir={scratch}"', archive_options, spark.java_options)
    found = _SETTINGS | {
        "spark.app.name": "fieldpost-receiver",
        "spark.master": _with_retries(spark.master),
        "spark.driver.extraJavaOptions": " ".join(filter(None, options)),
        "spark.driver.memory": f"{spark.driver_memory // 1024**2}m",
    }
    if spark.on_cluster:
        found["spark.executor.memory"] = f"{spark.executor_memory // 1024**2}m"
    else:
        found |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
        found["spark.local.dir"] = str(scratch)  # elsewhere the executors' machines have their own
    return found | access_settings(spark)


def jvm_ended(session: SparkSession) -> bool:
    """Return whether Spark's Java process has ended; asks the system, not the JVM."""
    java: subprocess.Popen[bytes] | None = getattr(session.sparkContext._gateway, "proc", None)  # noqa: SLF001 - no other way
    return java is not None and java.poll() is not None


def python_of_workers(master: str, environ: Mapping[str, str]) -> str:
    """Return this very Python, which has our packages; on a cluster the environment may name another one."""
    return worker_python() if master.startswith("local") else environ.get("PYSPARK_PYTHON") or sys.executable


def tasks_at_once(session: SparkSession, spark: SparkSettings) -> int:
    """Return how many tasks run side by side; 0 on a cluster, whose executors come and go."""
    return 0 if spark.on_cluster else session.sparkContext.defaultParallelism


def slots_of(spark: SparkSettings) -> int:
    """Return how many tasks will run side by side, before Spark is started; many on a cluster."""
    if spark.on_cluster:
        return _ON_A_CLUSTER
    threads = spark.master.removeprefix("local").strip("[]").partition(",")[0] or "1"
    return (os.cpu_count() or 1) if threads == "*" else int(threads)


def _with_retries(master: str) -> str:
    """Return the master with 4 attempts a task: `local[n]` alone never retries, `local[n,4]` does."""
    if master == "local":
        return "local[1,4]"
    if master.startswith("local[") and "," not in master:
        return f"{master[:-1]},4]"
    return master
