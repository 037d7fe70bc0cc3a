# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""About Fieldpost: the versions that support asks for first, to be read out or copied, and the licences."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.widgets import icons, theme
from fieldpost_desktop.ui.widgets.dialog_size import size_to_contents
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_desktop.ui.widgets.object_names import named
from fieldpost_desktop.ui.widgets.toned import TonedLabel

_PROPER: Final = {  # names are not translated
    "python": "Python",
    "qt": "Qt",
    "pyside6": "PySide6",
    "librdkafka": "librdkafka",
    "confluent-kafka": "confluent-kafka",
    "sqlite": "SQLite",
}
_ICON_LINES: Final = 4
_LETTERS: Final = 80


class AboutDialog(QDialog):
    """Shows what `AppInstance.about` tells."""

    def __init__(self, versions: Mapping[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("about")
        self.setWindowTitle(self.tr("About Fieldpost"))
        self._versions = versions
        self._copy = named(QPushButton(icons.icon(IconName.COPY), self.tr("&Copy"), self), "copy")
        self._copy.setToolTip(self.tr("Copy the versions, to send them to support"))
        self._copy.clicked.connect(self._copy_versions)
        self._lay_out()

    def text(self) -> str:
        """Return what [Copy] copies: in English whatever the language, since it goes to support."""
        return "\n".join(f"{name}: {version}" for name, version in self._versions.items())

    def _copy_versions(self) -> None:
        QGuiApplication.clipboard().setText(self.text())
        self._copy.setText(self.tr("Copied"))

    def _lay_out(self) -> None:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.addButton(self._copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        lines = QVBoxLayout(self)
        lines.setSpacing(theme.gap(self.fontMetrics()))
        lines.addLayout(self._head())
        lines.addLayout(self._table())
        lines.addWidget(self._licences())
        lines.addStretch(1)
        lines.addWidget(buttons)
        size_to_contents(self, _LETTERS)

    def _head(self) -> QHBoxLayout:
        side = self.fontMetrics().height() * _ICON_LINES
        picture = named(QLabel(self), "app_icon")
        picture.setPixmap(icons.icon(IconName.APP).pixmap(QSize(side, side), self.devicePixelRatioF()))
        title = QLabel(self.tr("Fieldpost {version}").format(version=self._versions.get("fieldpost", "")), self)
        title.setObjectName("title")
        font = title.font()
        font.setPointSizeF(font.pointSizeF() * 1.6)
        font.setBold(True)
        title.setFont(font)
        words = QVBoxLayout()
        words.addStretch(1)
        words.addWidget(title)
        words.addWidget(QLabel(self.tr("Sends your files and says for certain that they arrived."), self))
        words.addStretch(1)
        row = QHBoxLayout()
        row.addWidget(picture)
        row.addLayout(words, 1)
        return row

    def _table(self) -> QFormLayout:
        table = QFormLayout()
        for name, version in self._versions.items():
            if name != "fieldpost":
                said = _value(name, version)
                shown = named(QLabel(said, self, wordWrap=True), f"version_{name}")
                shown.setTextFormat(Qt.TextFormat.PlainText)
                shown.setTextInteractionFlags(
                    Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
                )
                shown.setAccessibleName(f"{_name(name)} {said}")
                table.addRow(_name(name), shown)
        return table

    def _licences(self) -> TonedLabel:
        words = self.tr(
            "Fieldpost is free software under the Apache License 2.0. It is built with Qt and PySide6 (LGPL 3), "
            "Python (PSF License), librdkafka (BSD) and confluent-kafka (Apache 2.0), zstandard (BSD), "
            "watchdog (Apache 2.0), and keyring, platformdirs and rich (MIT)."
        )
        label = TonedLabel(words, Tone.MUTED, self)
        label.setObjectName("licences")
        return label


def _name(key: str) -> str:
    match key:
        case "system":
            return QCoreApplication.translate("about", "Computer")
        case "packaged":
            return QCoreApplication.translate("about", "Installed as a program")
        case _:
            return _PROPER.get(key, key)


def _value(key: str, version: str) -> str:
    if key != "packaged":
        return version
    if version == "yes":
        return QCoreApplication.translate("about", "yes")
    return QCoreApplication.translate("about", "no")
