# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`status`: transfers, refused messages, lag and free space, also while the receiver runs."""

import argparse
import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Final

from fieldpost_receiver.commands.job_choice import add_job, job_named
from fieldpost_receiver.commands.ledger_reading import reading_ledger, report_missing_ledger
from fieldpost_receiver.commands.output import failure_text, file_count, print_error, print_json, print_line
from fieldpost_receiver.config.settings import JobConfig, ReceiverConfig
from fieldpost_receiver.jobs.files.ledger.outbox import Outbox
from fieldpost_receiver.jobs.files.ledger.quarantine import Quarantine
from fieldpost_receiver.jobs.files.ledger.reading_state import ReadingState
from fieldpost_receiver.jobs.files.ledger.states import TransferState
from fieldpost_receiver.jobs.files.ledger.transfers import Transfers
from fieldpost_receiver.kafka.cluster_offsets import ClusterOffsets, Offsets
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


@dataclass(frozen=True, slots=True)
class JobFigures:
    """All figures of a job; None where they are not known."""

    ledger: LedgerFigures
    lag: int | None
    free: int | None


_NONE: Final = LedgerFigures(
    transfers={}, quarantine={}, files=0, size=0, processed={}, asked_again=0, replies_waiting=0, paused=""
)


def status(config: ReceiverConfig, options: argparse.Namespace) -> int:
    """show transfers, refused messages, lag and space"""  # noqa: D403, D415 - stands in the list of commands
    jobs = [job_named(config, options.job)] if options.job else config.jobs
    found = {job.name: _look(job) for job in jobs}
    if options.json:
        each = {name: _as_data(look) for name, look in found.items()}
        print_json(next(iter(each.values())) if len(each) == 1 else {"jobs": each})
        return STOPPED
    for name, look in found.items():
        if len(found) > 1:
            print_line(f"Job {safe(name)}")
        for line in _lines(look):
            print_line(line)
    return STOPPED


def status_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `status`."""
    add_job(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")


def _look(job: JobConfig) -> JobFigures:
    with reading_ledger(job) as store:
        found = _read(store) if store is not None else _NONE
    if store is None:
        report_missing_ledger(job)
    return JobFigures(found, lag=_lag(job, found.processed), free=_free_bytes(job))


def _as_data(look: JobFigures) -> dict[str, object]:
    return {
        "transfers": look.ledger.transfers,
        "quarantine": look.ledger.quarantine,
        "lag_messages": look.lag,
        "bytes_published": look.ledger.size,
        "files_published": look.ledger.files,
        "free_bytes": look.free,
    }


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


def _lag(job: JobConfig, processed: dict[int, int]) -> int | None:
    """Return how many existing messages are not processed yet; None if the broker does not answer."""
    topic = job.kafka.files_topic
    try:
        with closing(ClusterOffsets(job.kafka, SystemClock())) as cluster:
            firsts, ends = _known(cluster.firsts([topic])[topic]), _known(cluster.ends([topic])[topic])
    except FieldpostError as error:
        print_error(failure_text(error, job.kafka.bootstrap_servers))
        return None
    return sum(max(0, ends[number] - max(first, processed.get(number, 0))) for number, first in firsts.items())


def _known(answer: Offsets | FieldpostError) -> Offsets:
    if isinstance(answer, FieldpostError):
        raise answer
    return answer


def _free_bytes(job: JobConfig) -> int | None:
    try:
        return storage_of(job.receiver).free_bytes()
    except StorageError as error:
        print_error(f"{job.receiver.destination}: {os.strerror(error.errno)}")
        return None


def _lines(look: JobFigures) -> Iterator[str]:
    found, lag, free = look.ledger, look.lag, look.free
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
