# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Read the ledger for a command, also while the receiver runs."""

from contextlib import AbstractContextManager

from fieldpost_receiver.commands.output import print_error
from fieldpost_receiver.config.settings import JobConfig
from fieldpost_receiver.jobs.files.job_dir import JobDir
from fieldpost_receiver.jobs.files.ledger import store
from fieldpost_shared.database import Database


def reading_ledger(job: JobConfig) -> AbstractContextManager[Database | None]:
    """Open the ledger read-only; None if no receiver has created it yet.

    Raises:
        FieldpostError: LEDGER_DAMAGED, or PROFILE_TOO_NEW: a newer Fieldpost wrote it.
    """
    return store.reading_ledger(JobDir.of(job).ledger)


def report_missing_ledger(job: JobConfig) -> None:
    """Explain why there is nothing to show."""
    print_error(f"There is no ledger in {JobDir.of(job).root} yet: the receiver has not run.")
