# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The window's header: the overall status in one sentence, and the buttons for all files."""

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QSizePolicy, QToolButton, QWidget

from fieldpost_desktop.engine.model.events import OverallState, OverallStatus
from fieldpost_desktop.engine.model.hold import HoldKind
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.ui.text import wording
from fieldpost_desktop.ui.widgets import icons
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_shared.clock import Clock

_HOUR_NS: Final = 3_600_000_000_000
_HURRIED: Final = (HoldKind.SCHEDULE, HoldKind.OFFLINE, HoldKind.WAKING)  # holds that "Send now" does not wait for


class Header(QWidget):
    """Renders `OverallStatus` only; the tray and the taskbar render the same one."""

    add_wanted = Signal()
    pause_wanted = Signal(object)  # the moment of its end in ns, or None
    resume_wanted = Signal()
    send_now_wanted = Signal()

    def __init__(self, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("header")
        self._status = OverallStatus()
        self._clock = clock
        self._sign = QLabel(self)
        self.sentence = QLabel(self)
        self.sentence.setObjectName("overall_sentence")
        self.sentence.setWordWrap(True)
        self.sentence.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        font = self.sentence.font()
        font.setPointSizeF(font.pointSizeF() * 1.2)
        font.setBold(True)
        self.sentence.setFont(font)
        self.add = self._button(IconName.ADD, self.tr("&Add files…"))
        self.add.setShortcut(QKeySequence.StandardKey.Open)
        self.add.clicked.connect(self.add_wanted)
        self.pause = self._pause_button()
        self.send_now = self._button(IconName.SEND_NOW, self.tr("Send &now"))
        self.send_now.setToolTip(self.tr("Send at once: do not wait for the set hours or the next try"))
        self.send_now.clicked.connect(self.send_now_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._sign)
        row.addWidget(self.sentence, 1)
        for button in (self.add, self.pause, self.send_now):
            row.addWidget(button)

    def show_status(self, status: OverallStatus, office: str, now_ns: int) -> None:
        """Say how everything is."""
        self._status = status
        self.sentence.setText(wording.overall_sentence(status, office, now_ns))
        side = round(self.fontMetrics().height() * 2)
        self._sign.setPixmap(icons.tray_icon(status.state).pixmap(QSize(side, side)))
        running = status.state is not OverallState.NOT_SET_UP
        self._show_pause(paused=self._paused)
        self.pause.setEnabled(running)
        self.add.setEnabled(running)
        retrying = status.counts.get(FileState.RETRYING, 0) > 0
        self.send_now.setEnabled(running and (retrying or (status.hold is not None and status.hold.kind in _HURRIED)))

    @property
    def _paused(self) -> bool:
        return self._status.hold is not None and self._status.hold.kind is HoldKind.PAUSED

    def _button(self, icon: IconName, text: str) -> QPushButton:
        return QPushButton(icons.icon(icon), text, self)

    def _pause_button(self) -> QToolButton:
        """Return the button that pauses everything at a click; its arrow offers an hour."""
        button = QToolButton(self)
        button.setObjectName("pause_all")
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._pauses = menu = QMenu(button)
        menu.addAction(self.tr("Until I resume")).triggered.connect(lambda: self.pause_wanted.emit(None))
        menu.addAction(self.tr("For 1 hour")).triggered.connect(
            lambda: self.pause_wanted.emit(self._clock.now_ns() + _HOUR_NS)
        )
        button.clicked.connect(lambda: self.resume_wanted.emit() if self._paused else self.pause_wanted.emit(None))
        return button

    def _show_pause(self, *, paused: bool) -> None:
        mode = (
            QToolButton.ToolButtonPopupMode.DelayedPopup if paused else QToolButton.ToolButtonPopupMode.MenuButtonPopup
        )
        self.pause.setPopupMode(mode)
        self.pause.setMenu(None if paused else self._pauses)  # type: ignore[arg-type]  # the stub does not know None
        self.pause.setIcon(icons.icon(IconName.RESUME if paused else IconName.PAUSE))
        self.pause.setText(self.tr("&Resume") if paused else self.tr("&Pause all"))
        self.pause.setMinimumHeight(self.add.sizeHint().height())
