# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What mostly support asks for: the data folder, the report, the versions."""

from collections.abc import Callable

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from fieldpost_desktop.engine.paths import Paths
from fieldpost_desktop.ui import icons
from fieldpost_desktop.ui.icons import IconName
from fieldpost_desktop.ui.settings.field import Field
from fieldpost_desktop.ui.setup.fitting import Words, form
from fieldpost_shared.version import __version__


class AdvancedSection(QWidget):
    """Nothing here changes anything."""

    report_wanted = Signal()
    about_wanted = Signal()

    def __init__(self, paths: Paths) -> None:
        super().__init__()
        self.setObjectName("advanced_section")
        self._folder = QUrl.fromLocalFile(str(paths.data_dir))
        lines = form()
        lines.addRow(
            self.tr("Data folder:"),
            self._with(
                Words(str(paths.data_dir), "data_folder", selectable=True),
                self._button("open_data_folder", IconName.OPEN_FOLDER, self.tr("&Open"), self._open),
            ),
        )
        lines.addRow(
            self.tr("Support:"),
            self._with(
                Words(self.tr("A report holds logs and settings, but no password and no file of yours.")),
                self._button(
                    "make_report", IconName.REPORT, self.tr("Make a &report for support…"), self.report_wanted.emit
                ),
            ),
        )
        lines.addRow(
            self.tr("Version:"),
            self._with(
                Words(f"Fieldpost {__version__}", "version", selectable=True),
                self._button("about", IconName.ABOUT, self.tr("&About Fieldpost…"), self.about_wanted.emit),
            ),
        )
        layout = QVBoxLayout(self)
        layout.addLayout(lines)
        layout.addStretch(1)

    def _open(self) -> None:
        QDesktopServices.openUrl(self._folder)

    def _with(self, words: Words, button: QPushButton) -> Field:
        field = Field("")
        field.column.addWidget(words)
        field.add(button)
        return field

    def _button(self, name: str, icon: IconName, text: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(icons.icon(icon), text)
        button.setObjectName(name)
        button.clicked.connect(lambda _: act())
        return button
