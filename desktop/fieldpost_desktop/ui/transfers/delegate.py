# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Paints the cells of a file's row: name and place, bar and sign, sentence and button. No widget, no timer per row."""

from html import escape
from typing import Final

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QHelpEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
)

from fieldpost_desktop.engine.model.events import FileChanged
from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.transfers import painting
from fieldpost_desktop.ui.transfers.colours import Colours, colours_of
from fieldpost_desktop.ui.transfers.model import CHANGE
from fieldpost_desktop.ui.transfers.painting import IconCache
from fieldpost_desktop.ui.transfers.row_button import RowButton
from fieldpost_desktop.ui.transfers.row_style import file_icon, row_style
from fieldpost_desktop.ui.transfers.row_texts import Column, RowTexts, folder_of, name_of, progress_text, share
from fieldpost_desktop.ui.widgets import theme

Index = QModelIndex | QPersistentModelIndex
_LESSER: Final = frozenset({Column.SIZE, Column.ADDED, Column.FROM})
_TOLD_BY_COLOUR: Final = frozenset({Tone.ATTENTION, Tone.CONFIRMED})  # and by a sign, and by the words
_SMALL: Final = 0.9  # of the font
_LEFT, _RIGHT = Qt.AlignmentFlag.AlignLeading, Qt.AlignmentFlag.AlignTrailing
_CUT_END, _CUT_MIDDLE = Qt.TextElideMode.ElideRight, Qt.TextElideMode.ElideMiddle


class RowDelegate(QStyledItemDelegate):
    """One for the whole list; the view tells it where the mouse is and moves the stripes by `phase`."""

    def __init__(self, view: QAbstractItemView, texts: RowTexts) -> None:
        super().__init__(view)
        self._view = view
        self._texts = texts
        self._icons = IconCache()
        self._palette = 0
        self._known_colours = colours_of(view.palette())
        self.button = RowButton(view, self._icons, self._colours)
        self.row_under_mouse = -1
        self.phase = 0

    # sizes

    def row_height(self) -> int:
        """Return the height of two lines of text and some air."""
        metrics = self._view.fontMetrics()
        return 2 * metrics.lineSpacing() + theme.gap(metrics, 0.8)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802 - Qt's name
        return QSize(super().sizeHint(option, index).width(), self.row_height())

    def button_rect(self, cell: QRect, change: FileChanged) -> QRect:
        """Return where in the Status cell the row's button is."""
        return self.button.rect(self._inside(cell), self._texts.action(change), self._texts.sentence(change))

    # painting

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        change: FileChanged = index.data(CHANGE)
        cell, column = QRect(option.rect), Column(index.column())
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setFont(self._view.font())
        self._paint_ground(painter, cell, index, selected=selected)
        painter.setPen(self._text_colour(change, column, selected=selected))
        inside = self._inside(cell)
        match column:
            case Column.FILE:
                self._paint_file(painter, inside, change, selected=selected)
            case Column.SIZE:
                painting.line(painter, inside, self._texts.text(change, column), _RIGHT, _CUT_END)
            case Column.PROGRESS:
                self._paint_progress(painter, inside, change)
            case Column.STATUS:
                self._paint_status(painter, inside, change, index.row())
            case Column.ADDED | Column.FROM:
                painting.line(painter, inside, self._texts.text(change, column), _LEFT, _CUT_END)
        painter.restore()

    def _inside(self, cell: QRect) -> QRect:
        side = theme.gap(self._view.fontMetrics(), 0.5)
        return cell.adjusted(side, 0, -side, 0)

    def _colours(self) -> Colours:
        palette = self._view.palette()
        if palette.cacheKey() != self._palette:
            self._palette, self._known_colours = palette.cacheKey(), colours_of(palette)
        return self._known_colours

    def _text_colour(self, change: FileChanged, column: Column, *, selected: bool) -> QColor:
        """Return the text's colour; on the selection everything is written in full strength."""
        colours = self._colours()
        if column in _LESSER and not selected:
            return colours.tones[Tone.MUTED]
        if column is Column.STATUS and not selected and (tone := row_style(change).tone) in _TOLD_BY_COLOUR:
            return colours.tones[tone]
        return colours.text

    def _paint_ground(self, painter: QPainter, cell: QRect, index: Index, *, selected: bool) -> None:
        colours, row = self._colours(), index.row()
        if selected:
            painter.fillRect(cell, colours.selected)
        elif row == self.row_under_mouse:
            painter.fillRect(cell, colours.hovered)
        painter.fillRect(cell.left(), cell.bottom(), cell.width(), 1, colours.line)
        if row == self._view.currentIndex().row() and self._view.hasFocus():
            painter.fillRect(cell.left(), cell.top(), cell.width(), 1, colours.accent)
            painter.fillRect(cell.left(), cell.bottom(), cell.width(), 1, colours.accent)
        if selected and index.column() == Column.FILE:
            thick = theme.gap(self._view.fontMetrics(), 0.18)
            painter.fillRect(cell.left(), cell.top(), thick, cell.height(), colours.accent)

    def _paint_file(self, painter: QPainter, rect: QRect, change: FileChanged, *, selected: bool) -> None:
        metrics = self._view.fontMetrics()
        muted = self._colours().tones[Tone.MUTED]
        side = round(metrics.height() * 1.5)
        self._icons.paint(
            painter, QRect(rect.left(), rect.top(), side, rect.height()), file_icon(name_of(change)), muted
        )
        left = rect.left() + side + theme.gap(metrics, 0.5)
        top = rect.top() + (rect.height() - 2 * metrics.lineSpacing()) // 2
        place = QRect(left, top, rect.right() - left, metrics.lineSpacing())
        painting.line(painter, place, name_of(change), _LEFT, _CUT_MIDDLE)
        painter.setFont(_smaller(painter.font()))
        if not selected:
            painter.setPen(muted)
        painting.line(painter, place.translated(0, metrics.lineSpacing()), folder_of(change), _LEFT, _CUT_MIDDLE)

    def _paint_progress(self, painter: QPainter, rect: QRect, change: FileChanged) -> None:
        """Paint the bar, and beside it per cent or a sign."""
        style, metrics = row_style(change), self._view.fontMetrics()
        slot = metrics.horizontalAdvance("100 %")
        tone = self._colours().tones[style.tone]
        beside = QRect(rect.right() - slot, rect.top(), slot, rect.height())
        if style.sign is None:
            painting.line(painter, beside, progress_text(change), _RIGHT, _CUT_END)
        else:
            side = round(metrics.height() * 1.1)
            self._icons.paint(
                painter, QRect(beside.left() + slot - side, rect.top(), side, rect.height()), style.sign, tone
            )
        if style.stage is not None:
            thick = max(4.0, metrics.height() * 0.4)
            width = beside.left() - theme.gap(metrics, 0.4) - rect.left()
            place = QRectF(rect.left(), rect.center().y() - thick / 2, width, thick)
            groove = self._colours().groove
            painting.bar(painter, place, style.stage, share(change), filling=tone, groove=groove, phase=self.phase)

    def _paint_status(self, painter: QPainter, rect: QRect, change: FileChanged, row: int) -> None:
        words, action = self._texts.sentence(change), self._texts.action(change)
        button = self.button.rect(rect, action, words)
        room = QRect(rect.left(), rect.top(), button.left() - self.button.gap - rect.left(), rect.height())
        painting.sentence(painter, room, words)
        self.button.paint(painter, button, action, row)

    # words under the mouse

    def helpEvent(  # noqa: N802 - Qt's name
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        if event.type() is not QEvent.Type.ToolTip or not index.isValid():
            return super().helpEvent(event, view, option, index)
        words = self.hint(event.pos(), QRect(option.rect), index)
        QToolTip.showText(event.globalPos(), f"<p>{escape(words)}</p>", view)  # as a paragraph: long ones are wrapped
        return True

    def hint(self, at: QPoint, cell: QRect, index: Index) -> str:
        """Return the tooltip at that place: the button's name, or all of what the cell may have had to cut."""
        change: FileChanged = index.data(CHANGE)
        if index.column() == Column.STATUS and self.button_rect(cell, change).contains(at):
            return self.button.hint(self._texts.action(change))
        return str(index.data(Qt.ItemDataRole.ToolTipRole))


def _smaller(font: QFont) -> QFont:
    small = QFont(font)
    small.setPointSizeF(font.pointSizeF() * _SMALL)
    return small
