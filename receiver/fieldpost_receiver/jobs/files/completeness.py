# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Deciding about an `end` with holes, by the offset barrier and not by a timer.

Every chunk was acknowledged before its `end` was sent. Once everything that was in the topic when the `end` was
processed has been processed too, a hole is a loss. A round counts against the sender only when it answered the last
`missing` in full and still nothing new came: five such rounds, then the transfer is rejected.
"""

import json
from collections.abc import Mapping
from typing import Final

from fieldpost_receiver.jobs.files.ledger.states import TransferState
from fieldpost_receiver.jobs.files.ledger.transfers import Transfer, Transfers
from fieldpost_receiver.jobs.files.replies import Answers
from fieldpost_shared.bitmap import Range
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.protocol.limits import MAX_RANGES
from fieldpost_shared.protocol.status import MissingReason

MOST_STALE_ROUNDS: Final = 5
Offsets = Mapping[int, int]


class Barriers:
    """Answers ends whose barrier has been passed."""

    def __init__(self, transfers: Transfers, answers: Answers, clock: Clock) -> None:
        self._transfers = transfers
        self._answers = answers
        self._clock = clock

    def wait_for(self, transfer: Transfer, end_round: int, barrier: Offsets | None) -> Transfer:
        """An `end` came and chunks are missing: look again when these offsets are processed (None: not known yet)."""
        text = "" if barrier is None else json.dumps({str(key): value for key, value in barrier.items()})
        return self._transfers.change(transfer, transfer.state, end_round=end_round, barrier=text)

    def unknown(self) -> list[Transfer]:
        """The transfers whose barrier could not be asked for yet."""
        return [transfer for transfer in self._transfers.waiting_for_barrier() if not transfer.barrier]

    def judge(self, processed: Offsets) -> list[Transfer]:
        """Answer every `end` whose barrier is passed; the transfers that were given up."""
        given_up = []
        for transfer in self._transfers.waiting_for_barrier():
            if transfer.barrier and _passed(json.loads(transfer.barrier), processed):
                after = self._answer(transfer)
                given_up += [after] if after.state is TransferState.REJECTED else []
        return given_up

    def _answer(self, transfer: Transfer) -> Transfer:
        answered = transfer.round > 0 and transfer.end_round == transfer.round
        stale = 0 if transfer.grew else transfer.stale_rounds + answered
        if stale >= MOST_STALE_ROUNDS:
            after = self._transfers.finish(transfer, TransferState.REJECTED, self._clock.now_ns(), code=Code.INCOMPLETE)
            self._answers.rejected(transfer.client, transfer.id, Code.INCOMPLETE)
            return after
        number = transfer.round + 1 if answered or not transfer.round else transfer.round
        columns = {"round": number, "stale_rounds": stale, "grew": 0, "end_round": None, "barrier": ""}
        after = self._transfers.change(transfer, transfer.state, **columns)
        self._answers.missing(after, holes(after), number, self._reason(after))
        return after

    def _reason(self, transfer: Transfer) -> MissingReason:
        if transfer.expired:
            return MissingReason.EXPIRED
        return MissingReason.DAMAGED if self._transfers.came_damaged(transfer.id) else MissingReason.NEVER_ARRIVED


def ask_for_all(transfers: Transfers, answers: Answers, transfer: Transfer, reason: MissingReason, now_ns: int) -> None:
    """Nothing of it is there (any more): begin anew, under the same id. Part of the caller's transaction."""
    nothing = {"bitmap": None, "have": 0, "grew": 0, "end_round": None, "barrier": ""}
    number = transfer.round + 1
    after = transfers.change(transfer, TransferState.RECEIVING, round=number, last_ns=now_ns, **nothing)
    answers.missing(after, holes(after) or ((0, 0),), number, reason)


def holes(transfer: Transfer) -> tuple[Range, ...]:
    """The chunks to ask for; all of a file that came in a pack."""
    if not transfer.chunk_size:
        return ((0, 0),)
    return transfer.chunks().missing_ranges(MAX_RANGES)


def _passed(barrier: Mapping[str, int], processed: Offsets) -> bool:
    return all(processed.get(int(partition), 0) >= offset for partition, offset in barrier.items())
