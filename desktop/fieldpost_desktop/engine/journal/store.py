# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Opens the journal, the sender's only truth about its queue."""

import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from fieldpost_desktop.engine.journal.schema import MIGRATIONS
from fieldpost_shared.codes import Code
from fieldpost_shared.database import Database, disk_errno, open_for_reading
from fieldpost_shared.errors import FieldpostError, SettingsError


class Store(Database):
    """The engine's connection to the journal."""

    @classmethod
    def open(cls, path: Path) -> "Store":
        """Open or make the journal.

        Raises:
            FieldpostError: damaged, written by a newer Fieldpost, or the disk is full or fails.
        """
        try:
            return cls.open_at(path, MIGRATIONS, Code.JOURNAL_DAMAGED)
        except sqlite3.Error as error:
            raise failure_of(error) from error

    def journal_mode(self) -> str:
        """Return SQLite's journal mode: `wal`, where the disk allows it."""
        return str(self.rows("PRAGMA journal_mode")[0][0])


def reading(journal: Path) -> "closing[Store]":
    """Open the journal for reading only, from any thread or process, for a `with` statement."""
    return closing(Store(open_for_reading(journal)))


def failure_of(error: sqlite3.Error) -> FieldpostError:
    """Return the failure with its code for what SQLite says about the journal."""
    number = disk_errno(error)
    if number == errno.ENOSPC:
        return FieldpostError(Code.LOCAL_DISK_FULL, str(error))
    if number is not None:
        return SettingsError("data_dir", f"the list of files cannot be written: {os.strerror(number)} ({error})")
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF  # the rest is more exact
    damaged = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR}
    return FieldpostError(Code.JOURNAL_DAMAGED if code in damaged else Code.UNEXPECTED, str(error))
