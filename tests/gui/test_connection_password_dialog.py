# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Asking for the password outside of the set-up."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from fieldpost_desktop.app.condition import Condition
from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.profile.vault import MAX_UNITS, MemoryVault
from fieldpost_desktop.ui.connection.password_dialog import PasswordDialog
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_shared.secret import Secret
from support.gui.hands import find, text
from support.gui.setup import PASSWORD, SIGNED, BrokenVault
from support.gui.studio import OFFICE, Studio

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # said by the screen that these tests have
Ok = QDialogButtonBox.StandardButton.Ok


@pytest.fixture
def vault() -> MemoryVault:
    return MemoryVault()


@pytest.fixture
def instance(tmp_path: Path, vault: MemoryVault) -> Iterator[AppInstance]:
    made = Studio(tmp_path, profile=SIGNED, vault=vault).instance(lambda _: None)
    assert made.start() is Condition.NEEDS_PASSWORD
    yield made
    made.close()


@pytest.fixture
def dialog(instance: AppInstance, qapp: QApplication, qtbot: QtBot) -> Iterator[PasswordDialog]:  # noqa: ARG001 - Qt is up
    worker = Worker()
    made = PasswordDialog(instance, worker)
    qtbot.addWidget(made)
    made.show()
    yield made
    worker.close()


def button(dialog: PasswordDialog, kind: QDialogButtonBox.StandardButton) -> QPushButton:
    return find(dialog, QDialogButtonBox, "password_buttons").button(kind)


def ok(dialog: PasswordDialog) -> bool:
    return button(dialog, Ok).isEnabled()


def test_it_says_whose_password_is_asked_for(dialog: PasswordDialog) -> None:
    assert text(dialog, "password_office") == OFFICE
    assert text(dialog, "password_user") == "van-7"


def test_a_new_password_is_kept_and_sending_begins(
    dialog: PasswordDialog, instance: AppInstance, vault: MemoryVault, qtbot: QtBot
) -> None:
    assert not ok(dialog)
    find(dialog, QLineEdit, "password").setText(PASSWORD)
    assert ok(dialog)
    with qtbot.waitSignal(dialog.changed) as changed:
        button(dialog, Ok).click()
    assert changed.args == [Condition.RUNNING]
    assert vault.get(SIGNED.id) == Secret(PASSWORD)
    assert instance.condition is Condition.RUNNING
    assert not dialog.isVisible()
    assert find(dialog, QLineEdit, "password").text() == ""


@pytest.mark.parametrize("vault", [BrokenVault()])
def test_a_keyring_that_fails_is_told_before_the_dialog_closes(
    dialog: PasswordDialog, instance: AppInstance, qtbot: QtBot
) -> None:
    find(dialog, QLineEdit, "password").setText(PASSWORD)
    with qtbot.waitSignal(dialog.changed) as changed:
        button(dialog, Ok).click()
    assert changed.args == [Condition.RUNNING]
    assert instance.condition is Condition.RUNNING
    assert dialog.isVisible()
    assert "(K1)" in text(dialog, "trouble_sentence")
    button(dialog, QDialogButtonBox.StandardButton.Close).click()
    assert not dialog.isVisible()


def test_a_password_that_is_too_long_cannot_be_given(dialog: PasswordDialog) -> None:
    find(dialog, QLineEdit, "password").setText("x" * (MAX_UNITS + 1))
    assert not ok(dialog)


def test_cancelling_changes_nothing(dialog: PasswordDialog, instance: AppInstance, vault: MemoryVault) -> None:
    find(dialog, QLineEdit, "password").setText(PASSWORD)
    button(dialog, QDialogButtonBox.StandardButton.Cancel).click()
    assert not dialog.isVisible()
    assert find(dialog, QLineEdit, "password").text() == ""
    assert instance.condition is Condition.NEEDS_PASSWORD
    assert vault.get(SIGNED.id) is None
