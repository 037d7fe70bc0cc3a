# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Asks for the password: when it was not accepted, when it changed, or where none can be kept."""

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from fieldpost_desktop.app.condition import Condition
from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.ui.connection.error_box import ErrorBox
from fieldpost_desktop.ui.connection.password_field import NOT_KEPT, PasswordField
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_desktop.ui.widgets.wrapping_text import WrappingText, form_layout
from fieldpost_shared.errors import FieldpostError


class PasswordDialog(QDialog):
    """Closes when the app instance signs in with the new password; whether the office takes it shows later."""

    changed = Signal(object)  # Condition

    def __init__(self, instance: AppInstance, worker: Worker, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("password_dialog")
        self.setWindowTitle(self.tr("Password"))
        self._instance = instance
        self._worker = worker
        self._field = PasswordField()
        self._field.changed.connect(self._judge)
        self._field.size_changed.connect(self._grow)
        self._error_box = ErrorBox()
        self._error_box.size_changed.connect(self._grow)
        self._buttons = QDialogButtonBox()
        self._buttons.setObjectName("password_buttons")
        self._buttons.accepted.connect(self._change)
        self._buttons.rejected.connect(self.reject)
        self._lay_out()
        self._judge()

    def _change(self) -> None:
        password = self._field.password()
        if password is None:
            return
        self._error_box.clear()
        self.setEnabled(False)
        self._worker.run(
            lambda: self._instance.change_password(password),
            self._changed,
            self._refused,
            owner=self,
        )

    def reject(self) -> None:
        """Close, unless the password is being stored."""
        if self.isEnabled():
            self._field.clear()
            super().reject()

    def _changed(self, condition: Condition) -> None:
        self.setEnabled(True)
        self._field.clear()
        self.changed.emit(condition)
        self.accept()

    def _refused(self, error: FieldpostError) -> None:
        self.setEnabled(True)
        self._error_box.show_error(error, self._instance.office)
        if error.code in NOT_KEPT:
            self._field.clear()
            self._field.setEnabled(False)
            self._buttons.setStandardButtons(QDialogButtonBox.StandardButton.Close)
            self.changed.emit(self._instance.condition)

    def _judge(self) -> None:
        ok = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        if ok is not None:
            ok.setEnabled(self._field.password() is not None)

    def _grow(self) -> None:
        """Make the window higher where a text needs more lines: Qt leaves it as it is."""
        layout = self.layout()
        if layout is not None:
            layout.activate()
            self.resize(self.size().expandedTo(QSize(0, layout.totalHeightForWidth(self.width()))))

    def _lay_out(self) -> None:
        self._buttons.setStandardButtons(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        profile = self._instance.profile
        lines = form_layout()
        lines.addRow(QLabel(self.tr("Office:")), WrappingText(self._instance.office, "password_office"))
        if profile is not None:
            lines.addRow(QLabel(self.tr("User name:")), WrappingText(profile.sasl_username, "password_user"))
        lines.addRow(self.tr("&Password:"), self._field)
        layout = QVBoxLayout(self)
        layout.addLayout(lines)
        layout.addWidget(self._error_box)
        layout.addStretch(1)
        layout.addWidget(self._buttons)
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * 60)
        self._field.setFocus()
