# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The rows of the page, and what stands there while there are none. A person watches a few folders, not thousands."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from fieldpost_desktop.engine.journal.folders import FolderId
from fieldpost_desktop.engine.watching.folder_kind import FolderView
from fieldpost_desktop.ui.folders.row import FolderRow
from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.widgets import icons
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_desktop.ui.widgets.object_names import named
from fieldpost_desktop.ui.widgets.toned import TonedIcon, TonedLabel


class FolderList(QScrollArea):
    """One row for each folder, in the order they were added; every signal names its folder."""

    switched = Signal(object, bool)
    edit_wanted = Signal(object)
    check_wanted = Signal(object)
    open_wanted = Signal(object)
    remove_wanted = Signal(object)
    choose_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("folder_list")
        self.setAccessibleName(self.tr("Watched folders"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._rows: dict[FolderId, FolderRow] = {}
        inside = QWidget(self)
        self._lines = QVBoxLayout(inside)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.addStretch(1)
        self.setWidget(inside)

    def show_views(self, views: Sequence[FolderView]) -> None:
        """Show these folders; rows that stay are kept, with the focus that may be on them."""
        seen = {view.folder.id for view in views}
        for gone in self._rows.keys() - seen:
            row = self._rows.pop(gone)
            self._lines.removeWidget(row)
            row.hide()
            row.deleteLater()
        for at, view in enumerate(views):
            row = self._rows.get(view.folder.id) or self._new_row(at, view)
            row.show_view(view)

    def _new_row(self, at: int, view: FolderView) -> FolderRow:
        row = FolderRow(view, self.widget())
        row.switched.connect(lambda on: self.switched.emit(row.view.folder, on))
        for wanted, told in (
            (row.edit_wanted, self.edit_wanted),
            (row.check_wanted, self.check_wanted),
            (row.open_wanted, self.open_wanted),
            (row.remove_wanted, self.remove_wanted),
            (row.choose_wanted, self.choose_wanted),
        ):
            wanted.connect(lambda told=told: told.emit(row.view.folder))
        self._lines.insertWidget(at, row)
        self._rows[view.folder.id] = row
        return row


class NoFolders(QWidget):
    """What a watched folder is good for, and the way to the first one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("no_folders")
        title = named(QLabel(self.tr("No folder is watched yet"), self), "no_folders_title")
        font = title.font()
        font.setPointSizeF(font.pointSizeF() * 1.4)
        title.setFont(font)
        words = self.tr(
            "Choose a folder, and Fieldpost sends every file that is saved there, by itself. "
            "You can also drop a folder on this page."
        )
        text = TonedLabel(words, Tone.MUTED, self)
        text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.add = named(QPushButton(icons.icon(IconName.ADD), self.tr("&Watch a folder…"), self), "add_first")
        lines = QVBoxLayout(self)
        lines.addStretch(1)
        lines.addWidget(_BigIcon(IconName.WATCHED_FOLDERS, Tone.MUTED, self), 0, Qt.AlignmentFlag.AlignHCenter)
        lines.addWidget(title, 0, Qt.AlignmentFlag.AlignHCenter)
        lines.addWidget(text)
        lines.addWidget(self.add, 0, Qt.AlignmentFlag.AlignHCenter)
        lines.addStretch(2)


class _BigIcon(TonedIcon):
    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return super().sizeHint() * 4
