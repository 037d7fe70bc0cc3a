# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""One batch of a files job, as a plain Spark job.

1. tasks' lock taken (after a start or a failed batch: what no transfer needs is swept); ranges planned from the ledger
2. lock released for the tasks of this batch: they read, check, write in place, sync; their rows come back
3. rows to the ledger, with how far each partition is processed
4. tasks' lock taken: seal what is complete

The ledger is the only state: after a crash anywhere the next start plans anew from what it knows.
"""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol
from uuid import uuid4

from fieldpost_receiver.jobs.files.ingest.partition_reader import Range
from fieldpost_receiver.jobs.files.ingest.plan import BatchLimits, plan_shares
from fieldpost_receiver.jobs.files.ingest.rows import Row, RowKind, unpack_rows
from fieldpost_receiver.jobs.files.ingest.spark_task import BatchWork
from fieldpost_receiver.jobs.files.job import FilesJob
from fieldpost_receiver.spark.shared_session import RunsTasks
from fieldpost_receiver.storage.port import holders_text
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

_LOG: Final = logging.getLogger(__name__)
_LOOK_S: Final = 0.1  # at the tasks' lock
_TELL_S: Final = 1.0  # a wait for the tasks' lock is worth telling
_SLOW_LOCK_S: Final = 60.0
_REMEMBERED: Final = 20_000  # finished ids in the skip list: what may still be repeated in the topic

Offsets = Mapping[int, int]
Stopping = Callable[[], bool]


class TopicOffsets(Protocol):
    """Offsets of the files topic by partition; None while they are not known."""

    def marks(self) -> Offsets | None:
        """Return the end offsets as they were lately; asks neither network nor disk."""

    def firsts(self) -> Offsets | None:
        """Ask for the first offsets."""


class BatchRunner:
    """`run_batch` is called by one thread at a time, `due` by the scheduler's, the rest by any."""

    def __init__(self, job: FilesJob, topic: TopicOffsets, *, clock: Clock, once: bool) -> None:
        self._job = job
        self._topic = topic
        self._clock = clock
        self._once = once
        self._target: Offsets | None = None  # the end of a run with --once
        self._is_begun = False  # what an earlier run left is swept and sealed
        self._waits_since: float | None = None
        self._number = 0  # of the next batch, for the log
        self.processed: Offsets = job.reading.processed()  # the ledger's, without asking the disk

    def due(self) -> bool:
        """Return whether there is anything to read, or to clear up after a start or a failure."""
        if not self._is_begun:
            return True
        ends = self._ends()
        return ends is not None and self._is_behind(ends)

    @property
    def finished(self) -> bool:
        """Whether a run with --once has read everything."""
        return self._once and self._is_begun and self._target is not None and not self._is_behind(self._target)

    @property
    def waiting_for_tasks(self) -> str:
        """What the next batch waits for, in words; "" if it does not wait for the tasks of an earlier one."""
        since = self._waits_since
        if since is None or (seconds := self._clock.monotonic() - since) < _TELL_S:
            return ""
        held = holders_text(self._job.tasks_lock)
        return f"tasks of an earlier batch have not ended for {seconds:.0f} s (process ids: {held})"

    def run_batch(self, spark: RunsTasks, *, stopping: Stopping) -> None:
        """Run a batch, if there is anything to read; fails with an exception, after which the next one clears up."""
        was_begun, self._is_begun = self._is_begun, False
        if not was_begun and not self._seal(stopping, sweep=True):
            return
        self._run_batch(spark, stopping)
        self._is_begun = True

    def _ends(self) -> Offsets | None:
        """Return how far to read."""
        ends = self._target or self._topic.marks()
        if self._once:
            self._target = ends
        return ends

    def _is_behind(self, ends: Offsets) -> bool:
        return any(end > self.processed.get(partition, -1) for partition, end in ends.items())

    def _run_batch(self, spark: RunsTasks, stopping: Stopping) -> None:
        job, began, ends = self._job, self._clock.monotonic(), self._ends()
        if ends is None:
            return
        if not ends.keys() <= self.processed.keys():
            self._begin_partitions()
        if not self._is_behind(ends):
            return
        limits = BatchLimits(
            max_bytes=job.config.spark.max_batch_bytes,
            max_messages=job.config.spark.max_batch_rows,
            tasks=spark.slots,
        )
        skip = frozenset(job.transfers.not_to_write(_REMEMBERED))
        shares = plan_shares(self.processed, ends, mean=job.reading.mean_message_bytes(), limits=limits, skip=skip)
        if self._take_lock(stopping):
            rows = self._rows_of(spark, shares)
            job.take_batch(rows)
            self.processed = job.reading.processed()
            self._seal(stopping)
            self._report(rows, began)

    def _begin_partitions(self) -> None:
        """Record where reading begins in partitions that are seen for the first time."""
        firsts = self._topic.firsts()
        if firsts is None:
            raise FieldpostError(Code.NO_CONNECTION, "the first offsets of new partitions are not known")
        self._job.maintenance.begin_partitions(firsts)
        self.processed = self._job.reading.processed()

    def _rows_of(self, spark: RunsTasks, shares: Sequence[Sequence[Range]]) -> list[Row]:
        config = self._job.config
        work = BatchWork(
            kafka=dict(config.kafka_options), destination=str(config.receiver.destination), token=uuid4().hex
        )
        self._job.tasks_lock.release(work.token)
        return unpack_rows(spark.run_tasks(work, shares, job=config.name))

    def _seal(self, stopping: Stopping, *, sweep: bool = False) -> bool:
        """Seal what is complete when no task runs any more; return False if the service stops meanwhile."""
        if not self._take_lock(stopping):
            return False
        try:
            if sweep:
                self._job.sealing.sweep()
            self._job.sealing.seal()
        finally:
            self._job.tasks_lock.release()
        return True

    def _report(self, rows: list[Row], began: float) -> None:
        chunks = sum(row.kind is RowKind.CHUNK for row in rows)
        size = sum(row.payload for row in rows)
        self._job.metrics.batch(rows=len(rows), chunks=chunks, size=size, seconds=self._clock.monotonic() - began)
        _LOG.debug("batch %d: %d rows, %d bytes", self._number, len(rows), size)
        self._number += 1

    def _take_lock(self, stopping: Stopping) -> bool:
        """Wait until no task of this job runs; return False if the service stops meanwhile."""
        self._waits_since, told = self._clock.monotonic(), False
        try:
            while not self._job.tasks_lock.try_take():
                if stopping():
                    return False
                self._clock.wait(threading.Event(), _LOOK_S)
                if not told and self._clock.monotonic() - self._waits_since > _SLOW_LOCK_S:
                    told = True
                    _LOG.warning("%s", self.waiting_for_tasks)
        finally:
            self._waits_since = None
        return True
