# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Tells the listeners what changed, after the commit: the newest value of each file, and the one overall status."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from fieldpost_desktop.engine.drain import Drain
from fieldpost_desktop.engine.model.events import Event, FileChanged, OverallChanged, OverallStatus
from fieldpost_desktop.engine.model.file_row import FileId, FileRow
from fieldpost_desktop.engine.model.overall_status import overall
from fieldpost_desktop.engine.model.states import OPEN, FileState
from fieldpost_desktop.engine.receipts.apply import StatusHandler
from fieldpost_desktop.engine.receipts.ask import ReceiptRequests
from fieldpost_desktop.engine.runtime.context import EngineContext
from fieldpost_desktop.engine.sending.sender import Sender

_TELL_S: Final = 0.25


class EventFeed:
    """Computes the overall status that tray, header, taskbar and `fieldpost status` show."""

    def __init__(
        self,
        context: EngineContext,
        sender: Sender,
        status_handler: StatusHandler,
        *,
        receipt_requests: ReceiptRequests,
        drain: Drain,
        tell: Callable[[Event], None],
    ) -> None:
        self._context = context
        self._sender = sender
        self._status_handler = status_handler
        self._receipt_requests = receipt_requests
        self._drain = drain
        self._tell = tell
        self._told = 0.0
        self._last: OverallStatus | None = None  # the one that was told last
        self._confirmed_before: int | None = None

    def tell(self, changed: Mapping[FileId, FileRow]) -> None:
        """Tell of these files, and of the overall status if it is another one."""
        rate = self._sender.rate
        for row in changed.values():
            acknowledged, chunks = self._sender.progress(row)
            self._tell(
                FileChanged(
                    row, acknowledged, parts=chunks, rate=rate, arrived=self._status_handler.arrived_chunks(row.id)
                )
            )
        now = self._context.clock.monotonic()
        if now - self._told >= _TELL_S or changed:
            self._told = now
            self._tell_overall()

    def overall(self) -> OverallStatus:
        """Return the overall status."""
        holds, files = self._context.holds, self._context.files
        limit = holds.metered_limit()
        counts = files.counts()
        status = overall(
            counts,
            hold=holds.worst(),
            set_up=True,
            rate=self._sender.rate,
            acknowledged=self._sender.acknowledged_bytes(),
            next_try_ns=files.next_try_ns(),
            metered=(0, 0) if limit is None else files.larger_waiting(limit),
        )
        return replace(
            status,
            pausing=self._drain.active,
            metered_limit=limit,
            office_silent=self._receipt_requests.office_silent,
            done=self._done(counts),
        )

    def _done(self, counts: Mapping[FileState, tuple[int, int]]) -> int:
        """Return how many files were confirmed since there was last nothing to do: the 3 of "3 of 8 files"."""
        confirmed, _ = counts.get(FileState.CONFIRMED, (0, 0))
        if self._confirmed_before is None or not OPEN & counts.keys():
            self._confirmed_before = confirmed
        return confirmed - self._confirmed_before

    def _tell_overall(self) -> None:
        status = self.overall()
        if not status.counts.get(FileState.QUEUED) and not status.counts.get(FileState.SENDING):
            self._context.holds.send_now = False
        if status != self._last:
            self._last = status
            self._tell(OverallChanged(status))
