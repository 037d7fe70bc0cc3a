# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""How much may be on its way at once, and how fast: the adapting window, the link's speed, the bandwidth limit."""

from collections import deque
from typing import Final

from fieldpost_shared.chunks import MIB

LARGEST_WINDOW: Final = 32 * MIB
SPAN_S: Final = 2.0  # the window is what the link moved in this time
_SPEED_SPAN_S: Final = 30.0  # what people see: calm figures
_GROWTH: Final = 2  # while the window itself is the limit, the link is asked for twice as much


class Meter:
    """Bytes that the broker acknowledged, over the last seconds."""

    def __init__(self) -> None:
        self._acks: deque[tuple[float, int]] = deque()
        self._busy_since: float | None = None

    def add(self, now: float, count: int) -> None:
        """Count bytes that were acknowledged now."""
        self._acks.append((now, count))
        while self._acks and self._acks[0][0] < now - _SPEED_SPAN_S:
            self._acks.popleft()

    def busy(self, now: float, *, sending: bool) -> None:
        """Note whether something is in flight: idle times do not count as slowness."""
        if not sending:
            self._busy_since = None
        elif self._busy_since is None:
            self._busy_since = now
            self._acks.clear()

    def busy_s(self, now: float) -> float:
        """Return for how long something has been in flight without a gap."""
        return 0.0 if self._busy_since is None else now - self._busy_since

    def moved(self, now: float, span: float) -> int:
        """Return the bytes acknowledged in the last `span` seconds."""
        return sum(count for when, count in self._acks if when >= now - span)

    def rate(self, now: float) -> float | None:
        """Return the bytes a second over the last 30 s of sending; None before the first acknowledgement."""
        if self._busy_since is None or not self._acks:
            return None
        return self.moved(now, _SPEED_SPAN_S) / max(0.1, min(_SPEED_SPAN_S, now - self._busy_since))


class Window:
    """Bytes in flight: what the link moved in the last 2 s, at least one chunk, at most 32 MiB."""

    def __init__(self, chunk: int) -> None:
        self.in_flight = 0
        self.size = chunk

    def adapt(self, moved: int, chunk: int) -> None:
        """Follow the link. A full window that was emptied within the span may have been the bottleneck: grow."""
        self.size = max(chunk, min(LARGEST_WINDOW, moved * _GROWTH if moved >= self.size else max(moved, chunk)))

    def admits(self, count: int) -> bool:
        """Return whether so many more bytes may leave; one chunk always may when nothing is in flight."""
        return self.in_flight == 0 or self.in_flight + count <= self.size


class TokenBucket:
    """The bandwidth limit. It may go one chunk into debt, so that a chunk larger than the limit still leaves."""

    def __init__(self) -> None:
        self._rate: int | None = None
        self._tokens = 0.0
        self._filled = 0.0

    def limit(self, now: float, bytes_per_s: int | None) -> None:
        """Set or lift the limit; acts at once."""
        if bytes_per_s != self._rate:
            self._rate, self._tokens, self._filled = bytes_per_s, 0.0, now

    def wait_s(self, now: float) -> float:
        """Return the seconds until something may leave; 0 for now."""
        if self._rate is None:
            return 0.0
        self._tokens = min(float(self._rate), self._tokens + (now - self._filled) * self._rate)
        self._filled = now
        return max(0.0, -self._tokens / self._rate)

    def take(self, count: int) -> None:
        """Count bytes that leave."""
        if self._rate is not None:
            self._tokens -= count
