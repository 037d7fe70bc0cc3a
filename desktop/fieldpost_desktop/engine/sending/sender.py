# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The sender: takes files from the queue, has them read, sends their chunks and follows the acknowledgements.

It runs on the engine's core thread, never blocks, and does a little in each `step`:

1. apply the broker's delivery reports: acknowledged, taken back, or failed
2. collect what the workers have read, and have more read while no hold stops sending
3. hand over what is ready, as far as window and bandwidth limit allow
4. send `cancel`, and `end` for files whose chunks are all acknowledged and whose source is still the same
5. journal the acknowledgements
"""

from fieldpost_desktop.engine.link.transport import LinkFacts, Transport
from fieldpost_desktop.engine.model.file_row import FileId, FileRow
from fieldpost_desktop.engine.model.parts_map import PartsMap, parts_of
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.runtime.context import EngineContext
from fieldpost_desktop.engine.runtime.failure_policy import FailurePolicy
from fieldpost_desktop.engine.sending.delivery_reports import DeliveryReports
from fieldpost_desktop.engine.sending.end_messages import EndMessages
from fieldpost_desktop.engine.sending.hung_reads import HungReads
from fieldpost_desktop.engine.sending.in_progress import InProgress
from fieldpost_desktop.engine.sending.outgoing import Outgoing
from fieldpost_desktop.engine.sending.read_ahead import ReadAhead


class Sender:
    """The one object that the rest of the engine asks about sending, and tells what to do."""

    def __init__(self, context: EngineContext, failure_policy: FailurePolicy) -> None:
        self._context = context
        self._in_progress = InProgress(context, failure_policy)
        self._outgoing = Outgoing(self._in_progress)
        self._read_ahead = ReadAhead(self._in_progress, self._outgoing)
        self._reports = DeliveryReports(self._in_progress, self._outgoing)
        self._end_messages = EndMessages(self._in_progress, self._outgoing)
        self._hung_reads = HungReads(self._in_progress)

    # questions

    @property
    def chunk_size(self) -> int:
        """Return the configured size of a chunk."""
        return self._context.chunk_size

    @property
    def busy(self) -> bool:
        """Return whether any file is being read or sent."""
        return self._outgoing.in_flight > 0 or self._in_progress.busy()

    @property
    def in_flight(self) -> int:
        """Return the bytes that the broker has not acknowledged yet."""
        return self._outgoing.in_flight

    @property
    def blocked_by_window(self) -> bool:
        """Return whether a message is ready and waits for acknowledgements."""
        return self._outgoing.in_flight > 0 and any(lane.ready for lane in self._in_progress.lanes)

    @property
    def stalled(self) -> bool:
        """Return whether nothing moved for so long that the link must be stuck."""
        return self._outgoing.stalled()

    @property
    def rate(self) -> float | None:
        """Return the bytes a second, lately; None while unknown."""
        return self._outgoing.rate()

    def acknowledged_bytes(self) -> int:
        """Return the bytes of unfinished files that the broker has."""
        return sum(upload.acknowledged_bytes for upload in self._in_progress.uploads.values())

    def progress(self, row: FileRow) -> tuple[int, int]:
        """Return the acknowledged chunks of a file, and all of them."""
        upload = self._in_progress.uploads.get(row.id)
        if upload is not None:
            return len(upload.acknowledged), upload.facts.plan.count
        count = row.plan.count if row.plan else 1
        if row.state in {FileState.SENT, FileState.CONFIRMED}:
            return count, count
        return self._context.files.acknowledged(row.id) if row.plan else 0, count

    def parts(self, row: FileRow) -> PartsMap:
        """Return how far each chunk of a file is."""
        upload = self._in_progress.uploads.get(row.id)
        if upload is not None:
            return parts_of(row, upload.acknowledged, upload.in_flight)
        return parts_of(row, self._context.files.acknowledged_chunks(row), ())

    # the link

    @property
    def link(self) -> Transport | None:
        """Return the link to the broker; None while there is none."""
        return self._outgoing.link

    @property
    def link_facts(self) -> LinkFacts | None:
        """Return what the broker said when the link came up; None without a link."""
        return None if self._outgoing.link is None else self._outgoing.link.facts

    def use_link(self, link: Transport) -> None:
        """Send over this link from now on."""
        self._outgoing.link = link

    def lose_link(self) -> None:
        """Close the link; what was in flight counts as not sent."""
        self._outgoing.close()
        self._in_progress.cancelling.clear()
        self._in_progress.withdraw(None)
        self._in_progress.requeue_all()

    @property
    def refused_size(self) -> int | None:
        """Return the size of a message that the broker refused; then its limit must be asked for again."""
        return self._reports.refused_size

    def take_refused_size(self) -> int | None:
        """Return the refused size, and forget it."""
        refused, self._reports.refused_size = self._reports.refused_size, None
        return refused

    def limit_bandwidth(self, bytes_per_s: int | None) -> None:
        """Set or lift the bandwidth limit; acts at once."""
        self._outgoing.limit_bandwidth(bytes_per_s)

    # the files

    def step(self, *, hold: bool, wait_s: float = 0.0) -> None:
        """Do one round of the five steps; wait for the first report at most so long."""
        link = self._outgoing.link
        if link is not None:
            self._reports.apply(link.poll(wait_s))  # 1
            self._outgoing.adapt()
        self._requeue_metered()
        sending = link is not None and not hold and self.refused_size is None
        for lane in self._in_progress.lanes:
            self._read_ahead.collect(lane)  # 2
            self._hung_reads.check(lane)
            if sending and lane.idle:
                self._read_ahead.read_more(lane)
        if sending:
            self._hand_over()  # 3
            self._end_messages.send_cancels()  # 4
            self._end_messages.send_ends()
        for failed in self._outgoing.take_refused():
            self._reports.failed(failed)
        self._in_progress.acks.flush_if_due()  # 5

    def stop_reading(self, files: set[FileId] | None = None) -> None:
        """Take back what has not left, of these files (None: all). What is in flight is still reported on."""
        if self._outgoing.link is not None:
            self._outgoing.link.purge()
            self._context.crash.reach("after_purge")
        self._in_progress.withdraw(files)

    def requeue_all(self) -> None:
        """Queue every file again: nothing is in flight any more."""
        self._in_progress.requeue_all()

    def release(self, file: FileId) -> None:
        """Forget a file whose state is about to change; what has not left does not leave any more."""
        if self._in_progress.has(file):
            self._in_progress.acks.flush()
            self.stop_reading({file})
            self._in_progress.release(file)
        self._in_progress.forget_upcoming(file)

    def requery(self) -> None:
        """Look up again which files are next, because the queue changed."""
        self._in_progress.requery()

    def ask(self, row: FileRow) -> None:
        """Ask the receiver what became of a file."""
        self._end_messages.send_end(row)

    def _requeue_metered(self) -> None:
        """Let files that are too large for a connection that became metered wait at their present chunk."""
        holds, files = self._context.holds, self._context.files
        if holds.metered_limit() is None:
            return
        for file, upload in list(self._in_progress.uploads.items()):
            if not upload.acknowledged.complete and not holds.admits(files.get(file)):
                self.stop_reading({file})
                self._in_progress.requeue(file)

    def _hand_over(self) -> None:
        """Send from both lanes in turn, so that neither starves the other."""
        progress = True
        while progress:
            progress = False
            for lane in self._in_progress.lanes:
                if lane.ready and self._outgoing.may_send(lane.ready[0]):
                    progress |= self._outgoing.send(lane.ready.popleft())
                    self._read_ahead.collect(lane)
                    if lane.idle:
                        self._read_ahead.read_more(lane)
