# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Messages that do not follow the protocol: the newest with a bounded summary, all of them counted."""

from typing import Final

from fieldpost_shared.database import Database

KEPT: Final = 10_000  # newest rows; the counters know all
_DETAIL: Final = 300


class Quarantine:
    """The tables `quarantine` and `refusals`."""

    def __init__(self, store: Database) -> None:
        self._store = store

    def put(
        self, partition: int, offset: int, *, code: str, detail: str, now_ns: int, client: str = "", transfer: str = ""
    ) -> bool:
        """Record a refused message; return False if it was recorded before, by a batch that is replayed now."""
        summary = detail.encode("unicode_escape").decode("ascii")[:_DETAIL]
        with self._store.transaction() as db:
            new = db.execute(
                'INSERT OR IGNORE INTO quarantine (partition, "offset", code, detail, client, transfer, at_ns)'
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (partition, offset, code, summary, client, transfer, now_ns),
            ).rowcount
            if new:
                db.execute("INSERT INTO refusals VALUES (?, 1) ON CONFLICT DO UPDATE SET count = count + 1", (code,))
        return bool(new)

    def trim(self) -> None:
        """Drop all rows but the newest."""
        with self._store.transaction() as db:
            db.execute("DELETE FROM quarantine WHERE id <= (SELECT max(id) FROM quarantine) - ?", (KEPT,))

    def counts(self) -> dict[str, int]:
        """Return how many messages were refused, by code."""
        return {row["code"]: row["count"] for row in self._store.rows("SELECT code, count FROM refusals")}

    def has_refused(self, transfer: str) -> bool:
        """Return whether a message of this transfer was refused: its bytes or its headers did not match."""
        return bool(self._store.rows("SELECT 1 FROM quarantine WHERE transfer = ? LIMIT 1", transfer))
