# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The page of transfers: filters, search, empty lists, wishes; and the whole of it with a live engine."""

import os
from collections import Counter
from pathlib import Path
from typing import Any, Protocol

import pytest
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QMessageBox, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.journal.browse import Group, SortOrder
from fieldpost_desktop.engine.model.events import FileChanged, FileDropped, OverallChanged, OverallStatus
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.sources.dropped_files import DroppedFiles
from fieldpost_desktop.ui.threads.bridge import Bridge
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_desktop.ui.transfers.actions import Action
from fieldpost_desktop.ui.transfers.page import TransfersPage
from fieldpost_desktop.ui.transfers.row_texts import Column
from fieldpost_shared.codes import Code
from support.gui.studio import Studio
from support.gui.transfers import HandWorker, Shelf, told

S = FileState


class Live(Protocol):
    """What the fixture of that name gives."""

    studio: Studio
    instance: AppInstance
    bridge: Bridge
    worker: Worker
    qtbot: QtBot


class Pane(QWidget):
    """Stands for the details."""

    action_chosen = Signal(object, list)

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.shown: list[int | None] = []

    def show_file(self, change: FileChanged | None) -> None:
        self.shown.append(None if change is None else change.row.id)


class Scene:
    """A page on a shelf."""

    def __init__(self, qtbot: QtBot, *changes: FileChanged) -> None:
        self.qtbot = qtbot
        self.shelf = Shelf()
        self.shelf.put(*(change.row for change in changes))
        self.worker, self.bridge, self.pane = HandWorker(), Bridge(), Pane()
        self.page = TransfersPage(self.shelf.instance, self.worker, self.bridge, self.pane)
        qtbot.addWidget(self.page)
        self.page.resize(1200, 600)
        self.page.show()
        self.tell(*changes)

    def tell(self, *changes: FileChanged) -> None:
        self.shelf.put(*(change.row for change in changes))
        for change in changes:
            self.bridge(change)
        counts = Counter(row.state for row in self.shelf.rows.values())
        self.bridge(OverallChanged(OverallStatus(counts=counts)))
        self.bridge.drain()

    def files(self) -> list[int]:
        model = self.page.model
        return [model.change(row).row.id for row in range(model.rowCount())]

    def child(self, name: str) -> Any:  # noqa: ANN401 - whatever widget it is
        found = self.page.findChild(QWidget, name)
        assert found is not None, name
        return found

    def click(self, name: str) -> None:
        button: QAbstractButton = self.child(name)
        assert button.isVisible(), name
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.fixture
def scene(qtbot: QtBot) -> Scene:
    return Scene(
        qtbot,
        told(1, S.SENDING, 3, path="apple.txt"),
        told(2, S.ATTENTION, code=Code.FILE_GONE, path="Berry.txt"),
        told(3, S.CONFIRMED, path="cherry.txt"),
        told(4, S.CANCELLED, path="date.txt"),
    )


# filters


def test_the_filters_count_what_they_show(scene: Scene) -> None:
    texts = {group: scene.child(f"show_{group}").text().replace("&", "") for group in Group}
    assert texts[Group.IN_PROGRESS] == "In progress (1)"
    assert texts[Group.ATTENTION] == "Needs attention (1)"
    assert texts[Group.CONFIRMED] == "Confirmed (1)"
    assert texts[Group.ALL] == "All"
    for group, files in ((Group.IN_PROGRESS, [1]), (Group.ATTENTION, [2]), (Group.CONFIRMED, [3])):
        scene.click(f"show_{group}")
        assert scene.files() == files
    scene.click(f"show_{Group.ALL}")
    assert scene.files() == [4, 3, 2, 1]


def test_the_search_waits_for_a_pause_in_typing(scene: Scene) -> None:
    before = len(scene.shelf.asked)
    QTest.keyClicks(scene.page.filters.search, "BERRY")
    assert len(scene.shelf.asked) == before
    scene.qtbot.waitUntil(lambda: scene.files() == [2])
    assert len(scene.shelf.asked) == before + 1


def test_the_search_and_the_filters_work_together(scene: Scene) -> None:
    scene.click(f"show_{Group.CONFIRMED}")
    QTest.keyClicks(scene.page.filters.search, "rry")
    QTest.keyClick(scene.page.filters.search, Qt.Key.Key_Return)
    assert scene.files() == [3]


def test_ctrl_f_goes_to_the_search(scene: Scene) -> None:
    with scene.qtbot.waitActive(scene.page):
        scene.page.activateWindow()
    scene.page.view.setFocus()
    QTest.keyClick(scene.page.view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert scene.page.filters.search.hasFocus()


def test_a_notification_opens_the_files_that_it_is_about(scene: Scene) -> None:
    scene.page.filters.search.setText("cherry")
    scene.page.show_group(Group.ATTENTION)
    assert scene.files() == [2]
    assert scene.child(f"show_{Group.ATTENTION}").isChecked()
    assert scene.page.filters.search.text() == ""


def test_a_title_sorts_the_list_by_the_journal(scene: Scene) -> None:
    header = scene.page.view.horizontalHeader()
    header.setSortIndicator(Column.FILE, Qt.SortOrder.AscendingOrder)
    assert (scene.shelf.asked[-1].order, scene.shelf.asked[-1].descending) == (SortOrder.NAME, False)
    assert scene.files() == [1, 2, 3, 4]


# failed files


def test_what_failed_is_retried_in_one_click(scene: Scene) -> None:
    scene.click("retry_all")
    assert scene.shelf.given == [("retry",)]


def test_the_paths_of_all_failed_files_are_copied_in_one_click(scene: Scene) -> None:
    scene.shelf.put(*(told(100 + number, S.ATTENTION, code=Code.FILE_GONE).row for number in range(300)))
    scene.click("copy_failed")
    paths = QGuiApplication.clipboard().text().splitlines()
    assert len(paths) == 301
    assert paths[-1].endswith("Berry.txt")
    assert "301" in scene.child("note").text()


def test_the_buttons_for_failed_files_are_there_only_with_failed_files(scene: Scene) -> None:
    assert scene.child("retry_all").isVisible()
    scene.tell(told(2, S.QUEUED, path="Berry.txt"))
    assert not scene.child("retry_all").isVisible()
    assert not scene.child("copy_failed").isVisible()


# empty


@pytest.mark.parametrize("group", Group)
def test_an_empty_list_says_why_and_what_to_do(qtbot: QtBot, group: Group) -> None:
    scene = Scene(qtbot)
    scene.page.show_group(group)
    assert scene.child("empty").isVisible()
    assert scene.child("empty_sentence").text()
    assert scene.child("empty_add").isVisible() is (group in {Group.ALL, Group.IN_PROGRESS})


def test_the_first_file_takes_the_place_of_the_words(qtbot: QtBot) -> None:
    scene = Scene(qtbot)
    assert scene.child("empty_sentence").text().startswith("Nothing here yet.")
    with qtbot.waitSignal(scene.page.add_wanted):
        scene.click("empty_add")
    scene.tell(told(1, S.SETTLING))
    assert scene.page.view.isVisible()
    scene.bridge(FileDropped(1))
    scene.bridge.drain()
    assert scene.child("empty").isVisible()


def test_a_search_without_result_names_what_was_searched_for(scene: Scene) -> None:
    scene.page.filters.search.setText("<b>zebra")
    QTest.keyClick(scene.page.filters.search, Qt.Key.Key_Return)
    assert scene.child("empty_sentence").text() == "No file matches “<b>zebra”."


# wishes


def test_what_the_window_serves_is_asked_of_it(scene: Scene) -> None:
    page, qtbot = scene.page, scene.qtbot
    act = page.view.acted.emit
    with qtbot.waitSignal(page.locate_wanted) as wish:
        act(Action.LOCATE, [2])
    assert wish.args == [2]
    with qtbot.waitSignal(page.rename_wanted) as wish:
        act(Action.RENAME, [2])
    assert wish.args == [2]
    with qtbot.waitSignal(page.reveal_wanted) as wish:
        act(Action.SHOW_IN_FOLDER, [3])
    assert wish.args == [scene.shelf.rows[3].source]
    with qtbot.waitSignals([page.password_wanted, page.report_wanted]):
        act(Action.ENTER_PASSWORD, [2])
        act(Action.MAKE_REPORT, [2])
    act(Action.COPY_PATH, [1, 3])
    assert QGuiApplication.clipboard().text().splitlines() == [scene.shelf.rows[1].source, scene.shelf.rows[3].source]
    assert not scene.shelf.given


def test_commands_go_to_the_engine(scene: Scene) -> None:
    scene.page.view.acted.emit(Action.PAUSE, [1])
    scene.page.view.acted.emit(Action.SEND_AGAIN, [4])
    assert scene.shelf.given == [("pause", [1]), ("send_again", 4)]


def question(scene: Scene) -> QMessageBox | None:
    return scene.page.findChild(QMessageBox, "cancel_question")


def test_cancelling_asks_if_parts_were_sent(scene: Scene) -> None:
    scene.page.view.acted.emit(Action.CANCEL, [1])
    box = question(scene)
    assert box is not None
    assert "apple.txt" in box.text()
    assert box.defaultButton() is box.escapeButton()
    assert not scene.shelf.given
    sure = next(button for button in box.buttons() if button is not box.escapeButton())
    QTest.mouseClick(sure, Qt.MouseButton.LeftButton)
    assert scene.shelf.given == [("cancel", [1])]


def test_a_question_answered_with_no_cancels_nothing(scene: Scene) -> None:
    scene.page.view.acted.emit(Action.CANCEL, [1])
    box = question(scene)
    assert box is not None
    QTest.keyClick(box, Qt.Key.Key_Escape)
    scene.qtbot.waitUntil(lambda: question(scene) is None)
    assert not scene.shelf.given


def test_cancelling_does_not_ask_if_nothing_was_sent(scene: Scene) -> None:
    scene.tell(told(5, S.QUEUED))
    scene.page.view.acted.emit(Action.CANCEL, [5])
    assert question(scene) is None
    assert scene.shelf.given == [("cancel", [5])]


def test_the_list_is_exported_as_it_is_filtered(scene: Scene, tmp_path: Path) -> None:
    scene.click(f"show_{Group.CONFIRMED}")
    scene.click("export")
    dialog = scene.page.findChild(QFileDialog, "export_dialog")
    assert dialog is not None
    dialog.fileSelected.emit(os.fspath(tmp_path / "list.csv"))
    dialog.reject()
    assert (tmp_path / "list.csv").read_text() == "cherry.txt"
    assert "1 file" in scene.child("note").text()


# details


def test_the_details_open_by_key_and_follow_the_chosen_file(scene: Scene) -> None:
    assert not scene.pane.isVisible()
    scene.page.view.choose(1)
    assert not scene.pane.shown
    QTest.keyClick(scene.page.view, Qt.Key.Key_Return)
    assert scene.pane.isVisible()
    assert scene.pane.shown[-1] == 1
    scene.page.view.choose(3)
    assert scene.pane.shown[-1] == 3
    count = len(scene.pane.shown)
    scene.tell(told(3, S.CONFIRMED, path="cherry.txt", code=Code.CLEAN_UP_FAILED))
    assert len(scene.pane.shown) > count


def test_escape_closes_the_details_and_goes_back_to_the_list(scene: Scene) -> None:
    with scene.qtbot.waitActive(scene.page):
        scene.page.activateWindow()
    scene.page.view.choose(1)
    QTest.keyClick(scene.page.view, Qt.Key.Key_Return)
    assert scene.pane.hasFocus()
    QTest.keyClick(scene.pane, Qt.Key.Key_Escape)
    assert not scene.pane.isVisible()
    assert scene.page.view.hasFocus()


def test_the_details_can_do_what_the_row_can(scene: Scene) -> None:
    scene.pane.action_chosen.emit(Action.PAUSE, [1])
    assert scene.shelf.given == [("pause", [1])]


def test_every_button_and_field_has_a_name_for_the_ear(scene: Scene) -> None:
    for button in scene.page.filters.findChildren(QToolButton) + scene.page.filters.findChildren(QPushButton):
        if button.objectName():
            assert button.accessibleName() or button.text(), button.objectName()
    assert scene.page.filters.search.accessibleName()


# with a live engine


def open_page(live: Live) -> TransfersPage:
    page = TransfersPage(live.instance, live.worker, live.bridge)
    live.qtbot.addWidget(page)
    page.resize(1100, 500)
    page.show()
    return page


def states(page: TransfersPage) -> dict[str, FileState]:
    rows = [page.model.change(row).row for row in range(page.model.rowCount())]
    return {row.path: row.state for row in rows}


def test_a_file_goes_through_its_stages_before_the_eyes(live: Live) -> None:
    page = open_page(live)
    live.instance.add(DroppedFiles.of([str(live.studio.file("big.bin", 400_000))]))
    live.qtbot.waitUntil(lambda: states(page) == {"big.bin": S.SENT}, timeout=20_000)
    live.studio.answer()
    live.qtbot.waitUntil(lambda: states(page) == {"big.bin": S.CONFIRMED}, timeout=20_000)
    assert page.model.index(0, Column.STATUS).data().startswith("Confirmed")


def test_recovered_rows_keep_all_their_buttons(live: Live) -> None:
    """u21: what a row offered before a restart it offers after it."""
    page = open_page(live)
    live.studio.gate.most = 2
    gone = live.studio.file("gone.bin", 1_000)
    live.instance.add(DroppedFiles.of([str(live.studio.file("half.bin", 400_000))]))
    live.qtbot.waitUntil(lambda: len(live.studio.topic.records) >= 2, timeout=20_000)
    gone.unlink()
    live.instance.add(DroppedFiles.of([str(gone)]))
    live.qtbot.waitUntil(lambda: states(page).get("gone.bin") is S.ATTENTION, timeout=20_000)
    half = next(page.model.change(row) for row in range(2) if page.model.change(row).row.path == "half.bin")
    page.view.acted.emit(Action.PAUSE, [half.row.id])
    live.qtbot.waitUntil(lambda: states(page)["half.bin"] is S.PAUSED, timeout=20_000)
    before = offers(page)

    live.instance.close()
    live.instance.start()
    recovered = open_page(live)
    live.qtbot.waitUntil(lambda: offers(recovered) == before, timeout=20_000)
    live.qtbot.waitUntil(lambda: "Paused at" in " ".join(sentences(recovered)), timeout=20_000)
    recovered.view.acted.emit(Action.RESUME, [half.row.id])
    live.studio.gate.most = None
    live.qtbot.waitUntil(lambda: states(recovered)["half.bin"] is S.SENT, timeout=20_000)


def offers(page: TransfersPage) -> dict[str, tuple[Action, ...]]:
    changes = [page.model.change(row) for row in range(page.model.rowCount())]
    return {change.row.path: page.model.texts.actions(change) for change in changes}


def sentences(page: TransfersPage) -> list[str]:
    return [str(page.model.index(row, Column.STATUS).data()) for row in range(page.model.rowCount())]
