# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""One setting: its controls, and below them why it is locked or why a value was refused."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_desktop.ui.widgets.toned import TonedIcon
from fieldpost_desktop.ui.widgets.wrapping_text import WrappingText


class Field(QWidget):
    """The controls stand in `controls`; a subclass puts them into `column`."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.locked = False
        self.controls = QWidget()
        self.column = QVBoxLayout(self.controls)
        self.column.setContentsMargins(0, 0, 0, 0)
        self._sign = TonedIcon(IconName.LOCK, Tone.MUTED)
        self._note = WrappingText(name=f"{name}_note")
        line = QHBoxLayout()
        line.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self._note, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.controls)
        layout.addLayout(line)
        self.say("")

    def lock(self, *, locked: bool) -> None:
        """Show a value that the organisation set, and let it not be changed."""
        self.locked = locked
        self.controls.setEnabled(not locked)
        self._sign.show_icon(IconName.LOCK, Tone.MUTED)
        self._write(self.tr("Set by your organisation") if locked else "")

    def refuse(self, why: str) -> None:
        """Show why an entered value does not count; a screen reader says it as well."""
        self._sign.show_icon(IconName.WARNING, Tone.ATTENTION)
        self._write(why)
        QAccessible.updateAccessibility(QAccessibleEvent(self._note, QAccessible.Event.Alert))

    def say(self, text: str) -> None:
        """Show a hint; none if the text is empty."""
        self._sign.show_icon(IconName.ABOUT, Tone.MUTED)
        self._write(text)

    def add(self, *widgets: QWidget) -> None:
        """Add these controls side by side."""
        row = QHBoxLayout()
        for widget in widgets:
            row.addWidget(widget)
            calm_wheel(widget)
        row.addStretch(1)
        self.column.addLayout(row)

    def _write(self, text: str) -> None:
        self._note.setText(text)
        self._note.setVisible(bool(text))
        self._sign.setVisible(bool(text))


class _WheelGuard(QObject):
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return super().eventFilter(watched, event)


def calm_wheel(widget: QWidget) -> None:
    """Let the wheel scroll the page and not change the control under the mouse: here every change acts at once."""
    if isinstance(widget, QComboBox | QAbstractSpinBox):
        widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        widget.installEventFilter(_WheelGuard(widget))
