# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_desktop.engine.core import Config
from fieldpost_desktop.engine.model import failure_details
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared import names
from fieldpost_shared.codes import Code
from support.engine.core import CHUNK, CLIENT, Rig

READERS = (
    failure_details.read_parts_again,
    failure_details.read_size_limit,
    failure_details.read_hours,
    failure_details.read_name_problem,
)


@given(st.integers(1, 10**6), st.integers(1, 9))
def test_parts_asked_for_again_come_back_from_their_words(parts: int, round_: int) -> None:
    assert failure_details.read_parts_again(failure_details.parts_again(parts, round_)) == (parts, round_)


@given(st.integers(1, 10**15))
def test_a_size_limit_comes_back_from_its_words(size: int) -> None:
    assert failure_details.read_size_limit(failure_details.size_limit(size)) == pytest.approx(size, rel=1e-5, abs=1)


@given(st.integers(0, 10_000))
def test_hours_come_back_from_their_words(hours: int) -> None:
    assert failure_details.read_hours(failure_details.hours(hours)) == hours


@pytest.mark.parametrize("reason", list(names.Reason))
def test_every_reason_against_a_name_comes_back_from_its_words(reason: names.Reason) -> None:
    assert failure_details.read_name_problem(failure_details.name_problem(reason)) is reason


@pytest.mark.parametrize(
    "text", ["", "limit . GB", "limit 9e999 GB", "limit e GB", "1 part (round x of 5)", "h", "4 h ago"]
)
def test_words_of_others_say_nothing(text: str) -> None:
    assert all(reader(text) is None for reader in READERS)


@given(st.text())
def test_no_words_however_odd_make_trouble(text: str) -> None:
    for reader in READERS:
        reader(text)


def test_the_words_stay_as_people_know_them() -> None:
    assert failure_details.parts_again(1, 2) == "1 part (round 2 of 5)"
    assert failure_details.parts_again(3, 1) == "3 parts (round 1 of 5)"
    assert failure_details.size_limit(4_000_000_000) == "limit 4 GB"
    assert failure_details.hours(24.0) == "24 h"


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
    assert (rig.row(asked).code, failure_details.read_parts_again(rig.row(asked).detail)) == (
        Code.PARTS_MISSING,
        (1, 1),
    )
    assert (large.code, failure_details.read_size_limit(large.detail)) == (Code.OVER_PROFILE_LIMIT, 655_360)
    assert failure_details.read_name_problem(refused.detail) is names.Reason.CONTROL_CHARACTER
    rig.close()
