# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What our encoder writes is what docs/protocol.md says, and the office finds every mistake in a message."""

import hashlib
import json
import struct
from dataclasses import astuple, replace

import pytest
import zstandard
from hypothesis import given

from fieldpost_shared.ids import ClientName, TransferId, new_transfer_id
from fieldpost_shared.protocol.encodings import Encoding
from fieldpost_shared.protocol.messages import Cancel, Chunk, End, FileFacts, Message, Pack, Record, encode, open_chunk
from fieldpost_shared.protocol.packs import PackedFile, make_pack, unpack
from reference_receiver import messages as messages_there
from reference_receiver.messages import Raw
from reference_receiver.parsing import read
from reference_receiver.raw_sender import CHUNK, CLIENT, a_file, noise, packed
from support.strategies import messages

Pairs = list[tuple[str, bytes]]


def changed(record: Record, **headers: bytes | None) -> Pairs:
    """The headers with some replaced or, by None, left out; `__` stands for a dot."""
    wanted = {name.replace("__", "."): value for name, value in headers.items()}
    kept = [(name, value) for name, value in record.headers if name not in wanted]
    return kept + [(name, value) for name, value in wanted.items() if value is not None]


def reading(record: Record, headers: Pairs | None = None, largest_chunk: int = 2**24) -> tuple[str, ...]:
    raw = Raw(0, 0, record.key, record.headers if headers is None else headers, record.value)
    return read(raw, largest_chunk).violations


FILE = a_file(2 * CHUNK + 5)
TEXT = a_file(CHUNK, content=b"a" * CHUNK)
WRONG_HEADERS: list[tuple[str, dict[str, bytes | None], str]] = [
    ("chunk", {"fieldpost": None}, "the header fieldpost is missing"),
    ("chunk", {"fieldpost": b"1"}, "the version is unreadable"),
    ("chunk", {"fieldpost": b"2.0"}, "version 2.0; understood here: 1.0"),
    ("chunk", {"fieldpost": b"1.1"}, "version 1.1 instead of 1.0"),
    ("chunk", {"kind": b"lump"}, "the kind 'lump' is unknown"),
    ("chunk", {"client": b".van"}, "the client's name is not allowed"),
    ("chunk", {"client": b"\xff"}, "the header client is not UTF-8"),
    ("chunk", {"transfer": FILE.id.encode()[:-1]}, "the transfer id is not 32"),
    ("chunk", {"transfer": b"0" * 32}, "the layout of a UUIDv7"),
    ("chunk", {"transfer": new_transfer_id(1).encode()}, "the key is not the transfer id"),
    ("chunk", {"size": b"+7"}, "size is not a decimal number"),
    ("chunk", {"size": b"007"}, "size is not a decimal number"),
    ("chunk", {"size": b"9223372036854775808"}, "size is out of range"),
    ("chunk", {"size": b"0"}, "a chunk of an empty file"),
    ("chunk", {"chunk__size": b"16383"}, "chunk.size is out of range"),
    ("chunk", {"chunk__size": b"16777217"}, "chunk.size is out of range"),
    ("chunk", {"chunk__size": b"65537"}, "not rounded down to 4 KiB"),
    ("chunk", {"index": b"3"}, "index is out of range"),
    ("chunk", {"index": b"-1"}, "index is out of range"),
    ("chunk", {"index": b"2"}, "65536 bytes instead of 5"),
    ("chunk", {"sha256": b"0" * 64}, "do not match their SHA-256"),
    ("chunk", {"sha256": b"A" * 64}, "not 64 lower-case hex digits"),
    ("chunk", {"mtime": b"1.5"}, "mtime is not a decimal number"),
    ("chunk", {"mtime": b"-0"}, "mtime is not a decimal number"),
    ("chunk", {"encoding": b"gzip"}, "neither identity nor zstd"),
    ("chunk", {"encoding": b"zstd"}, "no zstd frame"),
    ("chunk", {"round": b"0"}, "the header round does not belong on chunk"),
    ("chunk", {"colour": b"red"}, "the header colour does not belong on chunk"),
    ("end", {"round": None}, "the header round is missing"),
    ("end", {"index": b"0"}, "the header index does not belong on end"),
    ("cancel", {"path": b"a"}, "the header path does not belong on cancel"),
    ("pack", {"length": b"16777217"}, "length is out of range"),
    ("pack", {"length": b"7"}, "bytes instead of 7"),
    ("pack", {"transfer": b"0" * 32}, "the header transfer does not belong on pack"),
]
GOOD: dict[str, Record] = {
    "chunk": FILE.chunk(0),
    "end": FILE.end(),
    "cancel": encode(Cancel(CLIENT, FILE.id)),
    "pack": encode(make_pack(CLIENT, [packed("a.txt", b"a"), packed("b.txt", b"")], Encoding.IDENTITY)),
    "compressed": TEXT.chunk(0, Encoding.ZSTD),
}


@pytest.mark.parametrize("kind", GOOD)
def test_what_our_encoder_writes_is_what_the_protocol_says(kind: str) -> None:
    assert reading(GOOD[kind]) == ()


# The strategies make any id, any chunk size and compress anything; a sender of ours has stricter rules for these.
SENDER_RULES = ("the layout of a UUIDv7", "rounded down to 4 KiB", "saves less than 10 %")


@given(message=messages)
def test_whatever_our_encoder_writes_means_the_same_to_the_office(message: Message) -> None:
    record = encode(message)
    found = read(Raw(0, 0, record.key, record.headers, record.value))
    assert [fault for fault in found.violations if not any(rule in fault for rule in SENDER_RULES)] == []
    match message, found.message:
        case Chunk() as ours, messages_there.Chunk() as theirs:
            assert (ours.index, ours.sha256, open_chunk(ours)) == (theirs.index, theirs.sha256, theirs.plain)
            assert_same_facts(ours.facts, theirs.facts)
        case End() as ours, messages_there.End() as theirs:
            assert (ours.sha256, ours.round) == (theirs.sha256, theirs.round)
            assert_same_facts(ours.facts, theirs.facts)
        case Pack() as ours, messages_there.Pack() as theirs:
            assert [file for file in unpack(ours) if isinstance(file, PackedFile)] == [
                PackedFile(TransferId(m.facts.transfer), m.facts.path, m.facts.mtime, m.sha256, m.body)
                for m in theirs.members
            ]
        case ours, theirs:
            assert (ours, theirs) == (message, messages_there.Cancel(*astuple(message)))


def assert_same_facts(ours: FileFacts, theirs: messages_there.Facts) -> None:
    assert ours == FileFacts(
        ClientName(theirs.client),
        TransferId(theirs.transfer),
        theirs.path,
        theirs.size,
        theirs.chunk_size,
        theirs.mtime,
    )


@pytest.mark.parametrize(("kind", "headers", "fault"), WRONG_HEADERS)
def test_a_wrong_header_is_found(kind: str, headers: dict[str, bytes | None], fault: str) -> None:
    found = reading(GOOD[kind], changed(GOOD[kind], **headers))
    assert fault in "; ".join(found)


@pytest.mark.parametrize(
    "name", ["kind", "client", "transfer", "path", "size", "chunk.size", "index", "sha256", "mtime", "encoding"]
)
def test_a_missing_or_repeated_header_is_found(name: str) -> None:
    good = GOOD["chunk"]
    assert reading(good, [pair for pair in good.headers if pair[0] != name]) == (f"the header {name} is missing",)
    twice = [pair for pair in good.headers if pair[0] == name]
    assert reading(good, good.headers + twice) == (f"the header {name} is there twice",)


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("", "is empty"),
        ("/a", "begins with a slash"),
        ("c:/a", "begins like a drive"),
        ("a\\b", "has a backslash"),
        ("a//b", "has an empty part"),
        ("a/../b", "has a part . or .."),
        ("a\nb", "has a control character"),
        ("u\u0308", "is not NFC"),
        ("a" * 252, "has a part that is too long"),
        ("/".join(["a" * 200] * 6), "is longer than 1,024 bytes"),
        (":" * 100, "is refused by names.py"),
    ],
)
def test_a_path_that_may_not_travel_is_found(path: str, fault: str) -> None:
    good = GOOD["end"]
    assert fault in "; ".join(reading(good, changed(good, path=path.encode())))
    entry = packed(path, b"")
    assert fault in "; ".join(reading(encode(make_pack(CLIENT, [entry], Encoding.IDENTITY))))


def pack_of(index: object, bodies: bytes = b"", *, text: bytes | None = None, length: int | None = None) -> Record:
    """A pack with any index, right otherwise."""
    inside = json.dumps(index).encode() if text is None else text
    plain = struct.pack(">I", len(inside) if length is None else length) + inside + bodies
    headers = {"fieldpost": "1.0", "kind": "pack", "client": CLIENT, "encoding": "identity", "length": str(len(plain))}
    return Record(FILE.id.encode(), [(name, value.encode()) for name, value in headers.items()], plain)


def entry(**changes: object) -> dict[str, object]:
    fields = {"transfer": FILE.id, "path": "a", "size": 1, "mtime": 0, "sha256": hashlib.sha256(b"x").hexdigest()}
    return {**fields, **changes}


@pytest.mark.parametrize(
    ("record", "fault"),
    [
        (pack_of({}, length=99), "index is longer than the pack"),
        (pack_of(0, text=b"{"), "index is no JSON"),
        (pack_of(0, text=b'{"files":[],"files":[]}'), "index is no JSON"),
        (pack_of([]), "index lists no files"),
        (pack_of({"files": [1]}), "index lists no files"),
        (pack_of({"files": []}), "0 files in a pack"),
        (pack_of({"files": [entry()] * 4_001}, b"x" * 4_001), "4001 files in a pack"),
        (pack_of({"files": [entry()], "more": 1}, b"x"), "index has more than files"),
        (pack_of({"files": [entry(more=1)]}, b"x"), "entry has more than it should"),
        (pack_of({"files": [entry(size=True)]}, b"x"), "size is missing or of the wrong type"),
        (pack_of({"files": [entry(size=-1)]}, b"x"), "size is out of range"),
        (pack_of({"files": [entry(size=2)]}, b"x"), "do not add up"),
        (pack_of({"files": [entry()]}, b"xx"), "do not add up"),
        (pack_of({"files": [entry(transfer="7")]}, b"x"), "the transfer id is not 32"),
        (pack_of({"files": [entry(), entry()]}, b"xx"), "a transfer id twice in one pack"),
        (pack_of({"files": [entry(path="\ud800")]}, b"x"), "has a lone surrogate"),
        (pack_of({"files": [entry(mtime=2**63)]}, b"x"), "mtime is out of range"),
        (pack_of({"files": [entry()]}, b"y"), "do not match their SHA-256"),
        (pack_of({"files": [entry(transfer=new_transfer_id(1))]}, b"x"), "the key is not the transfer id"),
    ],
)
def test_a_wrong_pack_is_found(record: Record, fault: str) -> None:
    assert fault in "; ".join(reading(record))


def test_wrong_values_are_found() -> None:
    end, cancel, chunk, compressed = GOOD["end"], GOOD["cancel"], GOOD["chunk"], GOOD["compressed"]
    assert reading(replace(end, value=b"x")) == ("the value of end is not empty",)
    assert reading(replace(cancel, value=b"x")) == ("the value of cancel is not empty",)
    assert reading(replace(chunk, key=b"x")) == ("the key is not the transfer id",)
    assert "is broken" in reading(replace(compressed, value=compressed.value[:-3] + b"\xff\xff\xff"))[0]
    assert "not exactly one" in reading(replace(compressed, value=compressed.value[:-3]))[0]
    assert "not exactly one" in reading(replace(compressed, value=compressed.value + b"x"))[0]
    bomb = zstandard.compress(bytes(2**20))
    assert "1048576 bytes instead of 65536" in reading(replace(compressed, value=bomb))[0]
    assert reading(FILE.chunk(0, Encoding.ZSTD)) == ("zstd although the first chunk saves less than 10 %",)


def test_sizes_above_what_the_sender_is_set_to_are_found() -> None:
    assert "above the 61440" in reading(GOOD["chunk"], largest_chunk=61_440)[0]
    pack = encode(make_pack(CLIENT, [packed("a", noise(CHUNK // 4 + 1))], Encoding.IDENTITY))
    assert reading(pack) == ()
    assert "more than a quarter" in reading(pack, largest_chunk=CHUNK)[0]
