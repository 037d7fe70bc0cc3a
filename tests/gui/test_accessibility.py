# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Without eyes and without a mouse: every control has a name, Tab goes to each once, keys do what a mouse does."""

import sys
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QLineEdit,
    QMenu,
    QTabBar,
    QWidget,
    QWizard,
)
from pytestqt.qtbot import QtBot

from fieldpost_desktop.engine.model.events import FileChanged, OverallStatus
from fieldpost_desktop.engine.model.folder_rules import FolderRules
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.ui.connection.password_dialog import PasswordDialog
from fieldpost_desktop.ui.dialogs.about import AboutDialog
from fieldpost_desktop.ui.dialogs.rename import RenameDialog
from fieldpost_desktop.ui.dialogs.report import ReportDialog
from fieldpost_desktop.ui.folders.rules_dialog import RulesDialog
from fieldpost_desktop.ui.setup.wizard import PageId, SetupWizard
from fieldpost_desktop.ui.shell.navigation import Page
from fieldpost_desktop.ui.transfers.actions import Action, available_actions
from fieldpost_desktop.ui.transfers.row_texts import Column
from fieldpost_desktop.ui.transfers.view import TransfersView
from fieldpost_shared.codes import Code
from support.gui.acceptance import (
    Desktop,
    HurriedClock,
    change_of,
    running,
    screen_reader_text,
    states,
    until,
    write_settings,
)
from support.gui.setup import PASSWORD, Link
from support.gui.studio import OFFICE, App, Studio
from support.gui.transfers import HandWorker, Shelf, model_of, told

Key = Qt.Key
S = FileState
# What the screen of these tests cannot do, and says: dialogs tell it how large they may be, menus take the keyboard.
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise()")

_CONTROLS: Final = (QAbstractButton, QLineEdit, QAbstractSpinBox, QComboBox, QAbstractItemView, QTabBar)


@pytest.fixture
def studio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Studio:
    Desktop().install(monkeypatch)
    beside = tmp_path / "program"
    beside.mkdir()
    monkeypatch.setattr(sys, "argv", [str(beside / "fieldpost")])
    monkeypatch.setattr(sys, "executable", str(beside / "python"))
    made = Studio(tmp_path)
    made.clock = HurriedClock()
    return made


@pytest.fixture
def app(studio: Studio, qtbot: QtBot, qapp: QApplication) -> Iterator[App]:  # noqa: ARG001 - Qt must be up
    """A day in the middle: files in every stage, a watched folder, a banner, open details."""
    with running(studio, qtbot) as opened:
        opened.add(studio.file("confirmed.jpg", 90_000))
        until(opened, opened.confirmed)
        watched = studio.folder / "watched"
        watched.mkdir()
        opened.instance.add_folder(str(watched), FolderRules())
        studio.gate.most = len(studio.topic.records) + 3
        opened.add(studio.file("sending.bin", 600_000), studio.folder / "missing.pdf")
        until(opened, lambda: states(opened).get("sending.bin") is S.SENDING)
        until(opened, lambda: states(opened).get("missing.pdf") is S.ATTENTION)
        opened.controller.window.header.pause.click()
        opened.controller.transfers.view.choose(change_of(opened, "sending.bin").row.id)
        opened.controller.transfers.view.details_wanted.emit()
        until(opened, opened.controller.window.banners.isVisible)
        yield opened


# names


def name_of(widget: QWidget) -> str:
    """What a screen reader calls it."""
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name).strip()


def is_inner(widget: QWidget) -> bool:
    """Whether it is a piece of a control that speaks for it: the field of a spin box, a cross in a search field."""
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QAbstractSpinBox | QComboBox | QLineEdit | QTabBar | QAbstractItemView):
            return True
        parent = parent.parentWidget()
    return False


def controls(inside: QWidget) -> list[QWidget]:
    """All buttons, inputs and lists, hidden ones too: they may show up at any time."""
    found = [widget for widget in inside.findChildren(QWidget) if isinstance(widget, _CONTROLS)]
    return [widget for widget in found if not is_inner(widget)]


def nameless(inside: QWidget) -> list[str]:
    """Controls without a name; a banner's button has none while it offers nothing, nor a hidden wizard button."""
    return [
        f"{type(widget).__name__} {widget.objectName()!r} of {widget.parent()!r}"
        for widget in controls(inside)
        if not name_of(widget) and (widget.isVisibleTo(inside) or not isinstance(widget, QAbstractButton))
    ]


@pytest.mark.parametrize("page", Page)
def test_every_control_of_a_page_has_a_name(app: App, page: Page) -> None:
    window = app.controller.window
    window.show_page(page)
    until(app, lambda: nameless(window) == [])
    assert len(controls(window)) > 20


def test_every_tab_of_the_settings_has_named_controls(app: App) -> None:
    window = app.controller.window
    window.show_page(Page.SETTINGS)
    bar = app.controller.settings.findChildren(QTabBar)[0]
    for tab in range(bar.count()):
        bar.setCurrentIndex(tab)
        assert bar.tabText(tab)
        assert nameless(window) == []


def _add_folder(app: App) -> QDialog:
    return RulesDialog(str(app.studio.folder), FolderRules(), may_delete=True, parent=app.controller.window)


def _about(app: App) -> QDialog:
    return AboutDialog(app.instance.about(), app.controller.window)


def _password(app: App) -> QDialog:
    return PasswordDialog(app.instance, app.controller._worker, app.controller.window)


def _rename(app: App) -> QDialog:
    return RenameDialog("a/b.txt", OFFICE, app.controller.window)


def _report(app: App) -> QDialog:
    return ReportDialog(app.instance, app.controller._worker, app.controller.window)


_DIALOGS: Final = (_about, _add_folder, _password, _rename, _report)


@pytest.mark.parametrize("made", _DIALOGS, ids=lambda made: made.__name__.strip("_"))
def test_every_control_of_a_dialog_has_a_name(app: App, made: Callable[[App], QDialog]) -> None:
    dialog = made(app)
    dialog.open()
    assert dialog.windowTitle()
    assert controls(dialog)
    assert nameless(dialog) == []
    dialog.reject()


def test_every_control_of_the_wizard_has_a_name(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    Link().install(monkeypatch)
    wizard = SetupWizard(app.instance, app.controller._worker, write_settings(app.studio.folder), app.controller.window)
    wizard.open()
    until(app, wizard.button(QWizard.WizardButton.NextButton).isEnabled)
    for page in PageId:
        assert wizard.currentId() == page
        assert nameless(wizard) == []
        assert all(name_of(widget) for widget in tab_stops(wizard))
        if page is PageId.PASSWORD:
            fields = wizard.findChildren(QLineEdit, "password")
            fields[0].setText(PASSWORD)
        wizard.next()
    wizard.reject()


def test_a_row_is_read_aloud_once_as_a_whole(app: App) -> None:
    view, model = app.controller.transfers.view, app.controller.transfers.model
    table = QAccessible.queryAccessibleInterface(view)
    every = [table.child(number) for number in range(table.childCount())]
    cells = [cell for cell in every if cell.role() is QAccessible.Role.Cell]
    spoken = {cell.text(QAccessible.Text.Name) for cell in cells}
    headers = [cell.text(QAccessible.Text.Name) for cell in every if cell.role() is QAccessible.Role.ColumnHeader]
    assert headers[:4] == ["File", "Size", "Progress", "Status"]
    for name in states(app):
        assert screen_reader_text(app, name) in spoken
        assert screen_reader_text(app, name).startswith(f"{name}. ")
    for row, column in product(range(model.rowCount()), Column):
        said = model.index(row, column).data(Qt.ItemDataRole.AccessibleTextRole)
        assert bool(said) is (column is Column.FILE)


# the Tab key


def tab_stops(window: QWidget) -> list[QWidget]:
    """All that Tab should reach now."""
    return [
        widget
        for widget in window.findChildren(QWidget)
        if widget.window() is window
        and widget.isVisible()
        and widget.isEnabled()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
        and not is_inner(widget)
    ]


def walk(window: QWidget, key: Key = Key.Key_Tab) -> list[QWidget]:
    """Where Tab goes, until it comes back to where it began."""
    start = QApplication.focusWidget()
    assert start is not None
    visited = [start]
    for _ in range(200):
        QTest.keyClick(visited[-1], key)
        focus = QApplication.focusWidget()
        assert focus is not None
        if focus is start:
            return visited
        assert focus not in visited, f"Tab goes in a circle that leaves out {start.objectName()}"
        assert focus.window() is window
        visited.append(focus)
    pytest.fail("Tab never comes back")


def _called(widgets: list[QWidget]) -> list[str]:
    return sorted(f"{type(widget).__name__} {widget.objectName()}" for widget in widgets)


def check_tab_order(app: App, window: QWidget) -> None:
    window.activateWindow()
    until(app, window.isActiveWindow)
    expected = tab_stops(window)
    expected[0].setFocus(Qt.FocusReason.TabFocusReason)
    there = walk(window)
    assert _called(there) == _called(tab_stops(window))
    assert [widget for widget in there if not name_of(widget)] == [], "whatever gets the focus is named"
    back = walk(window, Key.Key_Backtab)
    assert back[1:] == there[:0:-1], "Shift+Tab goes the same way back"


@pytest.mark.parametrize("page", Page)
def test_tab_reaches_every_control_of_a_page_once_and_comes_back(app: App, page: Page) -> None:
    app.controller.window.show_page(page)
    if page is Page.FOLDERS:
        until(app, lambda: any(widget.objectName() == "edit" for widget in tab_stops(app.controller.window)))
    check_tab_order(app, app.controller.window)


def test_tab_reaches_every_control_of_all_settings(app: App) -> None:
    app.controller.window.show_page(Page.SETTINGS)
    bar = app.controller.settings.findChildren(QTabBar)[0]
    for tab in range(bar.count()):
        bar.setCurrentIndex(tab)
        check_tab_order(app, app.controller.window)


@pytest.mark.parametrize("made", _DIALOGS, ids=lambda made: made.__name__.strip("_"))
def test_tab_reaches_every_control_of_a_dialog(app: App, made: Callable[[App], QDialog]) -> None:
    dialog = made(app)
    dialog.open()
    check_tab_order(app, dialog)
    dialog.reject()


# the actions of the list


def situation_for(action: Action) -> tuple[FileChanged, Hold | None]:
    """A file, and what holds everything up, so that this can be done with it."""
    holds = [None, *(Hold(kind) for kind in HoldKind), Hold(HoldKind.STOP_ALL, Code.SIGN_IN_REFUSED)]
    for state, code, hold in product(FileState, ("", *Code), holds):
        change = told(1, state, code=str(code))
        if action in available_actions(change, hold if state is S.QUEUED else None):
            return change, hold if state is S.QUEUED else None
    pytest.fail(f"nothing can be done by {action}")


@pytest.fixture
def list_of(qtbot: QtBot) -> Callable[[FileChanged, Hold | None], TransfersView]:
    def made(change: FileChanged, hold: Hold | None) -> TransfersView:
        shelf = Shelf()
        shelf.put(change.row)
        limit = 0 if hold is not None and hold.kind is HoldKind.METERED else None
        model = model_of(shelf, HandWorker())
        model.take_status(OverallStatus(hold=hold, metered_limit=limit))
        view = TransfersView(model)
        model.setParent(view)
        qtbot.addWidget(view)
        view.resize(900, 300)
        view.show()
        view.activateWindow()
        view.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.waitUntil(view.hasFocus)
        return view

    return made


@pytest.mark.parametrize("action", Action)
def test_every_action_of_the_list_can_be_chosen_by_key_alone(
    list_of: Callable[[FileChanged, Hold | None], TransfersView], action: Action
) -> None:
    view, done = list_of(*situation_for(action)), list[tuple[Action, list[int]]]()
    view.acted.connect(lambda chosen, files: done.append((chosen, files)))
    QTest.keyClick(view, Key.Key_Home)
    menu_key = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(5, 5), QPoint(5, 5))
    QApplication.sendEvent(view.viewport(), menu_key)
    menu = view.findChildren(QMenu, "file_menu")[0]
    entries = [entry for entry in menu.actions() if not entry.isSeparator()]
    for _ in range([entry.objectName() for entry in entries].index(action) + 1):
        QTest.keyClick(menu, Key.Key_Down)
    QTest.keyClick(menu, Key.Key_Return)
    assert done == [(action, [1])]


@pytest.mark.parametrize(
    ("state", "key", "modifier", "action"),
    [
        (S.SENDING, Key.Key_Space, Qt.KeyboardModifier.NoModifier, Action.PAUSE),
        (S.PAUSED, Key.Key_Space, Qt.KeyboardModifier.NoModifier, Action.RESUME),
        (S.RETRYING, Key.Key_F5, Qt.KeyboardModifier.NoModifier, Action.TRY_NOW),
        (S.QUEUED, Key.Key_Delete, Qt.KeyboardModifier.NoModifier, Action.CANCEL),
        (S.CONFIRMED, Key.Key_C, Qt.KeyboardModifier.ControlModifier, Action.COPY_PATH),
        (S.CANCELLED, Key.Key_Return, Qt.KeyboardModifier.ControlModifier, Action.SEND_AGAIN),
    ],
)
def test_the_usual_actions_have_a_key_of_their_own_from_the_moment_that_tab_arrives(
    list_of: Callable[[FileChanged, Hold | None], TransfersView],
    state: FileState,
    key: Key,
    modifier: Qt.KeyboardModifier,
    action: Action,
) -> None:
    view, done = list_of(told(1, state), None), list[tuple[Action, list[int]]]()
    view.acted.connect(lambda chosen, files: done.append((chosen, files)))
    QTest.keyClick(view, key, modifier)
    assert done == [(action, [1])]


def test_enter_opens_the_details(list_of: Callable[[FileChanged, Hold | None], TransfersView], qtbot: QtBot) -> None:
    view = list_of(told(1), None)
    with qtbot.waitSignal(view.details_wanted):
        QTest.keyClick(view, Key.Key_Return)
