# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Applies status messages of the receivers to the journal.

Each batch is one transaction with the offset it was read up to: read again after a crash, it changes nothing twice.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from fieldpost_desktop.engine.model import failure_details
from fieldpost_desktop.engine.model.file_row import FileId, FileRow
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.model.states import OPEN, FileState
from fieldpost_desktop.engine.runtime.context import EngineContext
from fieldpost_desktop.engine.runtime.failure_policy import FailurePolicy
from fieldpost_desktop.engine.sending.sender import Sender
from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.codes import Code, known
from fieldpost_shared.protocol.status import (
    Missing,
    Notice,
    Progress,
    Received,
    ReceiverState,
    Rejected,
    Status,
)

_LOG: Final = logging.getLogger(__name__)
_FULL: Final = frozenset({ReceiverState.LOW_SPACE, ReceiverState.PAUSED})


@dataclass(frozen=True, slots=True)
class StatusBatch:
    """Status messages of one partition, and the offset where reading goes on."""

    partition: int
    next_offset: int
    statuses: Sequence[Status]


@dataclass(frozen=True, slots=True)
class ReceiverNotice:
    """The newest notice of a receiver."""

    state: ReceiverState
    text: str
    at: datetime
    processed: dict[int, int]
    partition: int


class StatusHandler:
    """Turns receipts, requests and rejections into states. `required` are the receivers that must all confirm."""

    def __init__(
        self, context: EngineContext, failure_policy: FailurePolicy, sender: Sender, required: Sequence[str]
    ) -> None:
        self._context = context
        self._failure_policy = failure_policy
        self._sender = sender
        self._required = frozenset(required)
        self._notices: dict[str, ReceiverNotice] = {}  # by receiver
        self._arrived: dict[FileId, int] = {}  # chunks at the receiver

    def apply(self, batch: StatusBatch) -> list[tuple[str, ReceiverNotice]]:
        """Apply a batch, and journal its offset with it; return the receivers whose state is another one now."""
        before = dict(self._notices)
        with self._context.store.transaction():
            for status in batch.statuses:
                if isinstance(status.event, Notice):
                    self._notice(batch.partition, status.receiver, at=status.at, event=status.event)
                elif status.client == self._context.client:
                    self._about_a_file(status)
            self._context.files.set_position(batch.partition, batch.next_offset)
        return [
            (name, notice)
            for name, notice in self._notices.items()
            if name not in before or before[name].state is not notice.state
        ]

    def arrived_chunks(self, file: FileId) -> int:
        """Return how many chunks of a file have arrived at a receiver."""
        return self._arrived.get(file, 0)

    def _about_a_file(self, status: Status) -> None:
        event = status.event
        assert not isinstance(event, Notice)  # noqa: S101 - the caller has sorted those out
        row = self._context.files.by_transfer(event.transfer)
        if row is None or row.state not in OPEN:
            return  # of an older generation, or finished: however late, it changes nothing
        match event:
            case Progress():
                self._arrived[row.id] = event.have
                self._context.changed(row)
            case Received():
                self._received(row, status.receiver, at=status.at, event=event)
            case Missing():
                self._missing(row, status.receiver, event)
            case Rejected():
                self._rejected(row, event)

    def _received(self, row: FileRow, receiver: str, at: datetime, event: Received) -> None:
        """Confirm a file; a receipt counts only for exactly the bytes that were sent."""
        if (event.size, event.sha256) != (row.size, row.sha256):
            _LOG.warning("a receipt of %s names other bytes than were sent; ignored", receiver)
            return
        self._context.crash.reach("after_receipt")
        moment = at.astimezone(UTC).isoformat(timespec="milliseconds")
        self._context.files.add_receipt(row.id, receiver, moment, renamed=event.renamed, duplicate=event.duplicate)
        if self._required and not self._required <= set(self._context.files.receipts_of(row.id)):
            return
        self._sender.release(row.id)
        self._context.files.forget_chunks(row.id)
        self._arrived.pop(row.id, None)
        clean_up = "due" if row.folder is not None else ""
        self._context.changed(
            self._context.files.change(
                self._context.files.get(row.id),
                FileState.CONFIRMED,
                ended_ns=self._context.clock.now_ns(),
                sent_ns=row.sent_ns or self._context.clock.now_ns(),
                clean_up=clean_up,
                code=Code.DUPLICATE if event.duplicate else "",
                detail="",
                next_try_ns=None,
                ask_ns=None,
            )
        )
        self._context.crash.reach("after_confirmed")

    def _missing(self, row: FileRow, receiver: str, event: Missing) -> None:
        """Send these chunks again, each round of a receiver once; what is still being sent comes anyway."""
        if event.round <= self._context.files.rounds(row.id).get(receiver, -1) or row.state not in {
            FileState.SENT,
            FileState.ATTENTION,
        }:
            return
        self._context.crash.reach("after_missing")
        self._context.files.record_round(row.id, receiver, event.round)
        if row.chunk_size == 0:
            row = self._cut(row)
        asked = sum(last - first + 1 for first, last in event.ranges)
        self._context.files.forget_chunk_ranges(row.id, event.ranges)
        detail = failure_details.chunks_again(asked, event.round)
        columns = {"round": event.round, "code": Code.PARTS_MISSING, "detail": detail, "urgent": 1, "ask_ns": None}
        self._context.changed(self._context.files.change(row, FileState.QUEUED, **columns))
        self._sender.requery()

    def _cut(self, row: FileRow) -> FileRow:
        """Cut a file that travelled in a lost pack into chunks, under the same id."""
        return self._context.files.change(row, row.state, chunk_size=self._sender.chunk_size)

    def _rejected(self, row: FileRow, event: Rejected) -> None:
        code = known(event.code)
        self._sender.release(row.id)
        row = self._context.files.get(row.id)
        self._failure_policy.rejected(row, code, event.text)

    def _notice(self, partition: int, receiver: str, at: datetime, event: Notice) -> None:
        """Keep the newest notice; in one partition that is the last one, whatever its time: clocks are set back."""
        last = self._notices.get(receiver)
        if last is not None and last.partition != partition and last.at > at:
            return
        self._notices[receiver] = ReceiverNotice(
            event.state, event.text, at=at, processed=dict(event.processed), partition=partition
        )
        if any(notice.state in _FULL for name, notice in self._notices.items() if self._counts(name)):
            self._context.holds.put(Hold(HoldKind.RECEIVER_FULL, Code.RECEIVER_FULL))
        else:
            self._context.holds.lift(HoldKind.RECEIVER_FULL)

    def _counts(self, receiver: str) -> bool:
        """Return whether a receiver can stop sending: one whose receipt is not required cannot."""
        return not self._required or receiver in self._required

    def passed(self, row: FileRow) -> bool:
        """Return whether every receiver that has not answered yet has read past the file's last message."""
        if row.end_partition is None or row.end_offset is None:
            return False
        expected = self._required or set(self._notices)
        past = {name for name in expected if self._has_read(name, row.end_partition, row.end_offset)}
        if not past:
            return False  # without asking the journal: for thousands of files that is the common case
        waiting_for = expected - set(self._context.files.receipts_of(row.id))
        return bool(waiting_for) and waiting_for <= past

    def _has_read(self, receiver: str, partition: int, offset: int) -> bool:
        notice = self._notices.get(receiver)
        return notice is not None and notice.processed.get(partition, 0) > offset

    def newest_ns(self) -> int | None:
        """Return when a receiver was last heard."""
        moments = [notice.at for notice in self._notices.values()]
        return round(max(moments).timestamp() * NS_PER_S) if moments else None
