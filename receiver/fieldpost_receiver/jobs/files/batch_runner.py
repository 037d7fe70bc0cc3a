# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""One batch of the files job after the other, each one a plain Spark job.

1. tasks' lock taken (after a start or a failed batch: what no transfer needs is swept); ranges planned from the ledger
2. lock released for the tasks of this batch: they read, check, write in place, sync; their rows come back
3. rows to the ledger, with how far each partition is processed
4. tasks' lock taken: seal what is complete

The ledger is the only state: after a crash anywhere the next start plans anew from what it knows.
"""

import logging
import threading
from collections.abc import Mapping, Sequence
from typing import Final, Protocol
from uuid import uuid4

from pyspark.sql import SparkSession

from fieldpost_receiver.jobs.files.ingest.partition_reader import Range
from fieldpost_receiver.jobs.files.ingest.plan import BatchLimits, plan_shares
from fieldpost_receiver.jobs.files.ingest.rows import Row, RowKind, unpack_rows
from fieldpost_receiver.jobs.files.ingest.spark_task import BatchWork
from fieldpost_receiver.jobs.files.job import FilesJob
from fieldpost_receiver.spark.run_batch import run_tasks
from fieldpost_shared.clock import Clock

JOB: Final = "files"
_LOG: Final = logging.getLogger(__name__)
_LOOK_S: Final = 0.1  # at the tasks' lock
_TELL_S: Final = 1.0  # a wait for the tasks' lock is worth telling
_SLOW_LOCK_S: Final = 60.0
_REMEMBERED: Final = 20_000  # finished ids in the skip list: what may still be repeated in the topic


class TopicOffsets(Protocol):
    """Offsets of the files topic by partition; None while the broker does not answer."""

    def firsts(self) -> Mapping[int, int] | None:
        """Return the first offset of each partition."""

    def ends(self) -> Mapping[int, int] | None:
        """Return the end offset of each partition."""


class BatchRunner:
    """Used by the batches' thread; its properties by others, too. `stop` ends every wait."""

    def __init__(self, job: FilesJob, topic: TopicOffsets, *, clock: Clock, stop: threading.Event, once: bool) -> None:
        self._job = job
        self._topic = topic
        self._clock = clock
        self._stop = stop
        self._once = once
        self._target: Mapping[int, int] | None = None  # the end of a run with --once
        self._waits_since: float | None = None
        self._number = 0  # of the next batch, for the log
        self.worked: float | None = None  # when a batch succeeded last, or there was nothing to read
        self.finished = False  # a run with --once has read everything

    @property
    def waiting_for_tasks(self) -> str:
        """What the next batch waits for, in words; "" if it does not wait for the tasks of an earlier one."""
        since = self._waits_since
        if since is None or (seconds := self._clock.monotonic() - since) < _TELL_S:
            return ""
        held = ", ".join(map(str, self._job.tasks_lock.holders())) or "not known"
        return f"tasks of an earlier batch have not ended for {seconds:.0f} s (process ids: {held})"

    def run(self, session: SparkSession, limits: BatchLimits) -> None:
        """Run batches until `stop` is set, everything is read (once), or one fails with an exception."""
        self._seal(sweep=True)  # what the last run completed
        while not self._stop.is_set():
            ends = self._next_ends()
            if ends is None or not self._run_batch(session, limits, ends):
                if self.finished:
                    return
                self._stop.wait(self._job.config.spark.trigger)

    def _next_ends(self) -> Mapping[int, int] | None:
        """Return how far the topic reaches now; None while nothing may be read, or the broker does not answer."""
        if self._job.reading.paused():
            return None
        ends = self._target or self._topic.ends()
        if self._once:
            self._target = ends
        if ends is not None and not ends.keys() <= self._job.reading.processed().keys():
            firsts = self._topic.firsts()
            if firsts is None:
                return None
            self._job.maintenance.begin_partitions(firsts)
        return ends

    def _run_batch(self, session: SparkSession, limits: BatchLimits, ends: Mapping[int, int]) -> bool:
        """Run one batch; return whether there was anything to read."""
        job, began = self._job, self._clock.monotonic()
        processed = job.reading.processed()
        if all(end <= processed.get(partition, 0) for partition, end in ends.items()):
            self.worked, self.finished = began, self._once
            return False
        skip = frozenset(job.transfers.not_to_write(_REMEMBERED))
        shares = plan_shares(processed, ends, mean=job.reading.mean_message_bytes(), limits=limits, skip=skip)
        if self._take_lock():
            rows = self._rows_of(session, shares)
            job.take_batch(rows)
            self._seal()
            self._report(rows, began)
        return True

    def _rows_of(self, session: SparkSession, shares: Sequence[Sequence[Range]]) -> list[Row]:
        config = self._job.config
        work = BatchWork(
            kafka=dict(config.kafka_options), destination=str(config.receiver.destination), token=uuid4().hex
        )
        self._job.tasks_lock.release(work.token)
        return unpack_rows(run_tasks(session, work, shares, job=JOB))

    def _seal(self, *, sweep: bool = False) -> None:
        """Seal what is complete when no task runs any more; not if the service stops meanwhile."""
        if not self._take_lock():
            return
        try:
            if sweep:
                self._job.sealing.sweep()
            self._job.sealing.seal()
        finally:
            self._job.tasks_lock.release()
        self._job.wake()  # files may be sealed, and replies may wait

    def _report(self, rows: list[Row], began: float) -> None:
        self.worked = self._clock.monotonic()
        chunks = sum(row.kind is RowKind.CHUNK for row in rows)
        size = sum(row.payload for row in rows)
        self._job.metrics.batch(rows=len(rows), chunks=chunks, size=size, seconds=self.worked - began)
        _LOG.debug("batch %d: %d rows, %d bytes", self._number, len(rows), size)
        self._number += 1

    def _take_lock(self) -> bool:
        """Wait until no task of this job runs; return False if the service stops meanwhile."""
        self._waits_since, told = self._clock.monotonic(), False
        try:
            while not self._job.tasks_lock.try_take():
                if self._stop.wait(_LOOK_S):
                    return False
                if not told and self._clock.monotonic() - self._waits_since > _SLOW_LOCK_S:
                    told = True
                    _LOG.warning("%s", self.waiting_for_tasks)
        finally:
            self._waits_since = None
        return True
