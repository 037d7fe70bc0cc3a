# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Widgets side by side, in as many lines as their width needs."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Buttons of any language fit a narrow pane."""

    def __init__(self, gap: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setSpacing(gap)
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:  # noqa: N802 - Qt's name
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # noqa: N802 - Qt's name
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # noqa: N802 - Qt's name
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:  # noqa: N802 - Qt's name
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:  # noqa: N802 - Qt's name
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:  # noqa: N802 - Qt's name
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return self.minimumSize()

    def minimumSize(self) -> QSize:  # noqa: N802 - Qt's name
        least = QSize()
        for item in self._shown():
            least = least.expandedTo(item.minimumSize())
        return least

    def bring_forward(self, widgets: Sequence[QWidget]) -> None:
        """Put these first, in this order; the others stay as they are."""
        places: dict[QWidget | None, int] = {widget: place for place, widget in enumerate(widgets)}
        self._items.sort(key=lambda item: places.get(item.widget(), len(places)))
        self.invalidate()

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        """Arrange the widgets line by line; return the height that they take."""
        at = QPoint(rect.topLeft())
        line = 0
        for item in self._shown():
            size = item.sizeHint().boundedTo(QSize(rect.width(), item.sizeHint().height()))
            if at.x() > rect.x() and at.x() + size.width() > rect.right() + 1:
                at = QPoint(rect.x(), at.y() + line + self.spacing())
                line = 0
            if move:
                item.setGeometry(QRect(at, size))
            at.setX(at.x() + size.width() + self.spacing())
            line = max(line, size.height())
        return at.y() + line - rect.y()
