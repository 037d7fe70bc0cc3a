# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Text, scroll areas, forms and headings that grow with their words: nothing is cut off at any scale."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QFrame, QLabel, QScrollArea, QWidget

from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.widgets.toned import TonedLabel


class WrappingText(TonedLabel):
    """Text that wraps. Never read as HTML: much of what is shown comes from a file or from the other end."""

    def __init__(self, text: str = "", name: str = "", tone: Tone | None = None, *, selectable: bool = False) -> None:
        super().__init__(text, tone)
        self.setObjectName(name)
        self.setTextFormat(Qt.TextFormat.PlainText)
        if selectable:
            self.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )


def scroll_area(content: QWidget, name: str, title: str = "") -> QScrollArea:
    """Return an area that shows the content as wide as there is room and scrolls to what does not fit.

    With a title, Tab stops here, so that words below the last control can be scrolled to by key; without one Tab goes
    from control to control.
    """
    area = QScrollArea()
    area.setObjectName(name)
    area.setAccessibleName(title)
    if not title:
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
    return area


def form_layout() -> QFormLayout:
    """Return a form with titles beside their fields, or above them where there is not enough room."""
    made = QFormLayout()
    made.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
    made.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    return made


def heading(text: str, above: QWidget | None = None) -> QLabel:
    """Return the bold line above a group of controls; its mnemonic leads to `above`."""
    label = QLabel(text)
    font = label.font()
    font.setBold(True)
    label.setFont(font)
    if above is not None:
        label.setBuddy(above)
    return label
