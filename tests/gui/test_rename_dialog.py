# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Send under another name: no name that would be refused again leaves the dialog."""

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from fieldpost_desktop.ui.dialogs.rename import RenameDialog
from support.gui.hands import click, find, text


@pytest.fixture
def dialog(qtbot: QtBot) -> RenameDialog:
    made = RenameDialog("photos/report.pdf", "Head office")
    qtbot.addWidget(made)
    made.show()
    return made


def _type(dialog: RenameDialog, text: str) -> None:
    find(dialog, QLineEdit, "name").setText(text)


def _verdict(dialog: RenameDialog) -> str:
    return text(dialog, "verdict")


def _ok(dialog: RenameDialog) -> QPushButton:
    return find(dialog, QPushButton, "ok")


def test_a_good_name_is_told_once_it_is_chosen(dialog: RenameDialog, qtbot: QtBot) -> None:
    _type(dialog, "  photos/report 2.pdf ")
    with qtbot.waitSignal(dialog.chosen) as chosen:
        click(dialog, "ok")
    assert chosen.args == ["photos/report 2.pdf"]


def test_the_present_name_cannot_be_chosen_again(dialog: RenameDialog) -> None:
    assert not _ok(dialog).isEnabled()
    assert _verdict(dialog) == "This is the name it has now. Write another one."


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "it is empty"),
        ("photos\\x.pdf", "it contains a backslash"),
        ("photos/../x.pdf", "one of its folders is called . or .."),
        ("photos//x.pdf", "one of its folders has no name"),
        ("x" * 300, "it is too long, or one of its folders is"),
    ],
)
def test_a_name_that_cannot_travel_is_refused_as_it_is_typed(dialog: RenameDialog, typed: str, why: str) -> None:
    _type(dialog, typed)
    assert _verdict(dialog) == f"This name cannot be used: {why}."
    assert not _ok(dialog).isEnabled()


def test_a_name_that_is_written_differently_at_the_office_says_how(dialog: RenameDialog) -> None:
    _type(dialog, "plan: b.pdf")
    assert _verdict(dialog) == "At Head office it is written as plan%3A b.pdf"
    assert _ok(dialog).isEnabled()


def test_the_name_is_selected_without_its_folders_and_extension(dialog: RenameDialog) -> None:
    assert find(dialog, QLineEdit, "name").selectedText() == "report"


def test_the_field_can_be_reached_by_its_label(dialog: RenameDialog) -> None:
    field = find(dialog, QLineEdit, "name")
    assert any(label.buddy() is field and "&Name" in label.text() for label in dialog.findChildren(QLabel))


def test_a_name_without_an_extension_is_selected_whole(qtbot: QtBot) -> None:
    made = RenameDialog(".notes", "")
    qtbot.addWidget(made)
    assert find(made, QLineEdit, "name").selectedText() == ".notes"
