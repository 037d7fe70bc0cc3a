# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F23: numbers that lie: refused before anything is allocated or computed from them; memory stays flat.

`recorded/numbers.json` is a corpus of values; hypothesis makes more.
"""

import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import psutil  # type: ignore[import-untyped]  # it ships no types
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faults.bookkeeping import Case
from faults.raw_records import packed_by_hand, recorded, rig_in_memory, with_headers
from fieldpost_receiver.jobs.files.ingest.partition_reader import Range
from fieldpost_receiver.jobs.files.ingest.rows import Row, RowKind
from fieldpost_receiver.jobs.files.ingest.task import Task
from fieldpost_shared.crash_points import NoCrashPoints
from fieldpost_shared.ids import TransferId
from fieldpost_shared.protocol.messages import Record
from support.receiver.rig import CHUNK, Sent, noise, sha256

FILE: Final = Sent(1, "a.bin", noise(CHUNK + 100))
NUMBERS: Final = ["size", "chunk.size", "index", "mtime", "round", "length"]
LIES: Final = [entry["value"] for entry in recorded("numbers.json")]
SMALL: Final = 200_000  # bytes that judging a message may take: nothing of what it claims
MB: Final = 1_000_000


class Paper:
    """Nothing may be written."""

    def write(self, transfer: TransferId, fingerprint: str, offset: int, data: bytes) -> None:
        """A valid message: within its own bounds, and its own bytes."""
        assert len(data) <= CHUNK
        assert 0 <= offset < 2**63
        assert transfer
        assert fingerprint

    def sync(self) -> None:
        """Nothing to sync."""


def judged(record: Record) -> list[Row]:
    return Task(Range(0, 0, 1), Paper(), NoCrashPoints()).rows_of(0, record.key, record.headers, record.value)


@contextmanager
def allocating_at_most(most: int) -> Iterator[None]:
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        yield
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak - before < most


def carriers(name: str) -> list[Record]:
    """A message of each kind that has this header."""
    pack = packed_by_hand({"files": [_entry()]}, b"hi")
    return [record for record in (FILE.chunk(0), FILE.end(), pack) if name in dict(record.headers)]


def _entry(**changes: object) -> dict[str, object]:
    good = {"transfer": "1" * 32, "path": "a.txt", "size": 2, "mtime": 5, "sha256": sha256(b"hi")}
    return good | changes


def lies(name: str, text: str) -> bool:
    """Whether the text is no number of the protocol's, or beyond what the header may say. Not the product's pattern."""
    digits = text.removeprefix("-") if name == "mtime" else text
    plain = bool(digits) and all(char in "0123456789" for char in digits) and (digits == "0" or digits[0] != "0")
    if not plain or text == "-0" or len(digits) > 19:
        return True
    bounds = {"size": 2**63 - 1, "chunk.size": 16 * 2**20, "index": 1, "mtime": 2**63 - 1, "round": 2**31 - 1}
    low = {"chunk.size": 16 * 2**10, "mtime": -(2**63)}.get(name, 0)
    return not low <= int(text) <= bounds.get(name, 16 * 2**20)


@pytest.mark.parametrize("name", NUMBERS)
def test_f23_every_lie_of_the_corpus_is_refused_without_allocating(case: Case, name: str) -> None:
    records = [with_headers(record, {name: lie}) for record in carriers(name) for lie in LIES if lies(name, lie)]
    assert len(records) > 40
    case.fault(len(records))
    with allocating_at_most(SMALL):
        codes = {(row.kind, row.code) for record in records for row in judged(record)}
    assert codes == {(RowKind.BAD, "bad_number")}


@given(
    name=st.sampled_from(NUMBERS),
    text=st.one_of(st.text(max_size=25), st.integers().map(str), st.from_regex(r"\A[0-9+\- ._eExX]{1,22}\Z")),
)
def test_f23_generated_numbers_are_taken_only_if_they_are_true(name: str, text: str) -> None:
    for record in carriers(name):
        (row,) = judged(with_headers(record, {name: text.encode("utf-8", "surrogatepass")}))
        if lies(name, text):
            assert (row.kind, row.code in {"bad_number", "bad_text"}) == (RowKind.BAD, True)


@pytest.mark.parametrize("lie", [2**63, 2**63 - 1, -1, 2**31, 1.5, "2", True, None, 10**30], ids=str)
@pytest.mark.parametrize("field", ["size", "mtime"])
def test_f23_numbers_of_a_pack_index_that_lie_are_refused(case: Case, field: str, lie: object) -> None:
    record = packed_by_hand({"files": [_entry(**{field: lie})]}, b"hi")
    case.fault()
    with allocating_at_most(SMALL):
        (row,) = judged(record)
    is_true = field == "mtime" and lie in {2**63 - 1, -1, 2**31} and lie is not True
    assert (row.kind is RowKind.WHOLE) == is_true


def test_f23_true_but_huge_claims_cost_nothing_and_the_rest_goes_on(case: Case) -> None:
    """A size of 2^63 - 1 may be told: its chunks are sparse, and it is admitted only if it fits."""
    huge = [
        with_headers(
            Sent(number, f"{number}.bin", noise(CHUNK)).end(), {"size": str(2**63 - 1 - number), "chunk.size": "16384"}
        )
        for number in range(100, case.size(300, 3_000))
    ]
    process = psutil.Process()
    with rig_in_memory() as rig:
        rig.take(huge[:50])
        before = process.memory_info().rss
        rig.topic.send(huge[50:])
        rig.topic.send(FILE.chunks(), FILE.end())
        rig.settle()
        case.fault(len(huge))
        assert process.memory_info().rss - before < 30 * MB
        assert rig.tree() == {"van-7/a.bin": FILE.content}
        assert rig.leftovers() == []
