# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The streaming query of the files job, from its start to its end: running, failed, finished or drained."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Final

import pyarrow as pa
from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]  # it ships no types
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from fieldpost_receiver.jobs.files.ingest import spark_source
from fieldpost_receiver.jobs.files.ingest.rows import RowKind, from_table
from fieldpost_receiver.jobs.files.ingest.spark_source import FieldpostSource, SourceOptions
from fieldpost_receiver.jobs.files.job import FilesJob
from fieldpost_receiver.spark import class_archive, task_failure
from fieldpost_receiver.spark.session import JVM_GONE, open_session, spark_errors, tasks_at_once
from fieldpost_receiver.spark.streaming_query import QueryPlan, failure_of, start_query
from fieldpost_receiver.spark.task_failure import TaskFailure
from fieldpost_receiver.spark.warm_up import warm_up
from fieldpost_shared.clock import Clock

_LOG: Final = logging.getLogger(__name__)
_NAME: Final = "files"
_LATELY_S: Final = 60.0
_WARM_UP_END_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class QueryFailure:
    """Why a query ended: Spark's text, and the failure with a code that it carries, if any."""

    text: str
    cause: TaskFailure | None

    @classmethod
    def of(cls, text: str) -> "QueryFailure":
        """Parse Spark's text."""
        return cls(text, task_failure.parse(text))


class FilesQuery:
    """One query at a time, on one session that is opened with the first query."""

    def __init__(
        self, job: FilesJob, *, checkpoint: Path, scratch: Path, state_dir: Path, clock: Clock, once: bool
    ) -> None:
        self._job = job
        self._checkpoint = checkpoint
        self._scratch = scratch
        self._state_dir = state_dir
        self._clock = clock
        self._once = once
        self._session: SparkSession | None = None
        self._warm_up: Thread | None = None
        self._query: StreamingQuery | None = None
        self._failed_start: QueryFailure | None = None
        self._worked: float | None = None
        self.finished = False  # a run with --once has read everything

    def start(self) -> None:
        """Start at the checkpoint. A start that fails is reported like a later failure."""
        session, config = self._open_session(), self._job.config
        source = SourceOptions(
            kafka=dict(config.kafka_options),
            ledger=str(self._job.ledger),
            destination=str(config.receiver.destination),
            max_batch_bytes=config.spark.max_batch_bytes,
            max_batch_rows=config.spark.max_batch_rows,
            tasks=tasks_at_once(session, config.spark.master),
        )
        plan = QueryPlan(
            name=_NAME,
            source=FieldpostSource.name(),
            options=source.as_options(),
            checkpoint=self._checkpoint,
            trigger_ms=round(config.spark.trigger * 1000),
            once=self._once,
        )
        with spark_errors():
            try:
                self._query = start_query(session, plan, self._take)
            except Py4JJavaError as error:  # the JVM answers, so it is not gone: the disk may be full
                self._failed_start = QueryFailure.of(str(error))
                return
        _LOG.info("reading %s", config.kafka.files_topic)

    @property
    def started(self) -> bool:
        """Whether a query runs or has finished."""
        return self._query is not None or self.finished

    @property
    def alive(self) -> bool:
        """Whether a query runs."""
        return self._query is not None and self._is_active(self._query)

    @property
    def worked_lately(self) -> bool:
        """Whether a batch succeeded in the last minute."""
        return self._worked is not None and self._clock.monotonic() - self._worked < _LATELY_S

    def take_failure(self) -> QueryFailure | None:
        """Return once why the query ended; None while it runs, or if it has finished."""
        query, self._failed_start, failed_start = self._query, None, self._failed_start
        if query is None or self._is_active(query):
            return failed_start
        self._query = None
        with spark_errors():
            text = failure_of(query)
        if not text and self._once:
            self.finished = True
            return None
        return QueryFailure.of(text or "it was stopped")

    def drain(self, seconds: float, wait: Callable[[float], None]) -> None:
        """Let the running batch finish; the planner plans no new one while the ledger says that reading is paused.

        A signal to the whole process group ends Spark's JVM before this process: then no batch runs any more.
        """
        query, tries = self._query, int(seconds / 0.1)
        try:
            while query is not None and tries > 0 and query.isActive and query.status.get("isTriggerActive"):
                wait(0.1)
                tries -= 1
            if query is not None and query.isActive:
                query.stop()
        except (PySparkException, *JVM_GONE) as error:
            _LOG.info("Spark did not stop in good order: %s", error)

    def close(self) -> None:
        """End Spark."""
        if self._session is not None:
            try:
                self._session.stop()
            except (PySparkException, *JVM_GONE) as error:
                _LOG.info("Spark did not stop in good order: %s", error)
        if self._warm_up is not None:
            self._warm_up.join(_WARM_UP_END_S)

    def _open_session(self) -> SparkSession:
        if self._session is None:
            spark = self._job.config.spark
            with spark_errors():
                self._session = open_session(
                    spark,
                    self._scratch,
                    archive_options=class_archive.options_for(self._state_dir, spark),
                    sources=[FieldpostSource],
                )
                self._warm_up = warm_up(self._session, [spark_source.__name__])
        return self._session

    def _is_active(self, query: StreamingQuery) -> bool:
        with spark_errors():
            return query.isActive

    def _take(self, table: pa.Table, number: int) -> None:
        rows, began = from_table(table), self._clock.monotonic()
        self._job.take_batch(rows)
        self._worked = self._clock.monotonic()
        chunks = sum(row.kind is RowKind.CHUNK for row in rows)
        size = sum(row.payload for row in rows)
        self._job.metrics.batch(rows=len(rows), chunks=chunks, size=size, seconds=self._worked - began)
        _LOG.debug("batch %d: %d rows, %d bytes", number, len(rows), size)
