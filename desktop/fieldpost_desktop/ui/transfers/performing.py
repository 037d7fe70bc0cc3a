# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Carries out what somebody chose: a command for the engine, or a wish that the window fulfils."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from fieldpost_desktop.engine.events import FileChanged
from fieldpost_desktop.station import Station
from fieldpost_desktop.ui.transfers.actions import Action, command, parts_were_sent
from fieldpost_desktop.ui.worker import Worker


class Performer(QObject):
    """Knows for each action who serves it. `find` looks a file up in the list."""

    locate_wanted = Signal(int)
    rename_wanted = Signal(int)
    reveal_wanted = Signal(int)
    password_wanted = Signal()
    report_wanted = Signal()

    def __init__(
        self, station: Station, worker: Worker, find: Callable[[int], FileChanged | None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._station = station
        self._worker = worker
        self._find = find
        self._window = parent
        self.question: QMessageBox | None = None  # while it is open

    def perform(self, action: Action, files: Sequence[int]) -> None:
        """Do it with these files."""
        if action is Action.CANCEL and self._would_lose(files):
            self._ask_to_cancel(files)
            return
        verb = command(action, files)
        if verb is not None:
            self._worker.follow(self._station.do(verb))
        else:
            self._wish(action, files)

    def _wish(self, action: Action, files: Sequence[int]) -> None:
        match action:
            case Action.LOCATE:
                self.locate_wanted.emit(files[0])
            case Action.RENAME:
                self.rename_wanted.emit(files[0])
            case Action.SHOW_IN_FOLDER:
                self.reveal_wanted.emit(files[0])
            case Action.COPY_PATH:
                copy(change.row.source for file in files if (change := self._find(file)) is not None)
            case Action.ENTER_PASSWORD:
                self.password_wanted.emit()
            case Action.MAKE_REPORT:
                self.report_wanted.emit()

    def _would_lose(self, files: Sequence[int]) -> bool:
        """A file that left the list meanwhile may have been begun."""
        return any((change := self._find(file)) is None or parts_were_sent(change) for file in files)
