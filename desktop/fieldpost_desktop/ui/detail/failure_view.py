# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a file: what happened, what comes next, what you can do; the raw text only on demand."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from fieldpost_desktop.ui.text.wording import FailureText
from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.widgets import icons, theme
from fieldpost_desktop.ui.widgets.break_anywhere_label import BreakAnywhereLabel
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_desktop.ui.widgets.object_names import named
from fieldpost_desktop.ui.widgets.toned import TonedLabel


class FailureView(QWidget):
    """Hidden while all is well."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("trouble")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.gap(self.fontMetrics(), 0.2))
        self._happened = self._part(column, self.tr("What happened"), "trouble_happened")
        self._next = self._part(column, self.tr("What comes next"), "trouble_next")
        self._you_can = self._part(column, self.tr("What you can do"), "trouble_you_can")
        column.addWidget(self._opener())
        column.addWidget(self._details())
        self.show_failure(None)

    def show_failure(self, failure: FailureText | None) -> None:
        """Say this; None: nothing is wrong."""
        self.setVisible(failure is not None)
        if failure is None:
            return
        _say(self._happened, f"{failure.happened} ({failure.label})")
        _say(self._next, failure.next)
        _say(self._you_can, failure.you_can)
        self._raw.setText(failure.raw)

    def _part(self, column: QVBoxLayout, title: str, name: str) -> tuple[QLabel, QLabel]:
        head = TonedLabel(title, Tone.MUTED)
        head.setContentsMargins(0, theme.gap(self.fontMetrics(), 0.2), 0, 0)
        text = named(QLabel(), name)
        text.setTextFormat(Qt.TextFormat.PlainText)
        text.setWordWrap(True)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column.addWidget(head)
        column.addWidget(text)
        return head, text

    def _opener(self) -> QToolButton:
        opener = named(QToolButton(), "trouble_details")
        opener.setText(self.tr("Details"))
        opener.setAccessibleDescription(self.tr("Shows the text for support"))
        opener.setCheckable(True)
        opener.setAutoRaise(True)
        opener.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        opener.setArrowType(Qt.ArrowType.RightArrow)
        opener.toggled.connect(self._open)
        self._button = opener
        return opener

    def _details(self) -> QWidget:
        self._raw = BreakAnywhereLabel("trouble_raw")
        copy = named(QPushButton(icons.icon(IconName.COPY), self.tr("Copy")), "trouble_copy")
        copy.setAccessibleName(self.tr("Copy the details"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._raw.text()))
        self._box = QWidget()
        row = QHBoxLayout(self._box)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._raw, 1)
        row.addWidget(copy, 0, Qt.AlignmentFlag.AlignTop)
        self._box.hide()
        return self._box

    def _open(self, opened: bool) -> None:  # noqa: FBT001 - a slot of a check button
        self._button.setArrowType(Qt.ArrowType.DownArrow if opened else Qt.ArrowType.RightArrow)
        self._box.setVisible(opened)


def _say(part: tuple[QLabel, QLabel], text: str) -> None:
    """Show a part with its title, or neither where it has no words."""
    head, label = part
    label.setText(text)
    for widget in (head, label):
        widget.setVisible(bool(text))
