# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Closing the window and quitting the app: neither loses anything."""

from typing import Final

from PySide6.QtCore import QByteArray, QObject, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from fieldpost_desktop.engine.model.events import OverallStatus
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.ui.system.preferences import PreferencesHolder

_NOT_SENT: Final = (FileState.SETTLING, FileState.QUEUED, FileState.SENDING, FileState.RETRYING, FileState.PAUSED)


class Closing(QObject):
    """Asks before quitting with work left; says once that closing does not quit."""

    quit_now = Signal()
    tell_about_tray = Signal(str, str)  # title and text

    def __init__(self, window: QWidget, preferences: PreferencesHolder, *, has_tray: bool) -> None:
        super().__init__(window)
        self._window = window
        self._preferences = preferences
        self._has_tray = has_tray
        self._question: QMessageBox | None = None

    def close_window(self) -> None:
        """Hide the window in the tray; without a tray minimise it, so that it can be found again."""
        self._remember_geometry()
        if not self._has_tray:
            self._window.showMinimized()
            return
        self._window.hide()
        if not self._preferences.current.told_about_tray:
            self._preferences.change(told_about_tray=True)
            self.tell_about_tray.emit(
                self.tr("Fieldpost goes on sending"),
                self.tr("It stays in the notification area, next to the clock. Quit it from the menu there."),
            )

    def quit(self, status: OverallStatus) -> None:
        """Quit at once when nothing is left to send, else after a question."""
        left = sum(status.counts.get(state, 0) for state in _NOT_SENT)
        if not left:
            self.quit_at_once()
        elif self._question is None:
            self._ask(left)
        else:
            self._question.raise_()

    def quit_at_once(self) -> None:
        """Quit without a question, whatever is left: it is in the journal."""
        self._remember_geometry()
        self.quit_now.emit()

    def _ask(self, left: int) -> None:
        """Ask whether to quit, without stopping the engine: sending goes on while the question stands."""
        box = QMessageBox(self._window)
        box.setObjectName("quit_question")
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle(self.tr("Quit Fieldpost?"))
        box.setText(self.tr("%Ln file(s) are not sent yet.", "", left))
        box.setInformativeText(self.tr("Sending goes on when Fieldpost runs again."))
        leave = box.addButton(self.tr("&Quit"), QMessageBox.ButtonRole.AcceptRole)
        stay = box.addButton(self.tr("&Keep running"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(stay)
        box.setEscapeButton(stay)
        self._question = box
        box.finished.connect(lambda _: self._answered(quit_it=box.clickedButton() is leave))
        box.open()

    def _answered(self, *, quit_it: bool) -> None:
        box, self._question = self._question, None
        if box is not None:
            box.deleteLater()
        if quit_it:
            self.quit_at_once()

    def _remember_geometry(self) -> None:
        geometry = bytes(self._window.saveGeometry().toBase64().data()).decode()
        self._preferences.change(window_geometry=geometry)


def saved_geometry(preferences: PreferencesHolder) -> QByteArray:
    """Return where the window lay."""
    return QByteArray.fromBase64(preferences.current.window_geometry.encode())
