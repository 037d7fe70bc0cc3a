# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Whether a transfer may be stored: too large for ever, no room now, or welcome."""

from dataclasses import dataclass
from enum import StrEnum

from fieldpost_receiver.jobs.files.ledger.transfers import Transfers
from fieldpost_shared.bitmap import MAX_CHUNKS
from fieldpost_shared.protocol.messages import FileFacts


class Verdict(StrEnum):
    """What becomes of a new transfer."""

    ADMITTED = "admitted"
    HELD = "held"  # no room now; it is asked for again when there is
    TOO_LARGE = "too_large"


@dataclass(frozen=True, slots=True)
class Limits:
    """What the configuration allows."""

    max_file_size: int
    min_free_space: int
    max_open_transfers: int
    max_open_transfers_per_client: int
    max_open_bytes: int
    max_open_bytes_per_client: int


class Admission:
    """Asks the ledger what is open. `free_bytes` is set by the service before each batch."""

    def __init__(self, limits: Limits, transfers: Transfers) -> None:
        self._limits = limits
        self._transfers = transfers
        self._loads: dict[str | None, tuple[int, int]] = {}  # open transfers and their bytes; None: of all
        self.free_bytes = 0

    def begin(self) -> None:
        """Ask the ledger anew. Within a batch the figures are kept: thousands of files may appear in one."""
        self._loads.clear()

    def judge(self, facts: FileFacts, *, whole: bool = False) -> Verdict:
        """A file larger than the whole disk is held, not refused: somebody may add one.

        One that came whole is on the disk already and keeps nothing open: thousands of them may come in one batch.
        """
        limits = self._limits
        if facts.size > limits.max_file_size or (facts.chunk_size and facts.plan.count > MAX_CHUNKS):
            return Verdict.TOO_LARGE
        of_all, bytes_of_all = self._load(None)
        of_client, bytes_of_client = self._load(facts.client)
        crowded = of_all >= limits.max_open_transfers or of_client >= limits.max_open_transfers_per_client
        too_much = (
            bytes_of_all + facts.size > limits.max_open_bytes
            or bytes_of_client + facts.size > limits.max_open_bytes_per_client
        )
        room = self.free_bytes - limits.min_free_space - bytes_of_all
        if whole:
            return Verdict.HELD if facts.size > room or self.low else Verdict.ADMITTED
        if crowded or too_much or facts.size > room or self.low:
            return Verdict.HELD
        self._loads[None] = (of_all + 1, bytes_of_all + facts.size)
        self._loads[facts.client] = (of_client + 1, bytes_of_client + facts.size)
        return Verdict.ADMITTED

    def _load(self, client: str | None) -> tuple[int, int]:
        if client not in self._loads:
            self._loads[client] = self._transfers.load(client)
        return self._loads[client]

    @property
    def low(self) -> bool:
        """Whether nothing new is taken in."""
        return self.free_bytes < self._limits.min_free_space

    @property
    def critical(self) -> bool:
        """Whether nothing is read at all."""
        return self.free_bytes < self._limits.min_free_space // 4
