# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_receiver.jobs.files.ingest.batch_size import START_MEAN, new_mean, plan

_offsets = st.dictionaries(st.integers(0, 20), st.integers(0, 10_000), max_size=12)
_most = st.none() | st.integers(0, 20_000)


@given(_offsets, _offsets, _most)
def test_a_plan_stays_between_its_start_and_what_is_there(
    start: dict[int, int], available: dict[int, int], most: int | None
) -> None:
    ends = plan(start, available, most)
    assert ends.keys() == available.keys()
    for partition, end in ends.items():
        begin = start.get(partition, 0)  # a new partition is read from its beginning
        assert begin <= end <= max(begin, available[partition])


@given(_offsets, _offsets, _most)
def test_a_plan_takes_all_there_is_or_exactly_what_it_may(
    start: dict[int, int], available: dict[int, int], most: int | None
) -> None:
    there = {key: max(0, end - start.get(key, 0)) for key, end in available.items()}
    taken = {key: end - start.get(key, 0) for key, end in plan(start, available, most).items()}
    if most is None:
        assert taken == there
    else:
        assert sum(taken.values()) == min(sum(there.values()), max(1, most))


@given(_offsets, _offsets, st.integers(0, 20_000))
def test_no_partition_gets_more_than_one_with_more_messages(
    start: dict[int, int], available: dict[int, int], most: int
) -> None:
    there = {key: max(0, end - start.get(key, 0)) for key, end in available.items()}
    taken = {key: end - start.get(key, 0) for key, end in plan(start, available, most).items()}
    still_hungry = [taken[key] for key in taken if taken[key] < there[key]]
    if still_hungry:
        assert max(taken.values()) <= min(still_hungry) + len(taken)


@given(st.integers(2, 30), st.integers(1, 5))
def test_with_fewer_messages_than_partitions_none_waits_for_ever(partitions: int, most: int) -> None:
    start = dict.fromkeys(range(partitions), 0)
    available = dict.fromkeys(range(partitions), 1)
    waiting = set(start)
    for _ in range(20 * partitions):
        ends = plan(start, available, most)
        waiting -= {key for key in start if ends[key] > start[key]}
        start = ends
        available[0] = start[0] + 5  # the first one is never empty
        if not waiting:
            return
    assert not waiting


def test_the_mean_follows_new_messages_and_stays_without_any() -> None:
    assert new_mean(START_MEAN, 0, 0) == START_MEAN
    mean: float = START_MEAN
    for _ in range(30):
        mean = new_mean(mean, 10, 10_000)
    assert 1_000 <= mean < 1_100
