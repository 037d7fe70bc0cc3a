# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Settings of the connection: what the settings file says, the password, and whether it works."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QVBoxLayout, QWidget

from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.profile import profile_file
from fieldpost_desktop.ui.connection.check_view import CheckView
from fieldpost_desktop.ui.connection.password_dialog import PasswordDialog
from fieldpost_desktop.ui.connection.summary import SummaryView
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_desktop.ui.widgets import icons, theme
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_desktop.ui.widgets.wrapping_text import WrappingText


class ConnectionSection(QWidget):
    """Shows what was imported; importing itself is the set-up's task."""

    import_wanted = Signal()
    password_changed = Signal(object)  # Condition
    grown = Signal(QWidget)  # this part wants to be scrolled to

    def __init__(self, instance: AppInstance, worker: Worker) -> None:
        super().__init__()
        self.setObjectName("connection_section")
        self._instance = instance
        self._worker = worker
        self._nothing = WrappingText(
            self.tr("Fieldpost is not set up yet. Import the settings file that you got from your office."),
            "not_set_up",
        )
        self._summary = SummaryView()
        self._password = self._button("change_password", IconName.PASSWORD, self.tr("Change pass&word…"))
        self._test = self._button("test_connection", IconName.RETRY, self.tr("&Test connection"))
        self._import = self._button("import_file", IconName.OPEN_FOLDER, self.tr("&Import settings file…"))
        self._view = CheckView(instance, worker)
        self._password.clicked.connect(self._ask_password)
        self._test.clicked.connect(self._start_test)
        self._import.clicked.connect(self.import_wanted)
        self._view.finished.connect(self._tested)
        self._lay_out()
        self.refresh()

    def refresh(self) -> None:
        """Show what counts now."""
        profile = self._instance.profile
        self._nothing.setVisible(profile is None)
        for widget in (self._summary, self._test):
            widget.setVisible(profile is not None)
        self._password.setVisible(profile is not None and profile.needs_password)
        if profile is None:
            self._view.hide()
            return
        self._worker.run(
            profile_file.this_user_and_host,
            lambda here: self._summary.show_profile(profile, profile.client_name(*here)),
            owner=self,
        )

    def _start_test(self) -> None:
        if self._instance.profile is not None:
            self._test.setEnabled(False)
            self._view.show()
            self._view.start(self._instance.profile, None)
            self._show_view()

    def _tested(self) -> None:
        self._test.setEnabled(True)
        self._show_view()

    def _show_view(self) -> None:
        """Ask to be scrolled to once the layout is done: the view lies below the fold."""
        QTimer.singleShot(0, self, lambda: self.grown.emit(self._view))

    def _ask_password(self) -> None:
        dialog = PasswordDialog(self._instance, self._worker, self)
        dialog.changed.connect(self.password_changed)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _button(self, name: str, icon: IconName, text: str) -> QPushButton:
        button = QPushButton(icons.icon(icon), text)
        button.setObjectName(name)
        return button

    def _lay_out(self) -> None:
        buttons = QGridLayout()
        for column, button in enumerate((self._password, self._test, self._import)):
            buttons.addWidget(button, column // 2, column % 2)
        buttons.setColumnStretch(2, 1)
        layout = QVBoxLayout(self)
        layout.setSpacing(theme.gap(self.fontMetrics(), 0.8))
        for widget in (self._nothing, self._summary):
            layout.addWidget(widget)
        layout.addLayout(buttons)
        layout.addWidget(self._view)
        layout.addStretch(1)
        self._view.hide()
