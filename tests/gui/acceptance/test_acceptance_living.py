# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The acceptance sentences about living on a PC: installing, passwords, keyboard, and the place next to the clock.

What needs the installer (issue 7) says so in its docstring, and checks what holds already.
"""

import ast
import io
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialogButtonBox,
    QFileDialog,
    QLineEdit,
    QMenu,
    QMessageBox,
    QWidget,
    QWizard,
)
from pytestqt.qtbot import QtBot

from fieldpost_desktop.app.condition import Condition
from fieldpost_desktop.commands import profile as profile_command
from fieldpost_desktop.commands.exit_codes import Exit
from fieldpost_desktop.commands.terminal import Terminal
from fieldpost_desktop.engine.model.events import OverallChanged, OverallState, OverallStatus
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.profile.vault import MAX_UNITS
from fieldpost_desktop.engine.runtime.paths import default_data_dir
from fieldpost_desktop.ui.connection.password_dialog import PasswordDialog
from fieldpost_desktop.ui.setup.wizard import PageId, SetupWizard
from fieldpost_desktop.ui.shell.navigation import Page
from fieldpost_desktop.ui.system.autostart import MemoryAutostart
from fieldpost_shared.codes import Code
from support.gui import studio as studio_module
from support.gui.acceptance import Desktop, banners, change_of, header, running, states, until, write_settings
from support.gui.hands import click, find, is_gone, text
from support.gui.setup import PASSWORD, SIGNED, Link
from support.gui.studio import App, Studio

S = FileState
Key = Qt.Key
_ROOT = Path(__file__).parents[3]
# What the screen of these tests cannot do, and says: dialogs tell it how large they may be, menus take the keyboard.
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard")


@pytest.fixture(autouse=True)
def beside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder of the program, where the wizard looks for a settings file."""
    folder = tmp_path / "program"
    folder.mkdir()
    monkeypatch.setattr(sys, "argv", [str(folder / "fieldpost")])
    monkeypatch.setattr(sys, "executable", str(folder / "python"))
    return folder


def calls_in_spec(name: str) -> list[dict[str, Any]]:
    """The keywords of every call of that name in PyInstaller's recipe."""
    tree = ast.parse((_ROOT / "packaging" / "fieldpost.spec").read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    named = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == name]
    return [
        {word.arg: word.value.value for word in call.keywords if word.arg and isinstance(word.value, ast.Constant)}
        for call in named
    ]


def imported(studio: Studio, file: Path) -> Exit:
    """What a silent installation does: `fieldpost profile import FILE`, where no person can be asked."""
    options = Namespace(file=file, password_file=None, json=False)
    terminal = Terminal(io.StringIO(), io.StringIO())
    return profile_command.import_file(studio.paths, studio.vault, lambda _: None, options, terminal)


def enter(dialog: QWidget, password: str) -> None:
    field = find(dialog, QLineEdit, "password")
    field.clear()
    QTest.keyClicks(field, password)


def test_u09_install_and_update_need_no_admin(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program asks Windows for nothing and writes below the user's own folders only.

    Issue 7 adds the installer: `RequestExecutionLevel user`, into the user's own programs folder, HKCU only.
    """
    programs = calls_in_spec("EXE")
    assert programs
    assert not any(program.get("uac_admin") or program.get("uac_uiaccess") for program in programs)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert default_data_dir().is_relative_to(Path.home())
    asking = ("HKEY_LOCAL_MACHINE", "requireAdministrator", "runas", "ProgramData", "Program Files")
    sources = [*(_ROOT / "desktop").rglob("*.py"), *(_ROOT / "shared").rglob("*.py")]
    found = [(path.name, word) for path in sources for word in asking if word in path.read_text(encoding="utf-8")]
    assert found == []


@pytest.mark.usefixtures("desktop")
def test_u10_a_silent_install_with_a_profile_needs_only_the_password(
    tmp_path: Path, qtbot: QtBot, beside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By import, as the installer does it, and by a settings file beside the program. Issue 7 adds `/S /PROFILE=…`."""
    Link().install(monkeypatch)
    studio = Studio(tmp_path / "imported", profile=None)
    assert imported(studio, write_settings(tmp_path)) is Exit.NOT_SET_UP, "the password is still to come"
    with running(studio, qtbot, Condition.NEEDS_PASSWORD) as app:
        until(app, lambda: banners(app))
        (said,) = banners(app)
        assert said.startswith("Your password is needed.")
        assert app.controller.window.findChild(SetupWizard) is None, "nothing but the password is asked for"
        click(app.controller.window.banners, "banner_button")
        dialog = find(app.controller.window, PasswordDialog, "password_dialog")
        assert [field.objectName() for field in dialog.findChildren(QLineEdit)] == ["password"]
        enter(dialog, PASSWORD)
        dialog.findChildren(QDialogButtonBox)[0].button(QDialogButtonBox.StandardButton.Ok).click()
        until(app, lambda: app.instance.condition is Condition.RUNNING and not banners(app))
        app.add(studio.file("a.jpg", 100_000))
        until(app, app.confirmed)

    write_settings(beside)
    studio = Studio(tmp_path / "beside", profile=None)
    with running(studio, qtbot, Condition.NOT_SET_UP) as app:
        wizard = find(app.controller.window, SetupWizard, "setup_wizard")
        until(app, lambda: wizard.button(QWizard.WizardButton.NextButton).isEnabled())
        wizard.next()
        assert wizard.currentId() == PageId.PASSWORD
        assert find(wizard, QLineEdit, "user_name").isReadOnly(), "the name came with the file"
        enter(wizard, PASSWORD)
        wizard.next()
        until(app, lambda: wizard.button(QWizard.WizardButton.FinishButton).isEnabled())
        wizard.accept()
        until(app, lambda: app.instance.condition is Condition.RUNNING)
        app.add(studio.file("a.jpg", 100_000))
        until(app, app.confirmed)


class Keyboard:
    """Presses keys wherever the focus is, as a person without a mouse."""

    def __init__(self, app: App) -> None:
        self._app = app
        self.wait_for_window()

    def wait_for_window(self) -> None:
        """This screen does not give the focus back when a menu or a dialog has gone; others do."""
        self._app.controller.window.activateWindow()
        self._app.qtbot.waitUntil(self._app.controller.window.isActiveWindow)

    def press(self, key: Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        focus = QApplication.focusWidget() or QApplication.activeWindow()
        assert focus is not None
        QTest.keyClick(focus, key, modifiers)

    def control(self, key: Key) -> None:
        self.press(key, Qt.KeyboardModifier.ControlModifier)

    def type(self, words: str) -> None:
        focus = QApplication.focusWidget()
        assert focus is not None
        QTest.keyClicks(focus, words)

    def tab_to(self, name: str) -> None:
        for _ in range(60):
            focus = QApplication.focusWidget()
            if focus is not None and focus.objectName() == name:
                return
            self.press(Key.Key_Tab)
        pytest.fail(f"Tab never reaches {name}")


def test_u11_everything_works_by_keyboard_and_is_named_for_nvda(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """A day without a mouse; test_accessibility.py walks every control for its name and its place in the tab order."""
    keys = Keyboard(app)
    chosen = str(app.studio.file("survey.bin", 2_000_000))
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([chosen], ""))
    app.studio.gate.most = 5
    keys.control(Key.Key_O)
    until(app, lambda: states(app).get("survey.bin") is S.SENDING and change_of(app, "survey.bin").acknowledged == 5)
    _pause_and_look_at_the_file(app, keys)
    _pause_everything(app, keys)
    _search(app, keys)
    _think_twice_about_cancelling(app, keys)
    keys.control(Key.Key_Return)  # the row's button: Resume
    app.studio.gate.most = None
    until(app, app.confirmed)
    for number, page in enumerate(Page, start=1):
        keys.control(Key(Key.Key_0 + number))
        assert app.controller.window.navigation.currentRow() == page


def _pause_and_look_at_the_file(app: App, keys: Keyboard) -> None:
    keys.tab_to("transfers")
    current = app.controller.transfers.view.currentIndex()
    assert current.data(Qt.ItemDataRole.AccessibleTextRole).startswith("survey.bin. Sending 5 of 31 parts")
    keys.press(Key.Key_Space)
    until(app, lambda: states(app)["survey.bin"] is S.PAUSED)
    keys.press(Key.Key_Space)
    until(app, lambda: states(app)["survey.bin"] is S.SENDING)
    keys.press(Key.Key_Return)
    pane = find(app.controller.window, QWidget, "detail_pane")
    until(app, pane.isVisible)
    assert text(pane, "file_name") == "survey.bin"


def _pause_everything(app: App, keys: Keyboard) -> None:
    keys.press(Key.Key_P, Qt.KeyboardModifier.AltModifier)
    until(app, lambda: header(app).startswith("Paused"))
    keys.press(Key.Key_R, Qt.KeyboardModifier.AltModifier)
    until(app, lambda: not header(app).startswith("Paused"))


def _search(app: App, keys: Keyboard) -> None:
    keys.control(Key.Key_F)
    keys.type("nothing like it")
    keys.press(Key.Key_Return)
    until(app, lambda: states(app) == {})
    keys.control(Key.Key_A)
    keys.type("survey")
    until(app, lambda: set(states(app)) == {"survey.bin"})


def _think_twice_about_cancelling(app: App, keys: Keyboard) -> None:
    view = app.controller.transfers.view
    keys.tab_to("transfers")
    menu_key = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(5, 5), QPoint(5, 5))
    QApplication.sendEvent(view.viewport(), menu_key)
    menu = find(view, QMenu, "file_menu")
    for key in (Key.Key_Down, Key.Key_Down, Key.Key_Return):  # Details, Pause
        QTest.keyClick(menu, key)
    keys.wait_for_window()
    until(app, lambda: states(app)["survey.bin"] is S.PAUSED)
    keys.press(Key.Key_Delete)
    question = find(app.controller.window, QMessageBox, "cancel_question")
    until(app, question.isActiveWindow)
    keys.press(Key.Key_Escape)
    until(app, lambda: is_gone(question))
    keys.wait_for_window()
    assert states(app)["survey.bin"] is S.PAUSED


def test_u23_the_icon_does_not_flicker_and_a_moved_exe_still_autostarts(
    studio: Studio, desktop: Desktop, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    autostart = MemoryAutostart("D:/moved/fieldpost.exe", entry='"C:/old/fieldpost.exe" --hidden')
    monkeypatch.setattr(studio_module, "NoAutostart", lambda: autostart)
    with running(studio, qtbot) as app:
        until(app, lambda: autostart.entry == '"D:/moved/fieldpost.exe" --hidden')
        working = OverallStatus(OverallState.WORKING, {S.SENDING: 1})
        waiting = OverallStatus(OverallState.WAITING, {S.RETRYING: 1})
        began, icons = studio.clock.monotonic(), desktop.icons
        for _ in range(40):
            for status in (working, waiting):
                app.bridge(OverallChanged(status))
                app.bridge.drain()
        until(app, lambda: app.controller.tray.state is OverallState.WAITING)
        seconds = studio.clock.monotonic() - began
        # Qt's timers may be early by a twentieth.
        assert desktop.icons - icons <= 1 + seconds * 1.1, "each state stays for a second"
        icons = desktop.icons
        for parts in range(40):
            app.bridge(OverallChanged(OverallStatus(OverallState.WAITING, {S.RETRYING: parts + 1})))
            app.bridge.drain()
        assert app.controller.tray.tooltip.endswith("40 files to send")
        assert desktop.icons == icons, "the same state is not painted anew"


def test_u24_the_release_is_onedir_and_not_onefile() -> None:
    """A folder, not packed. Issue 7 adds what a release needs besides: signed programs and a signed installer."""
    programs, folders = calls_in_spec("EXE"), calls_in_spec("COLLECT")
    assert programs
    assert len(folders) == 1
    for program in programs:
        assert program["exclude_binaries"] is True, "one big file is unpacked anew at each start"
        assert program["upx"] is False
    assert folders[0]["upx"] is False


def test_u25_a_too_long_secret_is_refused_in_plain_words(studio: Studio, qtbot: QtBot) -> None:
    studio.gate.connecting = Code.SIGN_IN_REFUSED
    with running(studio, qtbot) as app:
        until(app, lambda: banners(app))
        click(app.controller.window.banners, "banner_button")
        dialog = find(app.controller.window, PasswordDialog, "password_dialog")
        too_long = "p" * (MAX_UNITS + 1)
        enter(dialog, too_long)
        find(dialog, QLineEdit, "password").editingFinished.emit()
        said = text(dialog, "password_problem")
        assert "too long" in said
        assert "ppp" not in said
        QTest.keyClick(dialog, Key.Key_Return)
        assert dialog.isVisible(), "it is not taken"
        assert studio.vault.get(SIGNED.id) is None
