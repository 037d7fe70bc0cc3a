# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What still has to be said to senders, in order; and what was refused."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from fieldpost_shared.database import Database
from fieldpost_shared.protocol.status import Status, encode_status

KEPT: Final = 10_000  # newest quarantine rows; the counters know all
_DETAIL: Final = 300


@dataclass(frozen=True, slots=True)
class Letter:
    """A status message that waits for the broker's acknowledgement."""

    id: int
    client: str
    value: bytes


class Outbox:
    """Letters leave in order; one sent twice is harmless, one not sent is a broken promise."""

    def __init__(self, store: Database) -> None:
        self._store = store

    def put(self, status: Status) -> None:
        """Part of the transaction that makes it true."""
        key, value = encode_status(status)
        with self._store.transaction() as db:
            db.execute("INSERT INTO outbox (client, value) VALUES (?, ?)", ((key or b"").decode("ascii"), value))

    def next(self, most: int) -> list[Letter]:
        """The oldest letters."""
        rows = self._store.rows("SELECT id, client, value FROM outbox ORDER BY id LIMIT ?", most)
        return [Letter(row["id"], row["client"], row["value"]) for row in rows]

    def sent(self, letters: Sequence[Letter]) -> None:
        """The broker has them."""
        with self._store.transaction() as db:
            db.executemany("DELETE FROM outbox WHERE id = ?", [(letter.id,) for letter in letters])

    def waiting(self) -> int:
        """How many are left."""
        count: int = self._store.rows("SELECT count(*) FROM outbox")[0][0]
        return count


class Quarantine:
    """Messages that are not what the protocol says: the newest with a bounded summary, all of them counted."""

    def __init__(self, store: Database) -> None:
        self._store = store

    def put(
        self, partition: int, offset: int, code: str, detail: str, *, client: str = "", transfer: str = "", now_ns: int
    ) -> bool:
        """Refuse a message; False if it was refused before (a batch was replayed)."""
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
        """Keep the newest."""
        with self._store.transaction() as db:
            db.execute("DELETE FROM quarantine WHERE id <= (SELECT max(id) FROM quarantine) - ?", (KEPT,))

    def counts(self) -> dict[str, int]:
        """How many, by code."""
        return {row["code"]: row["count"] for row in self._store.rows("SELECT code, count FROM refusals")}
