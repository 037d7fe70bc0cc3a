# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A Spark task: read ranges of partitions, check, write in place, sync, and only then return rows.

No message of a sender raises out of here: an invalid one becomes a row with a code. Only the disk or the broker raises;
Spark then runs the task again, which writes the same bytes to the same places.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, cast

from confluent_kafka import Consumer, KafkaError, Message

from fieldpost_receiver.jobs.files.ingest.partition_reader import PartitionReader, Range
from fieldpost_receiver.jobs.files.ingest.rows import Row, RowKind
from fieldpost_receiver.storage.errors import TooLargeForDisk
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.crash_points import CrashPoints
from fieldpost_shared.errors import ProtocolError
from fieldpost_shared.ids import TransferId
from fieldpost_shared.kafka.clients import task_consumer
from fieldpost_shared.kafka.library_log import LIBRARY_LOG
from fieldpost_shared.kafka.settings import KafkaSettings
from fieldpost_shared.protocol.headers import RawHeaders
from fieldpost_shared.protocol.messages import Cancel, Chunk, End, FileFacts, Pack, decode, open_chunk
from fieldpost_shared.protocol.packs import BadMember, PackedFile, unpack


class Writer(Protocol):
    """Takes verified bytes; `sync` returns when they survive a power cut."""

    def write(self, transfer: TransferId, fingerprint: str, offset: int, data: bytes) -> None:
        """Write bytes at their offset in the staging file."""

    def sync(self) -> object:
        """Make everything written so far durable."""


class Task:
    """Turns the messages of one range into rows."""

    def __init__(self, work: Range, staging: Writer, crash: CrashPoints) -> None:
        self._work = work
        self._staging = staging
        self._crash = crash

    def rows_of(self, offset: int, key: bytes | None, headers: RawHeaders | None, value: bytes | None) -> list[Row]:
        """Return the rows of one message; its bytes are written but not yet synced."""
        payload = len(value or b"")
        try:
            return self._take(offset, key, headers, value, payload)
        except ProtocolError as error:
            return [self._bad(offset, error, payload)]

    def unreadable(self, offset: int) -> list[Row]:
        """Return the row of a message whose headers not even the library can read."""
        return [self._bad(offset, ProtocolError(Code.BAD_TEXT, "a header's name"), 0)]

    def _take(
        self, offset: int, key: bytes | None, headers: RawHeaders | None, value: bytes | None, payload: int
    ) -> list[Row]:
        message = decode(key, headers, value)
        match message:
            case Chunk():
                return self._chunk(offset, message, payload)
            case Pack():
                return [self._member(offset, message, member, payload) for member in unpack(message)]
            case End():
                return [self._row(RowKind.END, offset, message.facts, sha256=message.sha256, round=message.round)]
            case Cancel():
                return [Row(RowKind.CANCEL, self._work.partition, offset, message.client, message.transfer)]

    def _chunk(self, offset: int, chunk: Chunk, payload: int) -> list[Row]:
        facts = chunk.facts
        if facts.transfer in self._work.skip:
            return []
        plain = open_chunk(chunk)
        self._crash.reach("after_verify")
        try:
            self._staging.write(facts.transfer, facts.fingerprint, facts.plan.offset(chunk.index), plain)
        except TooLargeForDisk as error:
            return [self._row(RowKind.BAD, offset, facts, code=error.code, detail=error.detail, payload=payload)]
        self._crash.reach("after_chunk_write")
        return [self._row(RowKind.CHUNK, offset, facts, index=chunk.index, payload=payload)]

    def _member(self, offset: int, pack: Pack, member: PackedFile | BadMember, payload: int) -> Row:
        if isinstance(member, BadMember):
            return Row(
                RowKind.BAD,
                self._work.partition,
                offset,
                pack.client,
                member.transfer,
                code=member.code,
                detail=member.detail,
                payload=payload,
            )
        facts = FileFacts(pack.client, member.transfer, member.path, len(member.body), 0, member.mtime_ns)
        if member.transfer not in self._work.skip:
            self._staging.write(facts.transfer, facts.fingerprint, 0, member.body)
            self._crash.reach("mid_pack")
        return self._row(RowKind.WHOLE, offset, facts, sha256=member.sha256, payload=payload)

    def _bad(self, offset: int, error: ProtocolError, payload: int) -> Row:
        return Row(
            RowKind.BAD,
            self._work.partition,
            offset,
            error.client,
            error.transfer,
            code=error.code,
            detail=error.detail,
            payload=payload,
        )

    def _row(self, kind: RowKind, offset: int, facts: FileFacts, **fields: Any) -> Row:  # noqa: ANN401 - fields of Row
        return Row(
            kind,
            self._work.partition,
            offset,
            facts.client,
            facts.transfer,
            facts.path,
            facts.size,
            facts.chunk_size,
            facts.mtime_ns,
            **fields,
        )


def run(
    settings: KafkaSettings, ranges: Sequence[Range], staging: Writer, crash: CrashPoints, clock: Clock
) -> Iterator[Row]:
    """Yield all rows of the ranges, synced. The consumer is new: one kept between tasks often stalls for a second."""
    tasks = {one.partition: Task(one, staging, crash) for one in ranges}
    rows: list[Row] = []
    errors: list[KafkaError] = []
    config: dict[str, Any] = {**task_consumer(settings, partitions=len(ranges)), "error_cb": errors.append}
    consumer = Consumer(config, logger=LIBRARY_LOG)
    try:
        for partition, item in PartitionReader(
            consumer, settings.files_topic, ranges, clock=clock, errors=errors
        ).items():
            if isinstance(item, Row):
                rows.append(item)
            else:
                rows += _rows_of(tasks[partition], item)
    finally:
        consumer.close()
    staging.sync()
    crash.reach("after_sync")
    yield from rows
    for one in ranges:
        yield Row(RowKind.READ, one.partition, one.end)


def _rows_of(task: Task, message: Message) -> list[Row]:
    offset = message.offset() or 0
    try:
        headers = cast("RawHeaders | None", message.headers())
    except (SystemError, UnicodeDecodeError):  # confluent-kafka raises these if a header's name is not UTF-8
        return task.unreadable(offset)
    return task.rows_of(offset, message.key(), headers, message.value())
