# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The checks of this machine: folders, space, clock, Java, files with secrets. Leaves nothing behind."""

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from fieldpost_receiver.commands.findings import Finding, failed, passed, warning
from fieldpost_receiver.commands.job_choice import names_of, suffix_of
from fieldpost_receiver.commands.ledger_reading import reading_ledger
from fieldpost_receiver.commands.output import failure_text, utc_text
from fieldpost_receiver.config.jobs import FILES_JOB
from fieldpost_receiver.config.settings import JobConfig, ReceiverConfig
from fieldpost_receiver.jobs.files.job_dir import JobDir
from fieldpost_receiver.jobs.files.ledger.transfers import Transfers
from fieldpost_receiver.runtime.exit_codes import CONFIGURATION, STORAGE, exit_of
from fieldpost_receiver.runtime.job_states import FORGOTTEN
from fieldpost_receiver.spark.java import java_program
from fieldpost_receiver.storage.destinations import storage_of
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_receiver.storage.local_folder import try_folder
from fieldpost_receiver.storage.port import TriesOut
from fieldpost_shared.clock import NS_PER_S, Clock
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.quantities import size_text
from fieldpost_shared.saying import size_words
from fieldpost_shared.secret import world_readable

JAVA: Final = 17  # what Spark 4 needs at least
_JAVA_S: Final = 20.0
_VERSION: Final = re.compile(r'version "(\d+)[^"]*"')
_WRITTEN: Final = datetime(2026, 1, 1, tzinfo=UTC)  # a clock before this is wrong
_SECRET_FILES: Final = (
    "sasl_password_file",
    "sasl_oauth_client_secret_file",
    "sasl_kerberos_keytab",
    "ssl_key_location",
    "ssl_key_password_file",
)


def check_machine(config: ReceiverConfig, clock: Clock) -> Iterator[Finding]:
    """Everything that needs no broker."""
    yield from _secrets(config)
    yield _state_folder(config.receiver.state_dir)
    if JobDir(config.receiver.state_dir).ledger.exists() and FILES_JOB not in names_of(config):
        yield warning("jobs", FORGOTTEN, "Or move ledger.db away, if that job is not wanted any more.")
    for job in config.jobs:
        yield from (finding.about(suffix_of(config, job)) for finding in _job(job))
    yield _clock(clock)
    yield java()


def _job(job: JobConfig) -> Iterator[Finding]:
    yield _ledger(job)
    destination = _destination(job)
    yield destination
    if not destination.exit:
        yield _space(job)


def _secrets(config: ReceiverConfig) -> Iterator[Finding]:
    paths = [job.kafka_options[key] for job in config.jobs for key in _SECRET_FILES if job.kafka_options.get(key)]
    if config.spark.secret_file:
        paths.append(config.spark.secret_file)
    for path in dict.fromkeys(paths):
        with suppress(OSError):  # one that cannot be read is told when connecting
            if world_readable(path):
                yield warning("secrets", f"every user of this machine can read {path}", f"chmod 600 {path}")
            else:
                yield passed("secrets", f"{path} is not open to all")


def _state_folder(folder: Path) -> Finding:
    """Looked at, not made: that is for the service, whose user may be another one."""
    check = "state folder"
    advice = f"Let the receiver's user own {folder}, on a local disk."
    there = next(path for path in (folder, *folder.parents) if path.exists())
    if not there.is_dir():
        return failed(check, f"{there} is not a folder", advice, STORAGE)
    try:
        try_folder(there)
    except OSError as error:
        return failed(check, f"{there}: {error.strerror}", advice, STORAGE)
    return passed(check, f"{folder} can be written" if there == folder else f"{folder} can be made")


def _ledger(job: JobConfig) -> Finding:
    try:
        with reading_ledger(job) as store:
            if store is not None:
                Transfers(store).counts()
    except FieldpostError as error:
        return failed("ledger", failure_text(error, job.receiver.name), "", exit_of(error))
    return passed("ledger", "can be read" if store is not None else "is made at the first run")


def _destination(job: JobConfig) -> Finding:
    """Try the steps that each file goes through, where the storage can do so without a file."""
    storage = storage_of(job.receiver)
    if not isinstance(storage, TriesOut):
        return passed("destination", f"{job.receiver.destination} is tried with the first file")
    fitness = storage.try_out(was_used=JobDir.of(job).ledger.exists())
    if fitness.usable:
        return passed("destination", fitness.words)
    return failed("destination", fitness.words, fitness.remedy, STORAGE)


def _space(job: JobConfig) -> Finding:
    floor = job.receiver.min_free_space
    try:
        free = storage_of(job.receiver).free_bytes()
    except StorageError as error:
        return failed("space", f"{job.receiver.destination}: {os.strerror(error.errno)}", "", STORAGE)
    if free is None:
        return passed("space", "this destination does not tell how much is free")
    words = f"{size_words(free)} free; new files wait below {size_text(floor)}"
    if free < floor:
        return failed("space", words, "Make room, or lower receiver.min_free_space.", STORAGE)
    batch = job.spark.max_batch_bytes
    if floor < batch:  # a batch is written before its files are judged
        words = f"new files wait below {size_text(floor)} free, but a batch may take {size_text(batch)}"
        return warning(
            "space", words, "Raise receiver.min_free_space above spark.max_batch_bytes: the disk could fill up."
        )
    return passed("space", words)


def _clock(clock: Clock) -> Finding:
    now_ns = clock.now_ns()
    if now_ns < _WRITTEN.timestamp() * NS_PER_S:
        return failed("clock", f"it shows {utc_text(now_ns)}", "Set this machine's clock (NTP).", CONFIGURATION)
    return passed("clock", utc_text(now_ns))


def java() -> Finding:
    """The Java that Spark would start."""
    program, home = java_program(), os.environ.get("JAVA_HOME")
    advice = f"Install Java {JAVA} or later, or set JAVA_HOME to it."
    if program is None:
        where = f"JAVA_HOME ({home})" if home else "PATH"
        return failed("java", f"there is no java in {where}", advice, CONFIGURATION)
    try:
        done = subprocess.run([program, "-version"], capture_output=True, text=True, timeout=_JAVA_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return failed("java", f"{program} does not start", advice, CONFIGURATION)
    version = _VERSION.search(done.stderr + done.stdout)
    if version is None:
        return warning("java", f"{program} does not tell its version", advice)
    if int(version[1]) < JAVA:
        return failed("java", f"{program} is of version {version[1]}", advice, CONFIGURATION)
    return passed("java", f"version {version[1]} ({program})")
