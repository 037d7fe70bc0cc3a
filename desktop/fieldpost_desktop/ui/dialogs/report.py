# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Make a report for support: what is in it and what is not, and then where it is."""

from pathlib import Path
from typing import Final

from PySide6.QtCore import QDateTime, QStandardPaths, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.widgets import icons, theme
from fieldpost_desktop.ui.widgets.dialog_size import size_to_contents
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_desktop.ui.widgets.object_names import named
from fieldpost_desktop.ui.widgets.path_label import PathLabel
from fieldpost_desktop.ui.widgets.toned import TonedLabel
from fieldpost_shared.errors import FieldpostError

_LETTERS: Final = 90
_NS_PER_MS: Final = 1_000_000


class ReportDialog(QDialog):
    """Nothing is written before a person has seen what; nothing is sent by itself."""

    def __init__(self, instance: AppInstance, worker: Worker, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("report")
        self.setWindowTitle(self.tr("Make a report for support"))
        self._instance = instance
        self._worker = worker
        self.out = _usual_place(instance.clock.now_ns())
        self._place = PathLabel(str(self.out), self)
        self._change = named(QPushButton(self.tr("&Choose another place…"), self), "choose_place")
        self._state = TonedLabel("", parent=self)
        self._state.setObjectName("state")
        self._make = named(QPushButton(icons.icon(IconName.REPORT), self.tr("&Make the report"), self), "make")
        self._show = named(QPushButton(icons.icon(IconName.OPEN_FOLDER), self.tr("&Show in folder"), self), "show")
        self._change.clicked.connect(self._choose)
        self._make.clicked.connect(self._begin)
        self._show.clicked.connect(self._open_folder)
        self._lay_out()
        self._make.setDefault(True)

    def contents(self) -> dict[str, str]:
        """Return what is in it, by the names in the ZIP."""
        return {
            "about.json": self.tr("the versions of Fieldpost and of this computer"),
            "profile.fieldpost": self.tr("the settings file of your organisation, which holds no password"),
            "settings.json": self.tr("what is set about sending"),
            "journal.jsonl": self.tr("the list of files with sizes and times; their names are replaced by codes"),
            "logs/": self.tr("what Fieldpost noted while it worked, without passwords and file names"),
        }

    # where to

    def _choose(self) -> None:
        dialog = QFileDialog(self, self.tr("Where to write the report"))
        dialog.setObjectName("choose_file")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(self.tr("ZIP files (*.zip)"))
        dialog.setDefaultSuffix("zip")
        dialog.selectFile(str(self.out))
        dialog.fileSelected.connect(self._use_place)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _use_place(self, chosen: str) -> None:
        self.out = Path(chosen)
        self._place.show_path(str(self.out))

    # making it

    def _begin(self) -> None:
        out = self.out
        self._allow(making=False)
        self._say(self.tr("The report is being made…"), Tone.MUTED)
        self._worker.run(lambda: self._instance.report(out), self._made, self._failed, owner=self)

    def _made(self, _names: list[str]) -> None:
        self._say(self.tr("The report is ready. Please send it to support, for example by e-mail."), Tone.CONFIRMED)
        self._make.hide()
        self._change.hide()
        self._show.show()
        self._show.setFocus()

    def _failed(self, _error: FieldpostError) -> None:
        """Offer another place, whatever failed: it can be written elsewhere."""
        self._say(self.tr("The report could not be written there. Choose another place and try again."), Tone.ATTENTION)
        self._allow(making=True)

    def _allow(self, *, making: bool) -> None:
        self._make.setEnabled(making)
        self._change.setEnabled(making)

    def _say(self, words: str, tone: Tone) -> None:
        self._state.setText(words)
        self._state.set_tone(tone)
        self._state.show()

    def _open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.out.parent)))

    # making the dialog

    def _lay_out(self) -> None:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.addButton(self._make, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(self._show, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        intro = self.tr(
            "A report helps support to find out what is wrong. It is only written to a file; "
            "you decide whom to give it to."
        )
        place = QHBoxLayout()
        place.addWidget(self._change)
        place.addStretch(1)
        lines = QVBoxLayout(self)
        lines.setSpacing(theme.gap(self.fontMetrics()))
        lines.addWidget(self._words("intro", intro))
        lines.addWidget(self._words("inside", _listed(self.tr("In it:"), list(self.contents().values()))))
        lines.addWidget(self._words("outside", _listed(self.tr("Not in it:"), self._left_out())))
        lines.addWidget(QLabel(self.tr("It is written to:"), self))
        lines.addWidget(self._place)
        lines.addLayout(place)
        lines.addWidget(self._state)
        lines.addStretch(1)
        lines.addWidget(buttons)
        self._state.hide()
        self._show.hide()
        size_to_contents(self, _LETTERS)

    def _left_out(self) -> list[str]:
        return [self.tr("passwords"), self.tr("the names of your files and folders, and what is in them")]

    def _words(self, name: str, text: str) -> QLabel:
        label = named(QLabel(text, self, wordWrap=True), name)
        label.setTextFormat(Qt.TextFormat.PlainText)
        return label


def _usual_place(now_ns: int) -> Path:
    """Return a file on the Desktop, where a person finds it again."""
    desktop = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DesktopLocation)
    moment = QDateTime.fromMSecsSinceEpoch(now_ns // _NS_PER_MS).toString("yyyy-MM-dd HHmm")
    return Path(desktop) / f"Fieldpost report {moment}.zip"


def _listed(title: str, items: list[str]) -> str:
    return "\n".join([title, *(f"  •  {item}" for item in items)])
