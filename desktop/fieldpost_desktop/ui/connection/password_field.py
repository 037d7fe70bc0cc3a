# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Where a password is typed: hidden unless asked for, never copied anywhere, refused in words if it cannot be kept."""

import sys
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QVBoxLayout, QWidget

from fieldpost_desktop.engine.profile.vault import MAX_UNITS
from fieldpost_desktop.ui.text import wording
from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.widgets.wrapping_text import WrappingText
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.secret import Secret

# The engine runs with the password all the same; only the next start has to ask for it.
NOT_KEPT: Final = frozenset({Code.KEYRING_FAILED, Code.SECRET_TOO_LONG})


class PasswordField(QWidget):
    """`password()` is what was typed; None while that is nothing, or cannot be a password."""

    changed = Signal()
    size_changed = Signal()  # more room is needed

    def __init__(self) -> None:
        super().__init__()
        self.edit = QLineEdit()
        self.edit.setObjectName("password")
        self.edit.setAccessibleName(self.tr("Password"))
        self.edit.setEchoMode(QLineEdit.EchoMode.Password)
        self.edit.setInputMethodHints(
            Qt.InputMethodHint.ImhSensitiveData
            | Qt.InputMethodHint.ImhNoPredictiveText
            | Qt.InputMethodHint.ImhNoAutoUppercase
        )
        self.edit.textChanged.connect(self._typed)
        self.edit.editingFinished.connect(self._say_problem)
        self._show = QCheckBox(self.tr("&Show password"))
        self._show.setObjectName("show_password")
        self._show.toggled.connect(self._show_or_hide)
        self._problem = WrappingText(name="password_problem", tone=Tone.ATTENTION)
        self._problem.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for widget in (self.edit, self._show, self._problem, WrappingText(self._place(), "password_place")):
            layout.addWidget(widget)
        self.setFocusProxy(self.edit)

    def password(self) -> Secret | None:
        """Print it as you like: a Secret shows as stars."""
        text = self.edit.text()
        return Secret(text) if text and not self._problem_of(text) else None

    @property
    def empty(self) -> bool:
        """Whether nothing was typed."""
        return not self.edit.text()

    def clear(self) -> None:
        """Forget what was typed, and hide what comes next."""
        self.edit.clear()
        self._show.setChecked(False)

    def _typed(self) -> None:
        self._problem.hide()
        self.changed.emit()

    def _say_problem(self) -> None:
        problem = self._problem_of(self.edit.text())
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        self.size_changed.emit()

    def _problem_of(self, text: str) -> str:
        """Return why it cannot be used, in words that do not repeat it."""
        if len(text.encode("utf-16-le", "surrogatepass")) // 2 > MAX_UNITS:
            return wording.error_sentence(FieldpostError(Code.SECRET_TOO_LONG), "")
        try:
            Secret(text or "-")
        except ValueError:
            return self.tr("This password holds a character that cannot be sent. Type it by hand.")
        return ""

    def _show_or_hide(self, shown: bool) -> None:  # noqa: FBT001 - Qt's signal has it so
        self.edit.setEchoMode(QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password)

    def _place(self) -> str:
        if sys.platform == "win32":
            return self.tr("Kept in Windows' password store, never in a file.")
        return self.tr("Kept in this computer's password store, never in a file.")
