# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The window's button in the taskbar: its title begins with how everything is, its badge counts what needs a person."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from fieldpost_desktop.engine.model.events import OverallState, OverallStatus
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.ui.text import wording


def show_status(window: QWidget, status: OverallStatus, office: str, now_ns: int) -> None:
    """Let the taskbar say what header and tray say."""
    window.setWindowTitle(title(status, office, now_ns))
    app = QCoreApplication.instance()  # the badge belongs to the application, which the window stands for here
    if isinstance(app, QGuiApplication):
        app.setBadgeNumber(badge(status))


def title(status: OverallStatus, office: str, now_ns: int) -> str:
    """Return the same sentence as the tray's; nothing but the name while all is well."""
    if status.state is OverallState.ALL_CONFIRMED:
        return QCoreApplication.translate("taskbar", "Fieldpost")
    what = wording.tooltip(status, office, now_ns)
    return QCoreApplication.translate("taskbar", "{what} · Fieldpost").format(what=what)


def badge(status: OverallStatus) -> int:
    """Return how many files need a person; a stop of everything counts as one where no file shows it."""
    if status.state is not OverallState.ATTENTION:
        return 0
    return status.counts.get(FileState.ATTENTION, 0) or 1
