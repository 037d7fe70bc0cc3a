# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Metrics that are read from the ledger now and then, and the summary that the service manager shows.

The ledger's counts survive a restart and Prometheus' counters do not, so each counter is increased by what was added
since the last measurement. What was in the ledger at the start is not counted.
"""

from collections import Counter
from typing import Final

from fieldpost_receiver.jobs.files.completeness import Offsets
from fieldpost_receiver.jobs.files.ledger.quarantine import Quarantine
from fieldpost_receiver.jobs.files.ledger.reading_state import ReadingState
from fieldpost_receiver.jobs.files.ledger.states import OPEN, TransferState
from fieldpost_receiver.jobs.files.ledger.transfers import Transfers
from fieldpost_receiver.jobs.files.replies import Replies
from fieldpost_receiver.telemetry.metrics import JobMetrics
from fieldpost_shared.codes import CODES, known
from fieldpost_shared.protocol.status import ReceiverState

_MESSAGES: Final = "M"  # labels of the codes that put a message into quarantine


class LedgerMetrics:
    """Used by the service's thread only."""

    def __init__(
        self,
        metrics: JobMetrics,
        *,
        transfers: Transfers,
        reading: ReadingState,
        quarantine: Quarantine,
        replies: Replies,
    ) -> None:
        self._metrics = metrics
        self._transfers = transfers
        self._reading = reading
        self._quarantine = quarantine
        self._replies = replies
        self._refused = Counter(quarantine.counts())
        self._rejected = Counter(transfers.rejections())
        for code, row in CODES.items():  # a series that begins at 0 lets Prometheus see the first one
            if row.label.startswith(_MESSAGES):
                metrics.quarantined(code, 0)

    def measure(self, ends: Offsets | None, *, state: ReceiverState, free_bytes: int) -> None:
        """Bring the metrics up to date. Without `ends` the lag is not known, and keeps its value."""
        self._metrics.free_space(free_bytes)
        self._metrics.receiver(state)
        if ends is not None:
            self._measure_lag(ends)
        counts = self._transfers.counts()
        for open_state in OPEN:
            self._metrics.open_transfers(open_state, counts.get(open_state, 0))
        for reason, chunks in self._replies.take_requested().items():
            self._metrics.missing(reason, chunks)
        refused, rejected = Counter(self._quarantine.counts()), Counter(self._transfers.rejections())
        for code, messages in (refused - self._refused).items():
            self._metrics.quarantined(known(code), messages)
        for code, transfers in (rejected - self._rejected).items():
            self._metrics.rejected(known(code), transfers)
        self._refused, self._rejected = refused, rejected

    def summary(self, notice: str) -> str:
        """Return one line for people: how many files are under way and published, and the receiver's notice."""
        counts = self._transfers.counts()
        unfinished = sum(counts.get(state, 0) for state in OPEN)
        return f"{unfinished} under way, {counts.get(TransferState.PUBLISHED, 0)} published. {notice}"

    def _measure_lag(self, ends: Offsets) -> None:
        processed = self._reading.processed()
        behind = sum(max(0, end - processed.get(partition, 0)) for partition, end in ends.items())
        self._metrics.lag(messages=behind, size=round(behind * (self._reading.mean_message_bytes() or 0)))
