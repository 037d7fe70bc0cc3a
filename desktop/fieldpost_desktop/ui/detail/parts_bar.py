# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The bar of parts: how far each part of a file is, by colour and hatch.

However many parts there are, the bar has as many pixels as it has; a pixel shows the worst part that lies in it, so
that nothing missing is overlooked.
"""

from itertools import groupby
from typing import Final

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QBrush, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from fieldpost_desktop.engine.model.parts_map import PartsMap, PartState
from fieldpost_desktop.ui.text import phrases
from fieldpost_desktop.ui.widgets import theme

_BORDER: Final = 1
_WIDE_ENOUGH: Final = 5  # pixels of a part from which on it is set apart from its neighbours
_LINES_HIGH: Final = 1.1
_TINT: Final = 0.25  # what lies under a hatch
_TOO_NARROW: Final = 5  # pixels in which no hatch can be seen


def counts(parts: PartsMap) -> dict[PartState, int]:
    """Return how many parts are in each state, the best first, without empty states."""
    found = {state: sum(last - first + 1 for first, last in parts.ranges.get(state, ())) for state in PartState}
    return {state: count for state, count in found.items() if count}


def columns(parts: PartsMap, width: int) -> list[PartState]:
    """Return the worst state in each of so many pixels."""
    worst = [PartState.CONFIRMED] * width
    for state in PartState:  # the worst comes last and stays
        for first, last in parts.ranges.get(state, ()):
            start = first * width // parts.count
            end = -(-(last + 1) * width // parts.count)
            worst[start:end] = [state] * (end - start)
    return worst


def parts_at(count: int, width: int, x: int) -> tuple[int, int]:
    """Return the first and the last part that lie in a pixel."""
    first = x * count // width
    return first, max(first, -(-(x + 1) * count // width) - 1)


class PartsBar(QWidget):
    """Shows a map of parts; none: an empty bar."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("parts_bar")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._parts: PartsMap | None = None
        self.show_parts(None)

    @property
    def parts(self) -> PartsMap | None:
        """What is shown."""
        return self._parts

    def show_parts(self, parts: PartsMap | None) -> None:
        """Show these from now on."""
        self._parts = parts
        self.setAccessibleName(self._summary())
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        line = self.fontMetrics().height()
        return QSize(line * 12, theme.gap(self.fontMetrics(), _LINES_HIGH))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(self.fontMetrics().height() * 4, self.sizeHint().height())

    def describe(self, x: int) -> str:
        """Return what lies at a pixel of the widget: Part 15: on its way."""
        room = self._room()
        if self._parts is None or not room.left() <= x <= room.right():
            return ""
        at = x - room.left()
        state = columns(self._parts, room.width())[at]
        first, last = parts_at(self._parts.count, room.width(), at)
        text = self.tr("Part {first}: {state}") if first == last else self.tr("Parts {first} to {last}: {state}")
        return text.format(first=phrases.number(first + 1), last=phrases.number(last + 1), state=state_words(state))

    def event(self, event: QEvent) -> bool:
        """Show a tooltip for the place under the mouse."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.describe(event.pos().x()), self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.setPen(theme.outline(self.palette()))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        if self._parts is not None:
            self._paint_parts(painter, self._parts)
        painter.end()

    def _paint_parts(self, painter: QPainter, parts: PartsMap) -> None:
        room = self._room()
        x = room.left()
        for state, run in groupby(columns(parts, room.width())):
            width = len([*run])
            paint_state(painter, QRect(x, room.top(), width, room.height()), state, self)
            x += width
        if room.width() >= parts.count * _WIDE_ENOUGH:
            painter.setPen(self.palette().color(self.backgroundRole()))
            for part in range(1, parts.count):
                at = room.left() + part * room.width() // parts.count
                painter.drawLine(at, room.top(), at, room.bottom())

    def _room(self) -> QRect:
        return self.rect().adjusted(_BORDER, _BORDER, -_BORDER, -_BORDER)

    def _summary(self) -> str:
        if self._parts is None:
            return self.tr("Parts of the file: not known")
        each = ", ".join(
            f"{phrases.number(count)} {state_words(state)}" for state, count in counts(self._parts).items()
        )
        return self.tr("Parts of the file: {counts}").format(counts=each)


def paint_state(painter: QPainter, rect: QRect, state: PartState, widget: QWidget) -> None:
    """Fill a rectangle with what stands for a state."""
    palette = widget.palette()
    colour, hatch = theme.part(state, palette), theme.hatch(state)
    base = palette.color(palette.ColorRole.Base)
    plain = state is PartState.NOT_SENT or hatch is Qt.BrushStyle.SolidPattern
    if plain or rect.width() < _TOO_NARROW:
        painter.fillRect(rect, colour)
        return
    painter.fillRect(rect, theme.mixed(colour, base, _TINT))
    painter.fillRect(rect, QBrush(colour, hatch))


def state_words(state: PartState) -> str:
    """Return a state's name within a sentence."""
    translate = phrases.translate
    return {
        PartState.CONFIRMED: translate("parts_bar", "confirmed"),
        PartState.ACKNOWLEDGED: translate("parts_bar", "at the server"),
        PartState.IN_FLIGHT: translate("parts_bar", "on its way"),
        PartState.ASKED_AGAIN: translate("parts_bar", "asked for again"),
        PartState.NOT_SENT: translate("parts_bar", "not sent yet"),
    }[state]
