# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The user guide says what the program says, and shows pictures that are there."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from fieldpost_desktop.engine.model.events import OverallState
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.ui.text import languages, wording
from fieldpost_shared.codes import CODES
from support.gui.guide import code_table, shown_codes

GUIDE = Path(__file__).parents[2] / "docs" / "user-guide.md"


@pytest.fixture
def guide() -> str:
    return GUIDE.read_text(encoding="utf-8")


@pytest.fixture
def english(qapp: QApplication) -> Iterator[None]:
    """With the English plurals, as the app itself."""
    spoken = languages.install(qapp, "en", QLocale("en_GB"))
    yield
    spoken.remove()


@pytest.mark.usefixtures("english")
def test_the_table_of_codes_is_what_the_program_says(guide: str) -> None:
    table = guide.split("<!-- codes", 1)[1].split("-->\n", 1)[1].split("\n<!-- end of codes -->", 1)[0]
    assert table == code_table(), "put the right-hand side into docs/user-guide.md"


def test_every_code_that_a_person_can_meet_is_in_the_guide(guide: str) -> None:
    missing = {CODES[code].label for code in shown_codes() if f"| {CODES[code].label} |" not in guide}
    assert not missing


def test_every_picture_and_every_place_that_the_guide_points_to_is_there(guide: str) -> None:
    targets = re.findall(r"\]\(([^)]+)\)", guide)
    places = {f"#{_anchor(title)}" for title in re.findall(r"^#+ (.+)$", guide, re.MULTILINE)}
    lost = [to for to in targets if to not in places and not (GUIDE.parent / to).is_file()]
    assert targets
    assert not lost


def test_every_state_of_the_tray_is_shown(guide: str) -> None:
    assert not [state for state in OverallState if f"tray-{state.replace('_', '-')}.png" not in guide]


@pytest.mark.usefixtures("english")
def test_every_stage_of_a_file_is_explained(guide: str) -> None:
    stages = {state: wording.state_name(state).partition("{")[0].split(",")[0] for state in FileState}
    assert not {state: words for state, words in stages.items() if f"| {words}" not in guide}


def _anchor(title: str) -> str:
    """As GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
