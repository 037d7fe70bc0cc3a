# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Second and third page of the set-up: name and password, and the connection test."""

from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget, QWizard, QWizardPage

from fieldpost_desktop.app.condition import Condition
from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.profile.profile_file import Profile
from fieldpost_desktop.ui.connection.check_view import CheckView
from fieldpost_desktop.ui.connection.error_box import ErrorBox
from fieldpost_desktop.ui.connection.password_field import PasswordField
from fieldpost_desktop.ui.setup.draft import Draft
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_desktop.ui.widgets.wrapping_text import WrappingText, form_layout, scroll_area
from fieldpost_shared.errors import FieldpostError


class PasswordPage(QWizardPage):
    """Left out where the office wants no password."""

    def __init__(self, draft: Draft, instance: AppInstance) -> None:
        super().__init__()
        self.setObjectName("password_page")
        self.setTitle(self.tr("Name and password"))
        self._draft = draft
        self._instance = instance
        self._user = QLineEdit()
        self._user.setObjectName("user_name")
        self._user.textChanged.connect(self.completeChanged)
        self._given = ""
        self._field = PasswordField()
        self._field.changed.connect(self.completeChanged)
        content = QWidget()
        lines = form_layout()
        content.setLayout(lines)
        lines.addRow(self.tr("&User name:"), self._user)
        lines.addRow(self.tr("&Password:"), self._field)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll_area(content, "password_scroll"))

    def initializePage(self) -> None:  # noqa: N802 - Qt's name
        """Show whose password it is."""
        profile = self._profile()
        self.setSubTitle(self.tr("With these this computer signs in to {office}.").format(office=profile.name))
        self._given = profile.sasl_username
        self._user.setText(self._given)
        self._user.setReadOnly(bool(self._given))
        self._field.edit.setPlaceholderText(self.tr("leave empty to keep the one you have") if self._kept() else "")
        (self._field if self._given else self._user).setFocus()

    def cleanupPage(self) -> None:  # noqa: N802 - Qt's name
        """Forget what was typed: after going back another file may follow."""
        self._field.clear()
        self._draft.password = None
        if not self._given:
            self._draft.take_user("")

    def isComplete(self) -> bool:  # noqa: N802 - Qt's name
        typed = self._field.password() is not None or (self._field.empty and self._kept())
        return typed and bool(self._user.text().strip())

    def validatePage(self) -> bool:  # noqa: N802 - Qt's name
        """Take over what was typed."""
        if not self._given:
            self._draft.take_user(self._user.text().strip())
        self._draft.password = self._field.password()
        return self.isComplete()

    def forget(self) -> None:
        """Forget the password, which is in the keyring now."""
        self._field.clear()

    def _profile(self) -> Profile:
        if self._draft.profile is None:
            raise LookupError("the password page opened without a profile: the page before must not be complete then")
        return self._draft.profile

    def _kept(self) -> bool:
        """Return whether the keyring has a password for this profile."""
        profile, used = self._draft.profile, self._instance.profile
        running = self._instance.condition in {Condition.RUNNING, Condition.ELSEWHERE}
        return running and profile is not None and used is not None and profile.id == used.id and used.needs_password


class TestPage(QWizardPage):
    """Whether it works; the set-up can be finished either way."""

    __test__ = False  # pytest takes everything for a test that is called so

    def __init__(self, draft: Draft, instance: AppInstance, worker: Worker) -> None:
        super().__init__()
        self.setObjectName("test_page")
        self.setTitle(self.tr("Connection test"))
        self._draft = draft
        self.view = CheckView(instance, worker)
        self.view.started.connect(self.completeChanged)
        self.view.finished.connect(self._tell)
        self._verdict = WrappingText(name="verdict")
        self.error_box = ErrorBox()
        content = QWidget()
        inside = QVBoxLayout(content)
        for widget in (self.view, self._verdict, self.error_box):
            inside.addWidget(widget)
        inside.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll_area(content, "test_scroll", self.title()))

    def initializePage(self) -> None:  # noqa: N802 - Qt's name
        """Test at once, without a question."""
        profile = self._draft.profile
        if profile is None:
            raise LookupError("the test page opened without a profile: the pages before must not be complete then")
        self.setSubTitle(self.tr("Fieldpost looks whether files can be sent to {office}.").format(office=profile.name))
        self._verdict.clear()
        self.error_box.clear()
        self.view.start(profile, self._draft.password)

    def isComplete(self) -> bool:  # noqa: N802 - Qt's name
        return not self.view.running

    def cleanupPage(self) -> None:  # noqa: N802 - Qt's name
        """Forget the test after going back."""
        self.view.forget()

    def show_refusal(self, error: FieldpostError, office: str) -> None:
        """Show what came of finishing."""
        self._verdict.clear()
        self.error_box.show_error(error, office)

    def _tell(self, well: bool) -> None:  # noqa: FBT001 - Qt's signal has it so
        if well:
            self.setButtonText(QWizard.WizardButton.FinishButton, self.tr("&Finish"))
            self._verdict.clear()
        else:
            self.setButtonText(QWizard.WizardButton.FinishButton, self.tr("&Finish anyway"))
            self._verdict.setText(
                self.tr("You can finish anyway; Fieldpost goes on trying. Your files wait on this computer until then.")
            )
        self.completeChanged.emit()
