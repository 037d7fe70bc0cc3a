# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Free space, and what follows from it: hold new transfers when it is low, read nothing when it is nearly gone."""

from typing import Final

from fieldpost_receiver.admission import Admission
from fieldpost_receiver.ledger.store import PAUSED_KEY
from fieldpost_receiver.storage import Staged
from fieldpost_shared.database import Database
from fieldpost_shared.protocol.status import ReceiverState

_WORDS: Final = {
    ReceiverState.OK: "",
    ReceiverState.LOW_SPACE: "Storage is nearly full; new files wait.",
    ReceiverState.PAUSED: "Storage is full; nothing is read until there is room.",
    ReceiverState.STOPPING: "The receiver is being stopped.",
}


class Space:
    """Looks at the disk and remembers that a write failed for want of room."""

    def __init__(self, store: Database, staged: Staged, admission: Admission) -> None:
        self._store = store
        self._staged = staged
        self._admission = admission
        self._was_full = False
        self.state = ReceiverState.OK
        self.stopping = False

    def look(self) -> bool:
        """Look again; whether the state changed. After a full disk it goes on only when there is real room."""
        free = self._staged.free_bytes()
        self._admission.free_bytes = free
        if self._was_full and not self._admission.low:
            self._was_full = False
        before = self.state
        self.state = self._judge()
        paused = self.state in {ReceiverState.PAUSED, ReceiverState.STOPPING}
        if paused != bool(self._store.meta(PAUSED_KEY)):
            if paused:
                self._store.set_meta(PAUSED_KEY, self.state)
            else:
                self._store.forget_meta(PAUSED_KEY)
        return before is not self.state

    def ran_out(self) -> None:
        """A write found no room, whatever the figures say."""
        self._was_full = True

    @property
    def words(self) -> str:
        """For people."""
        return _WORDS[self.state]

    def _judge(self) -> ReceiverState:
        if self.stopping:
            return ReceiverState.STOPPING
        if self._admission.critical or self._was_full:
            return ReceiverState.PAUSED
        return ReceiverState.LOW_SPACE if self._admission.low else ReceiverState.OK
