# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`rebuild`: begin with a new ledger when the old one is lost, damaged or another topic's.

The order matters, since it may be interrupted anywhere. A sealed file that is gone counts as published in the old
ledger, so the working files go only after that ledger; and each state on the way is one that `run` can begin with.
"""

import argparse
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Final

from fieldpost_receiver.commands.exclusive_state import exclusive_state, no_tasks
from fieldpost_receiver.commands.job_choice import add_job, chosen_job
from fieldpost_receiver.commands.output import Refused, file_count, print_line, utc_text
from fieldpost_receiver.config.settings import ConflictPolicy, JobConfig, ReceiverConfig
from fieldpost_receiver.jobs.files.job_dir import JobDir
from fieldpost_receiver.jobs.files.ledger.store import LedgerStore, fold_log
from fieldpost_receiver.jobs.files.ownership_tags import bind_topic
from fieldpost_receiver.kafka.access import check_access
from fieldpost_receiver.kafka.broker import Broker
from fieldpost_receiver.runtime.exit_codes import CONFIGURATION, STOPPED, USAGE
from fieldpost_receiver.storage.destinations import storage_of
from fieldpost_receiver.storage.errors import storing
from fieldpost_receiver.storage.local_folder import sync_folder
from fieldpost_receiver.storage.port import Staging
from fieldpost_shared.clock import Clock, SystemClock

_BESIDE: Final = ("-wal", "-shm", "")  # the ledger itself last: its log must never lie beside a new one
_DATES: Final = ("{date}", "{year}", "{month}", "{day}")


def rebuild(config: ReceiverConfig, options: argparse.Namespace) -> int:
    """begin with a new ledger, reading everything the topic still holds"""  # noqa: D403, D415 - stands in the list
    job = chosen_job(config, options)
    if job.receiver.on_conflict is ConflictPolicy.REPLACE:
        words = (
            'With on_conflict = "replace" old files could replace newer ones. Set "keep-both", rebuild, run until'
            ' `status` shows nothing behind, then set "replace" again. Nothing was changed.'
        )
        raise Refused(words, CONFIGURATION)
    with exclusive_state(job):
        broker = Broker(job.kafka, SystemClock())
        topic_id = check_access(broker, job.kafka)  # first: without a broker nothing is touched
        for line in explanation(job):
            print_line(line)
        if not options.yes and not agreed():
            print_line("Nothing was changed.")
            return STOPPED
        start_anew(job, SystemClock(), topic_id)
    print_line("Done. Start the receiver: it reads from the oldest message on.")
    return STOPPED


def rebuild_options(parser: argparse.ArgumentParser) -> None:
    """What `rebuild` takes."""
    add_job(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask")


def start_anew(job: JobConfig, clock: Clock, topic_id: str) -> None:
    """Do everything that rebuilding means; call with the state folder locked."""
    folder = JobDir.of(job)
    path = folder.ledger
    storage = storage_of(job.receiver)
    if not path.exists():
        storage.create()
    with ExitStack() as stack:
        area = stack.enter_context(closing(storage.open_staging()))  # first: it tells a destination that is not there
        stack.enter_context(no_tasks(storage.tasks_lock(), clock))
        folder.remove_old_checkpoint()
        moved = _move_aside(path, clock)
        if moved is not None:
            print_line(f"The old ledger is now {moved}")
        print_line(f"Discarded: {file_count(_discard_working_files(area))} that had no final name yet")
    with closing(LedgerStore.open(path)) as store:
        bind_topic(store, topic_id)


def explanation(job: JobConfig) -> Iterator[str]:
    """What is about to happen, line by line."""
    yield f"This sets the ledger in {JobDir.of(job).root} aside and begins a new one:"
    yield "- All unfinished files are discarded; senders are asked for what is missing."
    yield f"- Everything that {job.kafka.files_topic} still holds is read again."
    yield "- No file in the destination is replaced. One that is there under its name with the same content is"
    yield "  recognised and not stored again."
    yield "- Files that were moved away since come again."
    if any(part in job.receiver.layout.template for part in _DATES):
        yield "- The layout has dates: files that are read again on another day than before come again, too."


def agreed() -> bool:
    """Ask the person; anything but a whole yes is a no."""
    if not sys.stdin.isatty():
        raise Refused("There is no terminal to ask on; give --yes. Nothing was changed.", USAGE)
    sys.stdout.write("Go on? Type yes: ")
    sys.stdout.flush()
    return sys.stdin.readline().strip().casefold() == "yes"


def _move_aside(path: Path, clock: Clock) -> Path | None:
    """The old ledger's new name; None if there is none."""
    stamp = utc_text(clock.now_ns()).replace("-", "").replace(":", "")
    aside = path.with_name(f"{path.name}.{stamp}.old")
    number = 1
    while any(aside.with_name(aside.name + ending).exists() for ending in _BESIDE):
        number += 1
        aside = path.with_name(f"{path.name}.{stamp}-{number}.old")
    was_there = path.exists()
    fold_log(path)
    with storing("set the ledger aside"):
        for ending in _BESIDE:
            with suppress(FileNotFoundError):
                path.with_name(path.name + ending).rename(aside.with_name(aside.name + ending))
        sync_folder(path.parent)
    return aside if was_there else None


def _discard_working_files(area: Staging) -> int:
    staged, sealed = area.list_staged(), area.list_sealed()
    for found in staged:
        area.discard(found.file.transfer, found.file.fingerprint)
    for found in sealed:
        area.discard_sealed(found.file)
    area.sync()
    return len(staged) + len(sealed)
