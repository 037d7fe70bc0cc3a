# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The main window: pages at the right, navigation at the left, header, banners and footer around them."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QByteArray, QSize, Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from fieldpost_desktop.engine.model.events import OverallStatus
from fieldpost_desktop.ui.shell import taskbar
from fieldpost_desktop.ui.shell.header import Header
from fieldpost_desktop.ui.shell.navigation import Navigation, Page
from fieldpost_desktop.ui.widgets import icons, theme
from fieldpost_desktop.ui.widgets.banners import Banners
from fieldpost_desktop.ui.widgets.drop_target import DropTarget
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_shared.clock import Clock


class MainWindow(QMainWindow):
    """Shows pages and status. Closing only emits `closed`: the controller decides what that means."""

    closed = Signal()
    quit_wanted = Signal()

    def __init__(self, pages: dict[Page, QWidget], clock: Clock) -> None:
        super().__init__()
        self.setObjectName("main_window")
        self.setWindowTitle(self.tr("Fieldpost"))
        self.setWindowIcon(icons.icon(IconName.APP))
        self.navigation = Navigation()
        self.header = Header(clock)
        self.banners = Banners()
        self.footer = QLabel()
        self.footer.setObjectName("foot")
        self.footer.setTextFormat(Qt.TextFormat.PlainText)
        self._pages = QStackedWidget()
        for page in Page:
            self._pages.addWidget(pages[page])
        self.navigation.chosen.connect(self._pages.setCurrentIndex)
        self.setCentralWidget(self._arranged())
        self.drop_target = DropTarget(self)
        self._shortcuts()
        line = self.fontMetrics().height()
        self.resize(QSize(line * 74, line * 42))

    def show_status(self, status: OverallStatus, office: str, now_ns: int) -> None:
        """Show the same status in header and taskbar."""
        self.header.show_status(status, office, now_ns)
        taskbar.show_status(self, status, office, now_ns)

    def show_page(self, page: Page) -> None:
        """Bring a page to the front, and the window with it."""
        self.navigation.show_page(page)
        self.bring_up()

    def bring_up(self) -> None:
        """Bring the window out of the tray or from behind other windows."""
        if self.isMinimized():
            self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def take_geometry(self, geometry: QByteArray) -> None:
        """Stand where it stood last time; Qt sees to it that this is on a screen."""
        if not geometry.isEmpty():
            self.restoreGeometry(geometry)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Only hide the window; sending goes on without it."""
        event.ignore()
        self.closed.emit()

    def _arranged(self) -> QWidget:
        gap = theme.gap(self.fontMetrics(), 0.6)
        right = QVBoxLayout()
        right.setContentsMargins(gap, gap, gap, gap // 2)
        right.setSpacing(gap)
        for widget, stretch in (
            (self.header, 0),
            (self.banners, 0),
            (self._pages, 1),
            (self._rule(), 0),
            (self.footer, 0),
        ):
            right.addWidget(widget, stretch)
        whole = QWidget()
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.navigation)
        row.addLayout(right, 1)
        return whole

    def _rule(self) -> QFrame:
        rule = QFrame()
        rule.setFrameShape(QFrame.Shape.HLine)
        rule.setFrameShadow(QFrame.Shadow.Sunken)
        return rule

    def _shortcuts(self) -> None:
        """Set up the window's shortcuts; the pages have their own."""
        for number, page in enumerate(Page, start=1):
            self._shortcut(QKeySequence(f"Ctrl+{number}"), partial(self.navigation.show_page, page))
        self._shortcut(QKeySequence(QKeySequence.StandardKey.Quit), self.quit_wanted.emit)
        self._shortcut(QKeySequence(QKeySequence.StandardKey.Close), self.close)

    def _shortcut(self, keys: QKeySequence, act: Callable[[], object]) -> None:
        action = QAction(self)
        action.setShortcut(keys)
        action.triggered.connect(lambda: act())  # noqa: PLW0108 - the signal brings a flag that is not wanted
        self.addAction(action)
