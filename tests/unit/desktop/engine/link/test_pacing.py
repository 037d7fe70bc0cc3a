# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""How much may be in flight, and how fast: window, meter and bandwidth limit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_desktop.engine.link.pacing import LARGEST_WINDOW, Meter, TokenBucket, Window

MIB = 1024 * 1024


def test_the_window_follows_the_link_between_one_chunk_and_32_mib() -> None:
    window = Window(MIB)
    assert window.admits(10 * MIB), "one chunk always leaves when nothing is in flight"
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
def test_the_limit_is_kept_up_to_one_second_and_one_chunk(rate: int, steps: list[tuple[float, int]]) -> None:
    bucket = TokenBucket()
    bucket.limit(0.0, rate)
    now, sent, last = 0.0, 0, 0
    for wait, chunk in steps:
        now += wait
        if bucket.wait_s(now) == 0.0:
            bucket.take(chunk)
            sent, last = sent + chunk, chunk
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
