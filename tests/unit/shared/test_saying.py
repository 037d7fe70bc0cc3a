# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_shared.saying import safe, size_words


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (1_234_567, "1.2 MB"),
        (99_940_000, "99.9 MB"),
        (99_960_000, "100 MB"),
        (999_600_000, "1.0 GB"),
        (5 * 10**12, "5.0 TB"),
        (2**63, "9.2 EB"),
        (10**22, "10000 EB"),
    ],
)
def test_sizes_read_like_people_say_them(size: int, words: str) -> None:
    assert size_words(size) == words


@given(st.text())
def test_nothing_that_a_terminal_acts_on_gets_through(text: str) -> None:
    shown = safe(text)
    assert not {unicodedata.category(char) for char in shown} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert shown.encode().decode() == shown


def test_what_people_write_stays_as_it_is() -> None:
    assert safe("Größe 1 · 测量 😀 [bold].txt") == "Größe 1 · 测量 😀 [bold].txt"
    assert safe("a\x1b[31m\nb\u202ec\udcff") == "a\\x1b[31m\\nb\\u202ec\\udcff"


@given(st.text())
def test_safe_text_is_one_printable_line(text: str) -> None:
    shown = safe(text)
    assert len(shown.splitlines()) <= 1
    assert "\x1b" not in shown


@given(st.integers(0, 2**63))
def test_sizes_are_short(size: int) -> None:
    assert len(size_words(size)) <= 7
