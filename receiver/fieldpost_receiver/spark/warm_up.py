# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A source of nothing but its own numbers, read as ours is: it brings Spark to do once what every batch needs.

`warm_up` reads from it while the query is being planned, `streaming_archive` to see which classes that takes.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceStreamReader, InputPartition
from pyspark.sql.types import StructType

import fieldpost_receiver.jobs.files.ingest.spark_source  # noqa: F401 - the workers that read from here keep it for the batches
from fieldpost_receiver.spark.session import GONE

_TASKS: Final = "tasks"


def _rows_of(partition: InputPartition) -> Iterator[pa.RecordBatch]:
    yield pa.RecordBatch.from_arrays([pa.array([partition.value], pa.int32())], names=["number"])


class _Reader(DataSourceReader):
    def __init__(self, tasks: int) -> None:
        self._tasks = tasks

    def partitions(self) -> Sequence[InputPartition]:
        return [InputPartition(number) for number in range(self._tasks)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        return _rows_of(partition)


class _StreamReader(DataSourceStreamReader):
    """Has something new at each look."""

    def __init__(self, tasks: int) -> None:
        self._tasks = tasks
        self._looks = 0

    def initialOffset(self) -> dict[str, Any]:  # noqa: N802 - Spark's name
        return {"looks": 0}

    def latestOffset(self) -> dict[str, Any]:  # type: ignore[override]  # noqa: N802 - Spark's name, its simple form
        self._looks += 1
        return {"looks": self._looks}

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> list[InputPartition]:  # noqa: ARG002 - likewise
        return [InputPartition(number) for number in range(self._tasks)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        return _rows_of(partition)


class Rehearsal(DataSource):
    """`spark.read.format("fieldpost-rehearsal")`, and likewise `readStream`."""

    @classmethod
    def name(cls) -> str:
        """The format's name."""
        return "fieldpost-rehearsal"

    def schema(self) -> str:
        """The number of the task."""
        return "number int"

    def reader(self, schema: StructType) -> DataSourceReader:  # noqa: ARG002 - Spark's signature
        """One row for each task."""
        return _Reader(self._tasks())

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:  # noqa: N802, ARG002 - Spark's signature
        """One row for each task in every batch."""
        return _StreamReader(self._tasks())

    def _tasks(self) -> int:
        return int(self.options[_TASKS])


def warm_up(session: SparkSession) -> None:
    """Start the workers and load what every batch needs, while another thread plans the query. Waits for nothing.

    Spark starts a Python process for each kind of work with a source when it is first needed, one after the other: the
    first batch would take seconds longer. Whatever goes wrong here goes wrong there, too, and is told there.
    """
    session.dataSource.register(Rehearsal)

    def run() -> None:
        tasks = session.sparkContext.defaultParallelism
        with suppress(PySparkException, *GONE):
            session.read.format(Rehearsal.name()).option(_TASKS, tasks).load().toArrow()

    threading.Thread(target=run, name="warm-up", daemon=True).start()


def rehearse(session: SparkSession, checkpoint: str, batches: int) -> None:
    """Run a query like the receiver's for some batches."""
    session.dataSource.register(Rehearsal)
    numbers: list[int] = []
    frame = session.readStream.format(Rehearsal.name()).option(_TASKS, session.sparkContext.defaultParallelism).load()
    writer = frame.writeStream.option("checkpointLocation", checkpoint)
    query = writer.foreachBatch(lambda batch, _: numbers.append(batch.toArrow().num_rows)).start()
    while len(numbers) < batches:
        query.awaitTermination(1)
    query.stop()
