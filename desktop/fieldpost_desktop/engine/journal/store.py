# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Opening the journal: one writer, WAL, every commit on disk before anybody acts on it."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from fieldpost_desktop.engine.journal.schema import MIGRATIONS, VERSION
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

_BUSY_MS: Final = 10_000  # another process writes its inbox row in well under a second


class Store:
    """The engine's connection; may be used from several threads, one at a time.

    Transactions nest: the outermost one commits, so that a caller can put several steps into one.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self._lock = threading.RLock()
        self._depth = 0

    @classmethod
    def open(cls, path: Path) -> "Store":
        """Open or make the journal, and bring an older one up to date.

        Raises:
            FieldpostError: damaged, or written by a newer Fieldpost.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            _prepare(connection)
            _migrate(connection)
        except sqlite3.DatabaseError as error:
            connection.close()
            raise FieldpostError(Code.JOURNAL_DAMAGED, str(error)) from None
        except FieldpostError:
            connection.close()
            raise
        return cls(connection)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing; on return of the outermost one it is on disk."""
        with self._lock:
            self._depth += 1
            try:
                if self._depth == 1:
                    self.connection.execute("BEGIN IMMEDIATE")
                yield self.connection
                if self._depth == 1:
                    self.connection.execute("COMMIT")
            except BaseException:
                if self._depth == 1 and self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise
            finally:
                self._depth -= 1

    def rows(self, sql: str, *values: object) -> list[sqlite3.Row]:
        """The rows of a query."""
        with self._lock:
            return self.connection.execute(sql, values).fetchall()

    def meta(self, key: str) -> str | None:
        """A remembered value."""
        found = self.rows("SELECT value FROM meta WHERE key = ?", key)
        return found[0]["value"] if found else None

    def set_meta(self, key: str, value: str) -> None:
        """Remember a value."""
        with self.transaction() as db:
            db.execute("INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", (key, value))

    def forget_meta(self, key: str) -> None:
        """Forget a value."""
        with self.transaction() as db:
            db.execute("DELETE FROM meta WHERE key = ?", (key,))

    def close(self) -> None:
        """Nothing is lost without it: every commit is on disk."""
        with self._lock:
            self.connection.close()


def open_for_reading(path: Path) -> sqlite3.Connection:
    """A connection that sees the journal and changes nothing; for other threads and processes."""
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    connection.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    connection.row_factory = sqlite3.Row
    connection.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")  # a power cut loses nothing that was committed
    connection.execute("PRAGMA foreign_keys = ON")


def _migrate(connection: sqlite3.Connection) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise FieldpostError(Code.PROFILE_TOO_NEW, f"the list of files is of version {version}; known here: {VERSION}")
    for number in range(version, VERSION):
        # The version is part of the transaction: a crash in the middle leaves the old tables and the old number.
        connection.executescript(f"BEGIN IMMEDIATE; {MIGRATIONS[number]}; PRAGMA user_version = {number + 1}; COMMIT")
