# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""How far the topic was read, whether reading is paused, and how large messages are lately."""

from collections.abc import Mapping
from typing import Final

from fieldpost_shared.database import Database

_MEAN_KEY: Final = "mean_message_bytes"
_PAUSED_KEY: Final = "paused"


class ReadingState:
    """Written by the driver, read by commands too."""

    def __init__(self, store: Database) -> None:
        self._store = store

    def processed(self) -> dict[int, int]:
        """Return the next offset by partition."""
        return {row[0]: row[1] for row in self._store.rows("SELECT partition, next_offset FROM processed")}

    def set_processed(self, offsets: Mapping[int, int]) -> None:
        """Record that the ledger has everything before these offsets; never go back."""
        with self._store.transaction() as db:
            db.executemany(
                "INSERT INTO processed VALUES (?, ?) ON CONFLICT DO UPDATE"
                " SET next_offset = max(next_offset, excluded.next_offset)",
                offsets.items(),
            )

    def paused(self) -> str:
        """Return why no batch is planned; "" if batches are planned."""
        return self._store.meta(_PAUSED_KEY) or ""

    def pause(self, reason: str) -> None:
        """Let no batch be planned."""
        self._store.set_meta(_PAUSED_KEY, reason)

    def resume(self) -> None:
        """Let batches be planned again."""
        self._store.forget_meta(_PAUSED_KEY)

    def mean_message_bytes(self) -> float | None:
        """Return the running mean of message sizes, by which a batch is sized; None before the first message."""
        known = self._store.meta(_MEAN_KEY)
        return float(known) if known else None

    def set_mean_message_bytes(self, mean: float) -> None:
        """Record the running mean of message sizes."""
        self._store.set_meta(_MEAN_KEY, f"{mean:.0f}")
