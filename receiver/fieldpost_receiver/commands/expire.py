# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`expire`: reject unfinished transfers whose senders have been silent for long."""

import argparse
from collections.abc import Sequence
from contextlib import closing

from fieldpost_receiver.commands import arguments
from fieldpost_receiver.commands.exclusive_state import exclusive_state, no_tasks
from fieldpost_receiver.commands.job_choice import add_job, chosen_job
from fieldpost_receiver.commands.ledger_reading import reading_ledger, report_missing_ledger
from fieldpost_receiver.commands.output import file_count, print_line, utc_text
from fieldpost_receiver.config.settings import DAY_S, JobConfig, ReceiverConfig
from fieldpost_receiver.jobs.files.job import FilesJob
from fieldpost_receiver.jobs.files.job_dir import JobDir
from fieldpost_receiver.jobs.files.ledger.transfers import Transfer, Transfers
from fieldpost_receiver.runtime.exit_codes import STOPPED
from fieldpost_shared.clock import NS_PER_S, Clock, SystemClock
from fieldpost_shared.crash_points import NoCrashPoints
from fieldpost_shared.saying import safe, size_words


def expire(config: ReceiverConfig, options: argparse.Namespace) -> int:
    """give up unfinished files of which nothing was heard for long"""  # noqa: D403, D415 - stands in the list
    job = chosen_job(config, options)
    return give_up(job, SystemClock(), options.older_than, dry_run=options.dry_run)


def expire_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `expire`."""
    add_job(parser)
    parser.add_argument(
        "--older-than",
        type=arguments.duration,
        metavar="TIME",
        help="give up what was silent for that long (default: expire_incomplete_after)",
    )
    parser.add_argument("--dry-run", action="store_true", help="only tell; works while the receiver runs")


def give_up(config: JobConfig, clock: Clock, older_than: float | None, *, dry_run: bool) -> int:
    """Reject transfers of a job, or list them, by a given clock."""
    limit = config.receiver.expire_incomplete_after
    silent = limit if older_than is None else older_than
    if not JobDir.of(config).ledger.exists():
        report_missing_ledger(config)
        return STOPPED
    if dry_run:
        with reading_ledger(config) as store:
            if store is not None:
                transfers = Transfers(store)
                due = _idle(transfers, clock, silent)
                _print("Would be given up", due)
                _print_soon(transfers, clock, limit, due)
        return STOPPED
    with exclusive_state(config), closing(_open_job(config, clock)) as job, no_tasks(job.tasks_lock, clock):
        due = _idle(job.transfers, clock, silent)
        for transfer in due:
            job.maintenance.expire(transfer)
        _print("Given up", due)
        if due:
            print_line("Their senders are told when the receiver runs again.")
        _print_soon(job.transfers, clock, limit, due)
    return STOPPED


def _open_job(config: JobConfig, clock: Clock) -> FilesJob:
    folder = JobDir.of(config)
    return FilesJob.open(
        config,
        ledger=folder.ledger,
        ledger_copy=folder.ledger_copy,
        clock=clock,
        crash=NoCrashPoints(),
        ends_of_topic=lambda: None,
    )


def _idle(transfers: Transfers, clock: Clock, seconds: float) -> list[Transfer]:
    return transfers.idle_since(clock.now_ns() - round(seconds * NS_PER_S))


def _print_soon(transfers: Transfers, clock: Clock, limit: float, due: Sequence[Transfer]) -> None:
    known = {transfer.id for transfer in due}
    soon = [transfer for transfer in _idle(transfers, clock, limit - DAY_S) if transfer.id not in known]
    _print("Expire within a day, unless something comes", soon)


def _print(title: str, transfers: Sequence[Transfer]) -> None:
    print_line(f"{title}: {file_count(len(transfers))}")
    for one in transfers:
        parts = f"{one.have:,} of {one.count:,} parts of {size_words(one.size)}"
        print_line(f"  {one.client}  {safe(one.path)}  {parts}, silent since {utc_text(one.last_ns)}")
