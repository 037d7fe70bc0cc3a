# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The page of transfers: filters, the list or why it is empty, and the details of the file that is chosen."""

from dataclasses import replace
from pathlib import Path, PurePath
from typing import Final, Protocol, cast

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.journal.browse import FileQuery, Group, SortOrder
from fieldpost_desktop.engine.model.events import FileChanged, OverallState, OverallStatus
from fieldpost_desktop.engine.watching.folder_kind import FolderView
from fieldpost_desktop.ui.text import phrases
from fieldpost_desktop.ui.threads.bridge import Bridge
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_desktop.ui.transfers.action_runner import ActionRunner, copy_to_clipboard
from fieldpost_desktop.ui.transfers.empty_list import EmptyList
from fieldpost_desktop.ui.transfers.filters import FilterBar
from fieldpost_desktop.ui.transfers.model import TransfersModel
from fieldpost_desktop.ui.transfers.paging import Pages
from fieldpost_desktop.ui.transfers.row_texts import RowTexts
from fieldpost_desktop.ui.transfers.view import TransfersView

_LIST, _EMPTY = 0, 1
_SHARES: Final = (1, 1)  # of the height: list and details


class Details(Protocol):
    """The pane below the list."""

    action_chosen: SignalInstance  # an Action, and the numbers of the files it is meant for

    def show_file(self, change: FileChanged | None) -> None:
        """Show this file, or none."""


class TransfersPage(QWidget):
    """`detail` is a widget that keeps to `Details`; without one there are none."""

    locate_wanted = Signal(int)
    rename_wanted = Signal(int)
    reveal_wanted = Signal(str)  # a file's path: show it in its folder
    password_wanted = Signal()
    report_wanted = Signal()
    add_wanted = Signal()

    def __init__(self, instance: AppInstance, worker: Worker, bridge: Bridge, detail: QWidget | None = None) -> None:
        super().__init__()
        self.setObjectName("transfers_page")
        self._instance = instance
        self._worker = worker
        self._detail = detail
        self._shown: FileChanged | None = None  # in the details
        self._shared = False  # the details have got their share of the height
        self._asked_for: set[int] = set()  # folders whose names were not known
        self.filters = FilterBar(self)
        self.model = TransfersModel(
            Pages(instance.page, worker, self), RowTexts(instance), clock=instance.clock, parent=self
        )
        self.view = TransfersView(self.model)
        self.empty = EmptyList()
        self._runner = ActionRunner(instance, worker, find=self.change_of, parent=self)
        self._lay_out()
        self._connect_filters()
        self._connect_list()
        self._connect_wishes()
        self._connect_engine(bridge)
        self.reload()

    def reload(self) -> None:
        """Read the list again: the engine was opened, or another one."""
        self._asked_for.clear()
        self._learn_folders()
        self.model.reload()

    def show_group(self, group: Group) -> None:
        """Show these files, whatever was searched for."""
        self.filters.show_group(group)
        self.filters.clear_search()
        self.model.look_for(replace(self.model.query, group=group, text=""))

    def change_of(self, file: int) -> FileChanged | None:
        """Return a file of the list, or the one in the details."""
        known = self.model.find(file)
        if known is None and self._shown is not None and self._shown.row.id == file:
            return self._shown
        return known

    # putting together

    def _lay_out(self) -> None:
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.view)
        self._stack.addWidget(self.empty)
        self._splitter = QSplitter(Qt.Orientation.Vertical, self)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.addWidget(self._stack)
        if self._detail is not None:
            self._splitter.addWidget(self._detail)
            self._detail.hide()
            for number, share in enumerate(_SHARES):
                self._splitter.setStretchFactor(number, share)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.filters)
        column.addWidget(self._splitter, 1)

    def _connect_filters(self) -> None:
        bar = self.filters
        bar.group_chosen.connect(lambda group: self._look(replace(self.model.query, group=group)))
        bar.text_typed.connect(lambda text: self._look(replace(self.model.query, text=text)))
        bar.retry_wanted.connect(lambda: self._worker.follow(self._instance.do(lambda commands: commands.retry())))
        bar.copy_wanted.connect(lambda: self._worker.run(self._failed_paths, self._copied))
        bar.export_wanted.connect(self._ask_where_to_export)
        search = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        search.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        search.activated.connect(self._begin_search)

    def _connect_list(self) -> None:
        self.view.acted.connect(self._runner.run)
        self.view.details_wanted.connect(self._open_details)
        self.view.chosen.connect(self._show_in_detail)
        self.view.order_wanted.connect(self._sort)
        self.empty.add_wanted.connect(self.add_wanted)
        for changed in (self.model.arrived, self.model.rowsInserted, self.model.rowsRemoved):
            changed.connect(self._list_or_empty)
        if self._detail is not None:
            cast("Details", self._detail).action_chosen.connect(self._runner.run)
            close = QShortcut(QKeySequence(Qt.Key.Key_Escape), self._splitter)
            close.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            close.activated.connect(self._close_details)

    def _connect_wishes(self) -> None:
        wishes = self._runner
        wishes.locate_wanted.connect(self.locate_wanted)
        wishes.rename_wanted.connect(self.rename_wanted)
        wishes.reveal_wanted.connect(self.reveal_wanted)
        wishes.password_wanted.connect(self.password_wanted)
        wishes.report_wanted.connect(self.report_wanted)

    def _connect_engine(self, bridge: Bridge) -> None:
        bridge.files_changed.connect(self.model.take)
        bridge.files_changed.connect(self._learn_new_folders)
        bridge.files_dropped.connect(self.model.drop)
        bridge.overall_changed.connect(self._take_status)
        self._take_status(bridge.overall)

    # what the engine tells

    def _learn_new_folders(self, changes: list[FileChanged]) -> None:
        """Ask for the names of watched folders that a row names for the first time."""
        folders = {change.row.folder for change in changes if change.row.folder is not None}
        if folders - self.model.texts.folders.keys() - self._asked_for:
            self._asked_for |= folders
            self._learn_folders()

    def _take_status(self, status: OverallStatus) -> None:
        self.empty.add.setEnabled(status.state is not OverallState.NOT_SET_UP)
        self.filters.show_status(status)
        self.model.take_status(status)

    def _learn_folders(self) -> None:
        """Read the folders' names; without an engine there are none, and none are missed."""
        self._worker.run(self._instance.folders, self._name_folders, lambda _: None)

    def _name_folders(self, views: list[FolderView]) -> None:
        self.model.texts.folders = {view.folder.id: PurePath(view.folder.path).name for view in views}
        self.model.refresh_texts()

    # what is shown

    def _look(self, query: FileQuery) -> None:
        if query != self.model.query:
            self.model.look_for(query)

    def _sort(self, order: SortOrder, descending: bool) -> None:  # noqa: FBT001 - a signal's arguments
        self._look(replace(self.model.query, order=order, descending=descending))

    def _list_or_empty(self) -> None:
        if self.model.rowCount():
            self._stack.setCurrentIndex(_LIST)
        else:
            self.empty.explain(self.model.query)
            self._stack.setCurrentIndex(_EMPTY)

    def _begin_search(self) -> None:
        self.filters.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filters.search.selectAll()

    def _open_details(self) -> None:
        if self._detail is not None:
            self._share_height()
            self._detail.show()
            self._show_in_detail(self.view.current())
            self._detail.setFocus(Qt.FocusReason.OtherFocusReason)

    def _share_height(self) -> None:
        """Share the height the first time; then the border stays where a person puts it."""
        if not self._shared:
            self._shared = True
            height = self._splitter.height()
            self._splitter.setSizes([height * share // sum(_SHARES) for share in _SHARES])

    def _close_details(self) -> None:
        if self._detail is not None:
            self._detail.hide()
            self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_in_detail(self, change: FileChanged | None) -> None:
        self._shown = change
        if self._detail is not None and not self._detail.isHidden():
            cast("Details", self._detail).show_file(change)

    # all of them

    def _failed_paths(self) -> list[str]:
        """Read all failed paths, on a worker's thread: there may be many."""
        query, paths = FileQuery(Group.ATTENTION), list[str]()
        while page := self._instance.page(replace(query, start=len(paths))):
            paths += [row.source for row in page]
        return paths

    def _copied(self, paths: list[str]) -> None:
        copy_to_clipboard(paths)
        self.filters.say(self.tr("%Ln path(s) copied.", "", len(paths)))

    def _ask_where_to_export(self) -> None:
        dialog = QFileDialog(self, self.tr("Export this list"))
        dialog.setObjectName("export_dialog")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(self.tr("Tables (*.csv)"))
        dialog.setDefaultSuffix("csv")
        dialog.selectFile("fieldpost.csv")
        dialog.fileSelected.connect(self._export)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _export(self, path: str) -> None:
        query = self.model.query
        self._worker.run(lambda: self._instance.export(Path(path), query), self._exported)

    def _exported(self, rows: int) -> None:
        self.filters.say(self.tr("{files} written.").format(files=phrases.files(rows)))
