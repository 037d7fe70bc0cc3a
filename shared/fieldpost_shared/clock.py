# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The port to time, and its twin for tests. No other module calls `time`."""

import threading
import time
from typing import Final, Protocol

NS_PER_S: Final = 1_000_000_000


class Clock(Protocol):
    """Wall time for people and records, monotonic time for waits, and an interruptible wait."""

    def now_ns(self) -> int:
        """Nanoseconds since the epoch; may jump."""

    def monotonic(self) -> float:
        """Seconds since some start; never goes back."""

    def wait(self, event: threading.Event, seconds: float) -> bool:
        """Wait until the event is set or the seconds have passed; tells whether it is set."""


class SystemClock:
    """The machine's clocks."""

    def now_ns(self) -> int:
        return time.time_ns()

    def monotonic(self) -> float:
        return time.monotonic()

    def wait(self, event: threading.Event, seconds: float) -> bool:
        return event.wait(max(0.0, seconds))


class FakeClock:
    """Stands still until told. A wait for an unset event moves the time on instead of waiting."""

    def __init__(self, now_ns: int = 1_800_000_000 * NS_PER_S) -> None:
        self._lock = threading.Lock()
        self._now_ns = now_ns
        self._monotonic = 0.0

    def now_ns(self) -> int:
        with self._lock:
            return self._now_ns

    def monotonic(self) -> float:
        with self._lock:
            return self._monotonic

    def wait(self, event: threading.Event, seconds: float) -> bool:
        if not event.is_set():
            self.advance(seconds)
        return event.is_set()

    def advance(self, seconds: float) -> None:
        """Time passes on both clocks."""
        with self._lock:
            self._monotonic += max(0.0, seconds)
            self._now_ns += round(max(0.0, seconds) * NS_PER_S)

    def jump(self, seconds: float) -> None:
        """Set the wall clock; no time passes."""
        with self._lock:
            self._now_ns += round(seconds * NS_PER_S)
