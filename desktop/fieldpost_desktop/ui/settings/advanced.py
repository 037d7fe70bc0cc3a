# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What mostly support asks for: the data folder, the report, the versions."""

from collections.abc import Callable

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QLineEdit, QPushButton, QVBoxLayout, QWidget

from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_desktop.ui.widgets import icons, theme
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_desktop.ui.widgets.wrapping_text import WrappingText, heading
from fieldpost_shared.version import __version__


class AdvancedSection(QWidget):
    """Nothing here changes anything."""

    report_wanted = Signal()
    about_wanted = Signal()

    def __init__(self, paths: Paths) -> None:
        super().__init__()
        self.setObjectName("advanced_section")
        self._folder = QUrl.fromLocalFile(str(paths.data_dir))
        self._column = QVBoxLayout(self)
        self._add(
            self.tr("Data folder"),
            _path_line(str(paths.data_dir), self.tr("Data folder")),
            self._button("open_data_folder", IconName.OPEN_FOLDER, self.tr("&Open"), self._open),
        )
        self._add(
            self.tr("Support"),
            WrappingText(self.tr("A report holds logs and settings, but no password and no file of yours.")),
            self._button(
                "make_report", IconName.REPORT, self.tr("Make a report for s&upport…"), self.report_wanted.emit
            ),
        )
        self._add(
            self.tr("Version"),
            WrappingText(f"Fieldpost {__version__}", "version", selectable=True),
            self._button("about", IconName.ABOUT, self.tr("A&bout Fieldpost…"), self.about_wanted.emit),
        )
        self._column.addStretch(1)

    def _open(self) -> None:
        QDesktopServices.openUrl(self._folder)

    def _add(self, title: str, words: QWidget, button: QPushButton) -> None:
        self._column.addWidget(heading(title))
        self._column.addWidget(words)
        self._column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        self._column.addSpacing(theme.gap(self.fontMetrics()))

    def _button(self, name: str, icon: IconName, text: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(icons.icon(icon), text)
        button.setObjectName(name)
        button.clicked.connect(lambda _: act())
        return button


def _path_line(path: str, name: str) -> QLineEdit:
    """Return a line that scrolls and can be copied: a path can be long, and Qt breaks none at a backslash."""
    line = QLineEdit(path)
    line.setObjectName("data_folder")
    line.setAccessibleName(name)
    line.setReadOnly(True)
    line.setCursorPosition(0)
    return line
