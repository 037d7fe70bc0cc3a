# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A button for everything that can be done with the file at present."""

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from fieldpost_desktop.ui.transfers.actions import ICONS, Action, label
from fieldpost_desktop.ui.widgets import icons, theme
from fieldpost_desktop.ui.widgets.flow import FlowLayout


class ActionButtons(QWidget):
    """Each action has its button from the beginning; those that fit are shown, so that the focus is never lost."""

    chosen = Signal(object)  # an Action

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("action_buttons")
        self._flow = FlowLayout(theme.gap(self.fontMetrics(), 0.4), self)
        self._shown: tuple[Action, ...] = ()
        self._buttons = {action: self._button(action) for action in Action}
        for button in self._buttons.values():
            self._flow.addWidget(button)
            button.hide()

    def show_actions(self, fitting: Sequence[Action]) -> None:
        """Offer these, the first one first, also for the Tab key."""
        if self._shown == (*fitting,):
            return
        self._shown = (*fitting,)
        for action, button in self._buttons.items():
            button.setVisible(action in fitting)
        row = [self._buttons[action] for action in fitting]
        self._flow.bring_forward(row)
        for button, following in pairwise(row):
            self.setTabOrder(button, following)

    def _button(self, action: Action) -> QPushButton:
        button = QPushButton(icons.icon(ICONS[action]), label(action), self)
        button.setObjectName(f"action_{action}")
        button.setAutoDefault(False)
        button.clicked.connect(lambda: self.chosen.emit(action))
        return button
