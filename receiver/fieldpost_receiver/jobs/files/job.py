# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The files job: its parts put together once, for the service and for the commands. Spark is not among them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from fieldpost_receiver.config.settings import JobConfig
from fieldpost_receiver.jobs.files.admission import Admission, Limits
from fieldpost_receiver.jobs.files.apply_batch import BatchApplier
from fieldpost_receiver.jobs.files.completeness import Completeness, Offsets
from fieldpost_receiver.jobs.files.context import JobContext
from fieldpost_receiver.jobs.files.final_name import final_name
from fieldpost_receiver.jobs.files.ingest.batch_size import START_MEAN, new_mean
from fieldpost_receiver.jobs.files.ingest.rows import Row, RowKind
from fieldpost_receiver.jobs.files.ledger.outbox import Outbox
from fieldpost_receiver.jobs.files.ledger.quarantine import Quarantine
from fieldpost_receiver.jobs.files.ledger.reading_state import ReadingState
from fieldpost_receiver.jobs.files.ledger.states import OPEN, TransferState
from fieldpost_receiver.jobs.files.ledger.store import LedgerStore
from fieldpost_receiver.jobs.files.ledger.transfers import Transfer, Transfers
from fieldpost_receiver.jobs.files.ledger_metrics import LedgerMetrics
from fieldpost_receiver.jobs.files.maintenance import Maintenance
from fieldpost_receiver.jobs.files.publish import Publisher, PublisherContext
from fieldpost_receiver.jobs.files.publish_pool import PublisherPool
from fieldpost_receiver.jobs.files.replies import Replies
from fieldpost_receiver.jobs.files.sealing import Sealing
from fieldpost_receiver.storage.destinations import storage_of
from fieldpost_receiver.storage.port import Published, Segments, Staging, TasksLock
from fieldpost_receiver.telemetry.metrics import JobMetrics, Metrics
from fieldpost_shared.clock import Clock
from fieldpost_shared.crash_points import CrashPoints

_UNPUBLISHED = (TransferState.COMPLETE, TransferState.SEALED, TransferState.INTENT)


def _no_op() -> None:
    """Do nothing, for callers that look for work by themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesJob:
    """The parts of the job, and the questions that the service asks about all of them."""

    config: JobConfig
    store: LedgerStore
    transfers: Transfers
    reading: ReadingState
    outbox: Outbox
    quarantine: Quarantine
    replies: Replies
    staged: Staging
    published: Published
    admission: Admission
    batch: BatchApplier
    sealing: Sealing
    tasks_lock: TasksLock
    maintenance: Maintenance
    publishers: PublisherPool
    metrics: JobMetrics
    ledger_metrics: LedgerMetrics
    wake: Callable[[], None]

    @classmethod
    def open(
        cls,
        config: JobConfig,
        *,
        ledger: Path,
        ledger_copy: Path,
        metrics: JobMetrics | None = None,
        clock: Clock,
        crash: CrashPoints,
        ends_of_topic: Callable[[], Offsets | None],
        wake: Callable[[], None] = _no_op,
    ) -> Self:
        """Open ledger and folders. `wake` is called when there is work before the service's next round.

        Without `metrics` they are counted for themselves.

        Raises:
            FieldpostError: the ledger is damaged, or the destination cannot be used.
        """
        metrics = metrics or JobMetrics(Metrics(config.receiver.name), config.name)
        storage = storage_of(config.receiver)
        if not ledger.exists():
            storage.create()
        store = LedgerStore.open(ledger)
        outbox, staged, published = Outbox(store), storage.open_staging(), storage.open_published()
        context = _context(config, store=store, outbox=outbox, staged=staged, clock=clock, crash=crash)
        publisher = _publisher(config, context, staged=staged, published=published, metrics=metrics)
        return cls(
            config=config,
            store=store,
            transfers=context.transfers,
            reading=context.reading,
            outbox=outbox,
            quarantine=context.quarantine,
            replies=context.replies,
            staged=staged,
            published=published,
            admission=context.admission,
            batch=BatchApplier(context, ends_of_topic),
            sealing=Sealing(context, staged),
            tasks_lock=storage.tasks_lock(),
            maintenance=_maintenance(config, context, ends_of_topic, ledger_copy),
            publishers=PublisherPool(context.transfers, publisher, config.receiver.publishers, wake),
            metrics=metrics,
            ledger_metrics=LedgerMetrics(
                metrics,
                transfers=context.transfers,
                reading=context.reading,
                quarantine=context.quarantine,
                replies=context.replies,
            ),
            wake=wake,
        )

    def take_batch(self, rows: Sequence[Row]) -> None:
        """Apply a batch to the ledger. What it completes is sealed when none of its tasks runs any more."""
        self.batch.apply(rows)
        self._update_mean(rows)

    @property
    def idle(self) -> bool:
        """Whether no file waits to be published."""
        return self.publishers.idle and not self.transfers.in_state(*_UNPUBLISHED, most=1)

    @property
    def quiet(self) -> bool:
        """Whether no transfer is unfinished."""
        return self.publishers.idle and not self.transfers.in_state(*OPEN, most=1)

    def close(self) -> None:
        """Close the publishers first, because they use everything else."""
        self.publishers.close()
        self.published.close()
        self.staged.close()
        self.store.close()

    def _update_mean(self, rows: Sequence[Row]) -> None:
        messages = {(row.partition, row.offset): row.payload for row in rows if row.kind is not RowKind.READ}
        if messages:
            known = self.reading.mean_message_bytes() or START_MEAN
            self.reading.set_mean_message_bytes(new_mean(known, len(messages), sum(messages.values())))


def _context(
    config: JobConfig,
    *,
    store: LedgerStore,
    outbox: Outbox,
    staged: Staging,
    clock: Clock,
    crash: CrashPoints,
) -> JobContext:
    transfers, quarantine = Transfers(store), Quarantine(store)
    replies = Replies(config.receiver.name, outbox, clock)
    return JobContext(
        store=store,
        transfers=transfers,
        reading=ReadingState(store),
        quarantine=quarantine,
        replies=replies,
        completeness=Completeness(transfers=transfers, quarantine=quarantine, replies=replies, clock=clock),
        admission=Admission(_limits(config), transfers),
        staged=staged,
        clock=clock,
        crash=crash,
    )


def _maintenance(
    config: JobConfig, context: JobContext, ends_of_topic: Callable[[], Offsets | None], ledger_copy: Path
) -> Maintenance:
    return Maintenance(
        context,
        ends_of_topic,
        expire_s=config.receiver.expire_incomplete_after,
        keep_s=config.receiver.keep_finished,
        ledger_copy=ledger_copy,
    )


def _publisher(
    config: JobConfig, context: JobContext, *, staged: Staging, published: Published, metrics: JobMetrics
) -> Publisher:
    receiver = config.receiver

    def name_of(transfer: Transfer) -> Segments:
        return final_name(
            receiver.layout, receiver=receiver.name, client=transfer.client, path=transfer.path, at_ns=transfer.first_ns
        )

    return Publisher(
        PublisherContext(
            store=context.store,
            transfers=context.transfers,
            replies=context.replies,
            staged=staged,
            published=published,
            policy=receiver.on_conflict,
            name_of=name_of,
            clock=context.clock,
            crash=context.crash,
            metrics=metrics,
        )
    )


def _limits(config: JobConfig) -> Limits:
    receiver = config.receiver
    return Limits(
        max_file_size=receiver.max_file_size,
        min_free_space=receiver.min_free_space,
        max_open_transfers=receiver.max_open_transfers,
        max_open_transfers_per_client=receiver.max_open_transfers_per_client,
        max_open_bytes=receiver.max_open_bytes,
        max_open_bytes_per_client=receiver.max_open_bytes_per_client,
    )
