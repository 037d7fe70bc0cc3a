# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the colours and hatches of the bar of parts stand for, with counts."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from fieldpost_desktop.engine.model.parts_map import PartsMap, PartState
from fieldpost_desktop.ui.detail.parts_bar import counts, paint_state, state_words
from fieldpost_desktop.ui.text import phrases
from fieldpost_desktop.ui.widgets import theme
from fieldpost_desktop.ui.widgets.flow import FlowLayout


class Legend(QWidget):
    """One entry for each state that some part is in."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("parts_legend")
        flow = FlowLayout(theme.gap(self.fontMetrics(), 0.4), self)
        self._entries = {state: _Entry(state) for state in PartState}
        for entry in self._entries.values():
            flow.addWidget(entry)

    def show_parts(self, parts: PartsMap | None) -> None:
        """Count these."""
        found = {} if parts is None else counts(parts)
        for state, entry in self._entries.items():
            entry.show_count(found.get(state, 0))


class _Entry(QWidget):
    def __init__(self, state: PartState) -> None:
        super().__init__()
        self.setObjectName(f"legend_{state.name.lower()}")
        self._state = state
        self._text = QLabel()
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.gap(self.fontMetrics(), 0.3))
        row.addWidget(_Swatch(state))
        row.addWidget(self._text)

    def show_count(self, count: int) -> None:
        self._text.setText(f"{state_words(self._state)} ({phrases.number(count)})")
        self.setVisible(count > 0)


class _Swatch(QWidget):
    def __init__(self, state: PartState) -> None:
        super().__init__()
        self._state = state
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        side = theme.gap(self.fontMetrics(), 0.8)
        return QSize(round(side * 1.5), side)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        paint_state(painter, self.rect(), self._state, self)
        painter.setPen(theme.outline(self.palette()))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()
