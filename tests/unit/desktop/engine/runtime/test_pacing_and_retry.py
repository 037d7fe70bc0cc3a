# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_desktop.engine.link.pacing import LARGEST_WINDOW, Meter, TokenBucket, Window
from fieldpost_desktop.engine.runtime import failure_policy, retry
from fieldpost_shared.codes import CODES, Code, Retry

MIB = 1024 * 1024


@given(st.sampled_from(Code), st.integers(0, 10_000), st.integers())
def test_the_next_try_comes_after_a_second_and_within_ten_minutes(code: Code, attempt: int, seed: int) -> None:
    delay = failure_policy.retry_delay_s(code, attempt, Random(seed))  # noqa: S311 - jitter
    assert 1.0 <= delay <= 600.0
    if CODES[code].retry is Retry.SLOW:
        assert delay >= 60.0


def test_tries_come_less_and_less_often() -> None:
    random = Random(1)  # noqa: S311 - jitter
    means = [
        sum(failure_policy.retry_delay_s(Code.NO_CONNECTION, attempt, random) for _ in range(500)) / 500
        for attempt in (1, 3, 5, 9)
    ]
    assert means == sorted(means)
    assert means[0] < 5 < means[1]


def test_a_stored_moment_of_a_wrong_clock_is_brought_near() -> None:
    assert retry.clamp_ns(10**19, 0) == 600 * 10**9
    assert retry.clamp_ns(5, 0) == 5


@given(st.integers(0, 1000), st.integers())
def test_a_receipt_is_asked_for_after_two_minutes_and_hourly_at_last(asked: int, seed: int) -> None:
    delay = retry.ask_delay_s(asked, Random(seed))  # noqa: S311 - jitter
    assert (delay == 120.0) if asked == 0 else (120.0 <= delay <= 3600.0)


def test_the_window_follows_the_link_between_one_chunk_and_32_mib() -> None:
    window = Window(MIB)
    assert window.admits(10 * MIB), "one part always leaves when nothing is in flight"
    window.in_flight = MIB
    assert not window.admits(1)
    for moved in (4 * MIB, 16 * MIB, 64 * MIB):
        window.adapt(moved, MIB)
    assert window.size == LARGEST_WINDOW
    window.adapt(3 * MIB, MIB)
    assert window.size == 3 * MIB
    window.adapt(0, MIB)
    assert window.size == MIB


def test_speed_is_what_was_acknowledged_while_something_was_sent() -> None:
    meter = Meter()
    assert meter.rate(0.0) is None
    meter.busy(0.0, sending=True)
    assert meter.rate(1.0) is None
    meter.add(2.0, 4 * MIB)
    assert meter.rate(2.0) == pytest.approx(2 * MIB)
    assert meter.moved(4.1, 2.0) == 0
    meter.busy(5.0, sending=False)
    assert meter.rate(5.0) is None
    meter.busy(100.0, sending=True)
    meter.add(101.0, MIB)
    meter.add(140.0, MIB)
    assert meter.rate(140.0) == pytest.approx(MIB / 30)


@given(
    st.integers(1_000, 10_000_000),
    st.lists(st.tuples(st.floats(0, 5), st.integers(1, 2_000_000)), min_size=1, max_size=50),
)
def test_the_limit_is_kept_up_to_one_second_and_one_part(rate: int, steps: list[tuple[float, int]]) -> None:
    bucket = TokenBucket()
    bucket.limit(0.0, rate)
    now, sent, last = 0.0, 0, 0
    for wait, part in steps:
        now += wait
        if bucket.wait_s(now) == 0.0:
            bucket.take(part)
            sent, last = sent + part, part
    assert sent <= rate * (now + 1) + last + 1


def test_without_a_limit_nothing_waits_and_a_lifted_limit_acts_at_once() -> None:
    bucket = TokenBucket()
    bucket.take(10**9)
    assert bucket.wait_s(0.0) == 0.0
    bucket.limit(0.0, 1000)
    bucket.take(5000)
    assert bucket.wait_s(1.0) == pytest.approx(4.0)
    bucket.limit(1.0, None)
    assert bucket.wait_s(1.0) == 0.0
