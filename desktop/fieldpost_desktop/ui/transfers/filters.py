# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The bar above the list: which files are shown, the search, and what can be done with all failed ones at once."""

from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from fieldpost_desktop.engine.journal.browse import GROUPS, Group
from fieldpost_desktop.engine.model.events import OverallStatus
from fieldpost_desktop.ui.text import phrases
from fieldpost_desktop.ui.widgets import icons, theme
from fieldpost_desktop.ui.widgets.icons import IconName

DEBOUNCE_MS: Final = 200
_NOTE_MS: Final = 6_000
_SEARCH_LETTERS: Final = 18  # the least that is seen of what is typed


class FilterBar(QWidget):
    """Tells what a person wants to see; the counts come from the one overall status."""

    group_chosen = Signal(object)  # a Group
    text_typed = Signal(str)  # after a moment without a key
    retry_wanted = Signal()
    copy_wanted = Signal()
    export_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("filters")
        self._buttons = {group: self._group_button(group) for group in Group}
        self._exclusive = QButtonGroup(self)
        for group, button in self._buttons.items():
            self._exclusive.addButton(button)
            button.clicked.connect(lambda _=False, group=group: self.group_chosen.emit(group))
        self.search = self._search_field()
        self.export = self._export_button()
        self.retry = self._button(IconName.RETRY, self.tr("Retry all &failed"), "retry_all")
        self.retry.clicked.connect(self.retry_wanted)
        self.copy = self._button(IconName.COPY, self.tr("Copy failed pat&hs"), "copy_failed")
        self.copy.clicked.connect(self.copy_wanted)
        self._note = QLabel(self)
        self._note.setObjectName("note")
        self._note_over = self._once(_NOTE_MS, self._hide_note)
        self._typed = self._once(DEBOUNCE_MS, self._tell_text)
        self._lay_out()
        self.show_status(OverallStatus())
        self.show_group(Group.ALL)

    # what is shown

    def show_status(self, status: OverallStatus) -> None:
        """Show how many files there are of each."""
        counts = {
            group: sum(count for state, count in status.counts.items() if state in states)
            for group, states in GROUPS.items()
        }
        for group, button in self._buttons.items():
            button.setText(self._title(group).format(n=phrases.number(counts[group])))
        needy = counts[Group.ATTENTION] > 0
        self.retry.setVisible(needy)
        self.copy.setVisible(needy)
        self._second_line.setVisible(needy or not self._note.isHidden())

    def show_group(self, group: Group) -> None:
        """Press its button, without telling it again."""
        self._buttons[group].setChecked(True)

    def clear_search(self) -> None:
        """Clear the search without telling it."""
        self.search.clear()  # its signals are needed: the cross in the field goes with the text
        self._typed.stop()

    def say(self, words: str) -> None:
        """Show a short note, for a few seconds."""
        self._note.setText(words)
        self._note.show()
        self._second_line.show()
        self._note_over.start()

    def _hide_note(self) -> None:
        self._note.hide()
        self._second_line.setVisible(not self.retry.isHidden())

    def _tell_text(self) -> None:
        self.text_typed.emit(self.search.text().strip())

    # pieces

    def _once(self, after_ms: int, call: object) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(after_ms)
        timer.timeout.connect(call)
        return timer

    def _group_button(self, group: Group) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(f"show_{group}")
        button.setCheckable(True)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        return button

    def _title(self, group: Group) -> str:
        return {
            Group.IN_PROGRESS: self.tr("&In progress ({n})"),
            Group.ATTENTION: self.tr("Needs a&ttention ({n})"),
            Group.CONFIRMED: self.tr("&Confirmed ({n})"),
            Group.ALL: self.tr("A&ll"),
        }[group]

    def _search_field(self) -> QLineEdit:
        field = QLineEdit(self)
        field.setObjectName("search")
        field.setPlaceholderText(self.tr("Search names and folders"))
        field.setAccessibleName(self.tr("Search names and folders"))
        field.setToolTip(QKeySequence(QKeySequence.StandardKey.Find).toString(QKeySequence.SequenceFormat.NativeText))
        field.setClearButtonEnabled(True)
        field.addAction(icons.icon(IconName.SEARCH), QLineEdit.ActionPosition.LeadingPosition)
        field.setMinimumWidth(field.fontMetrics().averageCharWidth() * _SEARCH_LETTERS)
        field.textChanged.connect(self._begin_waiting)
        field.returnPressed.connect(self._tell_at_once)
        return field

    def _begin_waiting(self) -> None:
        self._typed.start()

    def _tell_at_once(self) -> None:
        self._typed.stop()
        self._tell_text()

    def _export_button(self) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("export")
        button.setIcon(icons.icon(IconName.EXPORT))
        button.setAutoRaise(True)
        button.setToolTip(self.tr("Export this list as CSV…"))
        button.setAccessibleName(self.tr("Export this list as CSV…"))
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        side = round(button.fontMetrics().height() * 1.2)
        button.setIconSize(QSize(side, side))
        button.clicked.connect(self.export_wanted)
        return button

    def _button(self, icon: IconName, text: str, name: str) -> QPushButton:
        button = QPushButton(icons.icon(icon), text, self)
        button.setObjectName(name)
        return button

    def _lay_out(self) -> None:
        first = QHBoxLayout()
        first.setSpacing(theme.gap(self.fontMetrics(), 0.25))
        for button in self._buttons.values():
            first.addWidget(button)
        first.addStretch(1)
        first.addWidget(self.search, 2)
        first.addWidget(self.export)
        self._second_line = QWidget(self)
        second = QHBoxLayout(self._second_line)
        second.setContentsMargins(0, 0, 0, 0)
        for widget in (self.retry, self.copy, self._note):
            second.addWidget(widget)
        second.addStretch(1)
        self._note.hide()
        both = QVBoxLayout(self)
        both.setContentsMargins(0, 0, 0, 0)
        both.addLayout(first)
        both.addWidget(self._second_line)
