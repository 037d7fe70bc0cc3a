# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The query's life as the service sees it: started, working, failed, finished, drained."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final

from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]  # it ships no types
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from fieldpost_receiver.jobs.files.ingest.batch_size import START_MEAN, new_mean
from fieldpost_receiver.jobs.files.ingest.rows import Row, RowKind
from fieldpost_receiver.jobs.files.ingest.spark_source import SourceOptions
from fieldpost_receiver.jobs.files.job import SCRATCH, Workshop, ledger_path
from fieldpost_receiver.jobs.files.ledger.store import MEAN_KEY
from fieldpost_receiver.spark import class_archive
from fieldpost_receiver.spark.session import GONE, QueryPlan, asking, failure_of, open_session, start, tasks_at_once
from fieldpost_receiver.spark.warm_up import warm_up
from fieldpost_shared.clock import Clock

_LOG: Final = logging.getLogger(__name__)
_LATELY_S: Final = 60.0


class Query:
    """One query at a time, on one session."""

    def __init__(self, shop: Workshop, checkpoint: Path, clock: Clock, *, once: bool) -> None:
        self._shop = shop
        self._clock = clock
        self._once = once
        self._checkpoint = checkpoint
        self._session: SparkSession | None = None
        self._query: StreamingQuery | None = None
        self._failed_start: str | None = None
        self._worked: float | None = None
        self.finished = False  # a run with --once read everything

    def start(self) -> None:
        """Start, or start again where the checkpoint says. What Spark could not do is a failure like any later one."""
        config, state = self._shop.config, self._shop.config.receiver.state_dir
        if self._session is None:
            with asking():
                self._session = open_session(
                    config.spark, state / SCRATCH, class_archive.options_for(state, config.spark)
                )
                warm_up(self._session)
        source = SourceOptions(
            dict(config.kafka_options),
            str(ledger_path(config)),
            str(config.receiver.destination),
            config.spark.max_batch_bytes,
            config.spark.max_batch_rows,
            tasks_at_once(self._session, config.spark.master),
        )
        plan = QueryPlan(source, self._checkpoint, round(config.spark.trigger * 1000), once=self._once)
        with asking():
            try:
                self._query = start(self._session, plan, self._take)
            except Py4JJavaError as error:  # it answers, so it is not gone: the disk may have filled up meanwhile
                self._failed_start = str(error)
                return
        _LOG.info("reading %s", config.kafka.files_topic)

    @property
    def started(self) -> bool:
        """Whether there is a query."""
        return self._query is not None or self.finished

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._query is not None and self._is_active(self._query)

    @property
    def worked_lately(self) -> bool:
        """Whether a batch went well in the last minute."""
        return self._worked is not None and self._clock.monotonic() - self._worked < _LATELY_S

    def take_failure(self) -> str | None:
        """Why it ended, once; None while it runs, or if it ended because it was finished."""
        query, self._failed_start, failed_start = self._query, None, self._failed_start
        if query is None or self._is_active(query):
            return failed_start
        self._query = None
        with asking():
            failure = failure_of(query)
        if not failure and self._once:
            self.finished = True
            return None
        return failure or "it was stopped"

    def drain(self, seconds: float, wait: Callable[[float], None]) -> None:
        """Let the running batch finish; the source plans no new one while the ledger says so.

        A signal to the whole process group ends Spark's JVM before us: then nothing runs any more.
        """
        query, tries = self._query, int(seconds / 0.1)
        try:
            while query is not None and tries > 0 and query.isActive and query.status.get("isTriggerActive"):
                wait(0.1)
                tries -= 1
            if query is not None and query.isActive:
                query.stop()
        except (PySparkException, *GONE) as error:
            _LOG.info("Spark did not stop in good order: %s", error)

    def close(self) -> None:
        """End Spark."""
        if self._session is not None:
            try:
                self._session.stop()
            except (PySparkException, *GONE) as error:
                _LOG.info("Spark did not stop in good order: %s", error)

    def _is_active(self, query: StreamingQuery) -> bool:
        with asking():
            return query.isActive

    def _take(self, rows: list[Row], number: int) -> None:
        """A micro-batch: ledger, then sealing, all before Spark commits it."""
        shop, began = self._shop, self._clock.monotonic()
        shop.batch.apply(rows)
        shop.upkeep.seal()
        self._remember_mean(rows)
        self._worked = self._clock.monotonic()
        shop.wake()  # something may be sealed, and there may be answers
        chunks = sum(row.kind is RowKind.CHUNK for row in rows)
        size = sum(row.payload for row in rows)
        shop.metrics.batch(rows=len(rows), chunks=chunks, size=size, seconds=self._worked - began)
        _LOG.debug("batch %d: %d rows, %d bytes", number, len(rows), size)

    def _remember_mean(self, rows: list[Row]) -> None:
        messages = {(row.partition, row.offset): row.payload for row in rows if row.kind is not RowKind.READ}
        if messages:
            known = float(self._shop.store.meta(MEAN_KEY) or START_MEAN)
            mean = new_mean(known, len(messages), sum(messages.values()))
            self._shop.store.set_meta(MEAN_KEY, f"{mean:.0f}")
