# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Watch free space: hold new transfers when it is low, read nothing when it is nearly gone."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fieldpost_receiver.jobs.files.admission import Admission
from fieldpost_receiver.jobs.files.ledger.reading_state import ReadingState
from fieldpost_receiver.storage.errors import StorageError, storing
from fieldpost_receiver.storage.local_folder import free_bytes
from fieldpost_receiver.storage.port import Staging
from fieldpost_shared.protocol.status import ReceiverState

_LOG: Final = logging.getLogger(__name__)
_NOTICES: Final = {
    ReceiverState.OK: "",
    ReceiverState.LOW_SPACE: "Storage is nearly full; new files wait.",
    ReceiverState.PAUSED: "Storage is full; nothing is read until there is room.",
    ReceiverState.STOPPING: "The receiver is being stopped.",
}
_STATE_FLOOR: Final = 64 * 1024 * 1024  # the ledger's log and Spark's temporary files
_TRIAL: Final = bytes(64 * 1024)


@dataclass(frozen=True, slots=True)
class StateDisk:
    """The disk of the ledger, often another one than the destination's."""

    folder: Path
    floor: int

    @classmethod
    def of(cls, folder: Path, min_free_space: int) -> "StateDisk":
        """Return the disk with its own limit: the ledger needs far less space than files."""
        return cls(folder, min(_STATE_FLOOR, min_free_space))

    def lacking(self) -> int | None:
        """Return the free bytes if they are too few; None if there is enough space."""
        free = free_bytes(self.folder)
        return free if free < self.floor else None

    def try_to_write(self) -> None:
        """Write a file and remove it, because the JVM's own errors about a disk come in the system's language.

        Raises:
            StorageError: the disk is full or fails.
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


class FreeSpace:
    """Reads the free space of both disks and remembers that a write failed for lack of it."""

    def __init__(self, *, reading: ReadingState, staged: Staging, admission: Admission, state_disk: StateDisk) -> None:
        self._reading = reading
        self._staged = staged
        self._admission = admission
        self._state_disk = state_disk
        self._was_full = False
        self.state = ReceiverState.OK
        self.stopping = False

    def update(self) -> bool:
        """Read the free space; return whether the state changed. After a full disk only ample space counts."""
        free, lacking = self._staged.free_bytes(), self._state_disk.lacking()
        self._admission.free_bytes = free if lacking is None else min(free, lacking)
        if self._was_full and not self._admission.low:
            self._was_full = False
        before = self.state
        self.state = self._judge()
        try:
            self._pause_or_resume()
        except StorageError as error:
            if not error.waits_for_space:
                raise
            self._was_full = True
            self.state = self._judge()
        return before is not self.state

    def _pause_or_resume(self) -> None:
        """Note it in the ledger for planning and `status`. Without space even for that no batch can be committed."""
        paused = self.state in {ReceiverState.PAUSED, ReceiverState.STOPPING}
        if paused == bool(self._reading.paused()):
            return
        if paused:
            self._reading.pause(self.state)
        else:
            self._reading.resume()

    def ran_out(self) -> bool:
        """Record that a write found no space, whatever the figures say; return whether this is the first one."""
        before, self._was_full = self._was_full, True
        return not before

    @contextmanager
    def waiting_for_space(self) -> Iterator[None]:
        """Let a full disk interrupt a step of the service, which a later round repeats; other errors pass."""
        try:
            yield
        except StorageError as error:
            if not error.waits_for_space:
                raise
            if self.ran_out():
                _LOG.info("no free space: %s", error.detail, extra={"code": error.code})

    def try_state_disk(self) -> None:
        """Write to the state disk; see `StateDisk.try_to_write`."""
        self._state_disk.try_to_write()

    @property
    def notice(self) -> str:
        """What people are told about the state; "" if all is well."""
        return _NOTICES[self.state]

    def _judge(self) -> ReceiverState:
        if self.stopping:
            return ReceiverState.STOPPING
        if self._admission.critical or self._was_full:
            return ReceiverState.PAUSED
        return ReceiverState.LOW_SPACE if self._admission.low else ReceiverState.OK
