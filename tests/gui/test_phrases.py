# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from fieldpost_desktop.ui.text import languages, phrases
from fieldpost_shared.clock import NS_PER_S
from support.gui.rows import NOW_NS

BRITAIN = QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom)
GERMANY = QLocale(QLocale.Language.German, QLocale.Country.Germany)
DAY_NS = 86_400 * NS_PER_S


@pytest.fixture(autouse=True)
def english(qapp: QApplication) -> Iterator[None]:
    spoken = languages.install(qapp, "en", BRITAIN)
    yield
    spoken.remove()


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (999, "999 bytes"),
        (1_000, "1 kB"),
        (1_234_567, "1.2 MB"),
        (99_940_000, "99.9 MB"),
        (99_960_000, "100 MB"),
        (214_000_000, "214 MB"),
        (999_960, "1 MB"),
        (4_000_000_000, "4 GB"),
        (5_600_000_000_000, "5.6 TB"),
    ],
)
def test_sizes_are_short_and_never_say_thousand(count: int, said: str) -> None:
    assert phrases.size(count) == said


def test_a_speed_is_a_size_by_the_second() -> None:
    assert phrases.speed(3_100_000.4) == "3.1 MB/s"


@pytest.mark.parametrize(
    ("seconds", "rough", "in_a_sentence"),
    [
        (-3, "less than a minute", "less than a minute"),
        (59.4, "less than a minute", "less than a minute"),
        (60, "1 min", "about 1 min"),
        (130, "2 min", "about 2 min"),
        (3_599, "1 h", "about 1 h"),
        (3_600, "1 h", "1 h"),
        (11_400, "3 h 10 min", "3 h 10 min"),
        (86_390, "1 day", "1 day"),
        (187_200, "2 days 4 h", "2 days 4 h"),
    ],
)
def test_time_left_is_said_roughly(seconds: float, rough: str, in_a_sentence: str) -> None:
    assert phrases.span(seconds) == rough
    assert phrases.duration(seconds) == in_a_sentence


@pytest.mark.parametrize(
    ("seconds", "said"), [(0, "1 s"), (45.2, "45 s"), (80, "1 min 20 s"), (120, "2 min"), (3_660, "1 h 1 min")]
)
def test_a_countdown_has_two_units_at_most_and_never_says_nought(seconds: float, said: str) -> None:
    assert phrases.countdown(seconds) == said


def test_a_time_of_today_has_no_date_and_one_of_this_year_no_year() -> None:
    today = phrases.clock(NOW_NS, NOW_NS)
    assert phrases.clock(NOW_NS, NOW_NS + 3 * DAY_NS) == f"15 Jan {today}"
    assert phrases.clock(NOW_NS, NOW_NS + 400 * DAY_NS) == f"15 Jan 2027 {today}"
    assert phrases.moment(NOW_NS) == f"15 Jan 2027 {today}"
    assert phrases.clock(NOW_NS) != ""


@pytest.mark.parametrize(
    ("count", "said"),
    [(1, "1st try"), (2, "2nd try"), (3, "3rd try"), (4, "4th try"), (11, "11th try"), (13, "13th try")],
)
def test_tries_are_counted_in_english(count: int, said: str) -> None:
    assert phrases.nth_try(count) == said
    assert phrases.nth_try(count + 100) == f"1{said:0>{len('00th try')}}"


def test_counts_have_their_plural_and_their_commas() -> None:
    assert [phrases.files(count) for count in (1, 12)] == ["1 file", "12 files"]
    assert phrases.parts_of(14, 52) == "14 of 52 parts"
    assert phrases.parts_of(1, 1) == "1 of 1 part"
    assert phrases.parts_of(1_400, 60_000) == "1,400 of 60,000 parts"
    assert phrases.parts(1) == "1 part"
    assert phrases.hours(24) == "24 h"


def test_german_readers_get_their_comma(qapp: QApplication) -> None:
    spoken = languages.install(qapp, "de", GERMANY)
    try:
        assert phrases.size(1_234_567) == "1,2 MB"
        assert phrases.number(60_000) == "60.000"
    finally:
        spoken.remove()
