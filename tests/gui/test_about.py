# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""About: what support asks for can be read and copied."""

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from fieldpost_desktop.engine.support import diagnostics
from fieldpost_desktop.ui.dialogs.about import AboutDialog
from support.gui.hands import click, find, text


@pytest.fixture
def versions() -> dict[str, str]:
    return diagnostics.about({"qt": "6.11.3", "pyside6": "6.11.3"})


@pytest.fixture
def dialog(qtbot: QtBot, versions: dict[str, str]) -> AboutDialog:
    made = AboutDialog(versions)
    qtbot.addWidget(made)
    made.show()
    return made


def test_every_version_can_be_read(dialog: AboutDialog, versions: dict[str, str]) -> None:
    assert text(dialog, "title") == f"Fieldpost {versions['fieldpost']}"
    for name in ("python", "qt", "librdkafka", "system"):
        assert text(dialog, f"version_{name}") == versions[name]


def test_copy_puts_every_version_on_the_clipboard(dialog: AboutDialog, versions: dict[str, str]) -> None:
    copy = find(dialog, QPushButton, "copy")
    click(dialog, "copy")
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines == [f"{name}: {version}" for name, version in versions.items()]
    assert copy.text() == "Copied"


def test_the_licences_are_named(dialog: AboutDialog) -> None:
    words = text(dialog, "licences")
    assert all(name in words for name in ("Apache License 2.0", "Qt", "LGPL", "librdkafka", "Python"))


def test_the_icon_is_painted(dialog: AboutDialog) -> None:
    assert not find(dialog, QLabel, "app_icon").pixmap().isNull()
