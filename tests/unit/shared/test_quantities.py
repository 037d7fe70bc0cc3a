# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_shared.errors import SettingsError
from fieldpost_shared.quantities import (
    MAX_SECONDS,
    duration_of,
    duration_text,
    rate_of,
    rate_text,
    size_of,
    size_text,
)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        (5, 5),
        ("5", 5),
        ("7B", 7),
        ("4GB", 4_000_000_000),
        ("4 gb", 4_000_000_000),
        ("512MB", 512_000_000),
        ("2GiB", 2 * 1024**3),
        ("1.5MiB", 1_572_864),
        ("2TiB", 2 * 1024**4),
        (" 3kb ", 3000),
    ],
)
def test_a_size_is_read_as_people_write_it(text: object, size: int) -> None:
    assert size_of("limit", text) == size


@pytest.mark.parametrize("text", ["", "GB", "-1", "4XB", "1e3", "4 G B", "٤GB", "0", 0, -5, True, None, 2.5, [], "9EB"])
def test_what_is_no_size_is_refused_by_its_key(text: object) -> None:
    with pytest.raises(SettingsError, match=r"^bad_setting: limit: "):
        size_of("limit", text)


def test_a_size_outside_its_bounds_is_told_the_bounds() -> None:
    assert size_of("floor", "0", least=0) == 0
    with pytest.raises(SettingsError, match=r"floor: '1KB' is not between 1MiB and 8GiB$"):
        size_of("floor", "1KB", least=1024**2, most=8 * 1024**3)
    with pytest.raises(SettingsError, match=r"floor: '-1' is not between 0B and "):
        size_of("floor", -1, least=0)


@given(st.integers(1, 2**63 - 1))
def test_a_size_and_a_rate_come_back_from_their_text(size: int) -> None:
    assert size_of("size", size_text(size)) == size
    assert rate_of("rate", rate_text(size)) == size


def test_a_round_size_has_a_short_text() -> None:
    assert [size_text(size) for size in (0, 1, 2_000_000, 4 * 1024**3)] == ["0B", "1B", "2MB", "4GiB"]
    assert rate_text(500_000) == "500KB/s"
    assert rate_of("rate", 500) == 500


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("500ms", 0.5),
        ("60s", 60.0),
        ("1.5 m", 90.0),
        ("12h", 43_200.0),
        ("14d", 1_209_600.0),
        (" 2S ", 2.0),
        ("0.001s", 0.001),
        ("36500d", MAX_SECONDS),
    ],
)
def test_a_duration_is_read_as_people_write_it(text: str, seconds: float) -> None:
    assert duration_of("wait", text) == seconds


@pytest.mark.parametrize("text", ["", "s", "60", 60, 1.5, None, True, "-1s", "1y", "1 ms s", "0s", "0.1ms", "36501d"])
def test_what_is_no_duration_is_refused_by_its_key(text: object) -> None:
    with pytest.raises(SettingsError, match=r"^bad_setting: wait: "):
        duration_of("wait", text)


def test_a_duration_outside_its_bounds_is_told_the_bounds() -> None:
    with pytest.raises(SettingsError, match=r"wait: '5ms' is not between 100ms and 1h$"):
        duration_of("wait", "5ms", least=0.1, most=3600)


@given(st.integers(1, round(MAX_SECONDS * 1000)))
def test_a_duration_comes_back_from_its_text(milliseconds: int) -> None:
    seconds = milliseconds / 1000
    assert duration_of("wait", duration_text(seconds)) == seconds


def test_a_round_duration_has_a_short_text() -> None:
    assert [duration_text(s) for s in (0, 0.5, 60, 90, 86_400)] == ["0ms", "500ms", "1m", "90s", "1d"]
