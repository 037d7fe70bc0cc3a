# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The report for support: told before it is made, found after it is made."""

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from fieldpost_desktop.engine.support.diagnostics import CONTENTS
from fieldpost_desktop.ui.dialogs.report import ReportDialog
from fieldpost_desktop.ui.threads.worker import Worker
from support.gui.hands import Opened, click, find, instead_of_the_desktop, is_gone, let_everything_come_back, text
from support.gui.studio import Studio


@pytest.fixture
def opened() -> Iterator[Opened]:
    with instead_of_the_desktop() as made:
        yield made


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker()
    yield made
    made.close()


@pytest.fixture
def dialog(
    studio: Studio, worker: Worker, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> ReportDialog:
    (tmp_path / "home" / "Desktop").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    made = ReportDialog(studio.instance(lambda _: None), worker)
    qtbot.addWidget(made)
    made.show()
    return made


def _state(dialog: ReportDialog) -> str:
    return text(dialog, "state")


def test_everything_that_a_report_holds_is_told_before(dialog: ReportDialog) -> None:
    assert dialog.contents().keys() == CONTENTS.keys()
    inside = text(dialog, "inside")
    assert all(words in inside for words in dialog.contents().values())
    assert "passwords" in text(dialog, "outside")


def test_a_report_is_written_to_the_desktop_and_shown_there(
    dialog: ReportDialog, qtbot: QtBot, opened: Opened, tmp_path: Path
) -> None:
    click(dialog, "make")
    show = find(dialog, QPushButton, "show")
    qtbot.waitUntil(show.isVisible)
    assert _state(dialog).startswith("The report is ready.")
    assert dialog.out.parent == tmp_path / "home" / "Desktop"
    with zipfile.ZipFile(dialog.out) as archive:
        assert "about.json" in archive.namelist()
    click(dialog, "show")
    assert opened.places == [str(dialog.out.parent)]


def test_nothing_is_written_before_the_button_is_pressed(dialog: ReportDialog) -> None:
    assert list(dialog.out.parent.iterdir()) == []


def test_a_place_that_cannot_be_written_is_said_in_words_and_another_can_be_chosen(
    dialog: ReportDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog.out.parent.rmdir()
    click(dialog, "make")
    make = find(dialog, QPushButton, "make")
    qtbot.waitUntil(lambda: make.isEnabled() and "could not be written" in _state(dialog))
    click(dialog, "choose_place")
    chooser = find(dialog, QFileDialog, "choose_file")
    chooser.fileSelected.emit(str(tmp_path / "other.zip"))
    chooser.reject()
    assert text(dialog, "path") == str(tmp_path / "other.zip")
    click(dialog, "make")
    qtbot.waitUntil(find(dialog, QPushButton, "show").isVisible)
    assert (tmp_path / "other.zip").exists()


def test_a_dialog_that_is_closed_and_deleted_meanwhile_is_not_missed(
    studio: Studio, worker: Worker, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = ReportDialog(studio.instance(lambda _: None), worker)
    dialog.finished.connect(dialog.deleteLater)
    dialog.out = out = tmp_path / "report.zip"
    dialog.open()
    click(dialog, "make")
    dialog.reject()
    qtbot.waitUntil(lambda: is_gone(dialog))
    qtbot.waitUntil(out.exists)
    let_everything_come_back(worker, qtbot)  # the answer comes in; a call into a deleted dialog would raise
    assert out.exists()
