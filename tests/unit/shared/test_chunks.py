# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_shared.chunks import (
    DEFAULT_CHUNK_SIZE,
    ChunkIndex,
    ChunkPlan,
    batch_size,
    chunk_size_for,
    files_partition,
    status_partition,
)
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.ids import ClientName, TransferId

TRANSFER = TransferId("0190f3a2b4c57d8e9fa0b1c2d3e4f506")
EDGES = [0, 1, 65_535, 65_536, 65_537, 2**31 - 1, 2**31, 2**31 + 1, 2**32 + 1, 100 * 10**9, 2**63 - 1]


@pytest.mark.parametrize("size", EDGES)
def test_chunks_cover_a_file_of_any_size_without_gap_or_overlap(size: int) -> None:
    plan = ChunkPlan(size, 65_536)
    if size == 0:
        assert plan.count == 0
        return
    last = ChunkIndex(plan.count - 1)
    assert plan.offset(ChunkIndex(0)) == 0
    assert plan.offset(last) + plan.length(last) == size
    assert all(plan.length(ChunkIndex(index)) == 65_536 for index in {0, last // 2, last - 1} if 0 <= index < last)


@given(st.integers(0, 10_000), st.integers(1, 999))
def test_chunks_follow_each_other(size: int, chunk_size: int) -> None:
    plan = ChunkPlan(size, chunk_size)
    place = 0
    for index in map(ChunkIndex, range(plan.count)):
        assert plan.offset(index) == place
        assert 1 <= plan.length(index) <= chunk_size
        place += plan.length(index)
    assert place == size


def test_a_chunk_outside_the_file_is_an_error() -> None:
    plan = ChunkPlan(100, 60)
    for index in (-1, 2):
        with pytest.raises(IndexError, match="of 2"):
            plan.offset(ChunkIndex(index))
        with pytest.raises(IndexError, match="of 2"):
            plan.length(ChunkIndex(index))


@given(st.integers(1, 64), st.integers(0, 2**40))
def test_runs_of_eight_chunks_share_a_partition_and_rotate(partitions: int, run: int) -> None:
    of_run = {files_partition(TRANSFER, ChunkIndex(run * 8 + place), partitions) for place in range(8)}
    assert len(of_run) == 1
    following = files_partition(TRANSFER, ChunkIndex(run * 8 + 8), partitions)
    assert following == (of_run.pop() + 1) % partitions


def test_the_status_partition_is_the_one_librdkafka_chooses() -> None:
    assert status_partition(ClientName("123456789"), 2**32) == 0xCBF43926  # the check value of CRC-32


def test_the_size_of_a_message_matches_what_was_measured_on_a_broker() -> None:
    assert batch_size(b"", [], 1_048_516) == 1_048_588
    assert batch_size(b"", [], 0) == 61 + 1 + 6
    assert (
        batch_size(b"k" * 36, [("h", b"v" * 598)], 1_047_860) == 61 + 3 + 3 + 1 + 36 + 3 + 1_047_860 + 1 + 2 + 2 + 598
    )


@given(
    st.integers(70_000, 20_000_000),
    st.integers(100, 2_000),
    st.none() | st.floats(0, 1e9),
    st.integers(1, 20_000_000),
)
def test_a_chunk_fits_the_broker_and_the_link(limit: int, overhead: int, rate: float | None, wanted: int) -> None:
    size = chunk_size_for(limit, overhead, rate, wanted)
    assert size % 4096 == 0
    assert 65_536 <= size <= limit - overhead
    assert size <= max(wanted, 65_536)
    if rate is not None:
        assert size <= max(rate * 5, 65_536)


def test_the_default_chunk_fits_a_broker_with_default_limits() -> None:
    assert chunk_size_for(1_048_588, 2_500, None) == DEFAULT_CHUNK_SIZE
    assert chunk_size_for(1_048_588, 2_500, 8_000.0) == 65_536  # 64 kbit/s


def test_a_broker_limit_without_a_useful_chunk_is_an_error_that_names_it() -> None:
    with pytest.raises(FieldpostError, match="66000") as caught:
        chunk_size_for(66_000, 1_000, None)
    assert caught.value.code is Code.LIMIT_TOO_SMALL
