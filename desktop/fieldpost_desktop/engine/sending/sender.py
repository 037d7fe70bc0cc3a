# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The sender: takes files from the queue, has them read, hands their parts to the broker and sees them acknowledged.

It runs on the engine's core thread, never blocks, and does a little in each `step`:

1. take the broker's reports: acknowledged, taken back, or failed
2. collect what the desks have read, and have more read while nothing holds sending up
3. hand over what is ready, as far as window and bandwidth limit let it
4. `end` for files of which every part is acknowledged, the hash is known and the source is still the same
5. journal the acknowledgements
"""

from collections.abc import Callable
from dataclasses import replace

from fieldpost_desktop.engine.link.transport import Delivered, Failed, Report
from fieldpost_desktop.engine.model.file_row import FileId, FileRow
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.runtime.context import EngineContext
from fieldpost_desktop.engine.runtime.failure_policy import FailurePolicy
from fieldpost_desktop.engine.sending.ack_buffer import AckBuffer
from fieldpost_desktop.engine.sending.hung_reads import HungReads
from fieldpost_desktop.engine.sending.in_progress import InProgress
from fieldpost_desktop.engine.sending.lanes import ReadyMessage
from fieldpost_desktop.engine.sending.outgoing import Outgoing
from fieldpost_desktop.engine.sending.read_ahead import ReadAhead, facts_of
from fieldpost_desktop.engine.sending.uploads import CancelToken, ChunkToken, EndToken, PackToken, Token, Upload
from fieldpost_shared.chunks import ChunkIndex, files_partition
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.ids import TransferId
from fieldpost_shared.protocol.messages import Cancel, End, encode

_MAY_BECOME_SENT = frozenset({FileState.SENDING, FileState.SENT, FileState.ATTENTION})


class Sender:
    """See the module's description."""

    def __init__(self, context: EngineContext, failure_policy: FailurePolicy) -> None:
        self._context = context
        self._in_progress = InProgress(context, failure_policy, AckBuffer(context, self._moved_on))
        self.outgoing = Outgoing(self._in_progress)
        self.read_ahead = ReadAhead(self._in_progress, self.outgoing)
        self._patience = HungReads(self._in_progress)
        self.too_large: int | None = None  # bytes that the broker refused: its limit must be asked for again

    # asked by the engine

    @property
    def chunk_size(self) -> int:
        """The configured size of a part."""
        return self._context.chunk_size

    @property
    def busy(self) -> bool:
        """Whether anything is in work."""
        in_progress = self._in_progress
        return bool(self.outgoing.window.in_flight or in_progress.uploads or in_progress.in_packs) or any(
            not lane.idle for lane in in_progress.lanes
        )

    @property
    def blocked_by_window(self) -> bool:
        """Whether something is ready and waits for acknowledgements."""
        return self.outgoing.window.in_flight > 0 and any(lane.ready for lane in self._in_progress.lanes)

    def acknowledged_bytes(self) -> int:
        """Bytes of unfinished files that the broker already has."""
        uploads = self._in_progress.uploads.values()
        return sum(min(upload.row.size, upload.acknowledged * upload.facts.chunk_size) for upload in uploads)

    def progress(self, row: FileRow) -> tuple[int, int]:
        """Acknowledged parts and all parts of a file."""
        upload = self._in_progress.uploads.get(row.id)
        if upload is not None:
            return upload.acknowledged, upload.facts.plan.count
        count = row.plan.count if row.plan else 1
        if row.state in {FileState.SENT, FileState.CONFIRMED}:
            return count, count
        return self._context.files.acknowledged(row.id) if row.plan else 0, count

    def under_way(self, file: FileId) -> Upload | None:
        """A file whose parts are being sent at this moment."""
        return self._in_progress.uploads.get(file)

    # told by the engine

    def step(self, *, hold: bool, wait_s: float = 0.0) -> None:
        """One round of the five steps; waits for the first report at most so long."""
        in_progress, link = self._in_progress, self.outgoing.link
        if link is not None:
            self._take(link.poll(wait_s))
            self.outgoing.adapt()
        self._let_go_of_metered()
        sending = link is not None and not hold and self.too_large is None
        for lane in in_progress.lanes:
            self.read_ahead.collect(lane)
            self._patience.look(lane)
            if sending and lane.idle:
                self.read_ahead.read_more(lane)
        if sending:
            self._hand_over()
            self._send_cancels()
            self._send_ends()
        refused, self.outgoing.refused = self.outgoing.refused, []
        for failed in refused:
            self._failed(failed)
        in_progress.acks.flush_if_due()

    def _let_go_of_metered(self) -> None:
        """The connection became a metered one: files that are too large for it wait, at the part where they are."""
        holds, files = self._context.holds, self._context.files
        if holds.metered_limit() is None:
            return
        for file, upload in list(self._in_progress.uploads.items()):
            if not upload.have.complete and not holds.admits(files.get(file)):
                self.stop_reading({file})
                self._in_progress.put_back(file)

    def stop_reading(self, files: set[FileId] | None = None) -> None:
        """Take back what has not left, of these files (None: all). What is in flight is still answered."""
        if self.outgoing.link is not None:
            self.outgoing.link.purge()
            self._context.crash.reach("after_purge")
        self._in_progress.leave(files)

    def put_all_back(self) -> None:
        """Nothing is in flight any more: everything waits for its turn again."""
        for file in list(self._in_progress.uploads):
            self._in_progress.put_back(file)
        for file in list(self._in_progress.in_packs):
            self._in_progress.unpack(file)

    def lose_link(self) -> None:
        """The link is gone, and with it what was on its way: those parts count as not sent."""
        self.outgoing.close()
        self._in_progress.cancelling.clear()
        self._in_progress.leave(None)
        self.put_all_back()

    def drop(self, file: FileId) -> None:
        """Let go of a file whose state is about to be changed; what has not left does not leave any more."""
        if self._in_progress.in_work(file):
            self._in_progress.acks.flush()
            self.stop_reading({file})
            self._in_progress.let_go(file)
        self._in_progress.leave_line(file)

    def requery(self) -> None:
        """The queue changed."""
        self._in_progress.requery()

    def ask(self, row: FileRow) -> None:
        """`end` as a question: what became of this file?"""
        if row.chunk_size == 0:  # it travelled in a pack, where nobody cut it
            row = replace(row, chunk_size=self._context.chunk_size)
        facts = facts_of(row, self._context.client)
        record = encode(End(facts, row.sha256, row.round))
        self.outgoing.send(ReadyMessage(record, _first_partition(facts.transfer), EndToken(row.id, row.generation)))

    # 1. reports

    def _take(self, reports: list[Report]) -> None:
        if not reports:
            return
        with self._context.store.transaction():
            for report in reports:
                token: Token = report.token  # type: ignore[assignment]  # only we make tokens
                self.outgoing.answered(token, delivered=isinstance(report, Delivered))
                if isinstance(report, Delivered):
                    self._delivered(token, report)
                else:
                    self._failed(report)

    def _delivered(self, token: Token, report: Delivered) -> None:
        match token:
            case ChunkToken():
                self._chunk_delivered(token)
            case PackToken():
                for file, generation in token.files:
                    self._sent(file, generation, report)
            case EndToken():
                self._context.crash.reach("after_end_ack")
                self._sent(token.file, token.generation, report)
            case CancelToken():
                self._in_progress.cancelling.discard(TransferId(token.transfer))
                self._context.files.forget_cancel(TransferId(token.transfer))

    def _chunk_delivered(self, token: ChunkToken) -> None:
        upload = self._in_progress.uploads.get(token.file)
        if upload is None or upload.row.generation != token.generation:
            return  # of a version that is no longer sent
        upload.in_flight.discard(token.index)
        upload.have.add(token.index)
        self._in_progress.acks.add(token.file, token.index, token.digest)
        if upload.row.attempt or upload.row.code:  # progress: the next failure starts counting anew
            upload.row = self._context.files.change(upload.row, upload.row.state, attempt=0, code="", detail="")

    def _sent(self, file: FileId, generation: int, report: Delivered) -> None:
        row = self._context.files.get(file)
        if row.generation != generation or row.state not in _MAY_BECOME_SENT:
            return
        self._in_progress.let_go(file)
        place: dict[str, object] = {"end_partition": report.partition, "end_offset": report.offset, "ask_ns": None}
        if row.state is FileState.ATTENTION:  # asking goes on while a person is called
            self._context.files.change(row, row.state, **place)
            return
        sent_ns = row.sent_ns or self._context.clock.now_ns()
        fresh = {"sent_ns": sent_ns, "attempt": 0, "urgent": 0, "code": "", "detail": ""}
        self._context.changed(self._context.files.change(row, FileState.SENT, **place, **fresh))

    def _failed(self, report: Failed) -> None:
        token: Token = report.token  # type: ignore[assignment]  # only we make tokens
        self._in_progress.unsend(token)
        if report.code is None:
            return
        if report.code is Code.MESSAGE_TOO_LARGE:
            self.too_large = min(token.length, self.too_large or token.length)
        whom = token.files if isinstance(token, PackToken) else ()
        if isinstance(token, ChunkToken | EndToken):
            whom = ((token.file, token.generation),)
        for file, generation in whom:
            row = self._context.files.get(file)
            if row.generation == generation and row.state in {FileState.SENDING, FileState.QUEUED}:
                self._in_progress.give_up(row, FieldpostError(report.code, report.detail))

    # 3. handing over

    def _hand_over(self) -> None:
        """In turn from both lanes, so that neither starves the other."""
        progress = True
        while progress:
            progress = False
            for lane in self._in_progress.lanes:
                if lane.ready and self.outgoing.may_leave(lane.ready[0]):
                    progress |= self.outgoing.send(lane.ready.popleft())
                    self.read_ahead.collect(lane)
                    if lane.idle:
                        self.read_ahead.read_more(lane)

    def _send_cancels(self) -> None:
        if self._in_progress.cancelling:
            return
        for transfer in self._context.files.cancels():
            self._in_progress.cancelling.add(transfer)
            record = encode(Cancel(self._context.client, transfer))
            self.outgoing.send(ReadyMessage(record, _first_partition(transfer), CancelToken(transfer)))

    # 4. ending

    def _send_ends(self) -> None:
        """Of all that are ready together: each sync of the journal holds up everything else."""
        ready = []
        for upload in list(self._in_progress.uploads.values()):
            try:
                if self._may_end(upload):
                    ready.append(upload)
            except FieldpostError as error:
                self._in_progress.give_up(upload.row, error)
        if not ready:
            return
        files = self._context.files
        with self._context.store.transaction():
            self._in_progress.acks.flush()
            rows = [files.change(up.row, FileState.SENDING, sha256=up.whole_sha256()) for up in ready]
        self._context.crash.reach("after_last_ack")
        for upload, row in zip(ready, rows, strict=True):
            upload.row = row
            upload.end_sent = True
            self.ask(row)
            self._context.crash.reach("after_end")

    def _may_end(self, upload: Upload) -> bool:
        """All acknowledged, the hash known, and the last look at the source taken.

        Raises:
            FieldpostError: what was read again, or the last look, shows that the source changed or is gone.
        """
        sha256 = upload.whole_sha256()  # raises what reading again found, even before all is sent
        if sha256 is None or not upload.have.complete or upload.end_sent:
            return False
        if upload.ending is None:
            small, large = self._in_progress.lanes
            role = small.role if upload.row.size <= small.largest else large.role
            upload.ending = self._context.workers.submit(role, upload.reader.finish)
        if not upload.ending.done():
            return False
        upload.ending.result()
        return True

    def _moved_on(self, file: FileId) -> None:
        upload = self._in_progress.uploads.get(file)
        if upload is not None:
            self._context.changed(upload.row)


def _first_partition(transfer: TransferId) -> Callable[[int], int]:
    return lambda count: files_partition(transfer, ChunkIndex(0), count)
