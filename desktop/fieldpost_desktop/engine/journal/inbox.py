# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The inbox: commands that other threads and processes hand to the engine. No other table is theirs to write."""

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any, Final

from fieldpost_desktop.engine.journal.store import Store

_BUSY_S: Final = 10.0
_AT_ONCE: Final = 50  # commands in a transaction; of the largest ones some 5 MB


def hand_over(journal: Path, command: dict[str, Any], now_ns: int) -> None:
    """Put a command into the inbox; the engine sees it within a second, or when it starts."""
    hand_over_all(journal, [command], now_ns)


def hand_over_all(journal: Path, commands: Iterable[dict[str, Any]], now_ns: int) -> None:
    """Put commands into the inbox, many in each transaction, so that memory and the engine's wait stay bounded.

    A crash between two transactions leaves the first commands in the inbox.
    """
    rows = ((json.dumps(command), now_ns) for command in commands)
    with closing(sqlite3.connect(journal, timeout=_BUSY_S, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        while some := list(islice(rows, _AT_ONCE)):
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT INTO inbox (command, at_ns) VALUES (?, ?)", some)
            connection.execute("COMMIT")


def hand_over_files(journal: Path, pieces: Iterable[list[dict[str, Any]]], *, batch: str, now_ns: int) -> None:
    """Put files into the inbox, a command for each piece of them; all are on disk when this returns.

    After a crash in the middle of very many files, dropping them again adds only those that are not queued.
    """
    hand_over_all(journal, ({"command": "add", "files": piece, "batch": batch} for piece in pieces), now_ns)


class Inbox:
    """The engine's side. Commands are read one at a time, because a large drop is many of them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._version = -1

    def news(self) -> bool:
        """Return whether another connection has written since the last call; cheap enough for every second."""
        version = self._store.rows("PRAGMA data_version")[0][0]
        known, self._version = self._version, version
        return bool(version != known)

    def first(self) -> tuple[int, dict[str, Any]] | None:
        """Return the oldest command with its number, if there is one."""
        rows = self._store.rows("SELECT id, command FROM inbox ORDER BY id LIMIT 1")
        return (rows[0]["id"], json.loads(rows[0]["command"])) if rows else None

    def has(self, key: str, value: str) -> bool:
        """Return whether a command with this value waits."""
        sql = "SELECT 1 FROM inbox WHERE json_extract(command, ?) = ? LIMIT 1"
        return bool(self._store.rows(sql, f"$.{key}", value))

    def done(self, number: int) -> None:
        """Remove a command that was carried out, in the transaction that does it."""
        with self._store.transaction() as db:
            db.execute("DELETE FROM inbox WHERE id = ?", (number,))
