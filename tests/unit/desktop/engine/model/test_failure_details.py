# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_desktop.engine.model import failure_details
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.ports import Config
from fieldpost_shared import names
from fieldpost_shared.codes import Code
from support.engine.core import CHUNK, CLIENT, Rig

READERS = (
    failure_details.read_chunks_again,
    failure_details.read_size_limit,
    failure_details.read_hours,
    failure_details.read_name_problem,
)
# The detail column of journals that Fieldpost 0.1.0 wrote, and what it meant.
OF_0_1: list[tuple[Callable[[str], object], str, object]] = [
    (failure_details.read_chunks_again, "1 part (round 2 of 5)", (1, 2)),
    (failure_details.read_chunks_again, "3 parts (round 1 of 5)", (3, 1)),
    (failure_details.read_size_limit, "limit 4 GB", 4_000_000_000),
    (failure_details.read_size_limit, "limit 0.00065536 GB", 655_360),
    (failure_details.read_size_limit, "limit 1e+03 GB", 1_000_000_000_000),
    (failure_details.read_hours, "4 h", 4),
    (failure_details.read_hours, "24 h", 24),
    (failure_details.read_existed_before, "it was there before the folder was watched", True),
]
NAME_PROBLEMS_OF_0_1 = {
    "it is too long, together with its folders": names.Reason.PATH_TOO_LONG,
    "it is empty": names.Reason.EMPTY,
    "it contains characters that cannot be read": names.Reason.NOT_UNICODE,
    "it contains an invisible control character, such as a line break": names.Reason.CONTROL_CHARACTER,
    "it begins with a slash": names.Reason.ABSOLUTE,
    "it begins like a drive, with one letter and a colon": names.Reason.DRIVE,
    "it contains a backslash": names.Reason.BACKSLASH,
    "one of its folders has no name": names.Reason.EMPTY_PART,
    "one of its folders is called . or ..": names.Reason.DOT_PART,
    "its accents are not written the usual way": names.Reason.NOT_NFC,
    "it is too long, or one of its folders is": names.Reason.PART_TOO_LONG,
}


@given(st.integers(1, 10**6), st.integers(1, 9))
def test_chunks_asked_for_again_come_back_from_their_detail(count: int, round_: int) -> None:
    assert failure_details.read_chunks_again(failure_details.chunks_again(count, round_)) == (count, round_)


@given(st.integers(1, 10**15))
def test_a_size_limit_comes_back_from_its_detail(size: int) -> None:
    assert failure_details.read_size_limit(failure_details.size_limit(size)) == size


@given(st.integers(0, 10_000))
def test_hours_come_back_from_their_detail(hours: int) -> None:
    assert failure_details.read_hours(failure_details.hours(hours)) == hours


@pytest.mark.parametrize("reason", list(names.Reason))
def test_every_reason_against_a_name_comes_back_from_its_detail(reason: names.Reason) -> None:
    assert failure_details.read_name_problem(failure_details.name_problem(reason)) is reason


@pytest.mark.parametrize("reason", list(names.Reason))
def test_the_words_of_a_receiver_about_a_name_are_understood(reason: names.Reason) -> None:
    assert failure_details.read_name_problem(names.words(reason)) is reason


@pytest.mark.parametrize(("text", "reason"), NAME_PROBLEMS_OF_0_1.items())
def test_the_words_of_0_1_about_a_name_are_still_understood(text: str, reason: names.Reason) -> None:
    assert failure_details.read_name_problem(text) is reason


@pytest.mark.parametrize(("reader", "text", "meaning"), OF_0_1)
def test_the_english_details_of_0_1_are_still_understood(
    reader: Callable[[str], object], text: str, meaning: object
) -> None:
    assert reader(text) == meaning
    assert failure_details.in_english(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "limit . GB",
        "limit 9e999 GB",
        "limit e GB",
        "1 part (round x of 5)",
        "h",
        "4 h ago",
        "9" * 5000 + " h",
        "{",
        "{}",
        "{" * 100_000,
        '{"hours":' + "[" * 100_000,
        '{"hours":"4"}',
        '{"hours":true}',
        '{"hours":-4}',
        '{"chunks":3}',
        '{"limit_bytes":[]}',
        '{"name_problem":[]}',
        '{"unreadable":3,"more":"x"}',
    ],
)
def test_texts_of_others_say_nothing(text: str) -> None:
    assert all(reader(text) is None for reader in READERS)
    assert not failure_details.read_existed_before(text)
    assert failure_details.in_english(text) == text


@given(st.text() | st.text().map(lambda text: "{" + text))
def test_no_text_however_odd_makes_trouble(text: str) -> None:
    for reader in READERS:
        reader(text)
    failure_details.in_english(text)


def test_the_words_stay_as_people_know_them() -> None:
    in_english = failure_details.in_english
    assert in_english(failure_details.chunks_again(1, 2)) == "1 part (round 2 of 5)"
    assert in_english(failure_details.chunks_again(3, 1)) == "3 parts (round 1 of 5)"
    assert in_english(failure_details.size_limit(4_000_000_000)) == "limit 4 GB"
    assert in_english(failure_details.hours(24.0)) == "24 h"
    assert in_english(failure_details.name_problem("backslash")) == names.words("backslash")
    assert in_english(failure_details.name_problem("of a newer version")) == "it cannot be used as a file name"
    assert in_english(failure_details.EXISTED_BEFORE) == "it was there before the folder was watched"
    assert in_english(failure_details.unreadable_folders(["a (Permission denied)", "ü"], 0)) == (
        "a (Permission denied), ü"
    )
    assert in_english(failure_details.unreadable_folders(["a", "b", "c"], 2)) == "a, b, c and 2 more"
    assert failure_details.unreadable_folders([], 0) == ""


def test_what_the_engine_writes_can_be_read(tmp_path: Path) -> None:
    rig = Rig(tmp_path, config=Config(CLIENT, chunk_size=CHUNK, max_file_size=10 * CHUNK))
    rig.office.lose = {2}
    asked, large, refused = rig.add(
        rig.file("a.bin", b"x" * (4 * CHUNK)), rig.file("l.bin", b"x" * (11 * CHUNK)), rig.file("a\nb.txt", b"x")
    )
    rig.steps(50)
    assert rig.row(asked).state is FileState.SENT
    rig.core.commands.pause_all()
    rig.answer()
    assert (rig.row(asked).code, failure_details.read_chunks_again(rig.row(asked).detail)) == (
        Code.PARTS_MISSING,
        (1, 1),
    )
    assert (large.code, failure_details.read_size_limit(large.detail)) == (Code.OVER_PROFILE_LIMIT, 655_360)
    assert failure_details.read_name_problem(refused.detail) is names.Reason.CONTROL_CHARACTER
    rig.close()
