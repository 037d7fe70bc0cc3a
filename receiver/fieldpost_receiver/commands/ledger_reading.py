# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Read the ledger for a command, also while the receiver runs."""

from contextlib import AbstractContextManager

from fieldpost_receiver.commands.output import print_error
from fieldpost_receiver.config.receiver_toml import ReceiverConfig
from fieldpost_receiver.jobs.files.ledger import store
from fieldpost_receiver.runtime.state_dir import StateDir
from fieldpost_shared.database import Database


def reading_ledger(config: ReceiverConfig) -> AbstractContextManager[Database | None]:
    """Open the ledger read-only; None if no receiver has created it yet.

    Raises:
        FieldpostError: LEDGER_DAMAGED, or PROFILE_TOO_NEW: a newer Fieldpost wrote it.
    """
    return store.reading_ledger(StateDir.of(config).ledger)


def report_missing_ledger(config: ReceiverConfig) -> None:
    """Explain why there is nothing to show."""
    print_error(f"There is no ledger in {config.receiver.state_dir} yet: the receiver has not run.")
