# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The files that the sender is working on. The journal knows more; what is here is lost in a crash."""

from dataclasses import dataclass, field
from typing import Final

from fieldpost_desktop.engine.model.file_row import FileId, FileRow
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.runtime.context import EngineContext
from fieldpost_desktop.engine.runtime.failure_policy import FailurePolicy
from fieldpost_desktop.engine.sending.ack_buffer import AckBuffer
from fieldpost_desktop.engine.sending.lanes import Lane, two_lanes
from fieldpost_desktop.engine.sending.uploads import CancelToken, ChunkToken, EndToken, PackToken, Token, Upload
from fieldpost_desktop.engine.sources.file_reader import WholeHash
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.ids import TransferId

PARKED: Final = 64  # running hashes kept of files that had to stop; others are read again


@dataclass(slots=True)
class InProgress:
    """Uploads, packed files and cancellations on their way, and the two lanes."""

    context: EngineContext
    failure_policy: FailurePolicy
    acks: AckBuffer = field(init=False)
    lanes: tuple[Lane, Lane] = field(default_factory=two_lanes)
    uploads: dict[FileId, Upload] = field(default_factory=dict)
    in_packs: set[FileId] = field(default_factory=set)
    cancelling: set[TransferId] = field(default_factory=set)
    _parked: dict[FileId, tuple[int, WholeHash]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.acks = AckBuffer(self.context, self._tell_progress)

    def has(self, file: FileId) -> bool:
        """Return whether a file is being sent."""
        return file in self.uploads or file in self.in_packs

    def busy(self) -> bool:
        """Return whether any file is being read or sent."""
        return bool(self.uploads or self.in_packs) or any(not lane.idle for lane in self.lanes)

    def requery(self) -> None:
        """Have the lanes look up again which files are next, because the queue changed."""
        for lane in self.lanes:
            lane.upcoming.clear()

    def forget_upcoming(self, file: FileId) -> None:
        """Take a file that waits for its turn out of the lanes; the others keep their place."""
        for lane in self.lanes:
            lane.upcoming.pop(file, None)

    def mark_unsent(self, token: Token) -> None:
        """Note that a message did not go out: what it carried is still to be sent."""
        match token:
            case ChunkToken():
                upload = self.uploads.get(token.file)
                if upload is not None and upload.row.generation == token.generation:
                    upload.in_flight.discard(token.index)
                    upload.unsent.append(token.index)
            case PackToken():
                for file, _ in token.files:
                    self.requeue_packed(file)
            case EndToken():
                if token.file in self.uploads:
                    self.uploads[token.file].end_sent = False
            case CancelToken():
                self.cancelling.discard(TransferId(token.transfer))

    def requeue_packed(self, file: FileId) -> None:
        """Queue a file again whose pack did not go out."""
        self.in_packs.discard(file)
        self._requeue_row(file)

    def withdraw(self, files: set[FileId] | None) -> None:
        """Stop reading these files (None: all) and take their messages out of the lanes."""
        for lane in self.lanes:
            for token in lane.withdraw(lane.files() if files is None else files):
                self.mark_unsent(token)
            if files is None:
                lane.packing = lane.packed = None  # nothing of it is journaled yet

    def release(self, file: FileId) -> None:
        """Forget a file; its running hash is kept for when it comes back."""
        self.in_packs.discard(file)
        upload = self.uploads.pop(file, None)
        if upload is None:
            return
        upload.abandoned = True
        upload.reader.close()
        if upload.whole is not None and not upload.row.sha256:
            self._parked[file] = (upload.row.generation, upload.whole)
            while len(self._parked) > PARKED:
                self._parked.pop(next(iter(self._parked)))

    def requeue(self, file: FileId) -> None:
        """Queue a file again that was being sent; its acknowledged chunks stay acknowledged."""
        if file not in self.uploads:
            return
        self.acks.flush()
        self.release(file)
        self._requeue_row(file)
        self.requery()

    def requeue_all(self) -> None:
        """Queue every file again: nothing is in flight any more."""
        for file in list(self.uploads):
            self.requeue(file)
        for file in list(self.in_packs):
            self.requeue_packed(file)

    def fail(self, row: FileRow, error: FieldpostError) -> None:
        """Stop a file that cannot go on now; the failure policy decides when it does."""
        self.acks.flush()
        self.withdraw({row.id})
        self.release(row.id)
        self.failure_policy.apply(self.context.files.get(row.id), error)
        self.requery()

    def parked_hash(self, row: FileRow) -> WholeHash | None:
        """Return the running hash of this version of the file, if it was kept."""
        generation, whole = self._parked.pop(row.id, (0, None))
        return whole if generation == row.generation else None

    def _requeue_row(self, file: FileId) -> None:
        row = self.context.files.get(file)
        if row.state is FileState.SENDING:
            self.context.changed(self.context.files.change(row, FileState.QUEUED))
            self.requery()

    def _tell_progress(self, file: FileId) -> None:
        upload = self.uploads.get(file)
        if upload is not None:
            self.context.changed(upload.row)
