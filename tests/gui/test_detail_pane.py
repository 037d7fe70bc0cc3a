# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol, TypeVar

import pytest
from PySide6.QtCore import QLocale, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.journal.browse import FileQuery
from fieldpost_desktop.engine.model.events import FileChanged, OverallStatus
from fieldpost_desktop.engine.model.parts_map import PartState
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.sources.dropped_files import DroppedFiles
from fieldpost_desktop.ui.detail.pane import DetailPane
from fieldpost_desktop.ui.detail.parts_bar import PartsBar
from fieldpost_desktop.ui.text import languages
from fieldpost_desktop.ui.threads.bridge import Bridge
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_desktop.ui.transfers import actions
from fieldpost_desktop.ui.transfers.actions import Action
from fieldpost_shared.codes import Code
from support.engine.core import CHUNK
from support.gui import pseudo_locale
from support.gui.rows import file_row
from support.gui.studio import Studio

BRITAIN = QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom)
W = TypeVar("W", bound=QWidget)


class Live(Protocol):
    """The fixture of tests/gui/conftest.py."""

    studio: Studio
    instance: AppInstance
    bridge: Bridge
    worker: Worker
    qtbot: QtBot


@pytest.fixture(autouse=True)
def english(qapp: QApplication) -> Iterator[None]:
    spoken = languages.install(qapp, "en", BRITAIN)
    yield
    spoken.remove()


@pytest.fixture
def pane(live: Live) -> DetailPane:
    made = DetailPane(live.instance, live.worker, live.bridge, actions.available_actions)
    live.qtbot.addWidget(made)
    made.resize(400, 700)
    with live.qtbot.waitExposed(made):
        made.show()
    return made


def find(pane: QWidget, kind: type[W], name: str) -> W:
    found = pane.findChild(kind, name)
    assert found is not None, name
    return found


def text(pane: QWidget, name: str) -> str:
    return find(pane, QLabel, name).text()


def shown_actions(pane: DetailPane) -> set[str]:
    return {button.objectName() for button in pane.findChildren(QAbstractButton) if not button.isHidden()}


def added(live: Live, name: str, size: int) -> FileChanged:
    live.instance.add(DroppedFiles.of([str(live.studio.file(name, size))]))
    live.qtbot.waitUntil(lambda: bool(live.instance.page(FileQuery(text=name))))
    return FileChanged(live.instance.page(FileQuery(text=name))[0])


def counts(pane: DetailPane) -> dict[PartState, int]:
    parts = find(pane, PartsBar, "parts_bar").parts
    ranges = {} if parts is None else parts.ranges
    return {state: sum(last - first + 1 for first, last in each) for state, each in ranges.items()}


def test_without_a_file_it_asks_for_one(pane: DetailPane) -> None:
    assert find(pane, QLabel, "nothing_chosen").isVisible()
    assert text(pane, "nothing_chosen") == "Choose a file to see its details"
    assert not find(pane, QLabel, "file_name").isVisible()
    assert pane.file is None


def test_the_bar_follows_the_parts_and_the_proof_comes_with_the_receipt(live: Live, pane: DetailPane) -> None:
    live.studio.gate.most = 4
    change = added(live, "bridge.bin", CHUNK * 10)
    pane.show_file(change)
    live.qtbot.waitUntil(lambda: counts(pane).get(PartState.ACKNOWLEDGED) == 4)
    assert text(pane, "file_name") == "bridge.bin"
    assert not find(pane, QWidget, "proof").isVisible()
    live.studio.gate.most = None

    def confirmed() -> bool:
        live.studio.answer()
        return find(pane, QWidget, "proof").isVisible()

    live.qtbot.waitUntil(confirmed)
    assert text(pane, "file_sentence").startswith("Confirmed ")
    assert "by central" in text(pane, "proof_text")
    live.qtbot.waitUntil(lambda: counts(pane) == {PartState.CONFIRMED: 10})
    digest = text(pane, "file_hash")
    assert len(digest) == 64
    find(pane, QAbstractButton, "copy_hash").click()
    assert QGuiApplication.clipboard().text() == digest


def test_a_hidden_pane_asks_nothing(live: Live, pane: DetailPane) -> None:
    live.studio.gate.held = True
    pane.show_file(added(live, "bridge.bin", CHUNK * 3))
    live.qtbot.waitUntil(lambda: bool(counts(pane)))
    pane.hide()
    assert not pane._feed._timer.isActive()
    assert not pane._clock.isActive()
    pane.show()
    assert pane._feed._timer.isActive()


def test_a_failure_has_three_parts_and_its_raw_text_on_demand(pane: DetailPane) -> None:
    pane.show_file(FileChanged(file_row(FileState.ATTENTION, code=Code.FILE_GONE, detail="errno 2")))
    assert text(pane, "trouble_happened") == "The file was moved or deleted. (F2)"
    assert text(pane, "trouble_next") == "This waits for you; everything else goes on."
    assert text(pane, "trouble_you_can") == "Show Fieldpost where it is now, or cancel."
    assert not find(pane, QLabel, "trouble_raw").isVisible()
    find(pane, QAbstractButton, "trouble_details").click()
    assert find(pane, QLabel, "trouble_raw").isVisible()
    find(pane, QAbstractButton, "trouble_copy").click()
    assert QGuiApplication.clipboard().text() == "F2 file_gone: errno 2"


def test_a_file_without_a_failure_shows_none(pane: DetailPane) -> None:
    pane.show_file(FileChanged(file_row(FileState.ATTENTION, code=Code.FILE_GONE)))
    assert find(pane, QWidget, "trouble").isVisible()
    pane.show_file(FileChanged(file_row(FileState.QUEUED)))
    assert not find(pane, QWidget, "trouble").isVisible()


def test_clean_up_that_failed_is_told_beside_the_proof(pane: DetailPane) -> None:
    row = file_row(FileState.CONFIRMED, code=Code.CLEAN_UP_FAILED, clean_up="failed")
    pane.show_file(FileChanged(row))
    assert text(pane, "trouble_happened") == "Confirmed, but the file could not be moved. (W2)"


def test_every_fitting_action_has_a_button_that_tells_the_file(live: Live, pane: DetailPane) -> None:
    change = FileChanged(file_row(FileState.ATTENTION, code=Code.FILE_GONE))
    pane.show_file(change)
    offered = {
        f"action_{action}" for action in actions.available_actions(change) if action is not Action.SHOW_IN_FOLDER
    }
    assert offered | {"show_in_folder"} <= shown_actions(pane)
    assert "action_resume" not in shown_actions(pane)
    with live.qtbot.waitSignal(pane.action_chosen) as chosen:
        find(pane, QAbstractButton, "action_locate").click()
    assert chosen.args == [Action.LOCATE, [7]]
    with live.qtbot.waitSignal(pane.action_chosen) as chosen:
        find(pane, QAbstractButton, "show_in_folder").click()
    assert chosen.args == [Action.SHOW_IN_FOLDER, [7]]


def test_the_main_action_comes_first(pane: DetailPane) -> None:
    pane.show_file(FileChanged(file_row(FileState.ATTENTION, code=Code.FILE_GONE)))
    QApplication.processEvents()
    locate, again = (find(pane, QAbstractButton, name).geometry() for name in ("action_locate", "action_try_now"))
    assert (locate.y(), locate.x()) < (again.y(), again.x())


def test_buttons_keep_the_focus_when_the_file_moves_on(pane: DetailPane) -> None:
    row = file_row(FileState.SENDING)
    pane.show_file(FileChanged(row, 1, 52))
    find(pane, QAbstractButton, "action_pause").setFocus()
    pane.show_file(FileChanged(row, 2, 52))
    assert pane.focusWidget() is find(pane, QAbstractButton, "action_pause")


def test_what_the_engine_tells_of_another_file_changes_nothing(live: Live, pane: DetailPane) -> None:
    pane.show_file(FileChanged(file_row(), 1, 52))
    other = replace(file_row(FileState.SENDING), id=8, path="other.jpg")
    live.bridge.files_changed.emit([FileChanged(other)])
    assert text(pane, "file_name") == "bridge.jpg"
    live.bridge.overall_changed.emit(OverallStatus())  # the engine may have told that it connects
    live.bridge.files_changed.emit([FileChanged(file_row(FileState.SENDING), 3, 52)])
    assert text(pane, "file_sentence") == "Sending 3 of 52 parts"


def test_a_file_that_is_gone_from_the_list_is_gone_here(live: Live, pane: DetailPane) -> None:
    pane.show_file(FileChanged(file_row()))
    live.bridge.files_dropped.emit([9])
    assert find(pane, QLabel, "file_name").isVisible()
    live.bridge.files_dropped.emit([7])
    assert find(pane, QLabel, "nothing_chosen").isVisible()


def test_a_small_window_scrolls_and_a_long_name_does_not_widen_it(pane: DetailPane) -> None:
    name = "a_very_long_name_without_any_spaces_" * 6 + ".jpg"
    pane.show_file(FileChanged(file_row(FileState.ATTENTION, code=Code.FILE_GONE, path=name, source=f"/van/{name}")))
    pane.resize(QSize(pane.fontMetrics().height() * 20, 200))
    QApplication.processEvents()
    assert pane.verticalScrollBar().maximum() > 0
    assert pane.horizontalScrollBar().maximum() == 0
    label = find(pane, QLabel, "file_name")
    assert label.height() >= label.heightForWidth(label.width())


def test_a_wide_pane_has_two_columns(pane: DetailPane) -> None:
    pane.show_file(FileChanged(file_row(FileState.QUEUED)))
    bar, timeline = find(pane, PartsBar, "parts_bar"), find(pane, QWidget, "timeline")
    for letters, side_by_side in ((60, True), (20, False)):
        pane.resize(QSize(pane.fontMetrics().height() * letters, 500))
        QApplication.processEvents()
        assert (timeline.geometry().left() > bar.geometry().right()) is side_by_side


def test_every_button_has_a_name_and_is_reached_by_tab(pane: DetailPane) -> None:
    pane.show_file(FileChanged(file_row(FileState.ATTENTION, code=Code.FILE_GONE, sha256="ab" * 32)))
    for button in pane.findChildren(QAbstractButton):
        if button.isVisible():
            assert button.accessibleName() or button.text()
            assert button.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_everything_in_it_is_translated(live: Live, qapp: QApplication) -> None:
    translator = pseudo_locale.install(qapp)
    try:
        pane = DetailPane(live.instance, live.worker, live.bridge, actions.available_actions)
        live.qtbot.addWidget(pane)
        pane.show()
        pane.show_file(FileChanged(file_row(FileState.ATTENTION, code=Code.FILE_GONE)))
        data = {"file_name", "file_path", "file_folder", "file_size", "trouble_raw"}
        for label in pane.findChildren(QLabel):
            if label.isVisible() and label.objectName() not in data:
                assert pseudo_locale.is_translated(label.text()), label.text()
        for button in pane.findChildren(QAbstractButton):
            if button.isVisible():
                assert pseudo_locale.is_translated(button.text() or button.accessibleName())
    finally:
        pseudo_locale.remove(translator)
