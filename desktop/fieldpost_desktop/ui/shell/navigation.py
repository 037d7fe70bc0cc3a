# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The list at the left: which page the window shows."""

from enum import IntEnum

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QSizePolicy, QWidget

from fieldpost_desktop.ui.widgets import icons
from fieldpost_desktop.ui.widgets.icons import IconName


class Page(IntEnum):
    """The pages, from top to bottom."""

    TRANSFERS = 0
    FOLDERS = 1
    SETTINGS = 2


class Navigation(QListWidget):
    """As wide as its longest word."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("navigation")
        self.setAccessibleName(self.tr("Pages"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        for icon, title in (
            (IconName.TRANSFERS, self.tr("Transfers")),
            (IconName.WATCHED_FOLDERS, self.tr("Watched folders")),
            (IconName.SETTINGS, self.tr("Settings")),
        ):
            self.addItem(QListWidgetItem(icons.icon(icon), title))
        self._measure()
        self.currentRowChanged.connect(self.chosen)
        self.setCurrentRow(Page.TRANSFERS)

    def show_page(self, page: Page) -> None:
        """Go there."""
        self.setCurrentRow(page)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Follow another font with another width."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.StyleChange}:
            self._measure()

    def _measure(self) -> None:
        line = self.fontMetrics().height()
        self.setIconSize(QSize(line, line) * 1.2)
        for row in range(self.count()):
            self.item(row).setSizeHint(QSize(0, round(line * 2.4)))
        self.setSpacing(line // 4)
        words = max(
            (self.fontMetrics().horizontalAdvance(self.item(row).text()) for row in range(self.count())), default=0
        )
        self.setFixedWidth(words + round(line * 4.2))
