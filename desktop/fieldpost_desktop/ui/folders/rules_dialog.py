# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The dialog for one folder's rules: of a new one, with the question about files already there, or of a known one."""

from dataclasses import replace
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QDialogButtonBox,
    QGroupBox,
    QLabel,
    QMessageBox,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from fieldpost_desktop.engine.model.folder_rules import After, FolderRules
from fieldpost_desktop.engine.watching.folder_kind import FolderPreview
from fieldpost_desktop.ui.folders.rules_form import RulesForm
from fieldpost_desktop.ui.text import phrases
from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.widgets.dialog_size import ContentSizedArea, size_to_contents
from fieldpost_desktop.ui.widgets.object_names import named
from fieldpost_desktop.ui.widgets.path_label import PathLabel
from fieldpost_desktop.ui.widgets.toned import TonedLabel

_LETTERS: Final = 90  # a line of the notes below the fields


class RulesDialog(QDialog):
    """Asks for rules; `chosen` tells them once, when all is said."""

    chosen = Signal(object)  # FolderRules

    def __init__(
        self,
        path: str,
        rules: FolderRules,
        *,
        may_delete: bool,
        existing: "ExistingFiles | None" = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._given = rules
        self._existing = existing
        self.setWindowTitle(self.tr("Rules of a watched folder"))
        self._form = RulesForm(rules, may_delete=may_delete)
        asked = ContentSizedArea(self._asked(), self)  # before the buttons: Tab follows the order of making
        self._note = TonedLabel("", Tone.MUTED, self)
        self._hint = named(TonedLabel("", Tone.ATTENTION, self), "hint")
        boxes = QDialogButtonBox.StandardButton
        buttons = QDialogButtonBox(boxes.Ok | boxes.Cancel, self)
        self._ok = named(buttons.button(boxes.Ok), "ok")
        buttons.accepted.connect(self._ask_and_accept)
        buttons.rejected.connect(self.reject)
        lines = QVBoxLayout(self)
        for widget in (PathLabel(path, self), asked, self._note, self._hint, buttons):
            lines.addWidget(widget)
        self._say()
        self._form.changed.connect(self._judge)
        self._judge()
        size_to_contents(self, _LETTERS)

    def problem(self) -> str:
        """Return what keeps the dialog from being accepted."""
        if self._existing is not None and self._existing.answer() is None:
            return self._form.problem() or self.tr("Please say first whether the files already there are to be sent.")
        return self._form.problem()

    def rules(self) -> FolderRules:
        """Return the rules that the person chose."""
        answer = None if self._existing is None else self._existing.answer()
        return self._form.rules() if answer is None else replace(self._form.rules(), take_existing=answer)

    def _asked(self) -> QWidget:
        inside = QWidget()
        lines = QVBoxLayout(inside)
        lines.setContentsMargins(0, 0, 0, 0)
        if self._existing is not None:
            lines.addWidget(self._existing)
            self._existing.chosen.connect(self._judge)
        lines.addWidget(self._form)
        lines.addStretch(1)
        return inside

    def _say(self) -> None:
        self._ok.setText(self.tr("Save"))
        self._note.setText(self.tr("What the new rules take is sent, also if it was left out before."))

    def _judge(self) -> None:
        problem = self.problem()
        self._hint.setText(problem)
        self._hint.setVisible(bool(problem))
        self._ok.setEnabled(not problem)

    def _ask_and_accept(self) -> None:
        """Ask about deleting once: when it is chosen, not each time the rules are edited."""
        if self.rules().after is After.DELETE and self._given.after is not After.DELETE:
            self._question().open()
        else:
            self._accept()

    def _accept(self) -> None:
        self.chosen.emit(self.rules())
        self.accept()

    def _question(self) -> QMessageBox:
        question = QMessageBox(QMessageBox.Icon.Warning, self.windowTitle(), "", parent=self)
        question.setObjectName("delete_question")
        question.setText(self.tr("Delete the files in this folder after confirmation?"))
        question.setInformativeText(
            self.tr("Each file is deleted from this computer as soon as the office has confirmed it. There is no undo.")
        )
        delete = question.addButton(self.tr("Delete after confirmation"), QMessageBox.ButtonRole.AcceptRole)
        question.setDefaultButton(question.addButton(QMessageBox.StandardButton.Cancel))
        delete.clicked.connect(self._accept)
        question.finished.connect(question.deleteLater)
        return question


class AddFolderDialog(RulesDialog):
    """The rules of a new folder; nothing is decided for a person about files already there."""

    def __init__(
        self, look: FolderPreview, rules: FolderRules, *, may_delete: bool, parent: QWidget | None = None
    ) -> None:
        existing = ExistingFiles(look) if look.files else None
        super().__init__(look.path, rules, may_delete=may_delete, existing=existing, parent=parent)
        self.setWindowTitle(self.tr("Watch a folder"))

    def _say(self) -> None:
        self._ok.setText(self.tr("Watch this folder"))
        self._note.hide()


class ExistingFiles(QGroupBox):
    """The question about files that are in the folder already."""

    chosen = Signal()

    def __init__(self, look: FolderPreview, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("existing")
        words = self.tr("This folder already holds %Ln file(s) ({size}). Send them too?", "", look.files)
        question = words.format(size=phrases.size(look.size))
        self.setAccessibleName(question)
        self._yes = named(QRadioButton(self.tr("&Yes, send them too"), self), "existing_yes")
        self._no = named(QRadioButton(self.tr("&No, only what comes from now on"), self), "existing_no")
        group = QButtonGroup(self)
        lines = QVBoxLayout(self)
        lines.addWidget(named(QLabel(question, self, wordWrap=True), "existing_question"))
        for button in (self._yes, self._no):
            group.addButton(button)
            lines.addWidget(button)
            button.clicked.connect(self.chosen)

    def answer(self) -> bool | None:
        """Return whether to send them; None while the question is open."""
        return self._yes.isChecked() if self._yes.isChecked() or self._no.isChecked() else None
