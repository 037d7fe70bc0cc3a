# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The files topic as a Spark streaming source named `fieldpost`.

Planning runs in one long-lived Python process on the driver, reading in the executors' workers; both get nothing but
the options, which travel in the plan: paths of files, never secrets. What the driver knows (skip list, pause, mean
message size) is read from the ledger.
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
from fieldpost_receiver.jobs.files.ledger.store import MEAN_KEY, PAUSED_KEY, LedgerStore
from fieldpost_receiver.jobs.files.ledger.transfers import Transfers
from fieldpost_receiver.kafka.cluster_watch import TopicWatch
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


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """The options of the source, all of them texts."""

    kafka: dict[str, str]
    ledger: str
    destination: str
    max_batch_bytes: int
    max_batch_rows: int
    tasks: int  # at once, where that is known; 0: one for each partition

    def as_options(self) -> dict[str, str]:
        """For `readStream.options(**…)`."""
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
        """From what Spark hands back."""
        return cls(
            json.loads(options["kafka"]),
            options["ledger"],
            options["destination"],
            int(options["maxbatchbytes"]),
            int(options["maxbatchrows"]),
            int(options["tasks"]),
        )


class FilesPartition(InputPartition):
    """One task's work; travels pickled."""

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
        """The format's name."""
        return "fieldpost"

    def schema(self) -> str:
        """Metadata only; payload bytes never cross into the JVM."""
        return DDL

    def streamReader(self, schema: StructType) -> "FilesReader":  # noqa: N802, ARG002 - Spark's name and signature
        """The reader."""
        return FilesReader(self._options)


class FilesReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Plans micro-batches and reads their ranges."""

    def __init__(self, options: SourceOptions) -> None:
        self._options = options
        self._watch: TopicWatch | None = None
        self._target: dict[int, int] | None = None  # of a run that ends with what is there now

    # planning, on the driver

    def initialOffset(self) -> Offset:  # noqa: N802 - Spark's name
        """The oldest message of each partition."""
        return _offset({partition: low for partition, (low, _) in self._topic().watermarks().items()})

    def getDefaultReadLimit(self) -> ReadLimit:  # noqa: N802 - Spark's name
        """By bytes; enforced in `latestOffset`."""
        return ReadMaxBytes(self._options.max_batch_bytes)

    def latestOffset(self, start: Offset, limit: ReadLimit) -> Offset:  # noqa: N802 - Spark's name
        """How far the next batch reads. Nothing is new while the broker is away or the disk is full."""
        known = _partitions(start)
        try:
            available = self._target or self._topic().ends()
        except FieldpostError as error:
            _LOG.info("no answer about the topic: %s", error)
            return start
        with closing(open_for_reading(Path(self._options.ledger))) as connection:
            ledger = LedgerStore(connection)
            if ledger.meta(PAUSED_KEY):
                return start
            mean = float(ledger.meta(MEAN_KEY) or START_MEAN)
        most = None if isinstance(limit, ReadAllAvailable) and self._target is None else self._most(mean)
        return _offset(known | plan(known, available, most))

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802 - Spark's name
        """`--once` ends with what is there now."""
        self._target = self._topic().ends()

    def reportLatestOffset(self) -> Offset | None:  # noqa: N802 - Spark's name
        """For the query's progress."""
        try:
            return _offset(self._topic().ends())
        except FieldpostError:
            return None

    def partitions(self, start: Offset, end: Offset) -> Sequence[FilesPartition]:
        """Tasks for the partitions that have something new. New partitions begin at their beginning.

        Raises:
            FieldpostError: LEDGER_FOREIGN: messages lie between what the ledger knows and where the checkpoint begins.
        """
        before, after = _partitions(start), _partitions(end)
        with closing(open_for_reading(Path(self._options.ledger))) as connection:
            transfers = Transfers(LedgerStore(connection))
            self._refuse_to_skip(before, transfers.processed())
            skip = frozenset(transfers.not_to_write(_REMEMBERED))
        ranges = [
            Range(partition, before.get(partition, 0), last, skip)
            for partition, last in sorted(after.items())
            if last > before.get(partition, 0)
        ]
        return [FilesPartition(some) for some in share_out(ranges, self._options.tasks)]

    def stop(self) -> None:
        """The query ended."""
        if self._watch is not None:
            self._watch.close()

    # reading, in a worker

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The rows of a range, when its bytes are on disk."""
        settings = KafkaSettings.parse(self._options.kafka)
        assert isinstance(partition, FilesPartition)  # noqa: S101 - we planned no other
        with storage_at(self._options.destination).open_writer() as staging:
            rows = list(task.run(settings, partition.ranges, staging, NoCrashPoints(), SystemClock()))
        yield to_batch(rows)

    def _most(self, mean: float) -> int:
        return max(1, min(self._options.max_batch_rows, int(self._options.max_batch_bytes / max(mean, 1.0))))

    def _refuse_to_skip(self, before: Mapping[int, int], processed: Mapping[int, int]) -> None:
        """An older copy of the ledger beside a newer checkpoint: what came in between would never be read."""
        ahead = [partition for partition, offset in before.items() if offset > processed.get(partition, 0)]
        if not ahead:
            return
        marks = self._topic().watermarks()  # what retention took, nobody can read any more
        for partition in ahead:
            first, _ = marks.get(partition, (0, 0))
            if before[partition] > max(first, processed.get(partition, 0)):
                raise FieldpostError(Code.LEDGER_FOREIGN, "the ledger is older than the checkpoint")

    def _topic(self) -> TopicWatch:
        if self._watch is None:
            self._watch = TopicWatch(KafkaSettings.parse(self._options.kafka))
        return self._watch

    def __getstate__(self) -> SourceOptions:
        """Only the options travel to the workers; a connection cannot."""
        return self._options

    def __setstate__(self, options: SourceOptions) -> None:
        self.__init__(options)  # type: ignore[misc]  # as if made there


def _offset(partitions: Mapping[int, int]) -> Offset:
    return {"v": _VERSION, "p": {str(partition): offset for partition, offset in sorted(partitions.items())}}


def _partitions(offset: Offset) -> dict[int, int]:
    return {int(partition): value for partition, value in offset["p"].items()}
