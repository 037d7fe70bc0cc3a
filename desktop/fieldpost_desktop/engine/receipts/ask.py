# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Asks what became of a file whose receipt does not come.

Never before the receiver has read past the last question (its notices tell), then after 2 minutes, doubling to an
hour. Nothing is ever given up; after 4 h the row says so, after 24 h it needs a person, and the asking goes on. Those
hours run only while the status topic can be read: a laptop that was off has not waited.
"""

from typing import Final

from fieldpost_desktop.engine.model import failure_details
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.receipts.apply import StatusHandler
from fieldpost_desktop.engine.runtime import retry
from fieldpost_desktop.engine.runtime.context import EngineContext
from fieldpost_desktop.engine.sending.sender import Sender
from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.codes import Code

_HOUR_S: Final = 3600.0
_CHECK_S: Final = 5.0
_SILENT_S: Final = 180.0  # a receiver gives a sign of life every minute; three missed ones are worth a word


class ReceiptRequests:
    """Checks every few seconds; `listening` says whether the status topic is being read."""

    def __init__(
        self, context: EngineContext, status_handler: StatusHandler, sender: Sender, *, late_h: float, absent_h: float
    ) -> None:
        self._context = context
        self._status_handler = status_handler
        self._sender = sender
        self._late_s = late_h * _HOUR_S
        self._absent_s = absent_h * _HOUR_S
        self._waited: dict[int, float] = {}  # seconds of listening since the file was sent
        self._last = context.clock.monotonic()
        self._heard_ns: int | None = None
        self._silence_s = 0.0  # of listening, since a receiver was last heard

    @property
    def office_silent(self) -> bool:
        """Return whether no receiver gave a sign of life although the status topic is being read."""
        return self._silence_s >= _SILENT_S

    def step(self, *, listening: bool) -> None:
        """Schedule requests, send those that are due, and mark late files."""
        now = self._context.clock.monotonic()
        if now - self._last < _CHECK_S:
            return
        passed_s, self._last = now - self._last, now
        self._schedule()
        if self._sender.link is not None:
            self._ask()
        if listening:
            self._mark_late(passed_s)
            heard_ns = self._status_handler.newest_ns()
            self._silence_s = self._silence_s + passed_s if heard_ns == self._heard_ns else 0.0
            self._heard_ns = heard_ns

    def forget_moments(self, beyond_s: float = 0.0) -> None:
        """Forget later moments than these: the clock was set back, or was wrong before a restart."""
        latest_ns = self._context.clock.now_ns() + round(beyond_s * NS_PER_S)
        for state in (FileState.SENT, FileState.ATTENTION):
            for row in self._context.files.in_state(state):
                if row.ask_ns is not None and row.ask_ns > latest_ns:
                    self._context.files.change(row, row.state, ask_ns=None)

    def _schedule(self) -> None:
        now_ns, moments = self._context.clock.now_ns(), {}
        for row in self._context.files.unanswered():
            if self._status_handler.passed(row):
                delay = retry.ask_delay_s(row.asked, self._context.random)
                moments[row.id] = now_ns + round(delay * NS_PER_S)
        if moments:  # of thousands of small files at once
            self._context.files.ask_at(moments)

    def _ask(self) -> None:
        """Ask; the delivery report brings the new offset, and nothing is asked until the receiver has passed it."""
        for row in self._context.files.to_ask(self._context.clock.now_ns()):
            self._sender.ask(self._context.files.change(row, row.state, asked=row.asked + 1, ask_ns=None))

    def _mark_late(self, seconds: float) -> None:
        sent = self._context.files.ids_in_state(FileState.SENT)
        self._waited = {file: self._waited.get(file, 0.0) + seconds for file in sent}
        for file, waited in self._waited.items():
            if waited < self._late_s:
                continue
            row = self._context.files.get(file)
            if waited >= self._absent_s:
                self._set_code(row, FileState.ATTENTION, code=Code.RECEIPT_ABSENT, seconds=self._absent_s)
            elif row.code != Code.RECEIPT_LATE:
                self._set_code(row, row.state, code=Code.RECEIPT_LATE, seconds=self._late_s)

    def _set_code(self, row: FileRow, state: FileState, code: Code, seconds: float) -> None:
        detail = failure_details.hours(seconds / _HOUR_S)
        self._context.changed(self._context.files.change(row, state, code=code, detail=detail))
