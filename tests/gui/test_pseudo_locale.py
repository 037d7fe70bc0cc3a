# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The whole app in a language that is 40 % longer: nothing is left untranslated, nothing is clipped."""

import re
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLabel, QTabBar, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from fieldpost_desktop.app.condition import Condition
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.ui.shell.navigation import Page
from support.gui import pseudo_locale
from support.gui.hands import find
from support.gui.setup import clipped, texts
from support.gui.studio import OFFICE, App, Studio, open_app

WAIT_MS = 15_000
# Names, numbers and paths are what they are in every language.
DATA = frozenset({"file_name", "file_path", "file_folder", "file_size", "trouble_raw", "folder_path", "data_folder"})

FACTS = re.compile(r"(?:[0-9A-F]{4} ?)+|Fieldpost [0-9.]+|/.*")  # a fingerprint, a version, a path


@pytest.fixture
def app(studio: Studio, qtbot: QtBot, qapp: QApplication) -> Iterator[App]:
    translator = pseudo_locale.install(qapp)
    opened = open_app(studio, qtbot)
    qtbot.waitUntil(lambda: opened.instance.condition is Condition.RUNNING, timeout=WAIT_MS)
    studio.gate.held = True
    opened.add(studio.file("a report.pdf", 300_000), studio.file("b.txt"))
    qtbot.waitUntil(lambda: FileState.SENDING in opened.bridge.overall.counts, timeout=WAIT_MS)
    yield opened
    opened.close()
    pseudo_locale.remove(translator)


def check(part: QWidget) -> None:
    """Every text in sight."""
    QApplication.processEvents()
    raw = [text for text in map(_shown, texts(part)) if text and not pseudo_locale.is_translated(text)]
    assert raw == [], "never given to be translated"
    assert clipped(part) == [], "clipped"


def _shown(part: QLabel | QAbstractButton) -> str:
    if part.objectName() in DATA or (isinstance(part, QLabel) and part.text() == OFFICE):
        return ""
    return "" if FACTS.fullmatch(part.text()) else part.text()


@pytest.mark.parametrize("page", [Page.TRANSFERS, Page.FOLDERS])
def test_a_page_speaks_the_language_and_has_room_for_it(app: App, page: Page) -> None:
    app.controller.window.show_page(page)
    check(app.controller.window)


@pytest.mark.parametrize("section", range(4))
def test_a_section_of_the_settings_speaks_the_language_and_has_room_for_it(app: App, section: int) -> None:
    app.controller.window.show_page(Page.SETTINGS)
    tabs = app.controller.settings.findChild(QTabWidget)
    assert tabs is not None
    tabs.setCurrentIndex(section)
    bar = tabs.findChild(QTabBar)
    assert bar is not None
    assert pseudo_locale.is_translated(bar.tabText(section))
    check(tabs.currentWidget())


def test_the_navigation_speaks_the_language_and_has_room_for_it(app: App) -> None:
    bar = app.controller.window.navigation
    for row in range(bar.count()):
        assert pseudo_locale.is_translated(bar.item(row).text())
        assert bar.fontMetrics().horizontalAdvance(bar.item(row).text()) < bar.viewport().width()


@pytest.mark.parametrize("opener", ["set_up", "make_report", "show_about"])
def test_a_dialog_speaks_the_language_and_has_room_for_it(app: App, opener: str) -> None:
    getattr(app.controller.dialogs, opener)()
    app.qtbot.waitUntil(lambda: bool(_dialogs(app)), timeout=WAIT_MS)
    (dialog,) = _dialogs(app)
    assert pseudo_locale.is_translated(dialog.windowTitle())
    if opener == "show_about":  # its values are versions and names of systems
        assert clipped(dialog) == []
    else:
        check(dialog)
    dialog.reject()


def test_the_question_at_quitting_speaks_the_language(app: App) -> None:
    app.controller.window.quit_wanted.emit()
    box = find(app.controller.window, QDialog, "quit_question")
    check(box)
    box.reject()


def _dialogs(app: App) -> list[QDialog]:
    return [dialog for dialog in app.controller.window.findChildren(QDialog) if dialog.isVisible()]
