# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The list itself: rows as wholes, everything by key as well as by mouse, and nothing moves out of sight."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QWidget

from fieldpost_desktop.engine.journal.browse import SortOrder
from fieldpost_desktop.engine.model.events import FileChanged
from fieldpost_desktop.ui.transfers.actions import ICONS, Action, menu_actions, title
from fieldpost_desktop.ui.transfers.animation import ListAnimation
from fieldpost_desktop.ui.transfers.delegate import RowDelegate
from fieldpost_desktop.ui.transfers.header_style import HeaderStyle
from fieldpost_desktop.ui.transfers.model import TransfersModel
from fieldpost_desktop.ui.transfers.row_texts import Column
from fieldpost_desktop.ui.widgets import icons, theme

Index = QModelIndex | QPersistentModelIndex
_ORDERS: Final = {
    Column.FILE: SortOrder.NAME,
    Column.SIZE: SortOrder.SIZE,
    Column.PROGRESS: SortOrder.STATE,
    Column.STATUS: SortOrder.STATE,
    Column.ADDED: SortOrder.ADDED,
}
_KEYS: Final = {  # as the menu shows them
    Action.PAUSE: "Space",
    Action.RESUME: "Space",
    Action.TRY_NOW: "F5",
    Action.CANCEL: "Del",
    Action.COPY_PATH: "Ctrl+C",
}
_NARROW, _NARROWER = 145, 130  # average letters; below, a column of lesser weight makes room
_NAMES: Final = 0.4  # of what names and sentences share
Key = Qt.Key


def announce(widget: QWidget, words: str) -> None:
    """Have a screen reader say something."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, words))


def _key_name(keys: str) -> str:
    """Return it as the keyboard has it: Del is Entf on a German one."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


class TransfersView(QTableView):
    """Shows a `TransfersModel`."""

    acted = Signal(object, list)  # an Action, and the numbers of the files it is meant for
    details_wanted = Signal()
    chosen = Signal(object)  # the FileChanged of the current row, or None
    order_wanted = Signal(object, bool)  # an Order, and whether it descends

    def __init__(
        self,
        model: TransfersModel,
        parent: QWidget | None = None,
        *,
        announce: Callable[[QWidget, str], None] = announce,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("transfers")
        self.setAccessibleName(self.tr("Files"))
        self._model = model
        self._announce = announce
        self.setModel(model)
        self._delegate = RowDelegate(self, model.texts)
        self.setItemDelegate(self._delegate)
        self._current: int | None = None  # the number of its file, kept over a reset
        self.animation = ListAnimation(self, model, self._delegate)
        self._arrange()
        self._arrange_header()
        model.moved_on.connect(self._say_what_moved_on)
        model.dataChanged.connect(self._show_change)
        model.modelReset.connect(self._find_current)

    # looks

    def _arrange(self) -> None:
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setCornerButtonEnabled(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._fit_font()

    def _arrange_header(self) -> None:
        header = self.horizontalHeader()
        self._header_style = HeaderStyle()  # Qt does not keep it
        header.setStyle(self._header_style)
        header.setHighlightSections(False)
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicator(Column.ADDED, Qt.SortOrder.DescendingOrder)
        header.setSectionResizeMode(Column.STATUS, QHeaderView.ResizeMode.Stretch)
        header.sortIndicatorChanged.connect(self._sort)

    def _fit_font(self) -> None:
        metrics = self.fontMetrics()
        self.verticalHeader().setDefaultSectionSize(self._delegate.row_height())
        self.horizontalHeader().setMinimumSectionSize(metrics.averageCharWidth() * 8)
        for column, letters in ((Column.SIZE, 11), (Column.PROGRESS, 22), (Column.ADDED, 17), (Column.FROM, 18)):
            self.setColumnWidth(column, metrics.averageCharWidth() * letters + theme.gap(metrics, 1.0))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange and self.model() is not None:
            self._fit_font()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Hide lesser columns to make room for the sentences."""
        width = self.viewport().width()
        letters = width // max(1, self.fontMetrics().averageCharWidth())
        self.setColumnHidden(Column.FROM, letters < _NARROW)
        self.setColumnHidden(Column.ADDED, letters < _NARROWER)
        fixed = sum(self.columnWidth(column) for column in Column if column not in {Column.FILE, Column.STATUS})
        self.setColumnWidth(Column.FILE, round((width - fixed) * _NAMES))
        super().resizeEvent(event)

    def _sort(self, section: int, way: Qt.SortOrder) -> None:
        """Ask for another order; a column that the journal cannot sort by gives the sign back."""
        header, query = self.horizontalHeader(), self._model.query
        if section in _ORDERS:
            self.order_wanted.emit(_ORDERS[Column(section)], way is Qt.SortOrder.DescendingOrder)
            return
        column = next(column for column, order in _ORDERS.items() if order is query.order)
        header.blockSignals(True)  # noqa: FBT003 - Qt's own
        header.setSortIndicator(column, Qt.SortOrder(query.descending))
        header.blockSignals(False)  # noqa: FBT003 - Qt's own

    # who is chosen

    def selected(self) -> list[FileChanged]:
        """Return the selected files, from the top; else the current one, which Tab reaches unselected."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        if not rows and self.currentIndex().isValid():
            rows = [self.currentIndex().row()]
        return [self._model.change(row) for row in rows]

    def current(self) -> FileChanged | None:
        """Return the file of the current row."""
        index = self.currentIndex()
        return self._model.change(index.row()) if index.isValid() else None

    def choose(self, file: int) -> None:
        """Make a file's row the current one, if it is in the list."""
        place = self._model.place_of(file)
        if place is not None:
            self.setCurrentIndex(self._model.index(place, Column.FILE))

    def currentChanged(self, current: Index, previous: Index) -> None:  # noqa: N802 - Qt's name
        super().currentChanged(current, previous)
        change = self._model.change(current.row()) if current.isValid() else None
        if change is not None:
            self._current = change.row.id
        self.viewport().update()  # the frame of the current row runs through all its cells
        self.chosen.emit(change)

    def _find_current(self) -> None:
        if self._current is not None:
            self.choose(self._current)
        if not self.currentIndex().isValid():
            self.chosen.emit(None)

    def _show_change(self, top: QModelIndex, bottom: QModelIndex) -> None:
        current = self.current()
        if current is not None and top.row() <= self.currentIndex().row() <= bottom.row():
            self.chosen.emit(current)

    def _say_what_moved_on(self, changes: list[FileChanged]) -> None:
        """Announce a change of the current row; changes of other rows would only be noise."""
        current = self.current()
        if current is not None and any(change.row.id == current.row.id for change in changes):
            self._announce(self, self._model.texts.screen_reader_text(current))

    # keys

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        match event.key():
            case Key.Key_Space:
                self._pause_or_resume()
            case Key.Key_F5:
                self._act(Action.TRY_NOW)
            case Key.Key_Delete:
                self._act(Action.CANCEL)
            case Key.Key_C if control:
                self._act(Action.COPY_PATH)
            case Key.Key_Return | Key.Key_Enter if control:
                self._main_action()
            case Key.Key_Return | Key.Key_Enter:
                if self.current() is not None:
                    self.details_wanted.emit()
            case _:
                super().keyPressEvent(event)

    def moveCursor(  # noqa: N802 - Qt's name
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Keep the cursor in the first cell, which a screen reader reads for the whole row."""
        return super().moveCursor(action, modifiers).siblingAtColumn(Column.FILE)

    def _pause_or_resume(self) -> None:
        if self._fitting(Action.PAUSE):
            self._act(Action.PAUSE)
        else:
            self._act(Action.RESUME)

    def _main_action(self) -> None:
        current = self.current()
        if current is not None:
            self.acted.emit(self._model.texts.action(current), [current.row.id])

    def _fitting(self, action: Action) -> list[int]:
        return [change.row.id for change in self.selected() if action in self._model.texts.actions(change)]

    def _act(self, action: Action) -> None:
        """Act on those of the selected files that it fits."""
        files = self._fitting(action)
        if files:
            self.acted.emit(action, files)

    # mouse

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        if not self.selected():
            return
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        place = self.visualRect(self.currentIndex()).center() if by_key else event.pos()
        menu.popup(self.viewport().mapToGlobal(place))

    def menu(self) -> QMenu:
        """Return a menu of all that can be done with the selected files."""
        menu = QMenu(self)
        menu.setObjectName("file_menu")
        details = menu.addAction(self.tr("&Details\tEnter"))
        details.triggered.connect(self.details_wanted)
        menu.addSeparator()
        for action in menu_actions([self._model.texts.actions(change) for change in self.selected()]):
            if action in {Action.SHOW_IN_FOLDER, Action.CANCEL}:
                menu.addSeparator()
            key = f"\t{_key_name(_KEYS[action])}" if action in _KEYS else ""
            entry = menu.addAction(icons.icon(ICONS[action]), title(action) + key)
            entry.setObjectName(str(action))
            entry.triggered.connect(lambda _=False, action=action: self._act(action))
        return menu

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._mouse_at(event.position().toPoint())
        if self._delegate.button.pressed < 0:
            super().mouseMoveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        row = self._button_row(event.position().toPoint())
        if row >= 0 and event.button() is Qt.MouseButton.LeftButton:
            self._delegate.button.pressed = row
            self.selectionModel().setCurrentIndex(
                self._model.index(row, Column.FILE), QItemSelectionModel.SelectionFlag.NoUpdate
            )
            self._repaint_row(row)
        else:
            super().mousePressEvent(event)
            self._back_to_first_cell()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        pressed, self._delegate.button.pressed = self._delegate.button.pressed, -1
        if pressed < 0:
            super().mouseReleaseEvent(event)
            return
        self._repaint_row(pressed)
        if self._button_row(event.position().toPoint()) == pressed:
            self._main_action()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if self._button_row(event.position().toPoint()) >= 0:
            self.mousePressEvent(event)
        elif self.indexAt(event.position().toPoint()).isValid():
            self.details_wanted.emit()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().leaveEvent(event)
        self._mouse_at(QPoint(-1, -1))

    def _back_to_first_cell(self) -> None:
        index = self.currentIndex()
        if index.column() > Column.FILE:
            self.selectionModel().setCurrentIndex(
                index.siblingAtColumn(Column.FILE), QItemSelectionModel.SelectionFlag.NoUpdate
            )

    def _button_row(self, at: QPoint) -> int:
        """Return the row whose button is there, or -1."""
        index = self.indexAt(at)
        if not index.isValid() or index.column() != Column.STATUS:
            return -1
        place = self._delegate.button_rect(self.visualRect(index), self._model.change(index.row()))
        return index.row() if place.contains(at) else -1

    def _mouse_at(self, at: QPoint) -> None:
        row, button = self.indexAt(at).row(), self._button_row(at)
        before = {self._delegate.row_under_mouse, self._delegate.button.hovered}
        if (self._delegate.row_under_mouse, self._delegate.button.hovered) == (row, button):
            return
        self._delegate.row_under_mouse, self._delegate.button.hovered = row, button
        for changed in before | {row}:
            self._repaint_row(changed)

    def _repaint_row(self, row: int) -> None:
        if row >= 0:
            self.viewport().update(
                QRect(0, self.rowViewportPosition(row), self.viewport().width(), self.rowHeight(row))
            )
