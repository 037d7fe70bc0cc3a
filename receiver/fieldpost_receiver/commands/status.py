# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`status`: transfers, refused messages, lag and free space, also while the receiver runs."""

import argparse
import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Final

from fieldpost_receiver.commands.ledger_reading import reading_ledger, report_missing_ledger
from fieldpost_receiver.commands.output import failure_text, file_count, print_error, print_json, print_line
from fieldpost_receiver.config.receiver_toml import ReceiverConfig
from fieldpost_receiver.jobs.files.ledger.outbox import Outbox
from fieldpost_receiver.jobs.files.ledger.quarantine import Quarantine
from fieldpost_receiver.jobs.files.ledger.reading_state import ReadingState
from fieldpost_receiver.jobs.files.ledger.states import TransferState
from fieldpost_receiver.jobs.files.ledger.transfers import Transfers
from fieldpost_receiver.kafka.cluster_watch import TopicWatch
from fieldpost_receiver.runtime.exit_codes import STOPPED
from fieldpost_receiver.storage.destinations import storage_of
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_shared.clock import SystemClock
from fieldpost_shared.database import Database
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.saying import safe, size_words


@dataclass(frozen=True, slots=True)
class LedgerFigures:
    """The figures of the ledger, read at once: the broker may take its time, and the ledger stays closed meanwhile."""

    transfers: dict[str, int]
    quarantine: dict[str, int]
    files: int
    size: int
    processed: dict[int, int]
    asked_again: int
    replies_waiting: int
    paused: str


_NONE: Final = LedgerFigures(
    transfers={}, quarantine={}, files=0, size=0, processed={}, asked_again=0, replies_waiting=0, paused=""
)


def status(config: ReceiverConfig, options: argparse.Namespace) -> int:
    """show transfers, refused messages, lag and space"""  # noqa: D403, D415 - stands in the list of commands
    with reading_ledger(config) as store:
        found = _read(store) if store is not None else _NONE
    if store is None:
        report_missing_ledger(config)
    lag, free = _lag(config, found.processed), _free_bytes(config)
    if options.json:
        print_json(
            {
                "transfers": found.transfers,
                "quarantine": found.quarantine,
                "lag_messages": lag,
                "bytes_published": found.size,
                "files_published": found.files,
                "free_bytes": free,
            }
        )
    else:
        for line in _lines(found, lag, free):
            print_line(line)
    return STOPPED


def status_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `status`."""
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")


def _read(store: Database) -> LedgerFigures:
    transfers, reading = Transfers(store), ReadingState(store)
    files, size = transfers.totals()
    return LedgerFigures(
        transfers=transfers.counts(),
        quarantine=Quarantine(store).counts(),
        files=files,
        size=size,
        processed=reading.processed(),
        asked_again=transfers.asked_again(),
        replies_waiting=Outbox(store).waiting(),
        paused=reading.paused(),
    )


def _lag(config: ReceiverConfig, processed: dict[int, int]) -> int | None:
    """Return how many existing messages are not processed yet; None if the broker does not answer."""
    try:
        with closing(TopicWatch(config.kafka, SystemClock())) as watch:
            marks = watch.watermarks()
    except FieldpostError as error:
        print_error(failure_text(error, config.kafka.bootstrap_servers))
        return None
    return sum(max(0, end - max(first, processed.get(partition, 0))) for partition, (first, end) in marks.items())


def _free_bytes(config: ReceiverConfig) -> int | None:
    try:
        return storage_of(config.receiver).free_bytes()
    except StorageError as error:
        print_error(f"{config.receiver.destination}: {os.strerror(error.errno)}")
        return None


def _lines(found: LedgerFigures, lag: int | None, free: int | None) -> Iterator[str]:
    yield "Transfers"
    yield from _table({state: found.transfers[state] for state in TransferState if state in found.transfers})
    yield "Refused messages"
    yield from _table(dict(sorted(found.quarantine.items())))
    yield f"Published          {file_count(found.files)}, {size_words(found.size)}"
    yield f"Missing parts      {file_count(found.asked_again)} asked for again"
    yield f"Answers waiting    {found.replies_waiting:,}"
    yield f"Behind             {'not known: no answer from the broker' if lag is None else f'{lag:,} messages'}"
    yield f"Free space         {'not known' if free is None else size_words(free)}"
    if found.paused:
        yield f"Nothing is read    {safe(found.paused)}"


def _table(counts: dict[str, int]) -> Iterator[str]:
    yield from (f"  {safe(name):<16} {count:>8,}" for name, count in counts.items())
    if not counts:
        yield "  none"
