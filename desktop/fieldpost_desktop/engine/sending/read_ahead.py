# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Takes files from the queue and has them read ahead of sending, a chunk or a pack at a time."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Final

from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.runtime.worker_threads import WorkerRole
from fieldpost_desktop.engine.sending.in_progress import InProgress
from fieldpost_desktop.engine.sending.lanes import UPCOMING_MOST, Lane, ReadyMessage, partition_of
from fieldpost_desktop.engine.sending.outgoing import Outgoing
from fieldpost_desktop.engine.sending.packs import Member, PackReading, ReadPack, gather, is_tiny, read_pack
from fieldpost_desktop.engine.sending.uploads import ChunkToken, PackToken, Upload
from fieldpost_desktop.engine.sources.file_reader import ReadChunk, SourceReader, WholeHash, expected_version
from fieldpost_shared.bitmap import ChunkSet
from fieldpost_shared.chunks import ChunkIndex, batch_size, chunk_size_for
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.ids import ClientName, TransferId, new_transfer_id
from fieldpost_shared.protocol.encodings import Encoding, deflate
from fieldpost_shared.protocol.messages import Chunk, FileFacts, encode

_SLACK: Final = 160  # varints, and what the client library keeps below the limit


class ReadAhead:
    """Fills the lanes."""

    def __init__(self, in_progress: InProgress, outgoing: Outgoing) -> None:
        self._in_progress = in_progress
        self._context = in_progress.context
        self._outgoing = outgoing

    # what was read

    def collect(self, lane: Lane) -> None:
        """Take what the lane's worker has finished."""
        if lane.reading is not None and lane.reading.done():
            reading, lane.reading = lane.reading, None
            self._chunk_read(lane, reading)
        if lane.packing is not None and lane.packing.done():
            packing, lane.packing, lane.packed = lane.packing, None, None
            self._pack_read(lane, packing.result())

    def _chunk_read(self, lane: Lane, reading: Future[ReadChunk]) -> None:
        upload = lane.upload
        if upload is None:
            return
        try:
            read = reading.result()
        except FieldpostError as error:
            self._in_progress.fail(upload.row, error)
            return
        if upload.row.encoding is not read.encoding:
            upload.row = self._context.files.change(upload.row, upload.row.state, encoding=read.encoding)
        value = deflate(read.plain, read.encoding)
        chunk = Chunk(upload.facts, read.index, sha256=read.digest.hex(), encoding=read.encoding, value=value)
        token = ChunkToken(
            upload.row.id, upload.row.generation, index=read.index, digest=read.digest, length=len(value)
        )
        lane.ready.append(ReadyMessage(encode(chunk), partition_of(upload.facts.transfer, read.index), token))

    def _pack_read(self, lane: Lane, result: ReadPack) -> None:
        with self._context.store.transaction():
            members = [row for member, sha256 in result.packed if (row := self._packed(member, sha256)) is not None]
            for member, error in result.failed:
                row = self._context.files.get(member.row.id)
                if row.state is FileState.QUEUED:
                    self._in_progress.fail(row, error)
            if result.pack is None or len(members) < len(result.packed):
                for row in members:  # a member was paused or cancelled while it was read: pack the others anew
                    self._in_progress.requeue_packed(row.id)
                return
        token = PackToken(tuple((row.id, row.generation) for row in members), len(result.pack.value))
        first = result.packed[0][0].transfer
        lane.ready.append(ReadyMessage(encode(result.pack), partition_of(first), token))

    def _packed(self, member: Member, sha256: str) -> FileRow | None:
        """Journal a file as being sent in a pack; return None if it was paused or cancelled meanwhile."""
        row = self._context.files.get(member.row.id)
        if row.state is not FileState.QUEUED or row.generation != member.row.generation:
            return None
        started_ns = row.started_ns or self._context.clock.now_ns()
        row = self._context.files.change(
            row, FileState.SENDING, transfer=member.transfer, sha256=sha256, started_ns=started_ns, next_try_ns=None
        )
        self._in_progress.in_packs.add(row.id)
        self._context.changed(row)
        return row

    # reading more

    def read_more(self, lane: Lane) -> None:
        """Keep the lane's worker busy; chunks that were taken back come first."""
        lane.upload = lane.upload or self._with_unsent_chunks(lane)
        if lane.upload is not None:
            self._read_next(lane)
        if lane.upload is None and lane.idle:
            self._next_file(lane)

    def _read_next(self, lane: Lane) -> None:
        """Have the next chunk of the lane's file read; release the file after its last chunk."""
        upload = lane.upload
        if upload is None:
            return
        index = upload.next_index()
        if index is None:
            lane.upload = None
            return
        lane.reading = self._context.workers.submit(lane.role, lambda: upload.reader.read(index, upload.whole))

    def _with_unsent_chunks(self, lane: Lane) -> Upload | None:
        """Return a file whose chunks were all read, and some of them taken back."""
        uploads = self._in_progress.uploads.values()
        return next((upload for upload in uploads if upload.unsent and lane.takes(upload.row.size)), None)

    def _next_file(self, lane: Lane) -> None:
        if not lane.upcoming:
            busy = [*self._in_progress.uploads, *self._in_progress.in_packs]
            found = self._context.files.waiting(lane.smallest, lane.largest, UPCOMING_MOST, busy=busy)
            lane.upcoming.update((row.id, row) for row in found)
        row = self._first_upcoming(lane)
        if row is None:
            return
        try:
            self._context.check_size(row.size)
            room = self._chunk_size(row)
        except FieldpostError as error:
            self._in_progress.fail(row, error)
            return
        if is_tiny(row, room):
            self._begin_pack(lane, room)
        else:
            del lane.upcoming[row.id]
            self._begin_upload(lane, row, room)
            self._read_next(lane)

    def _first_upcoming(self, lane: Lane) -> FileRow | None:
        while row := next(iter(lane.upcoming.values()), None):
            if self._may_begin(row):
                return row
            del lane.upcoming[row.id]
        return None

    def _may_begin(self, row: FileRow) -> bool:
        return not self._in_progress.has(row.id) and self._context.holds.admits(row)

    def _begin_pack(self, lane: Lane, room: int) -> None:
        chosen = gather((row for row in lane.upcoming.values() if is_tiny(row, room) and self._may_begin(row)), room)
        for row in chosen:
            del lane.upcoming[row.id]
        now_ns = self._context.clock.now_ns()
        members = tuple(Member(row, row.transfer or new_transfer_id(now_ns)) for row in chosen)
        lane.packed = reading = PackReading(members)
        lane.packing = self._context.workers.submit(lane.role, lambda: read_pack(self._context.client, reading))

    def _begin_upload(self, lane: Lane, row: FileRow, room: int) -> None:
        """Begin a new transfer, or resume an old one at its first chunk that is not acknowledged."""
        now_ns = self._context.clock.now_ns()
        resumed = row.transfer is not None
        row = self._context.files.change(
            row,
            FileState.SENDING,
            transfer=row.transfer or new_transfer_id(now_ns),
            chunk_size=row.chunk_size or room,
            started_ns=row.started_ns or now_ns,
            next_try_ns=None,
        )
        facts = facts_of(row, self._context.client)
        reader = SourceReader(
            row.source, expected_version(row), plan=facts.plan, encoding=row.encoding if resumed else None
        )
        acknowledged = self._context.files.acknowledged_chunks(row) if resumed else ChunkSet(facts.plan.count)
        upload = Upload(row, facts, reader=reader, acknowledged=acknowledged, whole=None)
        self._choose_hashing(lane, upload)
        self._in_progress.uploads[row.id] = upload
        lane.upload = upload
        self._context.changed(row)

    def _choose_hashing(self, lane: Lane, upload: Upload) -> None:
        """Hash in the same pass where possible; otherwise have acknowledged chunks read again beside the sending."""
        row = upload.row
        if row.sha256:
            return
        parked = self._in_progress.parked_hash(row)
        if parked is not None or not len(upload.acknowledged):
            upload.whole = parked or WholeHash()
            return
        role = WorkerRole.VERIFYING if lane.role is WorkerRole.LARGE else lane.role
        reader = SourceReader(row.source, expected_version(row), plan=upload.facts.plan, encoding=None)
        files = self._context.files

        def known_digest(index: int) -> bytes | None:
            return files.chunk_digest(row.id, index)

        upload.verifying = self._context.workers.submit(role, lambda: _verify(reader, known_digest, upload))

    def _chunk_size(self, row: FileRow) -> int:
        """Return the largest chunk that broker and link allow; the first chunk fixes it for the transfer."""
        if row.chunk_size:
            return row.chunk_size
        assert self._outgoing.link is not None  # noqa: S101 - files are begun only while there is a link
        limit = self._outgoing.link.facts.message_limit
        overhead = overhead_of(row, self._context.client)
        return chunk_size_for(limit, overhead, link_rate=self._outgoing.rate(), wanted=self._context.chunk_size)


def facts_of(row: FileRow, client: ClientName) -> FileFacts:
    """Return what every message about the file says."""
    assert row.transfer is not None  # noqa: S101 - a file gets its id before its first message
    return FileFacts(
        client, row.transfer, path=row.path, size=row.size, chunk_size=row.chunk_size, mtime_ns=row.mtime_ns
    )


def overhead_of(row: FileRow, client: ClientName) -> int:
    """Return the bytes of the file's messages beyond their payload, at their longest."""
    facts = FileFacts(
        client, TransferId("0" * 32), path=row.path, size=row.size, chunk_size=16_777_216, mtime_ns=row.mtime_ns
    )
    record = encode(
        Chunk(facts, ChunkIndex(row.size // 65_536), sha256="0" * 64, encoding=Encoding.IDENTITY, value=b"")
    )
    return batch_size(record.key, record.headers, 0) + _SLACK


def _verify(reader: SourceReader, known_digest: Callable[[int], bytes | None], upload: Upload) -> str:
    try:
        return reader.verify(known_digest, lambda: upload.abandoned)
    finally:
        reader.close()
