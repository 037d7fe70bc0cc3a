# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The fields for a folder's rules, in plain words; what is wrong is said while a person types."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QRadioButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from fieldpost_desktop.engine.model.folder_rules import DEFAULT_TARGET, LONGEST_MINIMUM_AGE_S, After, FolderRules
from fieldpost_desktop.ui.folders import patterns
from fieldpost_desktop.ui.folders.folder_text import HOUR_S, MINUTE_S
from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.widgets.object_names import named
from fieldpost_desktop.ui.widgets.toned import TonedLabel
from fieldpost_shared.errors import SettingsError


class RulesForm(QWidget):
    """Shows rules and reads them again; what it has no field for stays as it was given."""

    changed = Signal()

    def __init__(self, rules: FolderRules, *, may_delete: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._given = rules
        self._include = self._line("include", patterns.write(rules.include), self.tr("All files"))
        self._exclude = self._line("exclude", patterns.write(rules.exclude), self.tr("Nothing"))
        self._subfolders = named(QCheckBox(self.tr("Files in &subfolders too"), self), "subfolders")
        self._subfolders.setChecked(rules.subfolders)
        self._age = AgeField(rules.minimum_age_s, self)
        self._after = AfterField(rules, self, may_delete=may_delete)
        self._label = self._line("label", rules.label, self.tr("Nothing"))
        self._lay_out()
        self._subfolders.toggled.connect(self.changed)
        self._age.changed.connect(self.changed)
        self._after.changed.connect(self.changed)

    def rules(self) -> FolderRules:
        """Return the rules that the fields hold.

        Raises:
            SettingsError: naming what cannot be used.
        """
        return FolderRules(
            include=patterns.read(self._include.text()),
            exclude=patterns.read(self._exclude.text()),
            subfolders=self._subfolders.isChecked(),
            minimum_age_s=self._age.seconds(),
            after=self._after.after(),
            move_to=self._after.target(),
            label=self._label.text().strip(),
            take_existing=self._given.take_existing,
        )

    def problem(self) -> str:
        """Return what is wrong with the fields, for a person; empty if nothing is."""
        try:
            self.rules()
        except SettingsError as error:
            return self._words(error.key)
        return ""

    def _words(self, key: str) -> str:
        match key:
            case "include":
                return self.tr("“Only these files” cannot be used like this. Write something like *.jpg, *.pdf")
            case "exclude":
                return self.tr("“Leave out” cannot be used like this. Write something like draft*, raw/")
            case "move_to":
                return self.tr("The folder for sent files needs a plain name, such as Sent.")
            case "label":
                return self.tr("The name to file them under cannot be used. Plain letters and digits always work.")
            case _:
                return self.tr("A file can be held back for at most 30 days.")

    def _line(self, name: str, text: str, empty: str) -> QLineEdit:
        line = named(QLineEdit(text, self, placeholderText=empty), name)
        line.textChanged.connect(self.changed)
        return line

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setColumnStretch(1, 1)
        note = self.tr("For example *.jpg, *.pdf. Leave it empty for all files.")
        _add_row(grid, self.tr("&Only these files:"), self._include, note)
        note = self.tr("For example draft* for names that begin so, raw/ for a subfolder.")
        _add_row(grid, self.tr("&Leave out:"), self._exclude, note)
        grid.addWidget(self._subfolders, grid.rowCount(), 1)
        _add_row(grid, self.tr("Wai&t until a file is:"), self._age)
        _add_row(grid, self.tr("After confirmation:"), self._after, at=Qt.AlignmentFlag.AlignTop)
        note = self.tr("The office finds the files in a folder of this name, for example Van 7.")
        _add_row(grid, self.tr("&File them under:"), self._label, note)


class AgeField(QWidget):
    """A minimum age: a number of minutes or hours."""

    changed = Signal()

    def __init__(self, seconds: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._number = named(QSpinBox(self), "age")
        self._unit = named(QComboBox(self), "age_unit")
        self._unit.addItem(self.tr("minutes old"), MINUTE_S)
        self._unit.addItem(self.tr("hours old"), HOUR_S)
        if seconds % MINUTE_S:  # set by the command line, and not to be rounded by opening a dialog
            self._unit.addItem(self.tr("seconds old"), 1)
        unit = next(size for size in (HOUR_S, MINUTE_S, 1) if seconds % size == 0) if seconds else MINUTE_S
        self._unit.setCurrentIndex(self._unit.findData(unit))
        self._bound()
        self._number.setValue(seconds // unit)
        self._number.setAccessibleName(self.tr("Minimum age"))
        self._unit.setAccessibleName(self.tr("Unit of the minimum age"))
        self.setFocusProxy(self._number)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._number)
        row.addWidget(self._unit)
        row.addStretch(1)
        self._unit.currentIndexChanged.connect(self._bound)
        self._unit.currentIndexChanged.connect(self.changed)
        self._number.valueChanged.connect(self.changed)

    def seconds(self) -> int:
        """Return the age that is set; 0 for none."""
        return self._number.value() * int(self._unit.currentData())

    def _bound(self) -> None:
        self._number.setMaximum(LONGEST_MINIMUM_AGE_S // int(self._unit.currentData()))


class AfterField(QWidget):
    """What becomes of a file after its confirmation."""

    changed = Signal()

    def __init__(self, rules: FolderRules, parent: QWidget | None = None, *, may_delete: bool) -> None:
        super().__init__(parent)
        self._choices: Final = {
            After.KEEP: named(QRadioButton(self.tr("&Keep the file where it is"), self), "keep"),
            After.MOVE: named(QRadioButton(self.tr("&Move it to the subfolder"), self), "move"),
        }
        if may_delete:
            words = self.tr("&Delete it from this computer")
            self._choices[After.DELETE] = named(QRadioButton(words, self), "delete")
        self._target = named(QLineEdit(rules.move_to, self, placeholderText=DEFAULT_TARGET), "move_to")
        self._target.setAccessibleName(self.tr("Subfolder for sent files"))
        group = QButtonGroup(self)
        for button in self._choices.values():
            group.addButton(button)
            button.toggled.connect(self._chosen)
        self._choices.get(rules.after, self._choices[After.KEEP]).setChecked(True)
        self._target.textChanged.connect(self.changed)
        self._lay_out()

    def after(self) -> After:
        """Return the choice."""
        return next(after for after, button in self._choices.items() if button.isChecked())

    def target(self) -> str:
        """Return the name of the subfolder; an empty one means the usual."""
        return self._target.text().strip() or DEFAULT_TARGET

    def _chosen(self, on: bool) -> None:  # noqa: FBT001 - Qt's signal
        if on:
            self._target.setEnabled(self.after() is After.MOVE)
            self.changed.emit()

    def _lay_out(self) -> None:
        lines = QVBoxLayout(self)
        lines.setContentsMargins(0, 0, 0, 0)
        for after, button in self._choices.items():
            if after is After.MOVE:
                row = QHBoxLayout()
                row.addWidget(button)
                row.addWidget(self._target, 1)
                lines.addLayout(row)
            else:
                lines.addWidget(button)


def _add_row(
    grid: QGridLayout,
    title: str,
    field: QWidget,
    note: str = "",
    *,
    at: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignVCenter,
) -> None:
    """Add a field with a small sentence below it, which a screen reader reads as well."""
    row = grid.rowCount()
    label = QLabel(title)
    label.setBuddy(field)
    grid.addWidget(label, row, 0, at)
    grid.addWidget(field, row, 1)
    if note:
        field.setAccessibleDescription(note)
        grid.addWidget(TonedLabel(note, Tone.MUTED), row + 1, 1)
