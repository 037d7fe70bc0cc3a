# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the action that a person chose: a command for the engine, or a signal for the window."""

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.model.events import FileChanged
from fieldpost_desktop.ui.text import wording
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_desktop.ui.transfers.actions import Action, engine_command, parts_were_sent


class ActionRunner(QObject):
    """Maps each action to a command or a signal. `find` looks a file up in the list."""

    locate_wanted = Signal(int)
    rename_wanted = Signal(int)
    reveal_wanted = Signal(str)  # the file's path
    password_wanted = Signal()
    report_wanted = Signal()

    def __init__(
        self, instance: AppInstance, worker: Worker, find: Callable[[int], FileChanged | None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._instance = instance
        self._worker = worker
        self._find = find
        self._window = parent

    def run(self, action: Action, files: Sequence[int]) -> None:
        """Do it with these files."""
        if action is Action.CANCEL and self._would_lose(files):
            self._ask_to_cancel(files)
        else:
            self._do(action, files)

    def _do(self, action: Action, files: Sequence[int]) -> None:
        verb = engine_command(action, files)
        if verb is not None:
            self._worker.follow(self._instance.do(verb))
            return
        known = [change for file in files if (change := self._find(file)) is not None]
        match action:
            case Action.LOCATE:
                self.locate_wanted.emit(files[0])
            case Action.RENAME:
                self.rename_wanted.emit(files[0])
            case Action.SHOW_IN_FOLDER if known:
                self.reveal_wanted.emit(known[0].row.source)
            case Action.COPY_PATH if known:
                copy_to_clipboard(change.row.source for change in known)
            case Action.ENTER_PASSWORD:
                self.password_wanted.emit()
            case Action.MAKE_REPORT:
                self.report_wanted.emit()

    def _would_lose(self, files: Sequence[int]) -> bool:
        """Return whether cancelling loses parts; a file that left the list meanwhile may have been begun."""
        return any((change := self._find(file)) is None or parts_were_sent(change) for file in files)

    def _ask_to_cancel(self, files: Sequence[int]) -> None:
        """Ask before cancelling, without stopping the program: sending goes on until the answer."""
        box = QMessageBox(self._window)
        box.setObjectName("cancel_question")
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle(self.tr("Cancel"))
        box.setText(self._question(files))
        office = wording.office_name(self._instance.office)
        box.setInformativeText(
            self.tr("Parts are already on their way to {office}. They are thrown away.").format(office=office)
        )
        yes = box.addButton(self.tr("&Cancel sending"), QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton(self.tr("&Keep sending"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        yes.clicked.connect(lambda: self._do(Action.CANCEL, files))
        box.finished.connect(box.deleteLater)
        box.open()

    def _question(self, files: Sequence[int]) -> str:
        change = self._find(files[0])
        if len(files) == 1 and change is not None:
            return self.tr("Stop sending {file}?").format(file=wording.file_name(change.row))
        return self.tr("Stop sending %Ln file(s)?", "", len(files))


def copy_to_clipboard(lines: Iterable[str]) -> None:
    """Put lines on the clipboard."""
    QGuiApplication.clipboard().setText("\n".join(lines))
