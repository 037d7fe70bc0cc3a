# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A text without spaces (a name, a path, a hash) that breaks wherever the line ends."""

from typing import Final

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

_ANYWHERE: Final = Qt.TextFlag.TextWrapAnywhere | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
_ENDLESS: Final = 1_000_000
_LEAST_LETTERS: Final = 8


class BreakAnywhereLabel(QLabel):
    """A QLabel breaks between words only, and would make its window as wide as the longest name."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setTextFormat(Qt.TextFormat.PlainText)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:  # noqa: N802 - Qt's name
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        room = QRect(0, 0, max(1, width), _ENDLESS)
        return self.fontMetrics().boundingRect(room, int(_ANYWHERE), self.text() or " ").height()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        width = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(width, self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(self.fontMetrics().averageCharWidth() * _LEAST_LETTERS, self.fontMetrics().height())

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), int(_ANYWHERE), self.text())
        painter.end()
