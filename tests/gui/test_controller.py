# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The whole app on the real engine, with a broker and an office in memory."""

from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from fieldpost_desktop.app.condition import Condition
from fieldpost_desktop.engine.model.events import OverallState
from fieldpost_desktop.engine.model.hold import HoldKind
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.runtime.lock import DataFolderLock
from fieldpost_desktop.ui.shell.navigation import Page
from fieldpost_desktop.ui.widgets.drop_target import DropOverlay
from fieldpost_shared.codes import Code
from fieldpost_shared.protocol.status import ReceiverState
from support.gui.studio import OFFICE, App, Studio, open_app

WAIT_MS = 15_000


def test_a_dropped_file_is_sent_and_turns_green(app: App) -> None:
    path = app.studio.file("report.pdf", 200_000)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    window = app.controller.window
    overlay = window.findChild(DropOverlay)
    assert overlay is not None
    action, buttons, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(50, 50), action, data, buttons, keys)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    assert overlay.isVisible()
    assert "1 item" in overlay.words
    drop = QDropEvent(QPoint(50, 50), action, data, buttons, keys)
    QApplication.sendEvent(window, drop)
    assert drop.dropAction() is Qt.DropAction.CopyAction, "a move would delete the file"
    assert not overlay.isVisible()
    app.qtbot.waitUntil(app.confirmed, timeout=WAIT_MS)
    assert app.studio.published == {"report.pdf": 200_000}


def test_a_text_that_is_dragged_over_the_window_is_not_taken(app: App) -> None:
    data = QMimeData()
    data.setText("not a file")
    enter = QDragEnterEvent(
        QPoint(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    enter.ignore()
    QApplication.sendEvent(app.controller.window, enter)
    overlay = app.controller.window.findChild(DropOverlay)
    assert overlay is not None
    assert not overlay.isVisible()


def test_pausing_shows_a_banner_whose_button_resumes(app: App) -> None:
    app.controller.window.header.pause.click()
    app.qtbot.waitUntil(lambda: "hold" in app.controller.window.banners.contents(), timeout=WAIT_MS)
    assert app.bridge.overall.state is OverallState.PAUSED
    note = app.controller.window.banners.contents()["hold"]
    assert note.act is not None
    note.act()
    app.qtbot.waitUntil(lambda: "hold" not in app.controller.window.banners.contents(), timeout=WAIT_MS)


def test_a_full_office_is_said_in_a_banner_and_gone_when_there_is_room(app: App) -> None:
    app.studio.gate.held = True
    app.add(app.studio.file("a.bin", 200_000))
    app.qtbot.waitUntil(lambda: FileState.SENDING in app.bridge.overall.counts, timeout=WAIT_MS)
    app.studio.notice(ReceiverState.PAUSED)
    app.qtbot.waitUntil(lambda: "hold" in app.controller.window.banners.contents(), timeout=WAIT_MS)
    note = app.controller.window.banners.contents()["hold"]
    assert OFFICE in note.title
    assert "safe" in note.text
    app.studio.gate.held = False
    app.studio.notice(ReceiverState.OK)
    app.qtbot.waitUntil(app.confirmed, timeout=WAIT_MS)
    assert "hold" not in app.controller.window.banners.contents()


def test_a_lost_connection_is_said_and_its_return_too(studio: Studio, qtbot: QtBot) -> None:
    studio.gate.connecting = Code.NO_CONNECTION
    app = open_app(studio, qtbot)
    try:
        notes = app.controller.window.banners.contents
        qtbot.waitUntil(lambda: "hold" in notes(), timeout=WAIT_MS)
        hold = app.bridge.overall.hold
        assert hold is not None
        assert hold.kind is HoldKind.OFFLINE
        studio.gate.connecting = None
        act = notes()["hold"].act
        assert act is not None
        act()
        qtbot.waitUntil(lambda: "connected" in notes(), timeout=WAIT_MS)
        assert OFFICE in notes()["connected"].title
        qtbot.waitUntil(lambda: "connected" not in notes(), timeout=WAIT_MS)
    finally:
        app.close()


def test_a_refused_password_stops_everything_until_another_is_entered(app: App) -> None:
    app.studio.gate.trouble = Code.SIGN_IN_REFUSED
    app.add(app.studio.file("a.txt"))
    app.qtbot.waitUntil(lambda: app.bridge.overall.state is OverallState.ATTENTION, timeout=60_000)
    assert "hold" in app.controller.window.banners.contents()


def test_quitting_with_files_left_asks_first(app: App) -> None:
    app.studio.gate.held = True
    app.add(app.studio.file("a.bin", 200_000))
    app.qtbot.waitUntil(lambda: FileState.SENDING in app.bridge.overall.counts, timeout=WAIT_MS)
    app.controller.window.quit_wanted.emit()
    box = app.controller.window.findChild(QMessageBox, "quit_question")
    assert box is not None
    assert box.text() == "1 file is not sent yet." or "1 file" in box.text()
    box.reject()
    app.qtbot.waitUntil(lambda: app.controller.window.findChild(QMessageBox, "quit_question") is None, timeout=WAIT_MS)


def test_closing_the_window_does_not_end_the_app(app: App) -> None:
    app.controller.window.close()
    assert app.instance.condition is Condition.RUNNING
    app.add(app.studio.file("a.txt"))
    app.qtbot.waitUntil(app.confirmed, timeout=WAIT_MS)
    app.controller.window.bring_up()
    assert app.controller.window.isVisible()


def test_another_process_that_sends_is_waited_for(studio: Studio, qtbot: QtBot) -> None:
    other = DataFolderLock(studio.paths.lock)
    assert other.acquire()
    app = open_app(studio, qtbot)
    try:
        qtbot.waitUntil(lambda: app.instance.condition is Condition.ELSEWHERE, timeout=WAIT_MS)
        qtbot.waitUntil(lambda: "condition" in app.controller.window.banners.contents(), timeout=WAIT_MS)
        other.release()
        qtbot.waitUntil(lambda: app.instance.condition is Condition.RUNNING, timeout=WAIT_MS)
        qtbot.waitUntil(lambda: "condition" not in app.controller.window.banners.contents(), timeout=WAIT_MS)
    finally:
        other.release()
        app.close()


def test_files_of_a_second_start_come_into_the_list(app: App) -> None:
    app.controller._single_instance.files_given.emit([str(app.studio.file("from-explorer.txt"))])
    app.qtbot.waitUntil(app.confirmed, timeout=WAIT_MS)
    assert "from-explorer.txt" in app.studio.published


def test_the_keys_lead_to_every_page(app: App) -> None:
    for number, page in enumerate(Page, start=1):
        QTest.keyClick(app.controller.window, getattr(Qt.Key, f"Key_{number}"), Qt.KeyboardModifier.ControlModifier)
        assert app.controller.window.navigation.currentRow() == page


def test_an_engine_that_died_is_said_and_can_be_started_again(app: App) -> None:
    app.instance.engine._stopping.set()
    app.instance.engine._wake.set()
    app.qtbot.waitUntil(lambda: app.instance.condition is Condition.FAILED, timeout=WAIT_MS)
    app.qtbot.waitUntil(lambda: "condition" in app.controller.window.banners.contents(), timeout=WAIT_MS)
    act = app.controller.window.banners.contents()["condition"].act
    assert act is not None
    act()
    app.qtbot.waitUntil(lambda: app.instance.condition is Condition.RUNNING, timeout=WAIT_MS)
