# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The one button of a row. It is painted, not a widget: there may be thousands of rows."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QCoreApplication, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyleOptionButton

from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.transfers.actions import ICONS, QUIET, Action, label
from fieldpost_desktop.ui.transfers.colours import Colours
from fieldpost_desktop.ui.transfers.painting import IconCache, fits
from fieldpost_desktop.ui.widgets import theme

_LEAST: Final = 0.5  # of its width is left for the words, or the icon alone is shown


class RowButton:
    """Quiet actions are an icon, those that a person waits for have a frame and a name."""

    def __init__(self, view: QAbstractItemView, icon_cache: IconCache, colours: Callable[[], Colours]) -> None:
        self._view = view
        self._icons = icon_cache
        self._colours = colours
        self.hovered = -1  # the row whose button has the mouse
        self.pressed = -1  # the row whose button is held down

    def rect(self, cell: QRect, action: Action, words: str) -> QRect:
        """Return its place at the end of the cell; its name gives way to the words before it."""
        size = self._size(cell, action, words)
        place = QRect(0, 0, size.width(), size.height())
        place.moveCenter(cell.center())
        place.moveRight(cell.right())
        return QStyle.visualRect(self._view.layoutDirection(), cell, place)

    def paint(self, painter: QPainter, place: QRect, action: Action, row: int) -> None:
        """Paint it as it is at the moment."""
        named = place.width() > place.height() * 1.5  # clearly no square
        if not named:
            self._paint_quiet(painter, place, action, row)
            return
        option = QStyleOptionButton()
        option.initFrom(self._view)
        option.rect = place
        option.state = self._state(row)
        painter.save()
        self._view.style().drawControl(QStyle.ControlElement.CE_PushButtonBevel, option, painter, None)
        self._paint_name(painter, place, action)
        painter.restore()

    def _paint_name(self, painter: QPainter, place: QRect, action: Action) -> None:
        """Paint icon and name without the style, which would draw the icon anew each time."""
        metrics, icon, name = self._view.fontMetrics(), self._icon_size(), label(action)
        colour = self._view.palette().color(QPalette.ColorRole.ButtonText)
        gap = theme.gap(metrics, 0.25)
        width = metrics.horizontalAdvance(name)
        left = place.left() + (place.width() - icon.width() - gap - width) // 2
        self._icons.paint(painter, QRect(left, place.top(), icon.width(), place.height()), ICONS[action], colour)
        painter.setPen(colour)
        words = QRect(left + icon.width() + gap, place.top(), width, place.height())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, name)

    def hint(self, action: Action) -> str:
        """Return its name, and its key."""
        return QCoreApplication.translate("transfers", "{action} (Ctrl+Enter)").format(action=label(action))

    def _paint_quiet(self, painter: QPainter, place: QRect, action: Action, row: int) -> None:
        colours = self._colours()
        if row in {self.hovered, self.pressed}:
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colours.pressed if row == self.pressed else colours.groove)
            painter.drawRoundedRect(place, place.height() / 5, place.height() / 5)
            painter.restore()
        inset = round(place.height() * 0.2)
        colour = colours.text if row == self.hovered else colours.tones[Tone.MUTED]
        self._icons.paint(painter, place.adjusted(inset, inset, -inset, -inset), ICONS[action], colour)

    def _state(self, row: int) -> QStyle.StateFlag:
        state = QStyle.StateFlag.State_Enabled | QStyle.StateFlag.State_Active
        if row == self.hovered:
            state |= QStyle.StateFlag.State_MouseOver
        return state | (QStyle.StateFlag.State_Sunken if row == self.pressed else QStyle.StateFlag.State_Raised)

    def _icon_size(self) -> QSize:
        side = round(self._view.fontMetrics().height() * 1.1)
        return QSize(side, side)

    def _size(self, cell: QRect, action: Action, words: str) -> QSize:
        metrics = self._view.fontMetrics()
        square = round(metrics.height() * 1.7)
        if action in QUIET:
            return QSize(square, square)
        option = QStyleOptionButton()
        option.initFrom(self._view)
        icon = self._icon_size()
        content = QSize(
            metrics.horizontalAdvance(label(action)) + icon.width() + theme.gap(metrics, 0.5), icon.height()
        )
        wanted = self._view.style().sizeFromContents(QStyle.ContentsType.CT_PushButton, option, content, None)
        room = cell.width() - wanted.width() - self.gap
        if room < wanted.width() * _LEAST or not fits(words, self._view.font(), room):
            return QSize(square, square)
        return QSize(wanted.width(), min(wanted.height(), cell.height() - 2))

    @property
    def gap(self) -> int:
        """Between words and button."""
        return theme.gap(self._view.fontMetrics(), 0.5)
