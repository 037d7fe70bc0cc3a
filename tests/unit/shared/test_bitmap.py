# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_shared.bitmap import MAX_CHUNKS, ChunkSet
from fieldpost_shared.chunks import ChunkIndex


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n - 1)))))
def test_a_chunk_set_agrees_with_a_plain_set(case: tuple[int, set[int]]) -> None:
    count, wanted = case
    chunks = ChunkSet(count)
    for index in wanted:
        assert chunks.add(ChunkIndex(index))
        assert not chunks.add(ChunkIndex(index))
    again = ChunkSet(count, bytes(chunks))
    assert len(again) == len(chunks) == len(wanted)
    assert {index for index in range(-1, count + 1) if ChunkIndex(index) in again} == wanted
    assert again.complete == (len(wanted) == count)
    holes = [index for first, last in again.missing_ranges(1000) for index in range(first, last + 1)]
    assert holes == list(again.missing_from()) == [index for index in range(count) if index not in wanted]


def test_ranges_are_as_few_as_can_be_and_at_most_the_limit() -> None:
    chunks = ChunkSet(10)
    for index in (0, 3, 4, 7):
        chunks.add(ChunkIndex(index))
    assert chunks.missing_ranges(9) == ((1, 2), (5, 6), (8, 9))
    assert chunks.missing_ranges(2) == ((1, 2), (5, 6))
    assert list(chunks.missing_from(6)) == [6, 8, 9]
    assert ChunkSet(0).missing_ranges(5) == ()


def test_a_chunk_can_be_taken_out_again() -> None:
    chunks = ChunkSet(9)
    chunks.add(ChunkIndex(8))
    for _ in range(2):
        chunks.discard(ChunkIndex(8))
        assert len(chunks) == 0
    chunks.discard(ChunkIndex(99))


def test_a_claim_of_too_many_chunks_allocates_nothing() -> None:
    for count in (-1, MAX_CHUNKS + 1, 2**60):
        with pytest.raises(ValueError, match="at most"):
            ChunkSet(count)


@pytest.mark.parametrize(("count", "bits"), [(8, b"\0\0"), (3, b"\x08"), (0, b"\0"), (9, b"\0\x02")])
def test_a_bitmap_that_does_not_fit_its_file_is_refused(count: int, bits: bytes) -> None:
    with pytest.raises(ValueError, match="beyond"):
        ChunkSet(count, bits)


def test_a_chunk_outside_the_file_is_an_error() -> None:
    for index in (-1, 3):
        with pytest.raises(IndexError):
            ChunkSet(3).add(ChunkIndex(index))
