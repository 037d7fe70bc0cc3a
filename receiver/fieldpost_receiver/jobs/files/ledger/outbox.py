# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Status messages that must reach their senders, in order."""

from collections.abc import Sequence

from fieldpost_receiver.kafka.outgoing_status import OutgoingStatus
from fieldpost_shared.database import Database
from fieldpost_shared.protocol.status import Status, encode_status


class Outbox:
    """The outbox table, which `StatusSender` drains. A message leaves it when the broker has acknowledged it."""

    def __init__(self, store: Database) -> None:
        self._store = store

    def put(self, status: Status) -> None:
        """Add a message, as part of the transaction that makes it true."""
        key, value = encode_status(status)
        with self._store.transaction() as db:
            db.execute("INSERT INTO outbox (client, value) VALUES (?, ?)", ((key or b"").decode("ascii"), value))

    def next(self, most: int) -> list[OutgoingStatus]:
        """Return the oldest messages."""
        rows = self._store.rows("SELECT id, client, value FROM outbox ORDER BY id LIMIT ?", most)
        return [OutgoingStatus(row["id"], row["client"], row["value"]) for row in rows]

    def remove(self, acknowledged: Sequence[OutgoingStatus]) -> None:
        """Forget messages that the broker has."""
        with self._store.transaction() as db:
            db.executemany("DELETE FROM outbox WHERE id = ?", [(status.id,) for status in acknowledged])

    def waiting(self) -> int:
        """Return how many messages are left."""
        count: int = self._store.rows("SELECT count(*) FROM outbox")[0][0]
        return count
