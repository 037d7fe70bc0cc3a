# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The list as people use it: by key, by mouse, by ear; and what its colours say."""

from collections.abc import Sequence
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QColor, QHelpEvent, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from fieldpost_desktop.engine.journal.browse import SortOrder
from fieldpost_desktop.engine.model.events import FileChanged
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.transfers import painting
from fieldpost_desktop.ui.transfers.actions import Action
from fieldpost_desktop.ui.transfers.row_style import file_icon, row_style
from fieldpost_desktop.ui.transfers.row_texts import Column
from fieldpost_desktop.ui.transfers.view import TransfersView, announce
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.codes import Code
from support.gui.transfers import START_NS, HandWorker, Shelf, model_of, told

S, Key = FileState, Qt.Key
DARK = {
    "Window": "#2b2b2b",
    "Base": "#1e1e1e",
    "AlternateBase": "#262626",
    "Text": "#eeeeee",
    "WindowText": "#eeeeee",
    "ButtonText": "#eeeeee",
}
GREEN_HUES = range(90, 170)


class Seen:
    """A list on the screen, and what it said and asked for."""

    def __init__(self, qtbot: QtBot, *changes: FileChanged) -> None:
        self.qtbot = qtbot
        self.shelf = Shelf()
        self.shelf.put(*(change.row for change in changes))
        self.model = model_of(self.shelf, HandWorker())
        self.model.take(changes)
        self.said: list[str] = []
        self.view = TransfersView(self.model, announce=lambda _, words: self.said.append(words))
        self.model.setParent(self.view)
        self.acted: list[tuple[Action, list[int]]] = []
        self.details = 0
        self.view.acted.connect(lambda action, files: self.acted.append((action, files)))
        self.view.details_wanted.connect(self._count)
        qtbot.addWidget(self.view)
        self.view.resize(1200, 400)
        self.view.show()
        qtbot.waitUntil(self.view.isVisible)

    def _count(self) -> None:
        self.details += 1

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.view, key, modifier)

    def select(self, *files: int) -> None:
        self.view.clearSelection()
        for file in files:
            self.view.selectRow(self.model.place_of(file) or 0)
            self.view.setSelectionMode(TransfersView.SelectionMode.MultiSelection)
        self.view.setSelectionMode(TransfersView.SelectionMode.ExtendedSelection)

    def button(self, file: int) -> QPoint:
        index = self.model.index(self.model.place_of(file) or 0, Column.STATUS)
        return self.view._delegate.button_rect(self.view.visualRect(index), self.model.change(index.row())).center()


def test_the_keys_do_what_the_menu_says(qtbot: QtBot) -> None:
    seen = Seen(
        qtbot,
        told(1, S.SENDING, 3),
        told(2, S.PAUSED, 3),
        told(3, S.RETRYING, code=Code.FILE_IN_USE, next_try_ns=START_NS),
    )
    for file, key, action in (
        (1, Key.Key_Space, Action.PAUSE),
        (2, Key.Key_Space, Action.RESUME),
        (3, Key.Key_F5, Action.TRY_NOW),
        (1, Key.Key_Delete, Action.CANCEL),
    ):
        seen.select(file)
        seen.press(key)
        assert seen.acted.pop() == (action, [file])
    seen.press(Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert seen.acted.pop() == (Action.COPY_PATH, [1])
    seen.press(Key.Key_Return)
    assert seen.details == 1
    assert not seen.acted


def test_the_button_of_a_row_has_a_key(qtbot: QtBot) -> None:
    seen = Seen(qtbot, told(1, S.ATTENTION, code=Code.FILE_GONE))
    seen.select(1)
    seen.press(Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert seen.acted == [(Action.LOCATE, [1])]


def test_an_action_acts_on_all_selected_rows_that_it_fits(qtbot: QtBot) -> None:
    seen = Seen(qtbot, told(1, S.SENDING, 3), told(2, S.CONFIRMED), told(3, S.QUEUED), told(4, S.QUEUED))
    seen.select(1, 2, 3)
    seen.press(Key.Key_Space)
    assert seen.acted.pop() == (Action.PAUSE, [3, 1])
    seen.press(Key.Key_F5)
    assert not seen.acted


def test_no_key_does_anything_without_a_row(qtbot: QtBot) -> None:
    seen = Seen(qtbot)
    for key in (Key.Key_Space, Key.Key_F5, Key.Key_Delete, Key.Key_Return):
        seen.press(key)
    assert not seen.acted
    assert not seen.details


def test_the_arrow_keys_go_by_rows_and_stay_in_the_cell_that_is_read_aloud(qtbot: QtBot) -> None:
    seen = Seen(qtbot, told(1), told(2), told(3))
    seen.view.choose(3)
    seen.press(Key.Key_Down)
    seen.press(Key.Key_Right)
    assert (seen.view.currentIndex().row(), seen.view.currentIndex().column()) == (1, Column.FILE)
    assert [change.row.id for change in seen.view.selected()] == [2]


def test_the_menu_offers_everything_that_fits(qtbot: QtBot) -> None:
    seen = Seen(qtbot, told(1, S.RETRYING, 5, code=Code.FILE_IN_USE, next_try_ns=START_NS))
    seen.select(1)
    entries = {entry.objectName(): entry for entry in seen.view.menu().actions() if entry.objectName()}
    assert set(entries) == {"try_now", "pause", "show_in_folder", "copy_path", "cancel"}
    entries["try_now"].trigger()
    assert seen.acted == [(Action.TRY_NOW, [1])]
    assert "F5" in entries["try_now"].text()


def test_a_click_on_the_button_acts_on_its_row_alone(qtbot: QtBot) -> None:
    seen = Seen(qtbot, told(1, S.PAUSED, 3), told(2, S.SENDING, 3), told(3, S.SENDING, 3))
    seen.select(2, 3)
    QTest.mouseClick(seen.view.viewport(), Qt.MouseButton.LeftButton, pos=seen.button(1))
    assert seen.acted == [(Action.RESUME, [1])]
    assert [change.row.id for change in seen.view.selected()] == [3, 2]


def test_a_click_beside_the_button_only_selects(qtbot: QtBot) -> None:
    seen = Seen(qtbot, told(1, S.PAUSED, 3))
    cell = seen.view.visualRect(seen.model.index(0, Column.STATUS))
    QTest.mouseClick(seen.view.viewport(), Qt.MouseButton.LeftButton, pos=cell.center())
    assert not seen.acted
    assert [change.row.id for change in seen.view.selected()] == [1]
    assert seen.view.currentIndex().column() == Column.FILE


def test_a_press_that_ends_elsewhere_does_nothing(qtbot: QtBot) -> None:
    seen = Seen(qtbot, told(1, S.PAUSED, 3))
    port = seen.view.viewport()
    QTest.mousePress(port, Qt.MouseButton.LeftButton, pos=seen.button(1))
    QTest.mouseRelease(port, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert not seen.acted


def test_a_double_click_opens_the_details(qtbot: QtBot) -> None:
    seen = Seen(qtbot, told(1, S.SENDING, 3))
    place = seen.view.visualRect(seen.model.index(0, Column.FILE)).center()
    QTest.mouseDClick(seen.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert seen.details == 1


def test_the_button_says_what_it_does(qtbot: QtBot) -> None:
    seen = Seen(qtbot, told(1, S.SENDING, 3))
    index = seen.model.index(0, Column.STATUS)
    cell = seen.view.visualRect(index)
    assert seen.view._delegate.hint(seen.button(1), cell, index) == "Pause (Ctrl+Enter)"
    assert seen.view._delegate.hint(cell.topLeft(), cell, index) == index.data()
    file = seen.model.index(0, Column.FILE)
    assert seen.view._delegate.hint(QPoint(0, 0), cell, file) == seen.model.change(0).row.source


def test_a_tooltip_is_shown_for_what_had_to_be_cut(qtbot: QtBot) -> None:
    seen = Seen(qtbot, told(1, path="a<b>&c.txt"))
    at = seen.view.visualRect(seen.model.index(0, Column.FILE)).center()
    event = QHelpEvent(QHelpEvent.Type.ToolTip, at, seen.view.viewport().mapToGlobal(at))
    assert seen.view.viewportEvent(event)


# looks


@pytest.mark.parametrize("state", FileState)
def test_only_a_confirmed_file_has_the_tone_of_success(state: FileState) -> None:
    for code in ["", *Code]:
        look = row_style(told(1, state, 52, code=code))
        assert (look.tone is Tone.CONFIRMED) is (state is S.CONFIRMED)
        assert (look.sign is IconName.TICK) is (state is S.CONFIRMED)


def test_states_differ_by_their_sign_as_well_as_by_their_colour() -> None:
    looks = [row_style(told(1, state)) for state in FileState if state is not S.SETTLING]
    assert len({(look.sign, look.stage) for look in looks}) == len(looks)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("state", FileState)
def test_no_pixel_is_green_before_the_receipt(qtbot: QtBot, state: FileState, dark: bool) -> None:
    seen = Seen(qtbot, told(1, state, 52, code=Code.FILE_GONE if state is S.ATTENTION else ""))
    if dark:
        palette = QPalette()
        for role, colour in DARK.items():
            palette.setColor(QPalette.ColorRole[role], QColor(colour))
        seen.view.setPalette(palette)
    image = seen.view.viewport().grab().toImage()
    colours = (image.pixelColor(x, y) for y in range(seen.view.rowHeight(0)) for x in range(image.width()))
    green = any(colour.hue() in GREEN_HUES and colour.saturation() > 80 for colour in colours)
    assert green is (state is S.CONFIRMED)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.JPG", IconName.IMAGE),
        ("b.pdf", IconName.DOCUMENT),
        ("c.tar.gz", IconName.ARCHIVE),
        ("d", IconName.FILE),
        (".hidden", IconName.FILE),
    ],
)
def test_the_icon_follows_the_kind_of_file(name: str, kind: IconName) -> None:
    assert file_icon(name) is kind


def test_a_long_sentence_takes_two_lines_and_no_letter_is_lost_between_them(qtbot: QtBot) -> None:
    seen = Seen(qtbot)
    text = "Für 🚐🚐 Wagen sieben: " + "waiting for the office to answer " * 3
    width = seen.view.fontMetrics().horizontalAdvance(text) * 2 // 3
    first, second = painting.two_lines(text.strip(), seen.view.font(), width)
    assert f"{first} {second}" == text.strip()
    assert painting.fits(text, seen.view.font(), width)
    assert painting.two_lines(text, seen.view.font(), width // 3)[1].endswith("…")
    assert not painting.fits(text, seen.view.font(), width // 3)


def test_what_matters_less_makes_room_in_a_narrow_window(qtbot: QtBot) -> None:
    seen = Seen(qtbot, told(1))
    assert not seen.view.isColumnHidden(Column.FROM)
    seen.view.resize(500, 400)
    assert seen.view.isColumnHidden(Column.FROM)
    assert seen.view.isColumnHidden(Column.ADDED)
    assert not seen.view.isColumnHidden(Column.STATUS)


# sorting


def test_a_click_on_a_title_asks_for_another_order(qtbot: QtBot) -> None:
    seen = Seen(qtbot, told(1))
    wanted: list[tuple[SortOrder, bool]] = []
    seen.view.order_wanted.connect(lambda order, descending: wanted.append((order, descending)))
    header = seen.view.horizontalHeader()
    header.setSortIndicator(Column.SIZE, Qt.SortOrder.DescendingOrder)
    header.setSortIndicator(Column.FROM, Qt.SortOrder.AscendingOrder)
    assert wanted == [(SortOrder.SIZE, True)]
    assert header.sortIndicatorSection() == Column.ADDED  # the wish was not granted: the list is as it was


# hearing


def screen_reader_text(view: QWidget) -> Sequence[str]:
    table = QAccessible.queryAccessibleInterface(view)
    return [table.child(number).text(QAccessible.Text.Name) for number in range(table.childCount())]


def test_a_screen_reader_finds_the_whole_sentence_in_the_first_cell(qtbot: QtBot) -> None:
    seen = Seen(qtbot, told(1, S.ATTENTION, path="lost.xlsx", code=Code.FILE_GONE))
    cells = screen_reader_text(seen.view)
    assert seen.model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole) in cells
    assert QAccessible.queryAccessibleInterface(seen.view).text(QAccessible.Text.Name) == "Files"


def test_a_screen_reader_on_a_row_hears_its_change_once(qtbot: QtBot) -> None:
    seen = Seen(qtbot, told(1, S.SENDING, 3), told(2, S.SENDING, 3))
    seen.view.choose(1)
    seen.model.take([told(1, S.SENDING, 4), told(2, S.CONFIRMED)])
    assert not seen.said
    seen.model.take([told(1, S.CONFIRMED)])
    seen.model.take([told(1, S.CONFIRMED)])
    assert len(seen.said) == 1
    assert "report-00001.pdf" in seen.said[0]
    assert "Confirmed" in seen.said[0]


def test_an_announcement_reaches_the_screen_reader(qtbot: QtBot) -> None:
    seen = Seen(qtbot)
    QAccessible.setActive(True)
    try:
        announce(seen.view, "Confirmed.")
    finally:
        QAccessible.setActive(False)


# what moves


def test_times_run_only_while_the_list_is_seen(qtbot: QtBot) -> None:
    seen = Seen(qtbot, told(1, S.RETRYING, code=Code.FILE_IN_USE, next_try_ns=START_NS + 80 * NS_PER_S))
    assert seen.view.animation.seconds.isActive()
    seen.view.hide()
    assert not seen.view.animation.seconds.isActive()
    assert not seen.view.animation.seen()


def test_only_rows_in_sight_are_told_each_second(qtbot: QtBot) -> None:
    columns: dict[str, Any] = {"code": Code.FILE_IN_USE, "next_try_ns": START_NS + 80 * NS_PER_S}
    seen = Seen(qtbot, *(told(number, S.RETRYING, **columns) for number in range(1, 101)))
    changed: list[tuple[int, int]] = []
    seen.model.dataChanged.connect(lambda top, bottom: changed.append((top.row(), bottom.row())))
    seen.view.animation.second_passed()
    assert changed == [(0, seen.view.animation.seen().stop - 1)]
    assert seen.view.animation.seen().stop < 20


def test_stripes_move_only_for_files_in_sight_that_were_sent_just_now(qtbot: QtBot) -> None:
    seen = Seen(qtbot, told(1, S.SENDING, 51))
    stripes = seen.view.animation.stripes
    assert not stripes.isActive()
    seen.model.take([told(1, S.SENT, 52, sent_ns=seen.shelf.clock.now_ns())])
    assert stripes.isActive()
    before = seen.view._delegate.phase
    qtbot.waitUntil(lambda: seen.view._delegate.phase > before)
    seen.shelf.clock.advance(61)
    qtbot.waitUntil(lambda: not stripes.isActive())


def test_the_chosen_file_stays_chosen_when_the_list_is_read_again(qtbot: QtBot) -> None:
    seen = Seen(qtbot, told(1), told(2), told(3))
    seen.view.choose(2)
    seen.shelf.put(told(4).row)
    seen.model.reload()
    current = seen.view.current()
    assert current is not None
    assert current.row.id == 2
