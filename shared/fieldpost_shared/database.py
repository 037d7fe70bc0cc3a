# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""SQLite as both ends use it: one writer, WAL, every commit on disk before anything acts on it, schema versions.

This module reads and writes files: the sender's journal and the receiver's ledger.
"""

import errno
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, NoReturn, Self

from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

BUSY_MS: Final = 10_000  # another process writes for well under a second
_DISK: Final = {  # what SQLite says of the place, not of the file's content
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_PERM: errno.EACCES,
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
    sqlite3.SQLITE_IOERR: errno.EIO,
}
_PRIMARY: Final = 0xFF  # the rest of a code tells it more exactly
_CUT_SHORT: Final = frozenset({sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS})


class Database:
    """The owner's connection; may be used from several threads, one at a time.

    Transactions nest: the outermost one commits, so that a caller can put several steps into one. Every database has
    a table `meta` of remembered texts.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self._lock = threading.RLock()
        self._depth = 0

    @classmethod
    def open_at(cls, path: Path, migrations: Sequence[str], damaged: Code) -> Self:
        """Open or make it, and bring an older one up to date.

        Raises:
            FieldpostError: with `damaged`, or PROFILE_TOO_NEW if a newer Fieldpost wrote it.
            sqlite3.Error: the disk is full or fails, which `disk_errno` tells; nothing is known against the file.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            _prepare(connection)
            _migrate(connection, migrations, path)
        except sqlite3.DatabaseError as error:
            connection.close()
            if disk_errno(error) is not None:
                raise
            raise FieldpostError(damaged, f"{path.name}: {error}") from None
        except UnicodeDecodeError:  # SQLite quotes what it cannot understand
            connection.close()
            raise FieldpostError(damaged, f"{path.name}: its tables are not readable") from None
        except FieldpostError:
            connection.close()
            raise
        return cls(connection)

    def transaction(self) -> "Transaction":
        """All or nothing; on return of the outermost one it is on disk."""
        return Transaction(self)

    @classmethod
    def in_words(cls, error: sqlite3.Error) -> Exception:
        """What is raised instead of SQLite's own error."""
        return error

    @classmethod
    def tell(cls, error: sqlite3.Error) -> NoReturn:
        """Raise it in words."""
        told = cls.in_words(error)
        raise told from (None if told is error else error)

    def enter(self) -> sqlite3.Connection:
        """Begin, if no transaction is open. For `Transaction`."""
        self._lock.acquire()
        try:
            if self._depth == 0:
                self.connection.execute("BEGIN IMMEDIATE")
        except BaseException:
            self._lock.release()
            raise
        self._depth += 1
        return self.connection

    def leave(self, *, succeeded: bool) -> None:
        """The outermost one commits, or takes everything back. For `Transaction`."""
        try:
            self._depth -= 1
            if self._depth == 0:
                self._end(succeeded=succeeded)
        finally:
            self._lock.release()

    def _end(self, *, succeeded: bool) -> None:
        try:
            if succeeded:
                self.connection.execute("COMMIT")
        finally:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")

    def rows(self, sql: str, *values: object) -> list[sqlite3.Row]:
        """The rows of a query."""
        try:
            with self._lock:
                return self.connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            self.tell(error)

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

    def copy_to(self, path: Path) -> None:
        """A whole copy beside it, made while everything goes on; an old copy stays until the new one is finished."""
        unfinished = path.with_name(f"{path.name}.new")
        unfinished.unlink(missing_ok=True)
        try:
            with self._lock:
                self.connection.execute("VACUUM INTO ?", (str(unfinished),))
            unfinished.replace(path)
        except sqlite3.Error as error:
            self.tell(error)
        finally:
            unfinished.unlink(missing_ok=True)  # half a copy would fill the disk for nothing

    def close(self) -> None:
        """Nothing is lost without it: every commit is on disk."""
        with self._lock:
            self.connection.close()


class Transaction:
    """What `Database.transaction` gives. No generator: with thousands of files there are tens of thousands of these."""

    __slots__ = ("_database",)

    def __init__(self, database: Database) -> None:
        self._database = database

    def __enter__(self) -> sqlite3.Connection:
        try:
            return self._database.enter()
        except sqlite3.Error as error:
            self._database.tell(error)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._database.leave(succeeded=error is None)
        except sqlite3.Error as failed:
            self._database.tell(failed)
        if isinstance(error, sqlite3.Error):
            self._database.tell(error)


def disk_errno(error: sqlite3.Error) -> int | None:
    """What the operating system must have said when it is the disk's fault; None for everything else."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    if code in _CUT_SHORT:
        return None
    if code == sqlite3.SQLITE_IOERR_SHMSIZE:  # the file that readers share could not grow
        return errno.ENOSPC
    return _DISK.get(code & _PRIMARY)


def open_for_reading(path: Path) -> sqlite3.Connection:
    """A connection that sees everything and changes nothing; for other threads and processes."""
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    connection.row_factory = sqlite3.Row
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")  # a power cut loses nothing that was committed
    connection.execute("PRAGMA foreign_keys = ON")


def _migrate(connection: sqlite3.Connection, migrations: Sequence[str], path: Path) -> None:
    version, known = connection.execute("PRAGMA user_version").fetchone()[0], len(migrations)
    if version > known:
        raise FieldpostError(Code.PROFILE_TOO_NEW, f"{path.name} is of version {version}; known here: {known}")
    for number in range(version, known):
        # The version is part of the transaction: a crash in the middle leaves the old tables and the old number.
        connection.executescript(f"BEGIN IMMEDIATE; {migrations[number]}; PRAGMA user_version = {number + 1}; COMMIT")
