# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`files`: list published files, for the office."""

import argparse
import csv
import sys
from collections.abc import Iterator

from fieldpost_receiver.commands import arguments
from fieldpost_receiver.commands.job_choice import add_job, chosen_job
from fieldpost_receiver.commands.ledger_reading import reading_ledger, report_missing_ledger
from fieldpost_receiver.commands.output import file_count, print_line, utc_text
from fieldpost_receiver.config.settings import ReceiverConfig
from fieldpost_receiver.jobs.files.ledger.transfers import Transfer, Transfers
from fieldpost_receiver.runtime.exit_codes import STOPPED
from fieldpost_shared.clock import SystemClock
from fieldpost_shared.saying import safe, size_words

_COLUMNS = ("published_at", "client", "name", "size", "sha256", "renamed", "duplicate", "transfer")
_FORMULA = ("=", "+", "-", "@")  # what a spreadsheet would compute


def files(config: ReceiverConfig, options: argparse.Namespace) -> int:
    """list what arrived"""  # noqa: D403, D415 - stands in the list of commands
    job = chosen_job(config, options)
    with reading_ledger(job) as store:
        if store is None:
            report_missing_ledger(job)
            found: Iterator[Transfer] = iter(())
        else:
            since_ns = options.since.at(SystemClock().now_ns())
            found = Transfers(store).each_published(since_ns=since_ns, client=options.client)
        (_as_csv if options.csv else _as_lines)(found)
    return STOPPED


def files_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `files`."""
    add_job(parser)
    add_since(parser)
    parser.add_argument("--client", default="", metavar="NAME", help="only what this client sent")
    parser.add_argument("--csv", action="store_true", help="comma-separated, with a line of headings")


def add_since(parser: argparse.ArgumentParser) -> None:
    """Add the option that selects files by time."""
    parser.add_argument(
        "--since",
        type=arguments.since,
        default=arguments.Since(),
        metavar="WHEN",
        help="only what was published since a date (2026-01-31, UTC) or within a time (7d)",
    )


def _as_lines(found: Iterator[Transfer]) -> None:
    count = size = 0
    for one in found:
        count, size = count + 1, size + one.size
        notes = [word for word, applies in (("renamed", one.renamed), ("duplicate", one.duplicate)) if applies]
        note = f"  ({', '.join(notes)})" if notes else ""
        when = utc_text(one.ended_ns or 0)
        print_line(f"{when}  {one.client:<16}  {size_words(one.size):>8}  {one.sha256}  {safe(one.name)}{note}")
    print_line(f"{file_count(count)}, {size_words(size)}")


def _as_csv(found: Iterator[Transfer]) -> None:
    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(_COLUMNS)
    for one in found:
        # The same file, but no formula: this list is opened in spreadsheets, and names come from strangers.
        name = f"./{one.name}" if one.name.startswith(_FORMULA) else one.name
        flags = ("yes" if one.renamed else "no", "yes" if one.duplicate else "no")
        rows.writerow((utc_text(one.ended_ns or 0), one.client, name, one.size, one.sha256, *flags, one.id))
    sys.stdout.flush()
