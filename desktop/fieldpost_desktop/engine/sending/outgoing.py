# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Hands messages to the broker, as far as window and bandwidth limit allow."""

from typing import Final

from fieldpost_desktop.engine.link.pacing import Meter, TokenBucket, Window
from fieldpost_desktop.engine.link.transport import Failed, Transport
from fieldpost_desktop.engine.sending.in_progress import InProgress
from fieldpost_desktop.engine.sending.lanes import ReadyMessage
from fieldpost_desktop.engine.sending.uploads import ChunkToken, Token
from fieldpost_shared.chunks import MIB
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

_SPAN_S: Final = 2.0
_UNKNOWN_RATE: Final = 8_000.0  # 64 kbit/s
_STALL_S: Final = 120.0
_STALL_MOST_S: Final = 300.0


class Outgoing:
    """Counts the bytes in flight. `link` is None while there is no connection."""

    def __init__(self, in_progress: InProgress) -> None:
        self._in_progress = in_progress
        self._clock = in_progress.context.clock
        self.link: Transport | None = None
        self._window = Window(MIB)
        self._meter = Meter()
        self._bucket = TokenBucket()
        self._refused: list[Failed] = []  # at the door; treated like delivery reports
        self._active = 0.0  # when something last moved
        self._bytes_out = 0
        self._last_rate: float | None = None  # when something last arrived; a stuck link has none any more

    @property
    def in_flight(self) -> int:
        """Return the bytes that the broker has not acknowledged yet."""
        return self._window.in_flight

    def limit_bandwidth(self, bytes_per_s: int | None) -> None:
        """Set or lift the bandwidth limit."""
        self._bucket.limit(self._clock.monotonic(), bytes_per_s)

    def may_send(self, message: ReadyMessage) -> bool:
        """Return whether window and bandwidth limit have room for a message."""
        return self._window.admits(message.token.length) and self._bucket.wait_s(self._clock.monotonic()) == 0.0

    def send(self, message: ReadyMessage) -> bool:
        """Hand a message over; a refusal at the door becomes a report of `take_refused`."""
        assert self.link is not None  # noqa: S101 - callers send only while there is a link
        token = message.token
        try:
            self.link.send(message.record, message.partition_of(self.link.facts.partitions), token)
        except FieldpostError as error:
            full = error.code is Code.SERVER_BUSY  # the client's own queue: nothing is wrong, just wait
            self._refused.append(Failed(token, None if full else error.code, error.detail))
            return False
        self._in_progress.context.crash.reach("after_produce")
        if not self._window.in_flight:
            self._active = self._clock.monotonic()
        self._window.in_flight += token.length
        self._bucket.take(token.length)
        if isinstance(token, ChunkToken) and token.file in self._in_progress.uploads:
            self._in_progress.uploads[token.file].in_flight.add(token.index)
        return True

    def take_refused(self) -> list[Failed]:
        """Return the messages that were refused at the door since the last call."""
        refused, self._refused = self._refused, []
        return refused

    def reported(self, token: Token, *, delivered: bool) -> None:
        """Take a message that was reported on out of the window."""
        now = self._clock.monotonic()
        self._window.in_flight = max(0, self._window.in_flight - token.length)
        if delivered:
            self._active = now
            self._meter.add(now, token.length)
            if self._meter.busy_s(now) >= _SPAN_S:
                self._last_rate = self._meter.rate(now)

    def adapt(self) -> None:
        """Let the window follow the link."""
        now = self._clock.monotonic()
        if self.link is not None and self.link.bytes_out() != self._bytes_out:
            self._bytes_out = self.link.bytes_out()
            self._active = now
        self._meter.busy(now, sending=self._window.in_flight > 0)
        self._window.adapt(self._meter.moved(now, _SPAN_S), self._in_progress.context.chunk_size)

    def rate(self) -> float | None:
        """Return the bytes a second, lately; None while unknown."""
        return self._meter.rate(self._clock.monotonic())

    def stalled(self) -> bool:
        """Return whether nothing moved for so long that even a slow link should have moved something.

        Two minutes; longer only while what is in flight would take that long at the link's own speed: a chunk of
        960 KiB needs 123 s at 64 kbit/s.
        """
        if not self._window.in_flight:
            return False
        expected_s = 2 * self._window.in_flight / (self._last_rate or _UNKNOWN_RATE)
        limit_s = max(_STALL_S, min(_STALL_MOST_S, expected_s))
        return self._clock.monotonic() - self._active > limit_s

    def close(self) -> None:
        """Close the link, and forget what was in flight."""
        if self.link is not None:
            self.link.close()
        self.link = None
        self._window.in_flight = 0
        self._last_rate = None
        self._refused.clear()
