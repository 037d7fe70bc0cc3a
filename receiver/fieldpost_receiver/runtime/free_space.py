# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Free space, and what follows from it: hold new transfers when it is low, read nothing when it is nearly gone."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fieldpost_receiver.jobs.files.admission import Admission
from fieldpost_receiver.jobs.files.ledger.store import PAUSED_KEY
from fieldpost_receiver.storage.errors import StorageError, storing
from fieldpost_receiver.storage.folder.disk import Disk, closing
from fieldpost_receiver.storage.port import Staging
from fieldpost_shared.database import Database
from fieldpost_shared.protocol.status import ReceiverState

_WORDS: Final = {
    ReceiverState.OK: "",
    ReceiverState.LOW_SPACE: "Storage is nearly full; new files wait.",
    ReceiverState.PAUSED: "Storage is full; nothing is read until there is room.",
    ReceiverState.STOPPING: "The receiver is being stopped.",
}


_STATE_FLOOR: Final = 64 * 1024 * 1024  # the ledger's log, the checkpoint and what Spark puts aside
_TRIAL: Final = bytes(64 * 1024)


@dataclass(frozen=True, slots=True)
class StateDisk:
    """Where ledger and checkpoint lie; often another disk than the destination's."""

    folder: Path
    floor: int

    @classmethod
    def of(cls, folder: Path, min_free_space: int) -> "StateDisk":
        """Far less room is enough there than for files."""
        return cls(folder, min(_STATE_FLOOR, min_free_space))

    def lacking(self) -> int | None:
        """What little is left; None if there is enough."""
        disk = Disk()
        with storing("look at the state folder"), closing(disk, disk.open_root(self.folder)) as folder:
            free = disk.free_bytes(folder)
        return free if free < self.floor else None

    def try_to_write(self) -> None:
        """Whether it takes bytes now. What the JVM tells of a disk comes in the system's language.

        Raises:
            StorageError: it does not.
        """
        trial = self.folder / "trial"
        with storing("write in the state folder"):
            try:
                with trial.open("wb") as file:
                    file.write(_TRIAL)
                    file.flush()
                    os.fsync(file.fileno())
            finally:
                trial.unlink(missing_ok=True)


class Space:
    """Looks at the disks and remembers that a write failed for want of room."""

    def __init__(self, store: Database, staged: Staging, admission: Admission, state_disk: StateDisk) -> None:
        self._store = store
        self._staged = staged
        self._admission = admission
        self._state_disk = state_disk
        self._was_full = False
        self.state = ReceiverState.OK
        self.stopping = False

    def look(self) -> bool:
        """Look again; whether the state changed. After a full disk it goes on only when there is real room."""
        free, lacking = self._staged.free_bytes(), self._state_disk.lacking()
        self._admission.free_bytes = free if lacking is None else min(free, lacking)
        if self._was_full and not self._admission.low:
            self._was_full = False
        before = self.state
        self.state = self._judge()
        try:
            self._tell_source()
        except StorageError as error:
            if not error.waits_for_space:
                raise
            self._was_full = True
            self.state = self._judge()
        return before is not self.state

    def _tell_source(self) -> None:
        """In the ledger, which it reads. Where there is no room for that either, no batch can be committed anyway."""
        paused = self.state in {ReceiverState.PAUSED, ReceiverState.STOPPING}
        if paused == bool(self._store.meta(PAUSED_KEY)):
            return
        if paused:
            self._store.set_meta(PAUSED_KEY, self.state)
        else:
            self._store.forget_meta(PAUSED_KEY)

    def ran_out(self) -> bool:
        """A write found no room, whatever the figures say; whether that is news."""
        before, self._was_full = self._was_full, True
        return not before

    def try_state_disk(self) -> None:
        """See `StateDisk.try_to_write`."""
        self._state_disk.try_to_write()

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
