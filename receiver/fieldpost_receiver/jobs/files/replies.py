# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Replies to senders: those that must arrive go to the outbox, progress is sent without confirmation."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from fieldpost_receiver.jobs.files.ledger.outbox import Outbox
from fieldpost_receiver.jobs.files.ledger.states import TransferState
from fieldpost_receiver.jobs.files.ledger.transfers import Transfer
from fieldpost_shared.bitmap import Range
from fieldpost_shared.clock import NS_PER_S, Clock
from fieldpost_shared.codes import CODES, Code
from fieldpost_shared.ids import ClientName, TransferId
from fieldpost_shared.protocol.limits import MAX_TEXT
from fieldpost_shared.protocol.status import (
    Event,
    Missing,
    MissingReason,
    Phase,
    Progress,
    Received,
    Rejected,
    Status,
)

_PHASE: Final = {
    TransferState.HELD: Phase.HELD,
    TransferState.RECEIVING: Phase.RECEIVING,
    TransferState.COMPLETE: Phase.VERIFYING,
    TransferState.SEALED: Phase.VERIFYING,
    TransferState.INTENT: Phase.VERIFYING,
}


class Replies:
    """The replies of one receiver. Progress, whose loss does no harm, is collected here until the service sends it."""

    def __init__(self, receiver: str, outbox: Outbox, clock: Clock) -> None:
        self._receiver = receiver
        self._outbox = outbox
        self._clock = clock
        self._unconfirmed: list[Status] = []
        self._requested: Counter[MissingReason] = Counter()

    def received(self, transfer: Transfer) -> None:
        """Send the receipt of a published transfer."""
        event = Received(
            transfer.id, transfer.size, transfer.sha256, renamed=transfer.renamed, duplicate=transfer.duplicate
        )
        self._outbox.put(self._stamped(transfer.client, event))

    def missing(self, transfer: Transfer, ranges: Sequence[Range], *, number: int, reason: MissingReason) -> None:
        """Request chunks, in the round of this number."""
        self._requested[reason] += sum(last - first + 1 for first, last in ranges)
        self._outbox.put(self._stamped(transfer.client, Missing(transfer.id, tuple(ranges), number, reason)))

    def rejected(self, client: ClientName, transfer: TransferId, code: Code, text: str = "") -> None:
        """Reject a transfer; its id is never used again."""
        words = text or CODES[code].words.format(office=self._receiver, detail="")
        self._outbox.put(self._stamped(client, Rejected(transfer, code, words[:MAX_TEXT])))

    def progress(self, transfer: Transfer) -> None:
        """Report how much of a transfer has arrived."""
        have = transfer.count if transfer.state is not TransferState.RECEIVING and transfer.sha256 else transfer.have
        event = Progress(transfer.id, min(have, transfer.count), transfer.count, _PHASE[transfer.state])
        self._unconfirmed.append(self._stamped(transfer.client, event))

    def current_state(self, transfer: Transfer) -> None:
        """Report the state of a transfer that needs nothing from its sender, as the answer to an `end`."""
        match transfer.state:
            case TransferState.PUBLISHED:
                self.received(transfer)
            case TransferState.REJECTED:
                self.rejected(transfer.client, transfer.id, Code(transfer.code), transfer.text)
            case TransferState.CANCELLED:
                self.rejected(transfer.client, transfer.id, Code.CANCELLED)
            case _:
                self.progress(transfer)

    def take_unconfirmed(self) -> list[Status]:
        """Return the progress messages since the last call."""
        taken, self._unconfirmed = self._unconfirmed, []
        return taken

    def take_requested(self) -> Counter[MissingReason]:
        """Return how many chunks were requested since the last call, by reason."""
        taken, self._requested = self._requested, Counter()
        return taken

    def _stamped(self, client: ClientName, event: Event) -> Status:
        at = datetime.fromtimestamp(self._clock.now_ns() / NS_PER_S, UTC)
        return Status(client, self._receiver, at, event)
