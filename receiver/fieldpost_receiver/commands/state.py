# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The receiver's state as commands get to it: read while it runs, or held alone while it does not."""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager

from fieldpost_receiver.commands.speaking import Refused
from fieldpost_receiver.config.receiver_toml import ReceiverConfig
from fieldpost_receiver.jobs.files.job import ledger_path
from fieldpost_receiver.jobs.files.ledger.schema import MIGRATIONS
from fieldpost_receiver.runtime.exit_codes import TEMPORARY
from fieldpost_receiver.runtime.instance_lock import locked
from fieldpost_shared.codes import Code
from fieldpost_shared.database import Database, open_for_reading
from fieldpost_shared.errors import FieldpostError


@contextmanager
def reading_ledger(config: ReceiverConfig) -> Iterator[Database | None]:
    """The ledger, without changing it; None if no receiver has made it yet.

    Raises:
        FieldpostError: it is damaged, or a newer Fieldpost wrote it.
    """
    path = ledger_path(config)
    if not path.exists():
        yield None
        return
    try:
        with closing(open_for_reading(path)) as connection:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version > len(MIGRATIONS):
                raise FieldpostError(Code.PROFILE_TOO_NEW, f"{path.name} is of version {version}")
            yield Database(connection) if version else None  # being made just now
    except sqlite3.DatabaseError as error:
        raise FieldpostError(Code.LEDGER_DAMAGED, f"{path.name}: {error}") from None


@contextmanager
def alone(config: ReceiverConfig) -> Iterator[None]:
    """Keep receivers from starting meanwhile.

    Raises:
        Refused: one runs.
        StorageError: the state folder cannot be used.
    """
    folder = config.receiver.state_dir
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(folder))
        except FieldpostError as error:
            if error.code is not Code.SERVER_BUSY:
                raise
            words = f"A receiver is running on {folder}. Stop it first; nothing was changed."
            raise Refused(words, TEMPORARY) from None
        yield
