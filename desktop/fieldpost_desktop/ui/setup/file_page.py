# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""First page of the set-up: the settings file, and what it says."""

from pathlib import Path

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget, QWizardPage

from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.profile import profile_file
from fieldpost_desktop.engine.profile.profile_file import Profile
from fieldpost_desktop.ui.connection.error_box import ErrorBox
from fieldpost_desktop.ui.connection.settings_file import settings_file_in
from fieldpost_desktop.ui.connection.summary import SummaryView
from fieldpost_desktop.ui.setup.draft import Draft
from fieldpost_desktop.ui.setup.found_file import beside_the_program
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_desktop.ui.widgets import icons
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_desktop.ui.widgets.wrapping_text import WrappingText, scroll_area
from fieldpost_shared.errors import FieldpostError


class FilePage(QWizardPage):
    """Takes a file by browsing, by a drop, or because it lies beside the program."""

    def __init__(self, draft: Draft, instance: AppInstance, worker: Worker) -> None:
        super().__init__()
        self.setObjectName("file_page")
        self.setTitle(self.tr("Settings file"))
        self.setSubTitle(
            self.tr("It tells Fieldpost where to send. You got it from your office; its name ends in .fieldpost.")
        )
        self.setAcceptDrops(True)
        self._draft = draft
        self._instance = instance
        self._worker = worker
        self._wanted: Path | None = None
        self._looked = False
        self._hint = WrappingText(name="file_hint")
        self._browse = QPushButton(icons.icon(IconName.OPEN_FOLDER), self.tr("&Browse…"))
        self._browse.setObjectName("browse")
        self._browse.clicked.connect(self._choose)
        self._error_box = ErrorBox()
        self._summary = SummaryView()
        self._summary.hide()
        self._lay_out()
        self._invite()

    def initializePage(self) -> None:  # noqa: N802 - Qt's name
        """Look beside the program, once."""
        if not self._looked and self._wanted is None:
            self._looked = True
            self._worker.run(beside_the_program, self._found, owner=self)

    def isComplete(self) -> bool:  # noqa: N802 - Qt's name
        return self._draft.profile is not None

    def read(self, path: Path) -> None:
        """Show what this file says; the newest counts, whichever is read first."""
        self._wanted = path
        self._forget()
        self._hint.setText(self.tr("Reading {file}…").format(file=path.name))
        self._worker.run(
            lambda: (self._instance.load_profile(path), profile_file.this_user_and_host()),
            lambda read: self._show(path, *read),
            lambda error: self._refuse(path, error),
            owner=self,
        )

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        if _file_in(event.mimeData()) is not None:
            self._hint.setText(self.tr("Let go to read this file."))
            event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802 - Qt's name
        super().dragLeaveEvent(event)
        self._invite()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        path = _file_in(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            self.read(path)

    def _choose(self) -> None:
        dialog = QFileDialog(self, self.tr("Settings file"))
        dialog.setObjectName("look_for_file")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([self.tr("Settings files (*.fieldpost)"), self.tr("All files (*)")])
        dialog.fileSelected.connect(lambda path: self.read(Path(path)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _found(self, path: Path | None) -> None:
        if path is not None and self._wanted is None:
            self.read(path)

    def _show(self, path: Path, profile: Profile, here: tuple[str, str]) -> None:
        if path != self._wanted:
            return
        self._draft.take_profile(profile)
        self._invite()
        self._summary.show_profile(profile, profile.client_name(*here))
        self._summary.show()
        self.completeChanged.emit()

    def _refuse(self, path: Path, error: FieldpostError) -> None:
        if path != self._wanted:
            return
        self._invite()
        self._error_box.show_error(error, self._instance.office)

    def _forget(self) -> None:
        self._draft.take_profile(None)
        self._error_box.clear()
        self._summary.hide()
        self.completeChanged.emit()

    def _invite(self) -> None:
        if self._wanted is None:
            self._hint.setText(self.tr("Drop the file here, or look for it:"))
        else:
            self._hint.setText(
                self.tr("File: {file}. To take another one, drop it here, or look for it:").format(
                    file=self._wanted.name
                )
            )

    def _lay_out(self) -> None:
        content = QWidget()
        inside = QVBoxLayout(content)
        top = QHBoxLayout()
        top.addWidget(self._hint, 1)
        top.addWidget(self._browse)
        inside.addLayout(top)
        inside.addWidget(self._error_box)
        inside.addWidget(self._summary)
        inside.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll_area(content, "file_scroll", self.title()))


def _file_in(mime: QMimeData) -> Path | None:
    """Return the one settings file that is dragged; a web address counts as a path without a name."""
    return settings_file_in([url.toLocalFile() for url in mime.urls()])
