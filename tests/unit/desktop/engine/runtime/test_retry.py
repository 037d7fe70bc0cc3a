# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""When to try again, and when to ask for a receipt."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from fieldpost_desktop.engine.runtime import failure_policy, retry
from fieldpost_shared.codes import CODES, Code, Retry


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
