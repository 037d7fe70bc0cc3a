# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Waiting for files until they have ended, a signal stops it, or time is up."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto
from types import FrameType
from typing import Final

from fieldpost_desktop.commands.follow import Follower, Snapshot
from fieldpost_desktop.commands.output import ProgressOutput
from fieldpost_desktop.commands.session import Session
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_shared.clock import Clock

if sys.platform == "win32":
    _SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGBREAK)
else:
    _SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_SHORTEST_S: Final = 0.1
_LONGEST_S: Final = 1.0
_SHARE: Final = 10  # looking takes at most a tenth of the time, however many files there are


class WaitResult(Enum):
    """Why the waiting ended."""

    FINISHED = auto()
    STOPPED = auto()  # Ctrl-C, or a service manager
    TIME_UP = auto()
    HELD = auto()  # nothing goes on until a person acts


@contextmanager
def stop_signals() -> Iterator[threading.Event]:
    """Yield an event that Ctrl-C and a service manager set; a second Ctrl-C ends the process at once."""
    stopping = threading.Event()

    def stop(number: int, _frame: FrameType | None) -> None:
        stopping.set()
        signal.signal(number, signal.SIG_DFL)

    before = {number: signal.signal(number, stop) for number in _SIGNALS}
    try:
        yield stopping
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class FileWaiter:
    """Looks at the files as often as they allow, and shows what it sees."""

    def __init__(self, session: Session, store: Store, follower: Follower, clock: Clock) -> None:
        self._session = session
        self._store = store
        self._follower = follower
        self._clock = clock
        self.snapshot = Snapshot(looked_up=False)
        self.hold: Hold | None = None

    def wait(
        self, output: ProgressOutput, stopping: threading.Event, done: Callable[[Snapshot], bool], seconds: float | None
    ) -> WaitResult:
        """Wait until the snapshot is as wanted, or something else ends the waiting."""
        deadline = None if seconds is None else self._clock.monotonic() + seconds
        try:
            while True:
                began = self._clock.monotonic()
                self._session.supervise()
                self.hold = self._session.hold(self._store)
                self.snapshot = self._follower.look()
                output.update(self.snapshot, self.hold)
                if done(self.snapshot):
                    return WaitResult.FINISHED
                if self.hold is not None and self.hold.kind is HoldKind.STOP_ALL:
                    return WaitResult.HELD
                if deadline is not None and self._clock.monotonic() >= deadline:
                    return WaitResult.TIME_UP
                took = self._clock.monotonic() - began
                if self._clock.wait(stopping, min(_LONGEST_S, max(_SHORTEST_S, _SHARE * took))):
                    return WaitResult.STOPPED
        finally:
            output.finish()
