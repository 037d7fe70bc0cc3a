# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import contextlib
import hashlib
import json
import tracemalloc
from dataclasses import replace

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

import support.strategies as wire
from fieldpost_shared.chunks import ChunkIndex, Header
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import ProtocolError
from fieldpost_shared.ids import ClientName, TransferId
from fieldpost_shared.protocol import limits
from fieldpost_shared.protocol.encodings import Encoding, inflate, sample
from fieldpost_shared.protocol.headers import KNOWN
from fieldpost_shared.protocol.messages import (
    Cancel,
    Chunk,
    End,
    FileFacts,
    Message,
    Pack,
    Record,
    decode,
    encode,
    make_chunk,
    open_chunk,
)
from fieldpost_shared.protocol.packs import BadMember, PackedFile, make_pack, unpack

CLIENT = ClientName("van-7")
TRANSFER = TransferId("0190f3a2b4c57d8e9fa0b1c2d3e4f506")
OTHER = TransferId("0190f3a2b4c57d8e9fa0b1c2d3e4f507")
FACTS = FileFacts(CLIENT, TRANSFER, "reports/day one.pdf", 100_000, 65_536, 1_700_000_000_000_000_000)
TAIL = b"x" * (100_000 - 65_536)
CHUNK = make_chunk(FACTS, ChunkIndex(1), TAIL, Encoding.IDENTITY)


def tampered(message: Message, **changes: bytes | None) -> list[tuple[str, bytes | None]]:
    """The message's headers with some replaced (names with _ for .), or left out where the value is None."""
    renamed = {name.replace("_", "."): value for name, value in changes.items()}
    kept: list[tuple[str, bytes | None]] = [(n, v) for n, v in encode(message).headers if n not in renamed]
    return kept + [(name, value) for name, value in renamed.items() if value is not None]


def refusal(headers: list[tuple[str, bytes | None]] | list[Header], value: bytes = TAIL, key: bytes = b"k") -> Code:
    with pytest.raises(ProtocolError) as caught:
        decode(key, headers, value)
    return caught.value.code


@given(wire.messages)
def test_every_message_survives_the_wire(message: Message) -> None:
    record = encode(message)
    assert decode(record.key, record.headers, record.value) == message


@given(wire.chunks())
def test_a_chunk_opens_to_the_bytes_that_were_sent(chunk: Chunk) -> None:
    plain = open_chunk(chunk)
    assert hashlib.sha256(plain).hexdigest() == chunk.sha256
    assert len(plain) == chunk.facts.plan.length(chunk.index)


@given(wire.clients, wire.members, wire.encodings)
def test_a_pack_opens_to_the_files_that_were_packed(
    client: ClientName, members: list[PackedFile], encoding: Encoding
) -> None:
    pack = make_pack(client, members, encoding)
    assert unpack(pack) == members
    assert encode(pack).key.decode() == members[0].transfer


_names = st.sampled_from(sorted(KNOWN)) | st.text(max_size=80)
_values = (
    st.binary(max_size=80)
    | st.none()
    | st.sampled_from([b"1.0", b"chunk", b"end", b"pack", b"cancel", b"zstd", b"identity", b"0", b"65536", b"-1"])
    | wire.transfers.map(str.encode)
    | wire.digests.map(str.encode)
)


@given(st.none() | st.binary(max_size=300), st.none() | st.lists(st.tuples(_names, _values), max_size=80), st.binary())
def test_decoding_anything_gives_a_message_or_a_protocol_error(
    key: bytes | None, headers: list[tuple[str, bytes | None]] | None, value: bytes
) -> None:
    try:
        message = decode(key, headers, value)
    except ProtocolError:
        return
    assert isinstance(message, Chunk | End | Cancel | Pack)


@given(wire.messages, st.data())
def test_a_damaged_message_gives_a_message_or_a_protocol_error(message: Message, data: st.DataObject) -> None:
    record = encode(message)
    headers: list[tuple[str, bytes | None]] = list(record.headers)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(headers) - 1))
        headers[place] = (headers[place][0], data.draw(_values))
    value = data.draw(st.just(record.value) | st.binary(max_size=400))
    try:
        opened = decode(record.key, headers, value)
        if isinstance(opened, Pack):
            unpack(opened)
        elif isinstance(opened, Chunk):
            open_chunk(opened)
    except ProtocolError:
        pass


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | wire.transfers | wire.digests,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["files", "transfer", "path", "size", "mtime", "sha256"]) | st.text(max_size=3), inner
        )
    ),
    max_leaves=20,
)


@given(_json.map(lambda tree: json.dumps(tree).encode()) | st.binary(max_size=100), st.binary(max_size=100))
def test_unpacking_anything_gives_files_or_a_protocol_error(index: bytes, bodies: bytes) -> None:
    plain = len(index).to_bytes(4, "big") + index + bodies
    with contextlib.suppress(ProtocolError):
        unpack(Pack(CLIENT, len(plain), Encoding.IDENTITY, plain, TRANSFER))


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"fieldpost": None}, Code.MISSING_HEADER),
        ({"fieldpost": b"2.0"}, Code.UNSUPPORTED_VERSION),
        ({"fieldpost": b"0.9"}, Code.UNSUPPORTED_VERSION),
        ({"fieldpost": b"1"}, Code.BAD_VERSION),
        ({"fieldpost": b"01.0"}, Code.BAD_VERSION),
        ({"fieldpost": b"99999.0"}, Code.BAD_VERSION),
        ({"kind": b"letter"}, Code.UNKNOWN_KIND),
        ({"kind": b"CHUNK"}, Code.UNKNOWN_KIND),
        ({"client": b""}, Code.BAD_CLIENT),
        ({"client": b"../x"}, Code.BAD_CLIENT),
        ({"client": b"a" * 65}, Code.BAD_CLIENT),
        ({"client": b"van-7\n"}, Code.BAD_CLIENT),
        ({"transfer": b"0" * 31}, Code.BAD_TRANSFER),
        ({"transfer": b"A" * 32}, Code.BAD_TRANSFER),
        ({"transfer": TRANSFER.encode() + b"\n"}, Code.BAD_TRANSFER),
        ({"size": b"-1"}, Code.BAD_NUMBER),
        ({"size": b"+1"}, Code.BAD_NUMBER),
        ({"size": b" 1"}, Code.BAD_NUMBER),
        ({"size": b"007"}, Code.BAD_NUMBER),
        ({"size": b"1e3"}, Code.BAD_NUMBER),
        ({"size": b"1_000"}, Code.BAD_NUMBER),
        ({"size": b""}, Code.BAD_NUMBER),
        ({"size": "٣".encode()}, Code.BAD_NUMBER),
        ({"size": b"9223372036854775808"}, Code.BAD_NUMBER),
        ({"size": b"9" * 2000}, Code.BAD_NUMBER),
        ({"size": b"0"}, Code.BAD_NUMBER),
        ({"chunk_size": b"0"}, Code.BAD_NUMBER),
        ({"chunk_size": b"16383"}, Code.BAD_NUMBER),
        ({"chunk_size": b"16777217"}, Code.BAD_NUMBER),
        ({"index": b"2"}, Code.BAD_NUMBER),
        ({"index": b"9223372036854775807"}, Code.BAD_NUMBER),
        ({"index": b"0"}, Code.BAD_LENGTH),
        ({"index": None}, Code.MISSING_HEADER),
        ({"mtime": b"-0"}, Code.BAD_NUMBER),
        ({"mtime": b"--1"}, Code.BAD_NUMBER),
        ({"mtime": b"-9223372036854775809"}, Code.BAD_NUMBER),
        ({"path": b"../etc/passwd"}, Code.NAME_REFUSED),
        ({"path": b""}, Code.NAME_REFUSED),
        ({"path": b"\xff\xfe"}, Code.BAD_TEXT),
        ({"path": b"a" * 1025}, Code.NAME_REFUSED),
        ({"sha256": b"0" * 63}, Code.BAD_HASH),
        ({"sha256": b"G" * 64}, Code.BAD_HASH),
        ({"encoding": b"gzip"}, Code.BAD_ENCODING),
        ({"encoding": b"zstd"}, Code.BAD_COMPRESSION),
    ],
)
def test_a_wrong_header_is_refused_with_its_code(changes: dict[str, bytes | None], code: Code) -> None:
    assert refusal(tampered(CHUNK, **changes)) is code


def test_a_header_without_a_value_counts_as_missing() -> None:
    headers = [*tampered(CHUNK, path=None), ("path", None)]
    assert refusal(headers) is Code.MISSING_HEADER


def test_a_known_header_twice_is_refused() -> None:
    assert refusal([*encode(CHUNK).headers, ("path", b"other")]) is Code.DUPLICATE_HEADER


def test_bounds_are_checked_before_anything_else() -> None:
    good = encode(CHUNK).headers
    assert refusal([("x", b"")] * 10_000) is Code.TOO_MANY_HEADERS
    assert refusal([*good, ("x" * 65, b"")]) is Code.OVERSIZED
    assert refusal([*good, ("x", b"y" * 2049)]) is Code.OVERSIZED
    assert refusal(good, key=b"k" * 1_000_000) is Code.OVERSIZED


def test_unknown_headers_and_a_higher_minor_version_are_accepted() -> None:
    headers = [*tampered(CHUNK, fieldpost=b"1.7"), ("colour", b"\xff"), ("colour", b"twice")]
    assert decode(b"k", headers, TAIL) == CHUNK


def test_an_error_names_whom_to_answer_as_far_as_it_can_be_read() -> None:
    with pytest.raises(ProtocolError) as caught:
        decode(b"k", tampered(CHUNK, fieldpost=b"2.0"), TAIL)
    assert (caught.value.client, caught.value.transfer) == (CLIENT, TRANSFER)
    assert limits.VERSION in caught.value.detail
    with pytest.raises(ProtocolError) as caught:
        decode(b"k", tampered(CHUNK, transfer=b"?"), TAIL)
    assert (caught.value.client, caught.value.transfer) == (CLIENT, None)
    with pytest.raises(ProtocolError) as caught:
        decode(b"k", tampered(CHUNK, client=b"?"), TAIL)
    assert (caught.value.client, caught.value.transfer) == (None, None)


def test_a_flipped_bit_in_a_chunk_is_noticed() -> None:
    damaged = replace(CHUNK, value=bytes([TAIL[0] ^ 1]) + TAIL[1:])
    with pytest.raises(ProtocolError) as caught:
        open_chunk(damaged)
    assert caught.value.code is Code.DAMAGED
    assert caught.value.transfer == TRANSFER


def bomb(claimed: int | None) -> bytes:
    """Zeros that claim to be `claimed` bytes (or say nothing) and inflate to 64 MiB."""
    zeros = b"\0" * (64 * 1024 * 1024)
    compressor = zstandard.ZstdCompressor(write_content_size=claimed is not None)
    return compressor.compress(zeros)


def test_a_compression_bomb_is_refused_before_it_inflates() -> None:
    honest, silent = bomb(64 << 20), bomb(None)
    for value, code in ((honest, Code.BAD_LENGTH), (silent, Code.BAD_COMPRESSION)):
        tracemalloc.start()
        assert refusal(tampered(CHUNK, encoding=b"zstd"), value) is code
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
        tracemalloc.stop()


def test_a_frame_that_lies_about_its_length_is_refused() -> None:
    frame = zstandard.ZstdCompressor().compress(b"a" * 1000)
    broken = frame[:-3]
    with pytest.raises(ProtocolError) as caught:
        inflate(broken, Encoding.ZSTD, 1000)
    assert caught.value.code is Code.BAD_COMPRESSION
    with pytest.raises(ProtocolError):
        inflate(frame + b"more", Encoding.ZSTD, 1000)


def test_only_data_that_shrinks_by_a_tenth_is_compressed() -> None:
    assert sample(b"field notes " * 1000) is Encoding.ZSTD
    noise = b"".join(hashlib.sha256(bytes([n % 256, n // 256])).digest() for n in range(1000))
    assert sample(noise) is Encoding.IDENTITY
    assert sample(b"") is Encoding.IDENTITY


def test_facts_that_differ_have_different_fingerprints() -> None:
    changed = [
        replace(FACTS, client=ClientName("van-8")),
        replace(FACTS, path="reports/day two.pdf"),
        replace(FACTS, size=99_999),
        replace(FACTS, chunk_size=32_768),
        replace(FACTS, mtime_ns=0),
    ]
    assert len({facts.fingerprint for facts in [FACTS, *changed]}) == 6
    assert replace(FACTS, transfer=OTHER).fingerprint == FACTS.fingerprint


def pack_of(index: object, bodies: bytes = b"", length: int | None = None) -> Pack:
    text = index if isinstance(index, bytes) else json.dumps(index).encode()
    plain = (len(text) if length is None else length).to_bytes(4, "big") + text + bodies
    return Pack(CLIENT, len(plain), Encoding.IDENTITY, plain, TRANSFER)


def member(**changes: object) -> dict[str, object]:
    good: dict[str, object] = {
        "transfer": TRANSFER,
        "path": "a.txt",
        "size": 2,
        "mtime": 5,
        "sha256": hashlib.sha256(b"hi").hexdigest(),
    }
    return good | changes


@pytest.mark.parametrize(
    "pack",
    [
        pack_of({"files": []}),
        pack_of({"files": [member(), member(size=0)]}, b"hi"),
        pack_of({"files": [member(size=3)]}, b"hi"),
        pack_of({"files": [member(size=-1)]}, b"hi"),
        pack_of({"files": [member(size=True)]}, b"h"),
        pack_of({"files": [member(size=2.0)]}, b"hi"),
        pack_of({"files": [member(transfer="?")]}, b"hi"),
        pack_of({"files": [member(transfer=7)]}, b"hi"),
        pack_of({"files": ["a.txt"]}, b"hi"),
        pack_of({"files": {}}),
        pack_of({"files": [member(transfer=f"{n:032x}", size=0) for n in range(4001)]}),
        pack_of([]),
        pack_of({"files": [member()]}, b"hi", length=2**32 - 1),
        pack_of(b"[" * 100_000),
        pack_of(b'{"files": ' + b"9" * 5000 + b"}"),
        pack_of(b'{"files": NaN}'),
        pack_of(b"\xff"),
        pack_of(b"[" + b"{}," * 400_000 + b"{}]"),
        Pack(CLIENT, 3, Encoding.IDENTITY, b"abc", TRANSFER),
        Pack(CLIENT, 0, Encoding.IDENTITY, b"", TRANSFER),
    ],
)
def test_a_bad_index_rejects_the_whole_pack(pack: Pack) -> None:
    with pytest.raises(ProtocolError) as caught:
        unpack(pack)
    assert (caught.value.code, caught.value.client) == (Code.BAD_PACK, CLIENT)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"path": "../a"}, Code.NAME_REFUSED),
        ({"path": "\ud800"}, Code.NAME_REFUSED),
        ({"path": 7}, Code.BAD_PACK),
        ({"mtime": "x"}, Code.BAD_PACK),
        ({"sha256": "x"}, Code.BAD_HASH),
        ({"sha256": "0" * 64}, Code.DAMAGED),
    ],
)
def test_a_bad_member_is_rejected_alone(changes: dict[str, object], code: Code) -> None:
    files = [member(**changes), member(transfer=OTHER, path="b.txt")]
    bad, good = unpack(pack_of({"files": files}, b"hihi"))
    assert isinstance(bad, BadMember)
    assert (bad.transfer, bad.code) == (TRANSFER, code)
    assert isinstance(good, PackedFile)
    assert (good.transfer, good.body) == (OTHER, b"hi")


def test_a_pack_over_a_limit_is_never_made() -> None:
    small = wire.packed_file(TRANSFER, "a", 0, b"")
    for files in ([], [small] * 4001, [replace(small, body=b"x" * limits.MAX_PACK_LENGTH)]):
        with pytest.raises(ValueError, match="do not fit"):
            make_pack(CLIENT, files, Encoding.IDENTITY)


def test_a_pack_longer_than_it_says_is_refused() -> None:
    record = encode(make_pack(CLIENT, [wire.packed_file(TRANSFER, "a", 0, b"hi")], Encoding.IDENTITY))
    assert refusal(record.headers, record.value + b"!") is Code.BAD_LENGTH


def test_a_record_is_readable_by_a_person() -> None:
    record = encode(CHUNK)
    assert isinstance(record, Record)
    assert record.key == TRANSFER.encode()
    assert dict(record.headers)["path"] == b"reports/day one.pdf"
    assert dict(record.headers)["index"] == b"1"
