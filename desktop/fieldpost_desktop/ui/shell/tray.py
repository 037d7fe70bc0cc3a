# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The icon next to the clock: how everything is at a glance, and what can be done without opening the window."""

from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.model.events import OverallState, OverallStatus
from fieldpost_desktop.engine.model.hold import HoldKind
from fieldpost_desktop.ui.text import wording
from fieldpost_desktop.ui.widgets import icons
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_shared.clock import NS_PER_S

STAY_MS: Final = 1_000  # a state that comes and goes faster is a flicker, not news
_COUNTDOWN_MS: Final = 5_000  # "Trying again in 1 min 20 s" must not grow old
_NOTICE_MS: Final = 10_000
_HOUR_NS: Final = 3_600 * NS_PER_S


class Tray(QObject):
    """Renders `OverallStatus` and knows nothing else; icon, tooltip and menu always show the same one."""

    open_wanted = Signal()
    add_wanted = Signal()
    pause_wanted = Signal(object)  # the moment of its end in ns, or None
    resume_wanted = Signal()
    send_now_wanted = Signal()
    report_wanted = Signal()
    quit_wanted = Signal()
    notice_clicked = Signal(object)  # the group that the notice was about, or None

    def __init__(self, instance: AppInstance, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._instance = instance
        self._shown = OverallStatus()
        self._next: OverallStatus | None = None  # waits until the shown one had its second
        self._clicked_group: object = None
        self._icons = {state: icons.tray_icon(state) for state in OverallState}
        self.menu = QMenu()
        self.menu.setObjectName("tray_menu")
        self._pausing = self._pause_menu()
        self._help = self._help_menu()
        self.menu.aboutToShow.connect(self._fill_menu)
        self._icon = QSystemTrayIcon(self)
        self._icon.setContextMenu(self.menu)
        self._icon.activated.connect(self._activated)
        self._icon.messageClicked.connect(lambda: self.notice_clicked.emit(self._clicked_group))
        self._stay = QTimer(self, singleShot=True, interval=STAY_MS)
        self._stay.timeout.connect(self._stayed)
        self._countdown = QTimer(self, interval=_COUNTDOWN_MS)
        self._countdown.timeout.connect(self._show_tooltip)
        self._fill_menu()  # some desktops ask for the menu before they show it
        self._render(self._shown)
        self._stay.stop()  # no status came yet: the first one is shown at once

    @property
    def available(self) -> bool:
        """Whether this desktop has a place for it; the window must not hide if not."""
        return QSystemTrayIcon.isSystemTrayAvailable()

    @property
    def icon(self) -> QIcon:
        """What is shown now."""
        return self._icon.icon()

    @property
    def state(self) -> OverallState:
        """The state that is shown now."""
        return self._shown.state

    @property
    def tooltip(self) -> str:
        """What the icon says when pointed at."""
        return self._icon.toolTip()

    def show(self) -> None:
        """Appear, where there is a place for it."""
        if self.available:
            self._icon.show()

    def hide(self) -> None:
        """Go away before the program ends: Windows leaves a dead icon there else."""
        self._icon.hide()

    def show_status(self, status: OverallStatus) -> None:
        """Show the newest status; a new state waits until the one before had its second, and the last one wins."""
        if status.state is not self._shown.state and self._stay.isActive():
            self._next = status
            return
        self._next = None
        self._render(status)

    def notify(self, title: str, text: str, group: object = None, *, serious: bool = False) -> None:
        """Say something; a click on it comes back as `notice_clicked(group)`."""
        self._clicked_group = group
        icon = QSystemTrayIcon.MessageIcon.Warning if serious else QSystemTrayIcon.MessageIcon.Information
        if self._icon.isVisible():
            self._icon.showMessage(title, text, icon, _NOTICE_MS)

    def _stayed(self) -> None:
        status, self._next = self._next, None
        if status is not None:
            self._render(status)

    def _render(self, status: OverallStatus) -> None:
        if status.state is not self._shown.state or self._icon.icon().isNull():
            self._icon.setIcon(self._icons[status.state])
            self._stay.start()
        self._shown = status
        self._show_tooltip()
        waits = status.next_try_ns is not None or (status.hold is not None and status.hold.until_ns is not None)
        if waits and not self._countdown.isActive():
            self._countdown.start()
        elif not waits:
            self._countdown.stop()

    def _show_tooltip(self) -> None:
        self._icon.setToolTip(wording.tooltip(self._shown, self._instance.office, self._instance.clock.now_ns()))

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is QSystemTrayIcon.ActivationReason.Trigger:
            self.open_wanted.emit()

    def _fill_menu(self) -> None:
        """Fill the menu each time it is shown, so that it is never older than the icon."""
        menu, running = self.menu, self._shown.state is not OverallState.NOT_SET_UP
        menu.clear()
        self._show_tooltip()  # menu and tooltip count down to the same second
        menu.addAction(self._icons[self._shown.state], self.tooltip.replace("&", "&&")).setEnabled(False)
        menu.addSeparator()
        self._offer(self.tr("&Add files…"), self.add_wanted, IconName.ADD).setEnabled(running)
        hold = self._shown.hold
        if hold is not None and hold.kind is HoldKind.PAUSED:
            self._offer(self.tr("&Resume"), self.resume_wanted, IconName.RESUME)
        else:
            menu.addMenu(self._pausing).setEnabled(running)
        self._offer(self.tr("Send &now"), self.send_now_wanted, IconName.SEND_NOW).setEnabled(running)
        menu.addSeparator()
        menu.setDefaultAction(self._offer(self.tr("&Open Fieldpost"), self.open_wanted, IconName.APP))
        menu.addMenu(self._help)
        menu.addSeparator()
        self._offer(self.tr("&Quit"), self.quit_wanted, IconName.QUIT)

    def _offer(self, text: str, wish: SignalInstance, icon: IconName) -> QAction:
        action = self.menu.addAction(icons.icon(icon), text)
        action.triggered.connect(wish)
        return action

    def _pause_menu(self) -> QMenu:
        menu = QMenu(self.tr("&Pause"), self.menu)
        menu.setIcon(icons.icon(IconName.PAUSE))
        menu.addAction(self.tr("&Until I resume")).triggered.connect(lambda: self.pause_wanted.emit(None))
        menu.addAction(self.tr("For 1 &hour")).triggered.connect(
            lambda: self.pause_wanted.emit(self._instance.clock.now_ns() + _HOUR_NS)
        )
        return menu

    def _help_menu(self) -> QMenu:
        menu = QMenu(self.tr("&Help"), self.menu)
        menu.addAction(icons.icon(IconName.REPORT), self.tr("&Make a report…")).triggered.connect(self.report_wanted)
        return menu
