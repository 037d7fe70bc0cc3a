# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The board: what the parts of the sender are working on."""

from collections import deque
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
    """Files in work. The journal knows more; this is what is lost in a crash."""

    context: EngineContext
    failure_policy: FailurePolicy
    acks: AckBuffer
    lanes: tuple[Lane, Lane] = field(default_factory=two_lanes)
    uploads: dict[FileId, Upload] = field(default_factory=dict)
    in_packs: set[FileId] = field(default_factory=set)
    cancelling: set[TransferId] = field(default_factory=set)
    _parked: dict[FileId, tuple[int, WholeHash]] = field(default_factory=dict)

    def in_work(self, file: FileId) -> bool:
        """Whether somebody has it in hand."""
        return file in self.uploads or file in self.in_packs

    def requery(self) -> None:
        """The queue changed: look again who is next."""
        for lane in self.lanes:
            lane.line.clear()

    def leave_line(self, file: FileId) -> None:
        """A file that waits for its turn does not any more; the others stay in line."""
        for lane in self.lanes:
            lane.line.pop(file, None)

    def unsend(self, token: Token) -> None:
        """A message did not go out: what it carried is still to be sent."""
        match token:
            case ChunkToken():
                upload = self.uploads.get(token.file)
                if upload is not None and upload.row.generation == token.generation:
                    upload.in_flight.discard(token.index)
                    upload.again.append(token.index)
            case PackToken():
                for file, _ in token.files:
                    self.unpack(file)
            case EndToken():
                if token.file in self.uploads:
                    self.uploads[token.file].end_sent = False
            case CancelToken():
                self.cancelling.discard(TransferId(token.transfer))

    def unpack(self, file: FileId) -> None:
        """A file whose pack did not go out waits for the next one."""
        self.in_packs.discard(file)
        row = self.context.files.get(file)
        if row.state is FileState.SENDING:
            self.context.changed(self.context.files.change(row, FileState.QUEUED))
            self.requery()

    def leave(self, files: set[FileId] | None) -> None:
        """Stop reading these files (None: all) and take their messages out of the lanes."""
        for lane in self.lanes:
            chosen = lane.files() if files is None else files
            staying = deque(ready for ready in lane.ready if chosen.isdisjoint(files_of(ready.token)))
            leaving = [ready for ready in lane.ready if not chosen.isdisjoint(files_of(ready.token))]
            lane.ready = staying
            for ready in leaving:
                self.unsend(ready.token)
            lane.leave(chosen)
            if files is None:
                lane.packing = lane.packed = None  # nothing of it is journaled yet

    def let_go(self, file: FileId) -> None:
        """Forget a file in work; its running hash is kept for when it comes back."""
        self.in_packs.discard(file)
        upload = self.uploads.pop(file, None)
        if upload is None:
            return
        upload.given_up = True
        upload.reader.close()
        if upload.whole is not None and not upload.row.sha256:
            self._parked[file] = (upload.row.generation, upload.whole)
            while len(self._parked) > PARKED:
                self._parked.pop(next(iter(self._parked)))

    def put_back(self, file: FileId) -> None:
        """A file that was being sent waits for its turn again; its acknowledged parts stay acknowledged."""
        upload = self.uploads.get(file)
        if upload is None:
            return
        self.acks.flush()
        self.let_go(file)
        row = self.context.files.get(file)
        if row.state is FileState.SENDING:
            self.context.changed(self.context.files.change(row, FileState.QUEUED))
        self.requery()

    def give_up(self, row: FileRow, error: FieldpostError) -> None:
        """A file cannot go on now; the rule of the error's code says when it does."""
        self.acks.flush()
        self.leave({row.id})
        self.let_go(row.id)
        self.failure_policy.apply(self.context.files.get(row.id), error)
        self.requery()

    def parked_hash(self, row: FileRow) -> WholeHash | None:
        """The running hash of this version of the file, if it was kept."""
        generation, whole = self._parked.pop(row.id, (0, None))
        return whole if generation == row.generation else None


def files_of(token: Token) -> set[FileId]:
    """Which files a message is about."""
    match token:
        case ChunkToken() | EndToken():
            return {token.file}
        case PackToken():
            return {file for file, _ in token.files}
        case CancelToken():
            return set()
