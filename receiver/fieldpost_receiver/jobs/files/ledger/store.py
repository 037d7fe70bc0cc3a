# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Opening the ledger, and telling what its disk does in the receiver's words."""

import sqlite3
from pathlib import Path
from typing import Final

from fieldpost_receiver.jobs.files.ledger.schema import MIGRATIONS
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_shared.codes import Code
from fieldpost_shared.database import Database, disk_errno
from fieldpost_shared.errors import FieldpostError

MEAN_KEY: Final = "mean_message_bytes"  # how large a message is lately: sizes the next batch
PAUSED_KEY: Final = "paused"  # set while nothing is to be read


class LedgerStore(Database):
    """The driver's connection; tasks and commands read through their own. What the disk does is a `StorageError`."""

    @classmethod
    def open(cls, path: Path) -> "LedgerStore":
        """Open or make the ledger.

        Raises:
            FieldpostError: damaged, or written by a newer Fieldpost.
            StorageError: its disk is full or fails.
        """
        try:
            return cls.open_at(path, MIGRATIONS, Code.LEDGER_DAMAGED)
        except sqlite3.Error as error:
            cls.tell(error)

    @classmethod
    def in_words(cls, error: sqlite3.Error) -> Exception:
        """StorageError, LEDGER_DAMAGED, or what it is. Of a transaction that raises it nothing is in the ledger."""
        number = disk_errno(error)
        if number is not None:
            return StorageError("write the ledger", number)
        return FieldpostError(Code.LEDGER_DAMAGED, f"{error}") if _is_damage(error) else error

    def examine(self) -> None:
        """Whether every index agrees with its rows. A file that an index has lost would wait for ever without a word.

        Raises:
            FieldpostError: LEDGER_DAMAGED.
        """
        found = self.rows("PRAGMA integrity_check(1)")[0][0]
        if found != "ok":
            raise FieldpostError(Code.LEDGER_DAMAGED, found)


def _is_damage(error: sqlite3.Error) -> bool:
    """Our statements are right and so are our rows: what SQLite cannot read or does not find is damage."""
    number = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF  # text that is no UTF-8 has no number
    if number in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return False
    return type(error) in {sqlite3.DatabaseError, sqlite3.OperationalError}
