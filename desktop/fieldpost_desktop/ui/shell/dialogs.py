# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Opens dialogs on demand: wizard, password, report, about, and those about one file."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.model.events import FileChanged
from fieldpost_desktop.ui.connection.password_dialog import PasswordDialog
from fieldpost_desktop.ui.dialogs.about import AboutDialog
from fieldpost_desktop.ui.dialogs.rename import RenameDialog
from fieldpost_desktop.ui.dialogs.report import ReportDialog
from fieldpost_desktop.ui.setup.wizard import SetupWizard
from fieldpost_desktop.ui.text import wording
from fieldpost_desktop.ui.threads.worker import Worker


class Dialogs(QObject):
    """One dialog of a kind at a time; a second wish brings the first to the front."""

    restarted = Signal(object)  # the app instance's Condition after a new profile or password
    failed = Signal(object, str)  # a FieldpostError, and the name of the file it is about

    def __init__(self, instance: AppInstance, worker: Worker, window: QWidget) -> None:
        super().__init__(window)
        self._instance = instance
        self._worker = worker
        self._window = window
        self._open: dict[type[QDialog], QDialog] = {}

    def set_up(self, settings_file: Path | None = None) -> None:
        """Open the set-up, for the first run or for another settings file."""
        if settings_file is not None and SetupWizard in self._open:
            self._open[SetupWizard].reject()
        if not self._is_open(SetupWizard):
            wizard = SetupWizard(self._instance, self._worker, settings_file=settings_file, parent=self._window)
            wizard.adopted.connect(self.restarted)
            self._show(wizard)

    def enter_password(self) -> None:
        """Ask for the password when the kept one was refused, or is not there."""
        if not self._is_open(PasswordDialog):
            dialog = PasswordDialog(self._instance, self._worker, self._window)
            dialog.changed.connect(self.restarted)
            self._show(dialog)

    def make_report(self) -> None:
        """Open the dialog that makes a report for support."""
        if not self._is_open(ReportDialog):
            self._show(ReportDialog(self._instance, self._worker, self._window))

    def show_about(self) -> None:
        """Show the versions."""
        if not self._is_open(AboutDialog):
            self._show(AboutDialog(self._instance.about(), self._window))

    def locate(self, change: FileChanged) -> None:
        """Ask where a moved file is now."""
        known = Path(change.row.source)
        title = self.tr("Where is {name} now?").format(name=known.name)
        path, _ = QFileDialog.getOpenFileName(self._window, title, str(known.parent))
        if path:
            self._worker.run(
                lambda: self._instance.locate(change.row.id, path),
                failed=lambda error: self.failed.emit(error, wording.file_name(change.row)),
            )

    def rename(self, change: FileChanged) -> None:
        """Ask for another name where the office does not take this one."""
        if not self._is_open(RenameDialog):
            dialog = RenameDialog(change.row.path, self._instance.office, self._window)
            dialog.chosen.connect(lambda path: self._send_as(change, path))
            self._show(dialog)

    def _send_as(self, change: FileChanged, path: str) -> None:
        self._worker.follow(
            self._instance.do(lambda commands: commands.rename(change.row.id, path)),
            failed=lambda error: self.failed.emit(error, wording.file_name(change.row)),
        )

    def _is_open(self, kind: type[QDialog]) -> bool:
        dialog = self._open.get(kind)
        if dialog is not None:
            dialog.raise_()
            dialog.activateWindow()
        return dialog is not None

    def _show(self, dialog: QDialog) -> None:
        kind = type(dialog)
        self._open[kind] = dialog

        def ended() -> None:
            self._open.pop(kind, None)
            dialog.deleteLater()

        dialog.finished.connect(ended)
        dialog.open()
