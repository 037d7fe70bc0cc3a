# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`status`: how it stands, also while the receiver runs."""

import argparse
import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

from fieldpost_receiver.commands.speaking import complain, failure_words, files_words, say, say_json
from fieldpost_receiver.commands.state import reading_ledger
from fieldpost_receiver.config.receiver_toml import ReceiverConfig
from fieldpost_receiver.jobs.files.ledger.outbox import Outbox, Quarantine
from fieldpost_receiver.jobs.files.ledger.states import TransferState
from fieldpost_receiver.jobs.files.ledger.store import PAUSED_KEY
from fieldpost_receiver.jobs.files.ledger.transfers import Transfers
from fieldpost_receiver.kafka.cluster_watch import TopicWatch
from fieldpost_receiver.runtime.exit_codes import STOPPED
from fieldpost_receiver.storage.destinations import storage_of
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_shared.database import Database
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.saying import safe, size_words


@dataclass(frozen=True, slots=True)
class Ledger:
    """What the ledger says, all at once: the broker may take its time, and nothing is held open meanwhile."""

    transfers: dict[str, int]
    quarantine: dict[str, int]
    files: int
    size: int
    processed: dict[int, int]
    asked_again: int
    letters: int
    paused: str


def status(config: ReceiverConfig, options: argparse.Namespace) -> int:
    """show transfers, refused messages, lag and space"""  # noqa: D403, D415 - stands in the list of commands
    with reading_ledger(config) as store:
        found = _read(store) if store is not None else Ledger({}, {}, 0, 0, {}, 0, 0, "")
    if store is None:
        complain(f"There is no ledger in {config.receiver.state_dir} yet: the receiver has not run.")
    lag, free = _lag(config, found.processed), _free_bytes(config)
    if options.json:
        say_json(
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
            say(line)
    return STOPPED


def status_options(parser: argparse.ArgumentParser) -> None:
    """What `status` takes."""
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")


def _read(store: Database) -> Ledger:
    transfers = Transfers(store)
    files, size = transfers.totals()
    return Ledger(
        transfers.counts(),
        Quarantine(store).counts(),
        files,
        size,
        transfers.processed(),
        sum(transfer.round > 0 for transfer in transfers.in_state(TransferState.RECEIVING)),
        Outbox(store).waiting(),
        store.meta(PAUSED_KEY) or "",
    )


def _lag(config: ReceiverConfig, processed: dict[int, int]) -> int | None:
    """Messages that were not processed yet and are still there; None if the broker does not tell."""
    try:
        with closing(TopicWatch(config.kafka)) as watch:
            marks = watch.watermarks()
    except FieldpostError as error:
        complain(failure_words(error, config.kafka.bootstrap_servers))
        return None
    return sum(max(0, end - max(first, processed.get(partition, 0))) for partition, (first, end) in marks.items())


def _free_bytes(config: ReceiverConfig) -> int | None:
    try:
        return storage_of(config.receiver).free_bytes()
    except StorageError as error:
        complain(f"{config.receiver.destination}: {os.strerror(error.errno)}")
        return None


def _lines(found: Ledger, lag: int | None, free: int | None) -> Iterator[str]:
    yield "Transfers"
    yield from _table({state: found.transfers[state] for state in TransferState if state in found.transfers})
    yield "Refused messages"
    yield from _table(dict(sorted(found.quarantine.items())))
    yield f"Published          {files_words(found.files)}, {size_words(found.size)}"
    yield f"Missing parts      {files_words(found.asked_again)} asked for again"
    yield f"Answers waiting    {found.letters:,}"
    yield f"Behind             {'not known: no answer from the broker' if lag is None else f'{lag:,} messages'}"
    yield f"Free space         {'not known' if free is None else size_words(free)}"
    if found.paused:
        yield f"Nothing is read    {safe(found.paused)}"


def _table(counts: dict[str, int]) -> Iterator[str]:
    yield from (f"  {safe(name):<16} {count:>8,}" for name, count in counts.items())
    if not counts:
        yield "  none"
