# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What stands in place of the list when there is nothing in it: why, and what to do."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from fieldpost_desktop.engine.journal.browse import FileQuery, Group
from fieldpost_desktop.ui.widgets import icons, theme
from fieldpost_desktop.ui.widgets.icons import IconName


class EmptyList(QWidget):
    """A picture, a sentence and, where it helps, a button."""

    add_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("empty")
        self._icon = IconName.DROP
        self._picture = QLabel(self)
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.sentence = QLabel(self)
        self.sentence.setObjectName("empty_sentence")
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        self.sentence.setWordWrap(True)
        self.add = QPushButton(icons.icon(IconName.ADD), self.tr("A&dd files…"), self)
        self.add.setObjectName("empty_add")
        self.add.clicked.connect(self.add_wanted)
        column = QVBoxLayout(self)
        column.setSpacing(theme.gap(self.fontMetrics(), 0.8))
        column.addStretch(2)
        column.addWidget(self._picture)
        column.addWidget(self.sentence)
        column.addWidget(self.add, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        self.explain(FileQuery())

    def explain(self, query: FileQuery) -> None:
        """Show why there is nothing."""
        drop = not query.text and query.group in {Group.ALL, Group.IN_PROGRESS}
        self._icon = IconName.DROP if drop else IconName.SEARCH if query.text else IconName.TICK
        self.sentence.setText(self._words(query))
        self.add.setVisible(drop)
        self._paint_picture()

    def _words(self, query: FileQuery) -> str:
        if query.text:
            return self.tr("No file matches “{text}”.").format(text=query.text)
        return {
            Group.IN_PROGRESS: self.tr("Nothing is on its way. Drop files on this window, or press Add files…"),
            Group.ATTENTION: self.tr("Nothing needs you."),
            Group.CONFIRMED: self.tr("Nothing is confirmed yet."),
            Group.ALL: self.tr("Nothing here yet. Drop files on this window, or press Add files…"),
        }[query.group]

    def _paint_picture(self) -> None:
        side = round(self.fontMetrics().height() * 3.5)
        self._picture.setPixmap(icons.icon(self._icon).pixmap(side, side))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange:
            self._paint_picture()
