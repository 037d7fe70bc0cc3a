# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The messages about whole transfers: `end` for files that left in full, and `cancel` for transfers given up."""

from dataclasses import replace

from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.sending.in_progress import InProgress
from fieldpost_desktop.engine.sending.lanes import ReadyMessage, partition_of
from fieldpost_desktop.engine.sending.outgoing import Outgoing
from fieldpost_desktop.engine.sending.read_ahead import facts_of
from fieldpost_desktop.engine.sending.uploads import CancelToken, EndToken, Upload
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.protocol.messages import Cancel, End, encode


class EndMessages:
    """Sends them while there is a link."""

    def __init__(self, in_progress: InProgress, outgoing: Outgoing) -> None:
        self._in_progress = in_progress
        self._outgoing = outgoing
        self._context = in_progress.context

    def send_end(self, row: FileRow) -> None:
        """Send `end`; for a file that has left already it asks the receiver what became of it."""
        if row.chunk_size == 0:  # it travelled in a pack, which has no chunks
            row = replace(row, chunk_size=self._context.chunk_size)
        facts = facts_of(row, self._context.client)
        record = encode(End(facts, row.sha256, row.round))
        self._outgoing.send(ReadyMessage(record, partition_of(facts.transfer), EndToken(row.id, row.generation)))

    def send_ends(self) -> None:
        """Send `end` for every completed upload after one journal transaction, because each fsync blocks the core."""
        ready = []
        for upload in list(self._in_progress.uploads.values()):
            try:
                if self._may_end(upload):
                    ready.append(upload)
            except FieldpostError as error:
                self._in_progress.fail(upload.row, error)
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
            self.send_end(row)
            self._context.crash.reach("after_end")

    def send_cancels(self) -> None:
        """Send the cancellations that the receiver does not know of; the next ones wait for their reports."""
        if self._in_progress.cancelling:
            return
        for transfer in self._context.files.cancels():
            self._in_progress.cancelling.add(transfer)
            record = encode(Cancel(self._context.client, transfer))
            self._outgoing.send(ReadyMessage(record, partition_of(transfer), CancelToken(transfer)))

    def _may_end(self, upload: Upload) -> bool:
        """Return whether all chunks are acknowledged, the hash is known and the source passed its final check.

        Raises:
            FieldpostError: reading again, or the final check, showed that the source changed or is gone.
        """
        sha256 = upload.whole_sha256()  # raises what reading again found, even before all is sent
        if sha256 is None or not upload.acknowledged.complete or upload.end_sent:
            return False
        if upload.final_check is None:
            lane = next(lane for lane in self._in_progress.lanes if lane.takes(upload.row.size))
            upload.final_check = self._context.workers.submit(lane.role, upload.reader.finish)
        if not upload.final_check.done():
            return False
        upload.final_check.result()
        return True
