# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Open the ledger, and translate SQLite's errors into the receiver's."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from fieldpost_receiver.jobs.files.ledger.schema import MIGRATIONS
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_shared.codes import Code
from fieldpost_shared.database import Database, disk_errno, open_for_reading
from fieldpost_shared.errors import FieldpostError


class LedgerStore(Database):
    """The driver's connection; commands read through their own. A failing disk is a `StorageError`."""

    @classmethod
    def open(cls, path: Path) -> "LedgerStore":
        """Open or create the ledger.

        Raises:
            FieldpostError: LEDGER_DAMAGED, or PROFILE_TOO_NEW: a newer Fieldpost wrote it.
            StorageError: its disk is full or fails.
        """
        try:
            return cls.open_at(path, MIGRATIONS, Code.LEDGER_DAMAGED)
        except sqlite3.Error as error:
            cls.tell(error)

    @classmethod
    def in_words(cls, error: sqlite3.Error) -> Exception:
        """Return a StorageError, LEDGER_DAMAGED, or the error itself. The transaction that raised it is rolled back."""
        number = disk_errno(error)
        if number is not None:
            return StorageError("write the ledger", number)
        return FieldpostError(Code.LEDGER_DAMAGED, f"{error}") if _is_damage(error) else error

    def examine(self) -> None:
        """Check that every index agrees with its rows: a file that an index has lost would wait for ever.

        Raises:
            FieldpostError: LEDGER_DAMAGED.
        """
        found = self.rows("PRAGMA integrity_check(1)")[0][0]
        if found != "ok":
            raise FieldpostError(Code.LEDGER_DAMAGED, found)


@contextmanager
def reading_ledger(path: Path) -> Iterator[Database | None]:
    """Open the ledger read-only, also while a receiver writes it; None if no receiver has created it yet.

    Raises:
        FieldpostError: LEDGER_DAMAGED, or PROFILE_TOO_NEW: a newer Fieldpost wrote it.
    """
    if not path.exists():
        yield None
        return
    try:
        with closing(open_for_reading(path)) as connection:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version > len(MIGRATIONS):
                raise FieldpostError(Code.PROFILE_TOO_NEW, f"{path.name} is of version {version}")
            yield Database(connection) if version else None  # 0: it is being created now
    except sqlite3.DatabaseError as error:
        raise FieldpostError(Code.LEDGER_DAMAGED, f"{path.name}: {error}") from None


def fold_log(path: Path) -> None:
    """Write SQLite's log into the ledger's file while they lie together. A damaged ledger stays as it is."""
    if path.exists():
        with suppress(sqlite3.DatabaseError), closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _is_damage(error: sqlite3.Error) -> bool:
    """Return whether the file is damaged: statements and rows are right, so SQLite must be able to read them."""
    number = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF  # text that is no UTF-8 has no number
    if number in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return False
    return type(error) in {sqlite3.DatabaseError, sqlite3.OperationalError}
