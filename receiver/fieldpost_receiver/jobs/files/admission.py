# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Decide whether a new transfer is stored: admitted, held until there is space, or too large for ever."""

from dataclasses import dataclass
from enum import StrEnum

from fieldpost_receiver.jobs.files.ledger.transfers import Transfers
from fieldpost_shared.bitmap import MAX_CHUNKS
from fieldpost_shared.protocol.messages import FileFacts


class Verdict(StrEnum):
    """The decision about a new transfer."""

    ADMITTED = "admitted"
    HELD = "held"  # no space now; requested again when there is
    TOO_LARGE = "too_large"


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of the configuration."""

    max_file_size: int
    min_free_space: int
    max_open_transfers: int
    max_open_transfers_per_client: int
    max_open_bytes: int
    max_open_bytes_per_client: int


class Admission:
    """Compares what is open in the ledger with the limits. The service sets `free_bytes` before each batch."""

    def __init__(self, limits: Limits, transfers: Transfers) -> None:
        self._limits = limits
        self._transfers = transfers
        self._loads: dict[str | None, tuple[int, int]] = {}  # open transfers and their bytes; None: of all
        self.free_bytes = 0

    def refresh(self) -> None:
        """Read the ledger again. Within a batch the figures are kept, because thousands of files may be new in one."""
        self._loads.clear()

    def judge(self, facts: FileFacts, *, whole: bool = False) -> Verdict:
        """Decide about a transfer. A file larger than the whole disk is held, not rejected: a disk may be added.

        A whole file out of a pack is on the disk already and never open: thousands of them may come in one batch.
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
        space = self.free_bytes - limits.min_free_space - bytes_of_all
        if whole:
            return Verdict.HELD if facts.size > space or self.low else Verdict.ADMITTED
        if crowded or too_much or facts.size > space or self.low:
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
        """Whether new transfers are held."""
        return self.free_bytes < self._limits.min_free_space

    @property
    def critical(self) -> bool:
        """Whether nothing is read from the topic."""
        return self.free_bytes < self._limits.min_free_space // 4
