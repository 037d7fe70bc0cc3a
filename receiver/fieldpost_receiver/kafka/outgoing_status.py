# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A status message on its way to the broker, and the outbox that it leaves; a job's ledger implements the outbox."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class OutgoingStatus:
    """An encoded status message that waits for the broker's acknowledgement."""

    id: int
    client: str
    value: bytes


class StatusOutbox(Protocol):
    """Status messages in their order. A repeated one is harmless, a lost one breaks a promise."""

    def next(self, most: int) -> list[OutgoingStatus]:
        """Return the oldest messages."""

    def remove(self, acknowledged: Sequence[OutgoingStatus]) -> None:
        """Forget messages that the broker has."""

    def waiting(self) -> int:
        """Return how many messages are left."""
