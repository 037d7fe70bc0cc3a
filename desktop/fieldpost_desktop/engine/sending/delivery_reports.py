# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the broker's delivery reports change: chunks acknowledged, files sent, messages that did not go out."""

from collections.abc import Iterable
from typing import Final

from fieldpost_desktop.engine.link.transport import Delivered, Failed, Report
from fieldpost_desktop.engine.model.file_row import FileId
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.sending.in_progress import InProgress
from fieldpost_desktop.engine.sending.outgoing import Outgoing
from fieldpost_desktop.engine.sending.uploads import CancelToken, ChunkToken, EndToken, PackToken, Token
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.ids import TransferId

_MAY_BECOME_SENT: Final = frozenset({FileState.SENDING, FileState.SENT, FileState.ATTENTION})


class DeliveryReports:
    """Applies the reports to the journal. `refused_size` is the smallest message that was too large for the broker."""

    def __init__(self, in_progress: InProgress, outgoing: Outgoing) -> None:
        self._in_progress = in_progress
        self._outgoing = outgoing
        self._context = in_progress.context
        self.refused_size: int | None = None

    def apply(self, reports: list[Report]) -> None:
        """Apply all reports in one journal transaction."""
        if not reports:
            return
        with self._context.store.transaction():
            for report in reports:
                token: Token = report.token  # type: ignore[assignment]  # the sender makes all tokens
                self._outgoing.reported(token, delivered=isinstance(report, Delivered))
                if isinstance(report, Delivered):
                    self._delivered(token, report)
                else:
                    self.failed(report)

    def failed(self, report: Failed) -> None:
        """Apply the report of a message that the broker does not have."""
        token: Token = report.token  # type: ignore[assignment]  # the sender makes all tokens
        self._in_progress.mark_unsent(token)
        if report.code is None:
            return
        if report.code is Code.MESSAGE_TOO_LARGE:
            self.refused_size = min(token.length, self.refused_size or token.length)
        for file, generation in _versions_of(token):
            row = self._context.files.get(file)
            if row.generation == generation and row.state in {FileState.SENDING, FileState.QUEUED}:
                self._in_progress.fail(row, FieldpostError(report.code, report.detail))

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
        upload.acknowledged.add(token.index)
        self._in_progress.acks.add(token.file, token.index, token.digest)
        if upload.row.attempt or upload.row.code:  # progress: the next failure starts counting anew
            upload.row = self._context.files.change(upload.row, upload.row.state, attempt=0, code="", detail="")

    def _sent(self, file: FileId, generation: int, report: Delivered) -> None:
        row = self._context.files.get(file)
        if row.generation != generation or row.state not in _MAY_BECOME_SENT:
            return
        self._in_progress.release(file)
        position: dict[str, object] = {"end_partition": report.partition, "end_offset": report.offset, "ask_ns": None}
        if row.state is FileState.ATTENTION:  # asking goes on while a person is called
            self._context.files.change(row, row.state, **position)
            return
        sent_ns = row.sent_ns or self._context.clock.now_ns()
        fresh = {"sent_ns": sent_ns, "attempt": 0, "urgent": 0, "code": "", "detail": ""}
        self._context.changed(self._context.files.change(row, FileState.SENT, **position, **fresh))


def _versions_of(token: Token) -> Iterable[tuple[FileId, int]]:
    """Return the files of a message with their generations."""
    match token:
        case PackToken():
            return token.files
        case ChunkToken() | EndToken():
            return ((token.file, token.generation),)
        case CancelToken():
            return ()
