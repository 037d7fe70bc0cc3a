# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F24: header and compression bombs: each costs about nothing, is counted, and the query lives."""

import random
from pathlib import Path
from typing import Final

import psutil  # type: ignore[import-untyped]  # it ships no types
import pytest
import zstandard

from faults.bookkeeping import Case
from faults.raw_records import of_chunks, packed_by_hand, rig_in_memory, with_headers
from faults.test_f23_numbers import allocating_at_most, judged
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.sources.dropped_files import DroppedFiles
from fieldpost_receiver.jobs.files.ingest.rows import RowKind
from fieldpost_shared.ids import new_transfer_id
from fieldpost_shared.protocol.limits import MAX_CHUNK_SIZE, MAX_PACK_FILES, MAX_PACK_LENGTH
from fieldpost_shared.protocol.messages import Record
from reference_receiver.raw_sender import RawSender
from support.brokers import Topics
from support.engine.uploader import CLIENT, kafka_settings, running_engine
from support.processes.receiver import Receiver
from support.receiver.rig import Sent, noise, pack, sha256
from support.samples import make
from support.waiting import wait_until

MB: Final = 1_000_000
CHUNK: Final = 983_040
FILE: Final = Sent(1, "a.bin", noise(100))
ZEROS: Final = bytes(MAX_CHUNK_SIZE)


def zstd(record: Record, value: bytes, **headers: str) -> Record:
    return Record(record.key, with_headers(record, {"encoding": "zstd", **headers}).headers, value)


def without_length(plain: bytes) -> bytes:
    """A frame that does not say how long it is."""
    return zstandard.ZstdCompressor(write_content_size=False).compress(plain)


def with_window(log: int) -> bytes:
    """A frame, right in all else, that wants a window of 2^log bytes: magic, its length told, one raw block."""
    last_raw_block = (len(FILE.content) << 3 | 1).to_bytes(3, "little")
    header = bytes([0x80, log - 10 << 3]) + len(FILE.content).to_bytes(4, "little")
    return bytes.fromhex("28b52ffd") + header + last_raw_block + FILE.content


def lying_frame(claims: int) -> bytes:
    """A frame whose header promises this and whose content is 16 MiB of zeros."""
    frame = zstandard.ZstdCompressor().compress(ZEROS)
    header = zstandard.frame_header_size(frame)
    return frame[:4] + bytes([0xA0]) + claims.to_bytes(4, "little") + frame[header:]


def entry(number: int = 1, **changes: object) -> dict[str, object]:
    good = {"transfer": f"{number:032x}", "path": f"{number}.txt", "size": 2, "mtime": 5, "sha256": sha256(b"hi")}
    return good | changes


def bombs() -> dict[str, Record]:
    chunk, small = FILE.chunk(0), pack(FILE)
    deep = b'{"files":' + b"[" * 200_000 + b"]" * 200_000 + b"}"
    return {
        "10,000 headers": Record(chunk.key, [*chunk.headers, *[("x", b"")] * 10_000], chunk.value),
        "10,000 known headers": Record(chunk.key, [("kind", b"chunk")] * 10_000, chunk.value),
        "key of 900 kB": Record(b"k" * 900_000, chunk.headers, chunk.value),
        "header of 900 kB": with_headers(chunk, {"x": b"v" * 900_000}),
        "header name of 100 kB": with_headers(chunk, {"n" * 100_000: b""}),
        "path of 900 kB": with_headers(chunk, {"path": b"a/" * 450_000}),
        "zeros instead of 100 bytes": zstd(chunk, zstandard.ZstdCompressor().compress(ZEROS)),
        "no length told": zstd(chunk, without_length(ZEROS)),
        "a length that lies": zstd(chunk, lying_frame(100)),
        "two frames": zstd(chunk, zstandard.ZstdCompressor().compress(FILE.content) * 2),
        "no frame": zstd(chunk, b"\0" * 1_000),
        "a pack larger than it says": zstd(small, zstandard.ZstdCompressor().compress(ZEROS), length="100"),
        "a pack over the limit": zstd(small, b"", length=str(MAX_PACK_LENGTH + 1)),
        "deep JSON": packed_by_hand(deep),
        "an index of a million numbers": packed_by_hand(b'{"files":[' + b"1," * 400_000 + b"1]}"),
        "an index longer than the value": packed_by_hand({"files": [entry()]}, b"hi", length=2**32 - 1),
        "sizes that do not add up": packed_by_hand({"files": [entry(size=3)]}, b"hi"),
        "sizes that add up by overflow": packed_by_hand(
            {"files": [entry(1, size=2**63), entry(2, size=2 - 2**63)]}, b"hi"
        ),
        "one id twice": packed_by_hand({"files": [entry(), entry()]}, b"hihi"),
        "4,001 files": packed_by_hand({"files": [entry(n, size=0) for n in range(MAX_PACK_FILES + 1)]}),
        "a number of 100,000 digits": packed_by_hand(b'{"files":[' + b"9" * 100_000 + b"]}"),
        "one key 100,000 times": packed_by_hand(b"{" + b'"files":[],' * 80_000 + b'"files":[]}'),
    }


BOMBS: Final = bombs()
INDEXES: Final = 45 * MB  # parsed JSON of an index of 1 MiB takes up to 40 MB; everything else next to nothing


@pytest.mark.parametrize("name", BOMBS)
def test_f24_a_bomb_is_refused_before_it_goes_off(case: Case, name: str) -> None:
    case.fault()
    record = BOMBS[name]
    is_index = dict(record.headers).get("kind") == b"pack" and dict(record.headers)["encoding"] == b"identity"
    with allocating_at_most(INDEXES if is_index else 2 * MB):
        (row,) = judged(record)
    assert row.kind is RowKind.BAD
    assert len(row.detail or "") < 300


def test_f24_a_frame_that_asks_for_a_huge_window_gets_none(case: Case) -> None:
    """It tells its length, so it is opened in one go into a buffer of that length: no window is ever made."""
    before = psutil.Process().memory_info().vms
    for log in (27, 31, 41):
        (row,) = judged(zstd(FILE.chunk(0), with_window(log)))
        case.fault()
        assert row.kind in {RowKind.CHUNK, RowKind.BAD}
    assert psutil.Process().memory_info().vms - before < 100 * MB


def test_f24_bombs_between_good_files_are_counted_and_hold_up_nobody(case: Case) -> None:
    good, small = of_chunks(7, "good.bin", 10), Sent(8, "small.txt", b"small")
    records = [*BOMBS.values(), *good.chunks(), pack(small)] * case.size(1, 30)
    case.random.shuffle(records)
    case.fault(len(BOMBS) * case.size(1, 30))
    with rig_in_memory() as rig:
        rig.take(records, good.end())
        assert rig.tree() == {"van-7/good.bin": good.content, "van-7/small.txt": b"small"}
        assert sum(rig.job.quarantine.counts().values()) == len(BOMBS) * case.size(1, 30)
        assert rig.leftovers() == []
        details = rig.job.store.rows("SELECT detail FROM quarantine")
        assert all(row["detail"].isascii() and len(row["detail"]) <= 300 for row in details)


def random_headers(noise_: random.Random) -> list[tuple[str, bytes]]:
    names = ["fieldpost", "kind", "client", "path", "size", "x"]
    return [(noise_.choice(names), noise_.randbytes(noise_.randrange(60))) for _ in range(noise_.randrange(90))]


def refusals(receiver: Receiver) -> int:
    return sum(row["count"] for row in receiver.rows("SELECT count FROM refusals"))


def test_f24_hostile_messages_are_quarantined_and_the_query_lives(case: Case, topics: Topics, tmp_path: Path) -> None:
    traversal = [("fieldpost", b"1.0"), ("kind", b"chunk"), ("client", b"c"), ("path", b"../../etc/passwd")]
    hostile = [
        Record(b"k", traversal if number % 3 else random_headers(case.random), case.random.randbytes(200))
        for number in range(case.size(300, 20_000))
    ] + list(BOMBS.values())
    case.random.shuffle(hostile)
    repeated = of_chunks(int(new_transfer_id(1), 16), "repeated.bin", 30, "raw-1")
    good = make(tmp_path / "in", "good.bin", 3 * CHUNK)
    outside = tmp_path / "office" / "outside"
    outside.mkdir(parents=True)
    sender = RawSender(topics)
    with (
        Receiver(topics, tmp_path / "office") as receiver,
        running_engine(tmp_path / "data", kafka_settings(topics)) as up,
    ):
        (receiver.destination / CLIENT).symlink_to(outside)
        for partition in range(topics.partitions):
            sender.send(hostile[partition :: topics.partitions], partition)
        sender.send([*repeated.chunks() * 3, *[repeated.end()] * 10], case.random.randrange(topics.partitions))
        case.fault(len(hostile) + 70)
        batch = up.engine.add(DroppedFiles.of([str(good)]))
        wait_until(
            lambda: [row for row in up.rows(batch) if row.state is FileState.ATTENTION],
            90,
            "the planted link to be refused",
        )
        assert list(outside.iterdir()) == [], "a planted link is never followed"
        (receiver.destination / CLIENT).unlink()
        again = up.engine.add(DroppedFiles.of([str(make(tmp_path / "in", "good2.bin", 3 * CHUNK, 9))]))
        up.wait_confirmed(again, 1, 60)
        wait_until(lambda: refusals(receiver) >= len(hostile), 60, f"{len(hostile)} refusals")
        assert refusals(receiver) == len(hostile), "each once, and nothing else"
        wait_until(lambda: "raw-1/repeated.bin" in receiver.files(), 30, "the file that came three times")
        assert receiver.files()["raw-1/repeated.bin"].read_bytes() == repeated.content
        assert not [name for name in receiver.files() if name.startswith("raw-1/") and "repeated.bin" not in name]
        assert receiver.process is not None
        assert receiver.process.poll() is None
