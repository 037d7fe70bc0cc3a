# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Ends sending in good order when a hold begins: takes back what has not left, and waits a little for the rest."""

from typing import Final

from fieldpost_desktop.engine.sending.link_keeper import LinkKeeper
from fieldpost_desktop.engine.sending.sender import Sender
from fieldpost_shared.clock import Clock

_DRAIN_S: Final = 5.0  # after that, what is in flight counts as not sent


class Drain:
    """`step` is called at each step of the core."""

    def __init__(self, sender: Sender, keeper: LinkKeeper, clock: Clock) -> None:
        self._sender = sender
        self._keeper = keeper
        self._clock = clock
        self._until: float | None = None
        self._drained = False

    @property
    def active(self) -> bool:
        """Return whether chunks in flight are still waited for."""
        return self._until is not None

    def step(self, *, hold: bool) -> None:
        """Drain while there is a hold."""
        if not hold:
            self._until, self._drained = None, False
            return
        if self._drained:
            return
        now = self._clock.monotonic()
        if self._until is None:
            self._until = now + _DRAIN_S
            self._sender.stop_reading()
        elif self._sender.in_flight and now >= self._until:
            self._keeper.abandon()
        if not self._sender.in_flight:
            self._sender.requeue_all()
            self._until, self._drained = None, True
