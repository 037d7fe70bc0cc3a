# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The page of watched folders. What it shows is asked for anew every two seconds, but only while it is seen."""

import os.path
from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QHideEvent, QShowEvent, Qt
from PySide6.QtWidgets import QHBoxLayout, QMessageBox, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.journal.folders import Folder
from fieldpost_desktop.engine.watching.folder_kind import FolderView
from fieldpost_desktop.ui.folders.add_folder import AddFolder
from fieldpost_desktop.ui.folders.folder_list import FolderList, NoFolders
from fieldpost_desktop.ui.folders.rules_dialog import RulesDialog
from fieldpost_desktop.ui.text import wording
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.widgets import icons
from fieldpost_desktop.ui.widgets.banners import BannerContent, Banners
from fieldpost_desktop.ui.widgets.drop_target import DropOverlay, local_paths
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_desktop.ui.widgets.object_names import named
from fieldpost_shared.errors import FieldpostError

REFRESH_MS: Final = 2000


class FoldersPage(QWidget):
    """Shows the folders, and has the app instance change them."""

    send_wanted = Signal(list)  # paths that were dropped here and are no folders

    def __init__(self, instance: AppInstance, worker: Worker, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("folders_page")
        self.setAcceptDrops(True)
        self._instance = instance
        self._worker = worker
        self._question: object | None = None  # the one whose answer is waited for
        self._banners = Banners(self)
        self._list = FolderList(self)
        self._none = NoFolders(self)
        self._overlay = _WatchOverlay(self)
        self._adding = AddFolder(instance, worker, self)
        self._timer = QTimer(self, interval=REFRESH_MS)
        self._lay_out()
        self._connect()

    def refresh(self) -> None:
        """Ask how the folders are; one question at a time, so that a slow disk gathers none."""
        if self._question is None:
            self._ask()

    def choose_folder(self) -> None:
        """Let a person choose a folder to watch."""
        self._adding.choose()

    def offer(self, paths: Sequence[str]) -> None:
        """Offer to watch dropped folders, and send dropped files."""
        self._worker.run(lambda: _folders_and_others(paths), self._sort_out)

    # how the folders are

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self._timer.start()
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        super().hideEvent(event)
        self._timer.stop()

    def _ask(self) -> None:
        question = self._question = object()
        self._worker.run(
            self._instance.folders,
            lambda views: self._show(question, views),
            lambda error: self._not_known(question, error),
        )

    def _show(self, question: object, views: list[FolderView]) -> None:
        if question is self._question:
            self._question = None
            self._banners.show_banner("reading", None)
            self._list.show_views(views)
            self._stack.setCurrentWidget(self._list if views else self._none)
            self._add.setVisible(bool(views))

    def _not_known(self, question: object, error: FieldpostError) -> None:
        if question is self._question:
            self._question = None
            words = wording.error_sentence(error, self._instance.office)
            self._banners.show_banner(
                "reading", BannerContent(words, tone=Tone.WAITING)
            )  # goes by itself, with the next answer

    # what a person wants

    def _change(self, work: Callable[[], None]) -> None:
        self._banners.show_banner("change", None)
        self._worker.run(work, lambda _nothing: self._changed(), self._not_changed)

    def _changed(self) -> None:
        """Ask again: an answer that is still under way may be older than the change, and is not shown."""
        self._ask()

    def _not_changed(self, error: FieldpostError) -> None:
        self._complain("change", wording.error_sentence(error, self._instance.office))
        self._changed()

    def _switch(self, folder: Folder, on: bool) -> None:  # noqa: FBT001 - Qt's signal
        self._change(lambda: self._instance.enable_folder(folder.id, enabled=on))

    def _check(self, folder: Folder) -> None:
        self._change(lambda: self._instance.scan_folder(folder.id))

    def _edit(self, folder: Folder) -> None:
        profile = self._instance.profile
        may_delete = profile is not None and profile.limits.allow_delete
        dialog = RulesDialog(folder.path, folder.rules, may_delete=may_delete, parent=self)
        dialog.setObjectName("edit_rules")
        dialog.chosen.connect(lambda rules: self._change(lambda: self._instance.change_folder(folder.id, rules)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _remove(self, folder: Folder) -> None:
        question = QMessageBox(QMessageBox.Icon.Question, self.tr("Remove a folder"), "", parent=self)
        question.setObjectName("remove_question")
        question.setTextFormat(Qt.TextFormat.PlainText)
        question.setText(self.tr("Stop watching {path}?").format(path=folder.path))
        question.setInformativeText(
            self.tr("Files that are already in the list go on being sent. Nothing in the folder is changed.")
        )
        stop = question.addButton(self.tr("Stop watching"), QMessageBox.ButtonRole.AcceptRole)
        question.setDefaultButton(question.addButton(QMessageBox.StandardButton.Cancel))
        stop.clicked.connect(lambda: self._change(lambda: self._instance.remove_folder(folder.id)))
        question.finished.connect(question.deleteLater)
        question.open()

    def _open(self, folder: Folder) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(folder.path))

    def _sort_out(self, found: tuple[list[str], list[str]]) -> None:
        folders, others = found
        if folders:
            self._adding.offer(folders)
        if others:
            self.send_wanted.emit(others)

    def _complain(self, about: str, words: str) -> None:
        note = BannerContent(self.tr("This did not work."), words, Tone.ATTENTION, closable=True) if words else None
        self._banners.show_banner(about, note)

    def _look(self, path: str) -> None:
        words = self.tr("Looking into {path}…").format(path=path)
        self._banners.show_banner("looking", BannerContent(words, tone=Tone.WORKING) if path else None)

    # dropping

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        paths = local_paths(event.mimeData())
        if paths:
            self._overlay.show_for(paths)
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()

    def dragLeaveEvent(self, _event: QDragLeaveEvent) -> None:  # noqa: N802 - Qt's name
        self._overlay.hide()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        self._overlay.hide()
        event.setDropAction(Qt.DropAction.CopyAction)  # never move: a file manager deletes what was moved
        event.accept()
        self.offer(local_paths(event.mimeData()))

    # making

    def _lay_out(self) -> None:
        self._add = named(QPushButton(icons.icon(IconName.ADD), self.tr("&Watch a folder…"), self), "add")
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._list)
        self._stack.addWidget(self._none)
        head = QHBoxLayout()
        head.addStretch(1)
        head.addWidget(self._add)
        lines = QVBoxLayout(self)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.addWidget(self._banners)
        lines.addLayout(head)
        lines.addWidget(self._stack, 1)

    def _connect(self) -> None:
        self._timer.timeout.connect(self.refresh)
        for button in (self._add, self._none.add):
            button.clicked.connect(self.choose_folder)
        self._adding.busy.connect(self._look)
        self._adding.refused.connect(lambda words: self._complain("adding", words))
        self._adding.added.connect(self._changed)
        self._list.switched.connect(self._switch)
        self._list.check_wanted.connect(self._check)
        self._list.edit_wanted.connect(self._edit)
        self._list.open_wanted.connect(self._open)
        self._list.remove_wanted.connect(self._remove)
        self._list.choose_wanted.connect(self._adding.choose)


class _WatchOverlay(DropOverlay):
    """Says what dropping does on this page."""

    def show_for(self, paths: list[str]) -> None:
        super().show_for(paths)
        self.words = self.tr("Drop a folder here to watch it")
        self.setAccessibleName(self.words)


def _folders_and_others(paths: Sequence[str]) -> tuple[list[str], list[str]]:
    """Part the folders from other paths. Reads the disk, so not on the GUI thread."""
    folders = [path for path in paths if os.path.isdir(path)]  # noqa: PTH112 - what a system tells, unread
    return folders, [path for path in paths if path not in folders]
