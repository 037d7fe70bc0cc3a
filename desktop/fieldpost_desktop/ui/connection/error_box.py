# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Something went wrong: the sentence at once, the raw text only for those who ask for it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QGridLayout, QToolButton, QWidget

from fieldpost_desktop.ui.text import wording
from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_desktop.ui.widgets.toned import TonedIcon
from fieldpost_desktop.ui.widgets.wrapping_text import WrappingText
from fieldpost_shared.errors import FieldpostError


class ErrorBox(QWidget):
    """Not to be seen until there is an error."""

    size_changed = Signal()  # more room is needed

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("trouble")
        self._sentence = WrappingText(name="trouble_sentence", selectable=True)
        self._details = WrappingText(name="trouble_details", selectable=True)
        self._more = QToolButton()
        self._more.setObjectName("trouble_more")
        self._more.setText(self.tr("&Details"))
        self._more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._more.setArrowType(Qt.ArrowType.RightArrow)
        self._more.setAutoRaise(True)
        self._more.setCheckable(True)
        self._more.toggled.connect(self._open)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setColumnStretch(1, 1)
        layout.addWidget(TonedIcon(IconName.WARNING, Tone.ATTENTION), 0, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self._sentence, 0, 1)
        layout.addWidget(self._more, 1, 1, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self._details, 2, 1)
        self.clear()

    def clear(self) -> None:
        """Hide the error."""
        self._more.setChecked(False)
        self._details.hide()
        self.hide()

    def show_error(self, error: FieldpostError, office: str) -> None:
        """Say what happened."""
        self.show_words(wording.error_sentence(error, office), str(error) if error.detail else "")

    def show_words(self, sentence: str, raw: str) -> None:
        """Say this; a screen reader says it as well."""
        self._sentence.setText(sentence)
        self._details.setText(raw)
        self._more.setChecked(False)
        self._more.setVisible(bool(raw))
        self.show()
        QAccessible.updateAccessibility(QAccessibleEvent(self._sentence, QAccessible.Event.Alert))
        self.size_changed.emit()

    def _open(self, opened: bool) -> None:  # noqa: FBT001 - Qt's signal has it so
        self._more.setArrowType(Qt.ArrowType.DownArrow if opened else Qt.ArrowType.RightArrow)
        self._details.setVisible(opened)
        self.size_changed.emit()
