# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the receiver says about a transfer: letters that must arrive go to the outbox, progress is said directly."""

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


class Answers:
    """Speaks for one receiver. `direct` collects what may be lost without harm; the service sends it."""

    def __init__(self, receiver: str, outbox: Outbox, clock: Clock) -> None:
        self._receiver = receiver
        self._outbox = outbox
        self._clock = clock
        self.direct: list[Status] = []
        self._asked: Counter[MissingReason] = Counter()

    def received(self, transfer: Transfer) -> None:
        """The receipt; only of a published transfer."""
        event = Received(
            transfer.id, transfer.size, transfer.sha256, renamed=transfer.renamed, duplicate=transfer.duplicate
        )
        self._outbox.put(self._stamped(transfer.client, event))

    def missing(self, transfer: Transfer, ranges: Sequence[Range], number: int, reason: MissingReason) -> None:
        """Send these again."""
        self._asked[reason] += sum(last - first + 1 for first, last in ranges)
        self._outbox.put(self._stamped(transfer.client, Missing(transfer.id, tuple(ranges), number, reason)))

    def rejected(self, client: ClientName, transfer: TransferId, code: Code, text: str = "") -> None:
        """This id is over."""
        words = text or CODES[code].words.format(office=self._receiver, detail="")
        self._outbox.put(self._stamped(client, Rejected(transfer, code, words[:MAX_TEXT])))

    def progress(self, transfer: Transfer) -> None:
        """How far it is."""
        have = transfer.count if transfer.state is not TransferState.RECEIVING and transfer.sha256 else transfer.have
        event = Progress(transfer.id, min(have, transfer.count), transfer.count, _PHASE[transfer.state])
        self.direct.append(self._stamped(transfer.client, event))

    def truth(self, transfer: Transfer) -> None:
        """Answer an `end` about a transfer that waits for nothing of the sender's."""
        match transfer.state:
            case TransferState.PUBLISHED:
                self.received(transfer)
            case TransferState.REJECTED:
                self.rejected(transfer.client, transfer.id, Code(transfer.code), transfer.text)
            case TransferState.CANCELLED:
                self.rejected(transfer.client, transfer.id, Code.CANCELLED)
            case _:
                self.progress(transfer)

    def take_direct(self) -> list[Status]:
        """What is to be said directly, once."""
        said, self.direct = self.direct, []
        return said

    def take_asked(self) -> Counter[MissingReason]:
        """How many chunks senders were asked for, once."""
        asked, self._asked = self._asked, Counter()
        return asked

    def _stamped(self, client: ClientName, event: Event) -> Status:
        at = datetime.fromtimestamp(self._clock.now_ns() / NS_PER_S, UTC)
        return Status(client, self._receiver, at, event)
