# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QHelpEvent, QImage, QPalette
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from fieldpost_desktop.engine.model.parts_map import PartsMap, PartState
from fieldpost_desktop.ui.detail.legend import Legend
from fieldpost_desktop.ui.detail.parts_bar import PartsBar, columns, counts, parts_at, state_words
from fieldpost_desktop.ui.widgets import theme

S = PartState
SOME = PartsMap(52, {S.ACKNOWLEDGED: ((0, 13),), S.IN_FLIGHT: ((14, 15),), S.NOT_SENT: ((16, 51),)})
MANY = PartsMap(60_000, {S.ACKNOWLEDGED: ((0, 41_000), (41_002, 59_999)), S.ASKED_AGAIN: ((41_001, 41_001),)})


@pytest.fixture
def bar(qtbot: QtBot) -> PartsBar:
    made = PartsBar()
    qtbot.addWidget(made)
    made.resize(302, 20)  # 300 pixels within the border
    return made


def picture(bar: PartsBar) -> QImage:
    return bar.grab().toImage()


def test_a_pixel_shows_its_worst_part() -> None:
    shown = columns(MANY, 300)
    assert shown.count(S.ASKED_AGAIN) == 1
    assert shown[41_001 * 300 // 60_000] is S.ASKED_AGAIN


def test_few_parts_are_as_wide_as_there_is_room() -> None:
    assert columns(PartsMap(1, {S.IN_FLIGHT: ((0, 0),)}), 300) == [S.IN_FLIGHT] * 300
    assert columns(SOME, 520) == [S.ACKNOWLEDGED] * 140 + [S.IN_FLIGHT] * 20 + [S.NOT_SENT] * 360


@given(st.lists(st.sampled_from(PartState), min_size=1, max_size=200), st.integers(1, 120))
def test_no_part_is_hidden_by_a_better_one(states: list[PartState], width: int) -> None:
    ranges = {state: [(at, at) for at, found in enumerate(states) if found is state] for state in PartState}
    shown = columns(PartsMap(len(states), ranges), width)
    assert len(shown) == width
    for x, state in enumerate(shown):
        first, last = parts_at(len(states), width, x)
        assert state is max(states[first : last + 1])


@given(st.integers(1, 100_000), st.integers(1, 2_000))
def test_every_part_lies_in_some_pixel(count: int, width: int) -> None:
    spans = [parts_at(count, width, x) for x in range(width)]
    assert spans[0][0] == 0
    assert spans[-1][1] == count - 1
    assert all(after[0] <= before[1] + 1 for before, after in pairwise(spans))


def test_it_says_its_counts_to_those_who_do_not_see_it(bar: PartsBar) -> None:
    assert bar.accessibleName() == "Parts of the file: not known"
    bar.show_parts(SOME)
    assert bar.accessibleName() == "Parts of the file: 14 at the server, 2 on its way, 36 not sent yet"


def test_the_tooltip_names_part_and_state(bar: PartsBar) -> None:
    bar.show_parts(SOME)
    assert bar.describe(1) == "Part 1: at the server"
    assert bar.describe(300) == "Part 52: not sent yet"
    assert bar.describe(0) == ""
    bar.show_parts(MANY)
    assert bar.describe(1) == "Parts 1 to 200: at the server"
    assert bar.describe(1 + 205) == "Parts 41,001 to 41,200: asked for again"


@pytest.mark.qt_log_ignore("This plugin does not support raise")  # without a screen there is nothing to raise
def test_the_mouse_brings_the_tooltip_up(bar: PartsBar, qtbot: QtBot) -> None:
    bar.show_parts(SOME)
    with qtbot.waitExposed(bar):
        bar.show()
    QApplication.sendEvent(bar, QHelpEvent(QHelpEvent.Type.ToolTip, QPoint(3, 3), bar.mapToGlobal(QPoint(3, 3))))
    assert QToolTip.text() == "Part 1: at the server"
    QToolTip.hideText()


def test_one_lost_part_of_sixty_thousand_can_be_seen(bar: PartsBar) -> None:
    bar.show_parts(MANY)
    lost = theme.part(S.ASKED_AGAIN, bar.palette())
    assert picture(bar).pixelColor(1 + 205, 10) == lost


@pytest.mark.parametrize("state", PartState)
def test_every_state_looks_different(bar: PartsBar, state: PartState) -> None:
    bar.show_parts(PartsMap(1, {state: ((0, 0),)}))
    mine = picture(bar)
    for other in set(PartState) - {state}:
        bar.show_parts(PartsMap(1, {other: ((0, 0),)}))
        assert picture(bar) != mine


def test_only_confirmed_parts_are_plainly_green(bar: PartsBar) -> None:
    green = theme.part(S.CONFIRMED, bar.palette())
    bar.show_parts(SOME)
    image = picture(bar)
    assert all(image.pixelColor(x, 10) != green for x in range(302))
    bar.show_parts(PartsMap(1, {S.CONFIRMED: ((0, 0),)}))
    assert picture(bar).pixelColor(150, 10) == green


def test_it_follows_a_dark_palette(bar: PartsBar) -> None:
    bar.show_parts(SOME)
    light = picture(bar)
    bar.setPalette(QPalette(QColor("#202020")))
    assert picture(bar) != light


def test_the_legend_counts_what_there_is_and_leaves_out_the_rest(qtbot: QtBot) -> None:
    legend = Legend()
    qtbot.addWidget(legend)
    legend.show_parts(SOME)
    texts = {child.objectName(): child.isHidden() for child in legend.children() if child.isWidgetType()}  # type: ignore[attr-defined]  # widgets
    assert [name for name, hidden in texts.items() if not hidden] == [
        "legend_acknowledged",
        "legend_in_flight",
        "legend_not_sent",
    ]
    assert counts(SOME) == {S.ACKNOWLEDGED: 14, S.IN_FLIGHT: 2, S.NOT_SENT: 36}


def test_every_state_has_words_of_its_own() -> None:
    assert len({state_words(state) for state in PartState}) == len(PartState)
