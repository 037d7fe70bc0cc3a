# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_desktop.engine.model.globs import Globs, check_globs, literally
from fieldpost_shared.errors import SettingsError

PARTS = st.text("ab.*", min_size=1, max_size=3)


def matches(pattern: str, relative: str) -> bool:
    return Globs([pattern]).matches(relative.rpartition("/")[2], relative)


def enters(pattern: str, relative: str) -> bool:
    return not Globs([pattern]).matches_folder(relative.rpartition("/")[2], relative)


@pytest.mark.parametrize("relative", ["a.jpg", "A.JPG", "day 1/a.jpg", "x/y/z/ä.Jpg"])
def test_a_pattern_without_a_slash_means_names_at_any_depth(relative: str) -> None:
    assert matches("*.jpg", relative)
    assert not matches("*.png", relative)


@pytest.mark.parametrize(
    ("pattern", "relative", "expected"),
    [
        ("raw/*.jpg", "raw/a.jpg", True),
        ("raw/*.jpg", "RAW/A.JPG", True),
        ("raw/*.jpg", "raw/deep/a.jpg", False),
        ("raw/*.jpg", "day/raw/a.jpg", False),
        ("raw\\*.jpg", "raw/a.jpg", True),
        ("/a.jpg", "a.jpg", True),
        ("/a.jpg", "day/a.jpg", False),
        ("**/raw/*.jpg", "raw/a.jpg", True),
        ("**/raw/*.jpg", "x/y/raw/a.jpg", True),
        ("raw/**", "raw/a", True),
        ("raw/**", "raw/b/c/a", True),
        ("raw/**", "raw", False),
        ("raw/**", "rawer/a", False),
        ("raw/", "raw/b/a", True),
        ("a/**/z", "a/z", True),
        ("a/**/z", "a/b/c/z", True),
        ("a/**/m/**/z", "a/m/x/m/y/z", True),
        ("a/**/m/**/z", "a/x/y/z", False),
        ("*/a.jpg", "x/a.jpg", True),
        ("[ab].txt", "b.txt", True),
        ("[!ab].txt", "b.txt", False),
        ("caf\u00e9.jpg", "cafe\u0301.jpg", True),  # composed and decomposed accents are one name
    ],
)
def test_patterns_mean_what_people_expect(pattern: str, relative: str, *, expected: bool) -> None:
    assert matches(pattern, relative) is expected


@pytest.mark.parametrize(
    ("pattern", "relative", "expected"),
    [
        ("raw/**", "raw", False),
        ("raw/", "raw", False),
        ("raw/", "day", True),
        ("raw", "day/raw", False),
        ("raw/*.jpg", "raw", True),
        ("**/*.jpg", "raw", True),
        ("**/old/**", "x/old", False),
    ],
)
def test_an_excluded_folder_is_not_even_entered(pattern: str, relative: str, *, expected: bool) -> None:
    assert enters(pattern, relative) is expected


def test_no_patterns_match_nothing() -> None:
    assert not Globs(())
    assert not matches("*.jpg", "a")
    assert not Globs(()).matches("a", "a")


@given(st.text(min_size=1).filter(lambda text: text.strip() == text and not set(text) & set("/\\")))
def test_a_text_taken_literally_matches_itself(text: str) -> None:
    assert Globs([literally(text)]).matches(text, text)


@given(st.lists(st.one_of(PARTS, st.just("**")), min_size=2, max_size=6), st.lists(PARTS, min_size=1, max_size=6))
def test_paths_match_as_the_definition_says(pattern: list[str], parts: list[str]) -> None:
    def fits(pattern: list[str], parts: list[str]) -> bool:
        if not pattern:
            return not parts
        if pattern[0] == "**":
            if len(pattern) == 1:
                return bool(parts)
            return any(fits(pattern[1:], parts[skipped:]) for skipped in range(len(parts) + 1))
        return bool(parts) and fnmatchcase(parts[0], pattern[0]) and fits(pattern[1:], parts[1:])

    assert matches("/".join(pattern), "/".join(parts)) == fits(pattern, parts)


def test_no_pattern_makes_matching_slow() -> None:
    assert not matches("/".join(["**", "*a*a*a*a*a*a*a*b"] * 10), "/".join(["a" * 100] * 100))


@pytest.mark.parametrize("patterns", [[""], [" "], ["/"], ["a" * 201], ["../x"], ["x/../y"], ["./x"], ["*"] * 101])
def test_what_is_no_pattern_is_refused_by_name(patterns: list[str]) -> None:
    with pytest.raises(SettingsError) as caught:
        check_globs("exclude", patterns)
    assert caught.value.key == "exclude"


def test_usual_patterns_are_taken() -> None:
    check_globs("include", ["*.jpg", "raw/**", "..x", "a..b/c", "[!a]*"])
