# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Handing messages to the broker, as far as window and bandwidth limit let them."""

from fieldpost_desktop.engine.link.pacing import Meter, TokenBucket, Window
from fieldpost_desktop.engine.link.transport import Failed, Transport
from fieldpost_desktop.engine.sending.in_progress import InProgress
from fieldpost_desktop.engine.sending.lanes import ReadyMessage
from fieldpost_desktop.engine.sending.uploads import ChunkToken, Token
from fieldpost_shared.chunks import MIB
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

_SPAN_S = 2.0
_UNKNOWN_RATE = 8_000.0  # 64 kbit/s
_STALL_S = 120.0
_STALL_MOST_S = 300.0


class Outgoing:
    """Counts what is on its way. `link` is None while there is no connection."""

    def __init__(self, in_progress: InProgress) -> None:
        self._in_progress = in_progress
        self._clock = in_progress.context.clock
        self.link: Transport | None = None
        self.window = Window(MIB)
        self.meter = Meter()
        self.bucket = TokenBucket()
        self.refused: list[Failed] = []  # refusals at the door; treated like reports
        self._alive = 0.0
        self._bytes_out = 0
        self._pace: float | None = None  # bytes a second when something last arrived; a stuck link has none any more

    def may_leave(self, ready: ReadyMessage) -> bool:
        """Whether window and limit have room for it."""
        return self.window.admits(ready.token.length) and self.bucket.wait_s(self._clock.monotonic()) == 0.0

    def send(self, ready: ReadyMessage) -> bool:
        """Hand a message over; a refusal at the door becomes a report."""
        assert self.link is not None  # noqa: S101 - callers send only while there is a link
        token = ready.token
        try:
            self.link.send(ready.record, ready.partition_of(self.link.facts.partitions), token)
        except FieldpostError as error:
            full = error.code is Code.SERVER_BUSY  # the client's own queue: nothing is wrong, just wait
            self.refused.append(Failed(token, None if full else error.code, error.detail))
            return False
        self._in_progress.context.crash.reach("after_produce")
        if not self.window.in_flight:
            self._alive = self._clock.monotonic()
        self.window.in_flight += token.length
        self.bucket.take(token.length)
        if isinstance(token, ChunkToken) and token.file in self._in_progress.uploads:
            self._in_progress.uploads[token.file].in_flight.add(token.index)
        return True

    def answered(self, token: Token, *, delivered: bool) -> None:
        """A report came for a message that was handed over."""
        now = self._clock.monotonic()
        self.window.in_flight = max(0, self.window.in_flight - token.length)
        if delivered:
            self._alive = now
            self.meter.add(now, token.length)
            if self.meter.busy_s(now) >= _SPAN_S:
                self._pace = self.meter.rate(now)

    def adapt(self) -> None:
        """Let the window follow the link."""
        now = self._clock.monotonic()
        if self.link is not None and self.link.bytes_out() != self._bytes_out:
            self._bytes_out = self.link.bytes_out()
            self._alive = now
        self.meter.busy(now, sending=self.window.in_flight > 0)
        self.window.adapt(self.meter.moved(now, _SPAN_S), self._in_progress.context.chunk_size)

    def rate(self) -> float | None:
        """Bytes a second, lately; None while unknown."""
        return self.meter.rate(self._clock.monotonic())

    def stalled(self) -> bool:
        """Nothing moved for so long that even this slow link should have.

        Two minutes; longer only while what is in flight would take that long at the link's own speed: a part of
        960 KiB needs 123 s at 64 kbit/s.
        """
        if not self.window.in_flight:
            return False
        expected = 2 * self.window.in_flight / (self._pace or _UNKNOWN_RATE)
        patience = max(_STALL_S, min(_STALL_MOST_S, expected))
        return self._clock.monotonic() - self._alive > patience

    def close(self) -> None:
        """Give the link up, and with it what was on its way."""
        if self.link is not None:
            self.link.close()
        self.link = None
        self.window.in_flight = 0
        self._pace = None
        self.refused.clear()
