# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The files topic as a Spark streaming source named `fieldpost`.

Planning runs in one long-lived Python process on the driver's machine, reading in the executors' workers. Both get only
the options, which travel in the plan: paths of files, never secrets. The planner reads the skip list, the pause and the
mean message size from the ledger. Failures leave both with a marker that the driver parses (`spark.task_failure`).
"""

import json
import logging
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadLimit,
    ReadMaxBytes,
    SupportsTriggerAvailableNow,
)
from pyspark.sql.types import StructType

from fieldpost_receiver.jobs.files.ingest import task
from fieldpost_receiver.jobs.files.ingest.batch_size import START_MEAN, plan, share_out
from fieldpost_receiver.jobs.files.ingest.partition_reader import Range
from fieldpost_receiver.jobs.files.ingest.rows import DDL, to_batch
from fieldpost_receiver.jobs.files.ledger.reading_state import ReadingState
from fieldpost_receiver.jobs.files.ledger.store import LedgerStore
from fieldpost_receiver.jobs.files.ledger.transfers import Transfers
from fieldpost_receiver.kafka.cluster_watch import TopicWatch
from fieldpost_receiver.spark.task_failure import marking_failures
from fieldpost_receiver.storage.destinations import storage_at
from fieldpost_shared.clock import SystemClock
from fieldpost_shared.codes import Code
from fieldpost_shared.crash_points import NoCrashPoints
from fieldpost_shared.database import open_for_reading
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.kafka.settings import KafkaSettings

_LOG: Final = logging.getLogger(__name__)
_REMEMBERED: Final = 20_000  # finished ids in the skip list: what may still be repeated in the topic
_VERSION: Final = 1
Offset = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOptions:
    """The options of the source, which Spark stores as texts."""

    kafka: dict[str, str]
    ledger: str
    destination: str
    max_batch_bytes: int
    max_batch_rows: int
    tasks: int  # at once, where that is known; 0: one for each partition

    def as_options(self) -> dict[str, str]:
        """Return the options for `readStream.options(**…)`."""
        return {
            "kafka": json.dumps(self.kafka),
            "ledger": self.ledger,
            "destination": self.destination,
            "maxbatchbytes": str(self.max_batch_bytes),
            "maxbatchrows": str(self.max_batch_rows),
            "tasks": str(self.tasks),
        }

    @classmethod
    def of(cls, options: Mapping[str, str]) -> "SourceOptions":
        """Return the options that Spark hands back."""
        return cls(
            kafka=json.loads(options["kafka"]),
            ledger=options["ledger"],
            destination=options["destination"],
            max_batch_bytes=int(options["maxbatchbytes"]),
            max_batch_rows=int(options["maxbatchrows"]),
            tasks=int(options["tasks"]),
        )


class FilesPartition(InputPartition):
    """The ranges of one task; travels pickled."""

    def __init__(self, ranges: Sequence[Range]) -> None:
        super().__init__(ranges)
        self.ranges = ranges


class FieldpostSource(DataSource):
    """`spark.readStream.format("fieldpost")`."""

    def __init__(self, options: MutableMapping[str, str]) -> None:
        super().__init__(options)
        self._options = SourceOptions.of(options)

    @classmethod
    def name(cls) -> str:
        """Return the format's name."""
        return "fieldpost"

    def schema(self) -> str:
        """Return the columns of a row; payload bytes never cross into the JVM."""
        return DDL

    def streamReader(self, schema: StructType) -> "FilesReader":  # noqa: N802, ARG002 - Spark's name and signature
        """Return the reader."""
        return FilesReader(self._options)


class FilesReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Plans micro-batches and reads their ranges."""

    def __init__(self, options: SourceOptions) -> None:
        self._options = options
        self._watch: TopicWatch | None = None
        self._target: dict[int, int] | None = None  # of a run that ends with what is there now

    # planning, on the driver

    def initialOffset(self) -> Offset:  # noqa: N802 - Spark's name
        """Return the oldest message of each partition."""
        with marking_failures():
            return _offset({partition: low for partition, (low, _) in self._topic().watermarks().items()})

    def getDefaultReadLimit(self) -> ReadLimit:  # noqa: N802 - Spark's name
        """Return a limit in bytes; `latestOffset` enforces it."""
        return ReadMaxBytes(self._options.max_batch_bytes)

    def latestOffset(self, start: Offset, limit: ReadLimit) -> Offset:  # noqa: N802 - Spark's name
        """Return how far the next batch reads: nowhere while the broker does not answer or the disk is full."""
        with marking_failures():
            return self._plan_end(start, limit)

    def _plan_end(self, start: Offset, limit: ReadLimit) -> Offset:
        known = _partitions(start)
        try:
            available = self._target or self._topic().ends()
        except FieldpostError as error:
            _LOG.info("the broker does not answer about the files topic: %s", error)
            return start
        with closing(open_for_reading(Path(self._options.ledger))) as connection:
            reading = ReadingState(LedgerStore(connection))
            if reading.paused():
                return start
            mean = reading.mean_message_bytes() or START_MEAN
        most = None if isinstance(limit, ReadAllAvailable) and self._target is None else self._most(mean)
        return _offset(known | plan(known, available, most))

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802 - Spark's name
        """Fix the end of a run with `--once`: what is there now."""
        with marking_failures():
            self._target = self._topic().ends()

    def reportLatestOffset(self) -> Offset | None:  # noqa: N802 - Spark's name
        """Return the ends of the topic, for the query's progress."""
        try:
            return _offset(self._topic().ends())
        except FieldpostError:
            return None

    def partitions(self, start: Offset, end: Offset) -> Sequence[FilesPartition]:
        """Return tasks for the partitions with new messages. A new partition is read from its beginning.

        Raises:
            MarkedFailure: LEDGER_FOREIGN: there are messages between the ledger's offsets and the checkpoint's.
        """
        before, after = _partitions(start), _partitions(end)
        with marking_failures(), closing(open_for_reading(Path(self._options.ledger))) as connection:
            store = LedgerStore(connection)
            self._refuse_to_skip(before, ReadingState(store).processed())
            skip = frozenset(Transfers(store).not_to_write(_REMEMBERED))
        ranges = [
            Range(partition, before.get(partition, 0), last, skip)
            for partition, last in sorted(after.items())
            if last > before.get(partition, 0)
        ]
        return [FilesPartition(some) for some in share_out(ranges, self._options.tasks)]

    def stop(self) -> None:
        """Close the connection when the query ends."""
        if self._watch is not None:
            self._watch.close()

    # reading, in a worker

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a task's ranges when their bytes are on disk."""
        assert isinstance(partition, FilesPartition)  # noqa: S101 - `partitions` returns no other
        with marking_failures(), storage_at(self._options.destination).open_writer() as staging:
            settings = KafkaSettings.parse(self._options.kafka)
            rows = list(task.run(settings, partition.ranges, staging, NoCrashPoints(), SystemClock()))
        yield to_batch(rows)

    def _most(self, mean: float) -> int:
        return max(1, min(self._options.max_batch_rows, int(self._options.max_batch_bytes / max(mean, 1.0))))

    def _refuse_to_skip(self, before: Mapping[int, int], processed: Mapping[int, int]) -> None:
        """Refuse an older copy of the ledger beside a newer checkpoint: the messages in between would never be read."""
        ahead = [partition for partition, offset in before.items() if offset > processed.get(partition, 0)]
        if not ahead:
            return
        marks = self._topic().watermarks()  # messages that retention deleted cannot be read anyway
        for partition in ahead:
            first, _ = marks.get(partition, (0, 0))
            if before[partition] > max(first, processed.get(partition, 0)):
                raise FieldpostError(Code.LEDGER_FOREIGN, "the ledger is older than the checkpoint")

    def _topic(self) -> TopicWatch:
        if self._watch is None:
            self._watch = TopicWatch(KafkaSettings.parse(self._options.kafka))
        return self._watch

    def __getstate__(self) -> SourceOptions:
        """Return only the options to the workers; a connection cannot be pickled."""
        return self._options

    def __setstate__(self, options: SourceOptions) -> None:
        self.__init__(options)  # type: ignore[misc]  # as if created there


def _offset(partitions: Mapping[int, int]) -> Offset:
    return {"v": _VERSION, "p": {str(partition): offset for partition, offset in sorted(partitions.items())}}


def _partitions(offset: Offset) -> dict[int, int]:
    return {int(partition): value for partition, value in offset["p"].items()}
