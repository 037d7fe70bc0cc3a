# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Dialogs as large as their words need; what does not fit on a small screen is scrolled to, never cut off.

Qt's own adjustment stops at two thirds of the screen: at 200 % on a laptop that is too little for a form.
"""

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QFrame, QScrollArea, QSizePolicy, QWidget

_SCREEN_SHARE: Final = 0.9  # the rest is for the title bar and the frame


class ContentSizedArea(QScrollArea):
    """Asks for all the room that its content needs, and scrolls if it gets less."""

    def __init__(self, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = content
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setWidget(content)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return self._content.sizeHint()

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        """Return the height beside a scroll bar: one shown for a moment would else never find that it may go."""
        return self._content.heightForWidth(width - self.verticalScrollBar().sizeHint().width())


def size_to_contents(dialog: QDialog, letters: int) -> None:
    """Resize to so many average letters wide and as high as that needs, but not beyond the screen."""
    room = dialog.screen().availableSize() * _SCREEN_SHARE
    wanted = max(dialog.sizeHint().width(), dialog.fontMetrics().averageCharWidth() * letters)
    width = min(wanted, room.width())
    dialog.resize(width, min(dialog.heightForWidth(width), room.height()))
