# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Decide about an `end` with missing chunks, by an offset barrier and not by a timer.

The broker acknowledged every chunk before its `end` was sent. Once everything that was in the topic when the `end` was
processed has been processed too, a chunk that is still missing is lost. A round counts against the sender only if it
answered the last `missing` in full and nothing new came: after five such rounds the transfer is rejected.
"""

import json
from collections.abc import Mapping
from typing import Final

from fieldpost_receiver.jobs.files.ledger.quarantine import Quarantine
from fieldpost_receiver.jobs.files.ledger.states import TransferState
from fieldpost_receiver.jobs.files.ledger.transfers import Transfer, Transfers
from fieldpost_receiver.jobs.files.replies import Replies
from fieldpost_shared.bitmap import Range
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.protocol.limits import MAX_RANGES
from fieldpost_shared.protocol.status import MissingReason

MOST_STALE_ROUNDS: Final = 5
Offsets = Mapping[int, int]


class Completeness:
    """Answers each `end` whose barrier has been passed."""

    def __init__(self, *, transfers: Transfers, quarantine: Quarantine, replies: Replies, clock: Clock) -> None:
        self._transfers = transfers
        self._quarantine = quarantine
        self._replies = replies
        self._clock = clock

    def wait_for(self, transfer: Transfer, end_round: int, barrier: Offsets | None) -> Transfer:
        """Decide about an `end` with missing chunks when these offsets are processed; None: not known yet."""
        text = "" if barrier is None else json.dumps({str(key): value for key, value in barrier.items()})
        return self._transfers.change(transfer, transfer.state, end_round=end_round, barrier=text)

    def without_barrier(self) -> list[Transfer]:
        """Return the transfers whose barrier is not known yet, because the broker did not answer."""
        return [transfer for transfer in self._transfers.waiting_for_barrier() if not transfer.barrier]

    def judge(self, processed: Offsets) -> list[Transfer]:
        """Answer every `end` whose barrier is passed; return the transfers that were rejected."""
        rejected = []
        for transfer in self._transfers.waiting_for_barrier():
            if transfer.barrier and _passed(json.loads(transfer.barrier), processed):
                after = self._answer(transfer)
                rejected += [after] if after.state is TransferState.REJECTED else []
        return rejected

    def _answer(self, transfer: Transfer) -> Transfer:
        answered = transfer.round > 0 and transfer.end_round == transfer.round
        stale = 0 if transfer.grew else transfer.stale_rounds + answered
        if stale >= MOST_STALE_ROUNDS:
            after = self._transfers.finish(transfer, TransferState.REJECTED, self._clock.now_ns(), code=Code.INCOMPLETE)
            self._replies.rejected(transfer.client, transfer.id, Code.INCOMPLETE)
            return after
        number = transfer.round + 1 if answered or not transfer.round else transfer.round
        columns = {"round": number, "stale_rounds": stale, "grew": 0, "end_round": None, "barrier": ""}
        after = self._transfers.change(transfer, transfer.state, **columns)
        self._replies.missing(after, missing_ranges(after), number=number, reason=self._reason(after))
        return after

    def _reason(self, transfer: Transfer) -> MissingReason:
        if transfer.expired:
            return MissingReason.EXPIRED
        damaged = self._quarantine.has_refused(transfer.id)
        return MissingReason.DAMAGED if damaged else MissingReason.NEVER_ARRIVED


def request_all_chunks(
    transfers: Transfers, replies: Replies, transfer: Transfer, *, reason: MissingReason, now_ns: int
) -> None:
    """Start a transfer again under its id, because none of its bytes are there. Part of the caller's transaction."""
    nothing = {"bitmap": None, "have": 0, "grew": 0, "end_round": None, "barrier": ""}
    number = transfer.round + 1
    after = transfers.change(transfer, TransferState.RECEIVING, round=number, last_ns=now_ns, **nothing)
    replies.missing(after, missing_ranges(after) or ((0, 0),), number=number, reason=reason)


def missing_ranges(transfer: Transfer) -> tuple[Range, ...]:
    """Return the chunks to request; all of a file that came in a pack."""
    if not transfer.chunk_size:
        return ((0, 0),)
    return transfer.chunks().missing_ranges(MAX_RANGES)


def _passed(barrier: Mapping[str, int], processed: Offsets) -> bool:
    return all(processed.get(int(partition), 0) >= offset for partition, offset in barrier.items())
