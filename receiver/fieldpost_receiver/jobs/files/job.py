# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Everything the receiver is made of, except Spark: put together once, for the service and for the commands."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fieldpost_receiver.config.receiver_toml import ReceiverConfig
from fieldpost_receiver.jobs.files.admission import Admission, Limits
from fieldpost_receiver.jobs.files.apply_batch import Batch, Parts
from fieldpost_receiver.jobs.files.completeness import Barriers, Offsets
from fieldpost_receiver.jobs.files.final_name import final_name
from fieldpost_receiver.jobs.files.ledger.outbox import Outbox, Quarantine
from fieldpost_receiver.jobs.files.ledger.store import LedgerStore
from fieldpost_receiver.jobs.files.ledger.transfers import Transfer, Transfers
from fieldpost_receiver.jobs.files.maintenance import Upkeep
from fieldpost_receiver.jobs.files.publish import Publisher, PublisherTools
from fieldpost_receiver.jobs.files.publish_pool import PublisherPool, wake_nothing
from fieldpost_receiver.jobs.files.replies import Answers
from fieldpost_receiver.runtime.free_space import Space, StateDisk
from fieldpost_receiver.storage.destinations import storage_of
from fieldpost_receiver.storage.port import Published, Segments, Staging
from fieldpost_receiver.telemetry.metrics import Metrics
from fieldpost_shared.clock import Clock
from fieldpost_shared.crash_points import CrashPoints

LEDGER: Final = "ledger.db"
COPY: Final = "ledger.copy.db"
CHECKPOINT: Final = "checkpoint"
SCRATCH: Final = "spark"  # what Spark puts aside while it runs


@dataclass(frozen=True, slots=True)
class Workshop:
    """The parts; `close` lets go of them."""

    config: ReceiverConfig
    store: LedgerStore
    transfers: Transfers
    outbox: Outbox
    quarantine: Quarantine
    answers: Answers
    staged: Staging
    destination: Published
    batch: Batch
    upkeep: Upkeep
    pool: PublisherPool
    space: Space
    metrics: Metrics
    wake: Callable[[], None]

    def close(self) -> None:
        """Publishers first: they use everything else."""
        self.pool.close()
        self.destination.close()
        self.staged.close()
        self.store.close()


def ledger_path(config: ReceiverConfig) -> Path:
    """Where the ledger lies."""
    return config.receiver.state_dir / LEDGER


def open_workshop(
    config: ReceiverConfig,
    clock: Clock,
    crash: CrashPoints,
    ends_of_topic: Callable[[], Offsets | None],
    wake: Callable[[], None] = wake_nothing,
) -> Workshop:
    """Open ledger and folders. `wake` is called when there is something to do before the next round.

    Raises:
        FieldpostError: the ledger is damaged, or the destination cannot be used.
    """
    receiver = config.receiver
    storage = storage_of(receiver)
    if not ledger_path(config).exists():
        storage.create()
    store = LedgerStore.open(ledger_path(config))
    transfers, outbox, quarantine = Transfers(store), Outbox(store), Quarantine(store)
    answers = Answers(receiver.name, outbox, clock)
    staged = storage.open_staging()
    destination = storage.open_published()
    admission = Admission(_limits(config), transfers)
    metrics = Metrics(receiver.name)
    barriers = Barriers(transfers, answers, clock)
    parts = Parts(store, transfers, quarantine, answers, barriers, admission, staged, clock, crash)
    publisher = Publisher(
        PublisherTools(
            store,
            transfers,
            answers,
            staged,
            destination,
            receiver.on_conflict,
            lambda transfer: _name(config, transfer),
            clock,
            crash,
            lambda done, seconds: metrics.published(size=done.size, seconds=seconds, duplicate=done.duplicate),
        )
    )
    return Workshop(
        config,
        store,
        transfers,
        outbox,
        quarantine,
        answers,
        staged,
        destination,
        Batch(parts, ends_of_topic),
        Upkeep(
            parts,
            staged,
            ends_of_topic,
            expire_s=receiver.expire_incomplete_after,
            keep_s=receiver.keep_finished,
            copy=receiver.state_dir / COPY,
        ),
        PublisherPool(transfers, publisher, receiver.publishers, wake),
        Space(store, staged, admission, StateDisk.of(receiver.state_dir, receiver.min_free_space)),
        metrics,
        wake,
    )


def _name(config: ReceiverConfig, transfer: Transfer) -> Segments:
    receiver = config.receiver
    return final_name(
        receiver.layout, receiver=receiver.name, client=transfer.client, path=transfer.path, at_ns=transfer.first_ns
    )


def _limits(config: ReceiverConfig) -> Limits:
    receiver = config.receiver
    return Limits(
        max_file_size=receiver.max_file_size,
        min_free_space=receiver.min_free_space,
        max_open_transfers=receiver.max_open_transfers,
        max_open_transfers_per_client=receiver.max_open_transfers_per_client,
        max_open_bytes=receiver.max_open_bytes,
        max_open_bytes_per_client=receiver.max_open_bytes_per_client,
    )
