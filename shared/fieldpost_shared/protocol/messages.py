# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The files topic: `chunk`, `end`, `cancel` and `pack`, to Kafka records and back."""

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from fieldpost_shared import names
from fieldpost_shared.chunks import ChunkIndex, ChunkPlan, Header
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import NameRefused, ProtocolError
from fieldpost_shared.ids import ClientName, TransferId
from fieldpost_shared.protocol.encodings import Encoding, check_length, deflate, inflate
from fieldpost_shared.protocol.headers import Headers, RawHeaders, major_version
from fieldpost_shared.protocol.limits import (
    MAJOR,
    MAX_CHUNK_SIZE,
    MAX_MTIME,
    MAX_PACK_LENGTH,
    MAX_ROUND,
    MAX_SIZE,
    MIN_CHUNK_SIZE,
    MIN_MTIME,
    VERSION,
)


class Kind(StrEnum):
    """The `kind` header."""

    CHUNK = "chunk"
    END = "end"
    PACK = "pack"
    CANCEL = "cancel"


@dataclass(frozen=True, slots=True)
class Record:
    """A Kafka record without its place."""

    key: bytes
    headers: list[Header]
    value: bytes


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What every message of a transfer repeats, and the first valid one fixes."""

    client: ClientName
    transfer: TransferId
    path: str
    size: int
    chunk_size: int
    mtime_ns: int

    @property
    def plan(self) -> ChunkPlan:
        """How the file is cut."""
        return ChunkPlan(self.size, self.chunk_size)

    @property
    def fingerprint(self) -> str:
        """A short hash of the facts: messages that contradict each other never share one."""
        facts = [self.client, self.path, self.size, self.chunk_size, self.mtime_ns]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Chunk:
    """One part of a file. `value` is as it travels; `open_chunk` gives the verified plain bytes."""

    facts: FileFacts
    index: ChunkIndex
    sha256: str
    encoding: Encoding
    value: bytes


@dataclass(frozen=True, slots=True)
class End:
    """All chunks were acknowledged; also the question what became of the file."""

    facts: FileFacts
    sha256: str
    round: int


@dataclass(frozen=True, slots=True)
class Cancel:
    """The sender gave the transfer up."""

    client: ClientName
    transfer: TransferId


@dataclass(frozen=True, slots=True)
class Pack:
    """Whole small files in one message; `packs.unpack` opens it."""

    client: ClientName
    length: int
    encoding: Encoding
    value: bytes
    key: str


Message = Chunk | End | Cancel | Pack


def make_chunk(facts: FileFacts, index: ChunkIndex, plain: bytes, encoding: Encoding) -> Chunk:
    """A chunk from its plain bytes."""
    return Chunk(facts, index, hashlib.sha256(plain).hexdigest(), encoding, deflate(plain, encoding))


def open_chunk(chunk: Chunk) -> bytes:
    """The plain bytes of a chunk, verified against its SHA-256."""
    plain = inflate(chunk.value, chunk.encoding, chunk.facts.plan.length(chunk.index))
    if hashlib.sha256(plain).hexdigest() != chunk.sha256:
        raise ProtocolError(Code.DAMAGED, f"chunk {chunk.index}", chunk.facts.client, chunk.facts.transfer)
    return plain


def encode(message: Message) -> Record:
    """The record of a message."""
    match message:
        case Chunk():
            return Record(message.facts.transfer.encode(), _chunk_headers(message), message.value)
        case End():
            return Record(message.facts.transfer.encode(), _end_headers(message), b"")
        case Cancel():
            headers = _headers(Kind.CANCEL, client=message.client, transfer=message.transfer)
            return Record(message.transfer.encode(), headers, b"")
        case Pack():
            headers = _headers(Kind.PACK, client=message.client, encoding=message.encoding, length=message.length)
            return Record(message.key.encode(), headers, message.value)
    assert_never(message)


def decode(key: bytes | None, raw: RawHeaders | None, value: bytes | None) -> Message:
    """The message in a record.

    Raises:
        ProtocolError: and nothing else, whatever the bytes.
    """
    headers = Headers.read(key, raw)
    try:
        return _decode(key or b"", headers, value or b"")
    except ProtocolError as error:
        raise error.about(*headers.addressee()) from None


def _decode(key: bytes, headers: Headers, value: bytes) -> Message:
    version = headers.text("fieldpost")
    if major_version(version) != MAJOR:
        raise ProtocolError(Code.UNSUPPORTED_VERSION, f"sent: {version}; understood here: {VERSION}")
    kind = headers.text("kind")
    match kind:
        case Kind.CHUNK:
            return _decode_chunk(headers, value)
        case Kind.END:
            return End(_facts(headers), headers.sha256(), headers.number("round", 0, MAX_ROUND))
        case Kind.CANCEL:
            return Cancel(headers.client(), headers.transfer())
        case Kind.PACK:
            return _decode_pack(key, headers, value)
    raise ProtocolError(Code.UNKNOWN_KIND, "kind")


def _decode_chunk(headers: Headers, value: bytes) -> Chunk:
    facts = _facts(headers)
    index = ChunkIndex(headers.number("index", 0, facts.plan.count - 1))
    chunk = Chunk(facts, index, headers.sha256(), _encoding(headers), value)
    check_length(value, chunk.encoding, facts.plan.length(index))
    return chunk


def _decode_pack(key: bytes, headers: Headers, value: bytes) -> Pack:
    client = headers.client()
    length = headers.number("length", 0, MAX_PACK_LENGTH)
    encoding = _encoding(headers)
    check_length(value, encoding, length)
    return Pack(client, length, encoding, value, key.decode("ascii", "replace"))


def _facts(headers: Headers) -> FileFacts:
    """Client and ids, then numbers, then the path: the order of docs/protocol.md."""
    client, transfer = headers.client(), headers.transfer()
    size = headers.number("size", 0, MAX_SIZE)
    chunk_size = headers.number("chunk.size", MIN_CHUNK_SIZE, MAX_CHUNK_SIZE)
    mtime = headers.number("mtime", MIN_MTIME, MAX_MTIME)
    path = headers.text("path")
    check_path(path)
    return FileFacts(client, transfer, path, size, chunk_size, mtime)


def check_path(path: str) -> None:
    """Refuse a path that could not be published."""
    try:
        names.to_disk(path)
    except NameRefused as error:
        raise ProtocolError(Code.NAME_REFUSED, error.detail) from None


def _encoding(headers: Headers) -> Encoding:
    try:
        return Encoding(headers.text("encoding"))
    except ValueError:
        raise ProtocolError(Code.BAD_ENCODING, "encoding") from None


def _chunk_headers(chunk: Chunk) -> list[Header]:
    facts = _fact_fields(chunk.facts)
    return _headers(Kind.CHUNK, **facts, index=chunk.index, sha256=chunk.sha256, encoding=chunk.encoding)


def _end_headers(end: End) -> list[Header]:
    return _headers(Kind.END, **_fact_fields(end.facts), sha256=end.sha256, round=end.round)


def _fact_fields(facts: FileFacts) -> dict[str, str | int]:
    return {
        "client": facts.client,
        "transfer": facts.transfer,
        "path": facts.path,
        "size": facts.size,
        "chunk.size": facts.chunk_size,
        "mtime": facts.mtime_ns,
    }


def _headers(kind: Kind, **fields: str | int) -> list[Header]:
    everything: dict[str, str | int] = {"fieldpost": VERSION, "kind": kind, **fields}
    return [(name, str(value).encode("utf-8")) for name, value in everything.items()]
