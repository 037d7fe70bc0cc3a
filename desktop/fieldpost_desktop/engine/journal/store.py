# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Opening the journal, the sender's only truth about its queue."""

import sqlite3
from contextlib import closing
from pathlib import Path

from fieldpost_desktop.engine.journal.schema import MIGRATIONS
from fieldpost_shared.codes import Code
from fieldpost_shared.database import Database, open_for_reading


class Store(Database):
    """The engine's connection to the journal."""

    @classmethod
    def open(cls, path: Path) -> "Store":
        """Open or make the journal.

        Raises:
            FieldpostError: damaged, or written by a newer Fieldpost.
        """
        return cls.open_at(path, MIGRATIONS, Code.JOURNAL_DAMAGED)


def reading(journal: Path) -> "closing[Store]":
    """The journal for looking only, from any thread or process; to be used in a `with` statement."""
    return closing(Store(open_for_reading(journal)))


def code_of(error: sqlite3.Error) -> Code:
    """What SQLite says about the journal in our words."""
    number = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF  # the rest tells it more exactly
    if number in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
        return Code.JOURNAL_DAMAGED
    return Code.LOCAL_DISK_FULL if number == sqlite3.SQLITE_FULL else Code.UNEXPECTED
