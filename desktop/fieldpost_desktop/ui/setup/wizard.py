# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The set-up: three pages from a settings file to a connection that was tried."""

from enum import IntEnum
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QWidget, QWizard

from fieldpost_desktop.app.condition import Condition
from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.ui.connection.password_field import NOT_KEPT
from fieldpost_desktop.ui.setup.draft import Draft
from fieldpost_desktop.ui.setup.file_page import FilePage
from fieldpost_desktop.ui.setup.pages import PasswordPage, TestPage
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_desktop.ui.widgets import icons
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_shared.errors import FieldpostError

_OF_SCREEN: Final = 0.9


class PageId(IntEnum):
    """The pages in their order."""

    FILE = 0
    PASSWORD = 1
    TEST = 2


class SetupWizard(QWizard):
    """Nothing counts before Finish; then the app instance takes profile and password over."""

    adopted = Signal(object)  # Condition

    def __init__(
        self, instance: AppInstance, worker: Worker, settings_file: Path | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("setup_wizard")
        self.setWindowTitle(self.tr("Set up Fieldpost"))
        self.setWindowIcon(icons.icon(IconName.APP))
        self.setWizardStyle(QWizard.WizardStyle.ModernStyle)
        self.setOption(QWizard.WizardOption.NoBackButtonOnStartPage)
        self._instance = instance
        self._worker = worker
        self._draft = Draft()
        self._adopting = False
        self._done = False
        self._file_page = FilePage(self._draft, instance, worker)
        self._password_page = PasswordPage(self._draft, instance)
        self._test_page = TestPage(self._draft, instance, worker)
        self.setPage(PageId.FILE, self._file_page)
        self.setPage(PageId.PASSWORD, self._password_page)
        self.setPage(PageId.TEST, self._test_page)
        # By itself Qt takes two thirds of the screen at most, and at 200 % that is little.
        self.resize(self.sizeHint().boundedTo(self.screen().availableSize() * _OF_SCREEN))
        if settings_file is not None:
            self.read(settings_file)

    def read(self, path: Path) -> None:
        """Begin with this file, as when a person opened it in the Explorer."""
        if not self._adopting and not self._done:
            if self.currentId() > PageId.FILE:
                self.restart()
            self._file_page.read(path)

    def nextId(self) -> int:  # noqa: N802 - Qt's name
        """Return the next page; without a password in play its page is left out."""
        if self.currentId() == PageId.TEST:
            return -1
        profile = self._draft.profile
        asks = profile is None or profile.needs_password
        return PageId.PASSWORD if self.currentId() == PageId.FILE and asks else PageId.TEST

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return room for the connection test without scrolling; it grows with the font."""
        line = self.fontMetrics().height()
        return super().sizeHint().expandedTo(QSize(line * 42, line * 32))

    def accept(self) -> None:
        """Take the settings over; the window stays until the app instance has taken over."""
        profile, password = self._draft.profile, self._draft.password
        if self._done or profile is None:
            super().accept()
            return
        self._set_adopting(adopting=True)
        self._worker.run(
            lambda: self._instance.adopt(profile, password),
            self._adopted,
            self._refused,
            owner=self,
        )

    def reject(self) -> None:
        """Close, unless the settings are being taken over."""
        if not self._adopting:
            super().reject()

    def _adopted(self, condition: Condition) -> None:
        self._finish(condition)
        super().accept()

    def _refused(self, error: FieldpostError) -> None:
        self._set_adopting(adopting=False)
        if error.code in NOT_KEPT:
            self._finish(self._instance.condition)
            self._close_only()
        self._test_page.show_refusal(error, self._instance.office)

    def _finish(self, condition: Condition) -> None:
        self._set_adopting(adopting=False)
        self._done = True
        self._password_page.forget()
        self._test_page.view.forget()
        self._draft.password = None
        self.adopted.emit(condition)

    def _close_only(self) -> None:
        """Leave only the button that closes: what is said on the page wants to be read first."""
        self.button(QWizard.WizardButton.BackButton).setEnabled(False)
        self.button(QWizard.WizardButton.CancelButton).setEnabled(False)
        self._test_page.setButtonText(QWizard.WizardButton.FinishButton, self.tr("&Close"))

    def _set_adopting(self, *, adopting: bool) -> None:
        self._adopting = adopting
        self._test_page.setEnabled(not adopting)
        for kind in (QWizard.WizardButton.BackButton, QWizard.WizardButton.FinishButton):
            self.button(kind).setEnabled(not adopting)
