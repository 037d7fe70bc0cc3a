# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Send under another name: the name is judged while it is typed, by the same rules as at the office."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QLineEdit, QVBoxLayout, QWidget

from fieldpost_desktop.ui.text import wording
from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.widgets import theme
from fieldpost_desktop.ui.widgets.object_names import named
from fieldpost_desktop.ui.widgets.toned import TonedLabel
from fieldpost_shared import names
from fieldpost_shared.errors import NameRefused


class RenameDialog(QDialog):
    """Asks for a name; the file on this computer keeps its own."""

    chosen = Signal(str)  # the path to send it under

    def __init__(self, path: str, office: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rename")
        self.setWindowTitle(self.tr("Send under another name"))
        self._present = path
        self._office = wording.office_name(office)
        self._field = named(QLineEdit(path, self), "name")
        self._verdict = TonedLabel("", parent=self)
        self._verdict.setObjectName("verdict")
        boxes = QDialogButtonBox.StandardButton
        self._buttons = QDialogButtonBox(boxes.Ok | boxes.Cancel, self)
        self._ok = self._buttons.button(boxes.Ok)
        self._ok.setText(self.tr("Send"))
        self._ok.setObjectName("ok")
        self._buttons.accepted.connect(self._accept)
        self._buttons.rejected.connect(self.reject)
        self._field.textChanged.connect(self._judge)
        self._lay_out()
        self._select_stem()
        self._judge()

    def name(self) -> str:
        """Return what was typed, without the spaces around it."""
        return str(self._field.text()).strip()

    def _accept(self) -> None:
        self.chosen.emit(self.name())
        self.accept()

    def _judge(self) -> None:
        problem = self._problem()
        self._verdict.set_tone(Tone.ATTENTION if problem else Tone.MUTED)
        self._verdict.setText(problem or self._arrives_as())
        self._ok.setEnabled(not problem and self.name() != self._present)

    def _problem(self) -> str:
        try:
            names.from_source(self.name().split("/"))
        except NameRefused as error:
            words = self.tr("This name cannot be used: {reason}.")
            return words.format(reason=wording.name_problem(error.detail))
        return ""

    def _arrives_as(self) -> str:
        name = self.name()
        if name == self._present:
            return self.tr("This is the name it has now. Write another one.")
        written = names.to_disk(names.from_source(name.split("/")))
        if written != name:
            return self.tr("At {office} it is written as {name}").format(office=self._office, name=written)
        return self.tr("This name is fine.")

    def _select_stem(self) -> None:
        """Select what is usually changed: neither the folders nor the extension."""
        start = self._present.rfind("/") + 1
        dot = self._present.rfind(".")
        end = dot if dot > start else len(self._present)
        self._field.setSelection(start, end - start)

    def _lay_out(self) -> None:
        words = self.tr("&Name at {office}:").format(office=self._office.replace("&", "&&"))
        label = QLabel(words, self)
        label.setBuddy(self._field)
        note = self.tr("Only the name under which it arrives changes. The file on this computer keeps its name.")
        lines = QVBoxLayout(self)
        lines.setSpacing(theme.gap(self.fontMetrics()))
        for widget in (label, self._field, self._verdict, TonedLabel(note, Tone.MUTED, self)):
            lines.addWidget(widget)
        lines.addStretch(1)
        lines.addWidget(self._buttons)
        self._field.setMinimumWidth(self.fontMetrics().averageCharWidth() * 60)
