# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""How the receiver stands, read from the ledger now and then: for Prometheus, and in words for the service manager.

The ledger's counts outlive a restart and a counter of Prometheus does not, so each counter gets what came since the
last look. What was there at the start is nobody's news.
"""

from collections import Counter
from typing import Final

from fieldpost_receiver.jobs.files.completeness import Offsets
from fieldpost_receiver.jobs.files.job import Workshop
from fieldpost_receiver.jobs.files.ledger.states import OPEN, TransferState
from fieldpost_receiver.jobs.files.ledger.store import MEAN_KEY
from fieldpost_shared.codes import CODES, Code, known

_MESSAGES: Final = "M"  # labels of the codes that put a message into quarantine


class Standing:
    """Used by the service's thread only."""

    def __init__(self, shop: Workshop) -> None:
        self._shop = shop
        self._refused = Counter(shop.quarantine.counts())
        self._rejected = Counter(self._rejections())
        for code, row in CODES.items():  # a series that begins at 0 lets Prometheus see the first one
            if row.label.startswith(_MESSAGES):
                shop.metrics.quarantined(code, 0)

    def measure(self, ends: Offsets | None) -> None:
        """Bring the metrics up to date; without `ends` nobody knows how far the reading is behind, and it stays."""
        shop, metrics = self._shop, self._shop.metrics
        metrics.free_space(shop.staged.free_bytes())
        metrics.receiver(shop.space.state)
        if ends is not None:
            self._measure_lag(ends)
        counts = shop.transfers.counts()
        for state in OPEN:
            metrics.open_transfers(state, counts.get(state, 0))
        for reason, chunks in shop.answers.take_asked().items():
            metrics.missing(reason, chunks)
        refused, rejected = Counter(shop.quarantine.counts()), Counter(self._rejections())
        for code, messages in (refused - self._refused).items():
            metrics.quarantined(known(code), messages)
        for code, transfers in (rejected - self._rejected).items():
            metrics.rejected(known(code), transfers)
        self._refused, self._rejected = refused, rejected

    def words(self) -> str:
        """One line for people."""
        counts = self._shop.transfers.counts()
        unfinished = sum(counts.get(state, 0) for state in OPEN)
        return f"{unfinished} under way, {counts.get(TransferState.PUBLISHED, 0)} published. {self._shop.space.words}"

    def _measure_lag(self, ends: Offsets) -> None:
        processed = self._shop.transfers.processed()
        behind = sum(max(0, end - processed.get(partition, 0)) for partition, end in ends.items())
        mean = float(self._shop.store.meta(MEAN_KEY) or 0)
        self._shop.metrics.lag(messages=behind, size=round(behind * mean))

    def _rejections(self) -> dict[str, int]:
        sql = "SELECT code, count(*) AS n FROM transfers WHERE state = ? GROUP BY code"
        rows = self._shop.store.rows(sql, TransferState.REJECTED)
        return {row["code"] or Code.UNEXPECTED: row["n"] for row in rows}
