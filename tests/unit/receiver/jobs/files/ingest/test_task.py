# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import support.strategies as wire
from fieldpost_receiver.jobs.files.ingest.partition_reader import Range
from fieldpost_receiver.jobs.files.ingest.rows import Row, RowKind, pack_rows, unpack_rows
from fieldpost_receiver.jobs.files.ingest.task import Task
from fieldpost_receiver.storage.errors import StorageError, TooLargeForDisk
from fieldpost_shared.codes import Code
from fieldpost_shared.crash_points import NoCrashPoints
from fieldpost_shared.ids import TransferId
from fieldpost_shared.protocol import limits
from fieldpost_shared.protocol.encodings import Encoding, deflate
from fieldpost_shared.protocol.headers import KNOWN, RawHeaders
from fieldpost_shared.protocol.messages import Cancel, Chunk, End, Message, Pack, Record, encode
from fieldpost_shared.protocol.packs import PackedFile
from support.receiver.rig import Rig, Sent, noise, pack, rig_at


@dataclass
class Paper:
    """Writes down what would be written, or fails."""

    written: dict[tuple[str, str], dict[int, bytes]] = field(default_factory=dict)
    failure: Exception | None = None

    def write(self, transfer: TransferId, fingerprint: str, offset: int, data: bytes) -> None:
        if self.failure is not None:
            raise self.failure
        self.written.setdefault((transfer, fingerprint), {})[offset] = data

    def sync(self) -> None:
        pass


def take(
    record: Record | tuple[bytes | None, RawHeaders | None, bytes | None],
    paper: Paper | None = None,
    skip: frozenset[str] = frozenset(),
) -> list[Row]:
    key, headers, value = (record.key, record.headers, record.value) if isinstance(record, Record) else record
    task = Task(Range(3, 0, 100, skip), paper or Paper(), NoCrashPoints())
    rows = task.rows_of(42, key, headers, value)
    assert unpack_rows(pack_rows(rows)) == rows  # whatever came, it crosses into the JVM
    assert all((row.partition, row.offset) == (3, 42) for row in rows)
    return rows


def changed(record: Record, **headers: bytes) -> Record:
    """The same record with other headers; `chunk_size` stands for `chunk.size`."""
    wanted = {name.replace("_", "."): value for name, value in headers.items()}
    return Record(record.key, [(name, wanted.get(name, value)) for name, value in record.headers], record.value)


@given(wire.messages)
def test_what_our_encoder_writes_becomes_rows_and_bytes_in_their_places(message: Message) -> None:
    paper = Paper()
    rows = take(encode(message), paper)
    match message:
        case Chunk():
            (row,) = rows
            assert (row.kind, row.facts(), row.index) == (RowKind.CHUNK, message.facts, message.index)
            ((offset, plain),) = paper.written[message.facts.transfer, message.facts.fingerprint].items()
            assert offset == message.index * message.facts.chunk_size
            assert len(plain) == message.facts.plan.length(message.index)
        case End():
            (row,) = rows
            assert (row.kind, row.facts()) == (RowKind.END, message.facts)
            assert (row.sha256, row.round) == (message.sha256, message.round)
            assert not paper.written
        case Cancel():
            (row,) = rows
            assert (row.kind, row.client, row.transfer) == (RowKind.CANCEL, message.client, message.transfer)
            assert not paper.written
        case Pack():
            assert {row.kind for row in rows} == {RowKind.WHOLE}
            assert {(row.transfer, row.facts().fingerprint) for row in rows} == set(paper.written)
            assert all(len(paper.written[row.facts().transfer, row.facts().fingerprint][0]) == row.size for row in rows)


_values = (
    st.none() | st.binary(max_size=40) | st.text(max_size=20).map(str.encode) | st.integers().map(lambda n: b"%d" % n)
)
_names = st.sampled_from(sorted(KNOWN)) | st.text(max_size=10)
_records = st.tuples(
    st.none() | st.binary(max_size=300),
    st.none() | st.lists(st.tuples(_names, _values), max_size=80),
    st.none() | st.binary(max_size=200),
)


@given(_records)
def test_nothing_but_rows_comes_out_whatever_the_bytes_are(
    record: tuple[bytes | None, RawHeaders | None, bytes],
) -> None:
    paper = Paper()
    rows = take(record, paper)
    assert [row.kind for row in rows] == [RowKind.BAD] or paper.written or rows[0].kind in {RowKind.END, RowKind.CANCEL}


@given(wire.messages, st.data())
def test_a_message_with_one_thing_changed_is_refused_or_still_true(message: Message, data: st.DataObject) -> None:
    record = encode(message)
    headers = list(record.headers)
    place = data.draw(st.integers(0, len(headers) - 1))
    headers[place] = (headers[place][0], data.draw(_values.filter(lambda value: value is not None)) or b"")
    value = data.draw(st.just(record.value) | st.binary(max_size=50))
    paper = Paper()
    for row in take((record.key, headers, value), paper):
        if row.kind is RowKind.BAD:
            assert Code(row.code or "")


def test_a_bad_message_writes_nothing() -> None:
    chunk = Sent(1, "a.bin", noise(100_000)).chunk(1)
    bad = {
        Code.DAMAGED: Record(chunk.key, chunk.headers, b"\1" * len(chunk.value)),
        Code.BAD_LENGTH: Record(chunk.key, chunk.headers, chunk.value + b"x"),
        Code.BAD_NUMBER: changed(chunk, index=b"2"),
        Code.NAME_REFUSED: changed(chunk, path=b"../a.bin"),
        Code.BAD_CLIENT: changed(chunk, client=b"../x"),
        Code.BAD_TRANSFER: changed(chunk, transfer=b"../../etc"),
        Code.UNSUPPORTED_VERSION: changed(chunk, fieldpost=b"2.0"),
        Code.UNKNOWN_KIND: changed(chunk, kind=b"chunks"),
        Code.BAD_ENCODING: changed(chunk, encoding=b"gzip"),
        Code.DUPLICATE_HEADER: Record(chunk.key, [*chunk.headers, chunk.headers[0]], chunk.value),
        Code.TOO_MANY_HEADERS: Record(chunk.key, [("x", b"")] * 10_000, chunk.value),
        Code.OVERSIZED: Record(b"k" * 1_000_000, chunk.headers, chunk.value),
        Code.MISSING_HEADER: Record(chunk.key, chunk.headers[:-1], chunk.value),
    }
    paper = Paper()
    assert {code: take(record, paper)[0].code for code, record in bad.items()} == {code: code for code in bad}
    assert not paper.written


def test_a_bomb_is_refused_before_it_inflates() -> None:
    chunk = Sent(1, "a.bin", noise(100)).chunk(0)
    bomb = Record(
        chunk.key, changed(chunk, encoding=b"zstd").headers, deflate(bytes(limits.MAX_CHUNK_SIZE), Encoding.ZSTD)
    )
    assert take(bomb)[0].code == Code.BAD_LENGTH


def test_what_is_on_the_skip_list_is_never_written() -> None:
    big, small, fine = Sent(1, "a.bin", noise(70_000)), Sent(2, "b", b"b"), Sent(3, "c", b"c")
    paper, skip = Paper(), frozenset({big.id, small.id})
    assert take(big.chunk(0), paper, skip) == []
    rows = take(pack(small, fine), paper, skip)
    assert [(row.kind, row.transfer) for row in rows] == [(RowKind.WHOLE, small.id), (RowKind.WHOLE, fine.id)]
    assert {transfer for transfer, _ in paper.written} == {fine.id}
    assert [row.kind for row in (*take(big.end(), paper, skip), *take(big.cancel(), paper, skip))] == [
        RowKind.END,
        RowKind.CANCEL,
    ]


def packed(*entries: dict[str, object], bodies: bytes) -> Record:
    index = json.dumps({"files": entries}).encode()
    plain = len(index).to_bytes(4, "big") + index + bodies
    fields = {"fieldpost": b"1.0", "kind": b"pack", "client": b"van-7", "encoding": b"identity"}
    return Record(b"", [*fields.items(), ("length", b"%d" % len(plain))], plain)


def entry(file: Sent, **other: object) -> dict[str, object]:
    one: PackedFile = file.packed()
    known = {"transfer": one.transfer, "path": one.path, "size": len(one.body), "mtime": 5, "sha256": one.sha256}
    return known | other


def test_a_bad_member_is_refused_alone() -> None:
    files = [Sent(number, f"{number}.txt", noise(50 + number)) for number in range(1, 6)]
    bad = [
        entry(files[0]),
        entry(files[1], path="../up"),
        entry(files[2], sha256="00" * 32),
        entry(files[3], path="\ud800"),
        entry(files[4], mtime=2**64),
    ]
    paper = Paper()
    rows = take(packed(*bad, bodies=b"".join(file.content for file in files)), paper)
    assert [row.kind for row in rows] == [RowKind.WHOLE, *[RowKind.BAD] * 4]
    assert [row.code for row in rows[1:]] == [Code.NAME_REFUSED, Code.DAMAGED, Code.NAME_REFUSED, Code.BAD_PACK]
    assert {transfer for transfer, _ in paper.written} == {files[0].id}
    assert {row.payload for row in rows} == {rows[0].payload}  # or the mean message size would shrink


@pytest.mark.parametrize(
    "record",
    [
        packed(entry(Sent(1, "a", b"a")), entry(Sent(1, "b", b"b")), bodies=b"ab"),
        packed(entry(Sent(1, "a", b"a"), size=2**60), bodies=b"a"),
        packed(entry(Sent(1, "a", b"a"), transfer="../up"), bodies=b"a"),
        packed(bodies=b""),
        packed(*[entry(Sent(number, "a", b"")) for number in range(4_001)], bodies=b""),
    ],
    ids=["one id twice", "sizes do not add up", "no id", "no file", "too many"],
)
def test_a_bad_index_refuses_the_pack(record: Record) -> None:
    paper = Paper()
    assert [row.code for row in take(record, paper)] == [Code.BAD_PACK]
    assert not paper.written


def test_a_file_that_the_disk_cannot_hold_is_a_row_that_names_it() -> None:
    file = Sent(1, "a.bin", noise(100_000))
    (row,) = take(file.chunk(1), Paper(failure=TooLargeForDisk()))
    assert (row.kind, row.code, row.facts()) == (RowKind.BAD, Code.TOO_LARGE, file.facts)


def test_a_failing_disk_is_not_reported_as_a_bad_message() -> None:
    with pytest.raises(StorageError):
        take(Sent(1, "a", b"a").chunk(0), Paper(failure=StorageError("write", 28)))


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    with rig_at(tmp_path / "rig", monkeypatch) as rig:
        yield rig


def test_a_header_name_that_is_not_text_stops_no_other_message(rig: Rig) -> None:
    file = Sent(1, "a.bin", noise(100_000))
    rig.take(file.chunk(0), None, file.chunk(1), None, file.end())
    assert rig.tree() == {"van-7/a.bin": file.content}
    assert rig.job.quarantine.counts() == {Code.BAD_TEXT: 2}
