# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What other processes hand to the engine that owns the journal: the only table they may write."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from fieldpost_desktop.engine.journal.store import Store

_BUSY_S: Final = 10.0


def hand_over(journal: Path, command: dict[str, Any], now_ns: int) -> None:
    """Put a command into the inbox; the engine sees it within a second, or when it starts."""
    with closing(sqlite3.connect(journal, timeout=_BUSY_S, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("INSERT INTO inbox (command, at_ns) VALUES (?, ?)", (json.dumps(command), now_ns))


class Inbox:
    """The engine's side: `news` is cheap and may be asked every second."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._version = -1

    def news(self) -> bool:
        """Whether another process has written since the last time."""
        version = self._store.rows("PRAGMA data_version")[0][0]
        known, self._version = self._version, version
        return bool(version != known)

    def peek(self) -> list[tuple[int, dict[str, Any]]]:
        """The commands in order, with their numbers."""
        return [(row["id"], json.loads(row["command"])) for row in self._store.rows("SELECT * FROM inbox ORDER BY id")]

    def done(self, number: int) -> None:
        """A command was carried out; called in the transaction that does it."""
        with self._store.transaction() as db:
            db.execute("DELETE FROM inbox WHERE id = ?", (number,))
