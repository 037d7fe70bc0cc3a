# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Make Spark do once what every batch needs, by reading a source that yields nothing but the numbers of its tasks.

`warm_up` reads it while the query is being planned, `class_archive` to find out which classes a batch loads.
"""

import importlib
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceStreamReader, InputPartition
from pyspark.sql.types import StructType

from fieldpost_receiver.spark.session import JVM_GONE

_FORMAT: Final = "fieldpost-warm-up"
_TASKS: Final = "tasks"
_MODULES: Final = "modules"


def _rows_of(partition: InputPartition) -> Iterator[pa.RecordBatch]:
    yield pa.RecordBatch.from_arrays([pa.array([partition.value], pa.int32())], names=["number"])


def _import_all(modules: Sequence[str]) -> None:
    """Load modules in this process, which Spark keeps for the batches."""
    for module in modules:
        importlib.import_module(module)


class _Reader(DataSourceReader):
    def __init__(self, tasks: int, modules: Sequence[str]) -> None:
        self._tasks = tasks
        self._modules = modules

    def partitions(self) -> Sequence[InputPartition]:
        return [InputPartition(number) for number in range(self._tasks)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        _import_all(self._modules)
        return _rows_of(partition)


class _StreamReader(DataSourceStreamReader):
    """Reports a new offset whenever Spark asks for the latest one."""

    def __init__(self, tasks: int) -> None:
        self._tasks = tasks
        self._polls = 0

    def initialOffset(self) -> dict[str, Any]:  # noqa: N802 - Spark's name
        return {"polls": 0}

    def latestOffset(self) -> dict[str, Any]:  # type: ignore[override]  # noqa: N802 - Spark's name, its simple form
        self._polls += 1
        return {"polls": self._polls}

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> list[InputPartition]:  # noqa: ARG002 - likewise
        return [InputPartition(number) for number in range(self._tasks)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        return _rows_of(partition)


class WarmUpSource(DataSource):
    """`spark.read.format("fieldpost-warm-up")`, and likewise `readStream`."""

    @classmethod
    def name(cls) -> str:
        """Return the format's name."""
        return _FORMAT

    def schema(self) -> str:
        """Return the one column: the number of the task."""
        return "number int"

    def reader(self, schema: StructType) -> DataSourceReader:  # noqa: ARG002 - Spark's signature
        """Return a reader of one row for each task."""
        modules = [name for name in self.options.get(_MODULES, "").split(",") if name]
        _import_all(modules)
        return _Reader(self._tasks(), modules)

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:  # noqa: N802, ARG002 - Spark's signature
        """Return a reader of one row for each task in every batch."""
        return _StreamReader(self._tasks())

    def _tasks(self) -> int:
        return int(self.options[_TASKS])


def warm_up(session: SparkSession, modules: Sequence[str]) -> threading.Thread:
    """Start the workers and import these modules in them, while another thread plans the query. Wait for nothing.

    Spark starts a Python process for each kind of work with a source when it is first needed, one after the other: the
    first batch would take seconds longer. An error here also happens in the first batch, and is reported there.

    Return the thread, to be joined after the session was stopped: a process that ends while a thread waits in pyarrow
    is aborted, because pyarrow gives back the interpreter's lock when the thread is already being unwound.
    """
    session.dataSource.register(WarmUpSource)

    def run() -> None:
        options = {_TASKS: str(session.sparkContext.defaultParallelism), _MODULES: ",".join(modules)}
        with suppress(PySparkException, *JVM_GONE):
            session.read.format(_FORMAT).options(**options).load().toArrow()

    thread = threading.Thread(target=run, name="warm-up", daemon=True)
    thread.start()
    return thread


def run_batches(session: SparkSession, checkpoint: str, batches: int) -> None:
    """Run a query like a job's for some batches."""
    session.dataSource.register(WarmUpSource)
    numbers: list[int] = []
    frame = session.readStream.format(_FORMAT).option(_TASKS, session.sparkContext.defaultParallelism).load()
    writer = frame.writeStream.option("checkpointLocation", checkpoint)
    query = writer.foreachBatch(lambda batch, _: numbers.append(batch.toArrow().num_rows)).start()
    while len(numbers) < batches:
        query.awaitTermination(1)
    query.stop()
