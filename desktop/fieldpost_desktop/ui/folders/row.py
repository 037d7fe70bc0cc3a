# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""One watched folder on the page: where it is, how it is, its rules, and what can be done with it."""

from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from fieldpost_desktop.engine.watching.folder_kind import FolderView
from fieldpost_desktop.ui.folders import folder_text
from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.widgets import icons
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_desktop.ui.widgets.object_names import named
from fieldpost_desktop.ui.widgets.path_label import PathLabel
from fieldpost_desktop.ui.widgets.toned import TonedIcon, TonedLabel
from fieldpost_shared.codes import Code


class _Mark(NamedTuple):
    icon: IconName
    tone: Tone


class FolderRow(QFrame):
    """A row; what a person wants is told by signals."""

    switched = Signal(bool)
    edit_wanted = Signal()
    check_wanted = Signal()
    open_wanted = Signal()
    remove_wanted = Signal()
    choose_wanted = Signal()

    def __init__(self, view: FolderView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"folder_{view.folder.id}")
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._path = view.folder.path
        self._switch = named(QCheckBox(self.tr("On"), self), "switch")
        self._switch.setAccessibleName(self.tr("Watch {path}").format(path=self._path))
        self._switch.clicked.connect(self.switched)
        self._mark = TonedIcon(IconName.WAIT, Tone.MUTED, self)
        self._state = TonedLabel("", parent=self)
        self._state.setObjectName("state")
        self._rules = TonedLabel("", Tone.MUTED, self)
        self._rules.setObjectName("rules")
        self._choose = self._button("choose", self.tr("Choose…"), IconName.LOCATE)
        self._check = self._button("check", self.tr("Check now"), IconName.RETRY)
        self._edit = self._button("edit", self.tr("Edit…"), IconName.RENAME)
        self._open = self._button("open", self.tr("Open"), IconName.OPEN_FOLDER)
        self._remove = self._button("remove", self.tr("Remove"), IconName.CANCEL)
        self._lay_out()
        self._connect()
        self.view = view
        self.show_view(view)

    def show_view(self, view: FolderView) -> None:
        """Show the folder as it is now."""
        self.view = view
        folder = view.folder
        gone = folder.enabled and folder.code is Code.FOLDER_GONE
        self._switch.setChecked(folder.enabled)
        self._state.setText(folder_text.state_sentence(view))
        mark = _mark(view)
        self._mark.show_icon(*mark)
        self._state.set_tone(mark.tone)
        self._rules.setText(folder_text.rules_line(folder.rules))
        self._choose.setVisible(gone)
        self._check.setEnabled(folder.enabled)
        self._open.setEnabled(not gone)

    def _button(self, name: str, text: str, icon: IconName) -> QPushButton:
        button = named(QPushButton(icons.icon(icon), text, self), name)
        button.setAccessibleDescription(self._path)
        return button

    def _connect(self) -> None:
        for button, wanted in (
            (self._choose, self.choose_wanted),
            (self._check, self.check_wanted),
            (self._edit, self.edit_wanted),
            (self._open, self.open_wanted),
            (self._remove, self.remove_wanted),
        ):
            button.clicked.connect(lambda _checked=False, wanted=wanted: wanted.emit())

    def _lay_out(self) -> None:
        head, state, tools = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        head.addWidget(PathLabel(self._path, self), 1)
        head.addWidget(self._switch)
        state.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        state.addWidget(self._state, 1)
        for button in (self._choose, self._check, self._edit, self._open, self._remove):
            tools.addWidget(button)
        tools.addStretch(1)
        lines = QVBoxLayout(self)
        for line in (head, state):
            lines.addLayout(line)
        lines.addWidget(self._rules)
        lines.addLayout(tools)


def _mark(view: FolderView) -> _Mark:
    """Return the shape beside the sentence: colour alone says nothing."""
    folder = view.folder
    if not folder.enabled:
        return _Mark(IconName.PAUSE, Tone.PAUSED)
    if folder.code is not None:
        return _Mark(IconName.WARNING, Tone.ATTENTION)
    if folder.scanned_ns is None or view.waiting.files:
        return _Mark(IconName.WAIT, Tone.WAITING)
    return _Mark(IconName.WATCHED_FOLDERS, Tone.MUTED)
