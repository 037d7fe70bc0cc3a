# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What a file is: where it lies, how large it is, what its bytes hash to."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QToolButton, QWidget

from fieldpost_desktop.engine.journal.browse import FileDetails
from fieldpost_desktop.ui.text import phrases
from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.widgets import icons, theme
from fieldpost_desktop.ui.widgets.break_anywhere_label import BreakAnywhereLabel
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_desktop.ui.widgets.wrapping_text import WrappingText
from fieldpost_shared.saying import safe


class AboutFile(QWidget):
    """Titles at the left, values in the middle, what can be done with them at the right."""

    show_in_folder_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("about_file")
        self._path = BreakAnywhereLabel("file_path")
        self._size = BreakAnywhereLabel("file_size")
        self._folder = BreakAnywhereLabel("file_folder")
        self._hash = BreakAnywhereLabel("file_hash")
        self._folder_title = WrappingText(self.tr("Watched folder"), tone=Tone.MUTED)
        self._show = self._button(IconName.OPEN_FOLDER, self.tr("Show in folder"), "show_in_folder")
        self._show.clicked.connect(self.show_in_folder_wanted)
        self._copy = self._button(IconName.COPY, self.tr("Copy the SHA-256"), "copy_hash")
        self._copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._hash.text()))
        self._arrange()

    def show_facts(self, facts: FileDetails) -> None:
        """Show those of this file."""
        row = facts.row
        self._path.setText(safe(row.source))
        self._size.setText(phrases.size(row.size))
        self._folder.setText(safe(facts.folder or ""))
        for widget in (self._folder_title, self._folder):
            widget.setVisible(facts.folder is not None)
        self._hash.setText(row.sha256 or self.tr("Known once the file has been read"))
        self._copy.setEnabled(bool(row.sha256))

    def _arrange(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(theme.gap(self.fontMetrics(), 0.6))
        grid.setVerticalSpacing(theme.gap(self.fontMetrics(), 0.3))
        grid.setColumnStretch(1, 1)
        lines = (
            (WrappingText(self.tr("Path"), tone=Tone.MUTED), self._path, self._show),
            (self._folder_title, self._folder, None),
            (WrappingText(self.tr("Size"), tone=Tone.MUTED), self._size, None),
            (WrappingText(self.tr("SHA-256"), tone=Tone.MUTED), self._hash, self._copy),
        )
        for line, (title, value, button) in enumerate(lines):
            title.setWordWrap(False)
            grid.addWidget(title, line, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(value, line, 1)
            if button is not None:
                grid.addWidget(button, line, 2, Qt.AlignmentFlag.AlignTop)

    def _button(self, icon: IconName, name: str, object_name: str) -> QToolButton:
        button = QToolButton()
        button.setObjectName(object_name)
        button.setIcon(icons.icon(icon))
        button.setToolTip(name)
        button.setAccessibleName(name)
        button.setAutoRaise(True)
        line = self.fontMetrics().height()
        button.setIconSize(QSize(line, line))
        button.setMaximumHeight(theme.gap(self.fontMetrics(), 1.4))
        return button
