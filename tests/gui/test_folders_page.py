# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The page of watched folders, on a live instance: what it shows, what it asks, what it changes."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAccessible, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QDialog,
    QFileDialog,
    QGroupBox,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QRadioButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from fieldpost_desktop.app.condition import Condition
from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.model.folder_rules import After, FolderRules
from fieldpost_desktop.engine.profile.profile_file import Limits
from fieldpost_desktop.ui.folders import page as folders_page
from fieldpost_desktop.ui.folders.page import FoldersPage
from fieldpost_desktop.ui.folders.row import FolderRow
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_desktop.ui.widgets.banners import BannerView
from fieldpost_shared.codes import Code
from support.gui.hands import click, find, instead_of_the_desktop, is_gone, text
from support.gui.studio import PROFILE, Studio


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker()
    yield made
    made.close()


@pytest.fixture
def studio(tmp_path: Path) -> Studio:
    return Studio(tmp_path, replace(PROFILE, limits=Limits(allow_delete=True)))


@pytest.fixture
def instance(studio: Studio) -> Iterator[AppInstance]:
    made = studio.instance(lambda _: None)
    assert made.start() is Condition.RUNNING
    yield made
    made.close()


@pytest.fixture
def page(instance: AppInstance, worker: Worker, qtbot: QtBot) -> FoldersPage:
    made = FoldersPage(instance, worker)
    qtbot.addWidget(made)
    made.resize(700, 500)
    return made


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    folder.mkdir()
    return folder


def _show(page: FoldersPage, qtbot: QtBot, rows: int) -> list[FolderRow]:
    page.show()
    _wait_for_rows(page, qtbot, rows)
    return page.findChildren(FolderRow)


def _wait_for_rows(page: FoldersPage, qtbot: QtBot, rows: int) -> None:
    qtbot.waitUntil(lambda: len([row for row in page.findChildren(FolderRow) if row.isVisible()]) == rows)


def _folder_dialog(page: FoldersPage, qtbot: QtBot, name: str = "add_folder") -> QDialog:
    qtbot.waitUntil(lambda: page.findChild(QDialog, name) is not None)
    return find(page, QDialog, name)


def _words(page: FoldersPage) -> list[str]:
    return [view.accessibleName() for view in page.findChildren(BannerView) if view.isVisible()]


# what it shows


def test_without_folders_the_page_says_what_they_are_good_for(page: FoldersPage, qtbot: QtBot) -> None:
    page.show()
    qtbot.waitUntil(lambda: find(page, QWidget, "no_folders").isVisible())
    assert text(page, "no_folders_title") == "No folder is watched yet"
    click(page, "add_first")
    assert find(page, QFileDialog, "choose_folder").fileMode() is QFileDialog.FileMode.Directory


def test_a_row_says_where_how_and_by_which_rules(
    page: FoldersPage, instance: AppInstance, photos: Path, qtbot: QtBot
) -> None:
    instance.add_folder(str(photos), FolderRules())
    (row,) = _show(page, qtbot, 1)
    assert text(row, "path") == str(photos)
    assert text(row, "rules") == "All files, with subfolders; after confirmation: keep"
    qtbot.waitUntil(lambda: text(row, "state").startswith("Last checked "))
    assert find(row, QCheckBox, "switch").isChecked()
    assert not find(row, QPushButton, "choose").isVisible()


def test_files_that_are_still_being_written_are_counted(
    page: FoldersPage, instance: AppInstance, photos: Path, qtbot: QtBot
) -> None:
    (photos / "a.jpg").write_bytes(b"x")
    instance.add_folder(str(photos), FolderRules(minimum_age_s=3600))
    (row,) = _show(page, qtbot, 1)
    qtbot.waitUntil(lambda: text(row, "state").endswith(", 1 waiting (still being written, or not old enough)"))


def test_a_folder_that_is_gone_is_said_to_be_gone_and_can_be_chosen_anew(
    page: FoldersPage, instance: AppInstance, photos: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    rules = FolderRules(include=("*.jpg",), label="Van 7")
    instance.add_folder(str(photos), rules)
    shutil.rmtree(photos)
    instance.scan_folder(instance.folders()[0].folder.id)  # the first scan may have been quicker than we were
    (row,) = _show(page, qtbot, 1)
    qtbot.waitUntil(lambda: row.view.folder.code is Code.FOLDER_GONE, timeout=10_000)
    assert text(row, "state") == "The folder is not there. Fieldpost goes on looking for it."
    assert not find(row, QPushButton, "open").isEnabled()
    (tmp_path / "elsewhere").mkdir()
    click(row, "choose")
    chooser = find(page, QFileDialog, "choose_folder")
    chooser.fileSelected.emit(str(tmp_path / "elsewhere"))
    chooser.reject()
    click(_folder_dialog(page, qtbot), "ok")
    qtbot.waitUntil(lambda: [view.folder.path for view in instance.folders()] == [str(tmp_path / "elsewhere")])
    assert instance.folders()[0].folder.rules == rules


def test_the_page_asks_only_while_it_is_seen(
    page: FoldersPage, instance: AppInstance, photos: Path, qtbot: QtBot
) -> None:
    page._timer.setInterval(10)
    _show(page, qtbot, 0)
    instance.add_folder(str(photos), FolderRules())
    _wait_for_rows(page, qtbot, 1)
    page.hide()
    assert not page._timer.isActive()
    page.show()
    assert page._timer.isActive()
    assert folders_page.REFRESH_MS == 2000


def test_while_nothing_runs_the_page_says_so_until_it_does(
    page: FoldersPage, instance: AppInstance, photos: Path, qtbot: QtBot
) -> None:
    instance.add_folder(str(photos), FolderRules())
    instance.close()
    page.show()
    qtbot.waitUntil(lambda: len(_words(page)) == 1)
    assert instance.start() is Condition.RUNNING
    page.refresh()
    _wait_for_rows(page, qtbot, 1)
    assert _words(page) == []


# what it changes


def test_the_switch_stops_and_starts_the_watching(
    page: FoldersPage, instance: AppInstance, photos: Path, qtbot: QtBot
) -> None:
    instance.add_folder(str(photos), FolderRules())
    (row,) = _show(page, qtbot, 1)
    click(row, "switch")
    qtbot.waitUntil(lambda: text(row, "state") == "Switched off. New files are not noticed.")
    assert not instance.folders()[0].folder.enabled
    assert not find(row, QPushButton, "check").isEnabled()
    click(row, "switch")
    qtbot.waitUntil(lambda: instance.folders()[0].folder.enabled)


def test_removing_asks_first_and_says_that_queued_files_go_on(
    page: FoldersPage, instance: AppInstance, photos: Path, qtbot: QtBot
) -> None:
    instance.add_folder(str(photos), FolderRules())
    (row,) = _show(page, qtbot, 1)
    click(row, "remove")
    question = find(page, QMessageBox, "remove_question")
    assert "go on being sent" in question.informativeText()
    assert question.defaultButton() is question.button(QMessageBox.StandardButton.Cancel)
    question.button(QMessageBox.StandardButton.Cancel).click()
    assert len(instance.folders()) == 1
    click(row, "remove")
    second = next(one for one in page.findChildren(QMessageBox) if one.isVisible())
    next(button for button in second.buttons() if button.text() == "Stop watching").click()
    qtbot.waitUntil(lambda: find(page, QWidget, "no_folders").isVisible())
    assert instance.folders() == []
    assert photos.exists()


def test_open_shows_the_folder_and_check_now_scans_it(
    page: FoldersPage, instance: AppInstance, photos: Path, qtbot: QtBot
) -> None:
    instance.add_folder(str(photos), FolderRules())
    (row,) = _show(page, qtbot, 1)
    with instead_of_the_desktop() as opened:
        click(row, "open")
    assert opened.places == [str(photos)]
    qtbot.waitUntil(lambda: row.view.folder.scanned_ns is not None)
    scanned = row.view.folder.scanned_ns or 0
    click(row, "check")

    def is_newer() -> bool:
        page.refresh()
        return (row.view.folder.scanned_ns or 0) > scanned

    qtbot.waitUntil(is_newer)


def test_edited_rules_are_kept(page: FoldersPage, instance: AppInstance, photos: Path, qtbot: QtBot) -> None:
    instance.add_folder(str(photos), FolderRules(take_existing=False))
    (row,) = _show(page, qtbot, 1)
    click(row, "edit")
    dialog = _folder_dialog(page, qtbot, "edit_rules")
    find(dialog, QLineEdit, "include").setText(".jpg, *.pdf")
    click(dialog, "move")
    find(dialog, QLineEdit, "move_to").setText("Done")
    click(dialog, "ok")
    qtbot.waitUntil(lambda: text(row, "rules").endswith("after confirmation: move to “Done”"))
    assert instance.folders()[0].folder.rules == FolderRules(
        include=("*.jpg", "*.pdf"), after=After.MOVE, move_to="Done", take_existing=False
    )


def test_a_change_that_fails_is_said_and_the_row_shows_the_truth(
    page: FoldersPage, instance: AppInstance, photos: Path, qtbot: QtBot
) -> None:
    instance.add_folder(str(photos), FolderRules())
    (row,) = _show(page, qtbot, 1)
    instance.remove_folder(row.view.folder.id)
    click(row, "switch")
    qtbot.waitUntil(lambda: bool(_words(page)))
    assert _words(page)[0].startswith("This did not work.")
    qtbot.waitUntil(lambda: find(page, QWidget, "no_folders").isVisible())


# adding


def _choose(page: FoldersPage, qtbot: QtBot, folder: Path) -> None:
    page.show()
    page.choose_folder()
    chooser = find(page, QFileDialog, "choose_folder")
    chooser.fileSelected.emit(str(folder))
    chooser.reject()
    qtbot.waitUntil(lambda: is_gone(chooser))


def test_files_already_there_are_asked_about_and_nothing_is_decided_before(
    page: FoldersPage, instance: AppInstance, photos: Path, qtbot: QtBot
) -> None:
    for name in ("a.jpg", "b.jpg"):
        (photos / name).write_bytes(b"x" * 600_000)
    _choose(page, qtbot, photos)
    dialog = _folder_dialog(page, qtbot)
    assert text(dialog, "existing_question") == "This folder already holds 2 file(s) (1.2 MB). Send them too?"
    assert not find(dialog, QPushButton, "ok").isEnabled()
    assert text(dialog, "hint") == "Please say first whether the files already there are to be sent."
    click(dialog, "existing_no")
    click(dialog, "ok")
    _wait_for_rows(page, qtbot, 1)
    assert not instance.folders()[0].folder.rules.take_existing


def test_files_already_there_are_sent_if_a_person_says_so(
    page: FoldersPage, instance: AppInstance, photos: Path, qtbot: QtBot
) -> None:
    (photos / "a.jpg").write_bytes(b"x")
    _choose(page, qtbot, photos)
    dialog = _folder_dialog(page, qtbot)
    click(dialog, "existing_yes")
    click(dialog, "ok")
    _wait_for_rows(page, qtbot, 1)
    assert instance.folders()[0].folder.rules.take_existing


def test_an_empty_folder_raises_no_question(page: FoldersPage, photos: Path, qtbot: QtBot) -> None:
    _choose(page, qtbot, photos)
    dialog = _folder_dialog(page, qtbot)
    assert dialog.findChild(QGroupBox, "existing") is None
    click(dialog, "ok")
    _wait_for_rows(page, qtbot, 1)


def test_a_folder_that_may_not_be_watched_is_refused_in_words(
    page: FoldersPage, instance: AppInstance, photos: Path, qtbot: QtBot
) -> None:
    instance.add_folder(str(photos), FolderRules())
    (photos / "inside").mkdir()
    _choose(page, qtbot, photos / "inside")
    qtbot.waitUntil(lambda: any("which is watched already" in words for words in _words(page)))
    assert page.findChild(QDialog, "add_folder") is None


def test_deleting_is_asked_about_once_and_only_where_it_is_allowed(
    page: FoldersPage, instance: AppInstance, photos: Path, qtbot: QtBot
) -> None:
    _choose(page, qtbot, photos)
    dialog = _folder_dialog(page, qtbot)
    click(dialog, "delete")
    click(dialog, "ok")
    question = find(dialog, QMessageBox, "delete_question")
    assert dialog.isVisible()
    next(button for button in question.buttons() if button.text() == "Delete after confirmation").click()
    _wait_for_rows(page, qtbot, 1)
    assert instance.folders()[0].folder.rules.after is After.DELETE
    click(page.findChildren(FolderRow)[0], "edit")
    edit = _folder_dialog(page, qtbot, "edit_rules")
    with qtbot.waitSignal(edit.accepted):
        click(edit, "ok")
    assert edit.findChild(QMessageBox, "delete_question") is None


def test_deleting_is_not_offered_where_it_is_not_allowed(
    page: FoldersPage, instance: AppInstance, photos: Path, qtbot: QtBot
) -> None:
    instance.profile = PROFILE
    _choose(page, qtbot, photos)
    assert _folder_dialog(page, qtbot).findChild(QRadioButton, "delete") is None


# dropping


def _mime(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def _drop(page: FoldersPage, data: QMimeData) -> None:
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    actions = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction
    enter = QDragEnterEvent(QPoint(5, 5), actions, data, buttons, keys)
    QApplication.sendEvent(page, enter)
    assert enter.isAccepted()
    assert find(page, QWidget, "drop_overlay").isVisible()
    drop = QDropEvent(QPointF(5, 5), actions, data, buttons, keys)
    QApplication.sendEvent(page, drop)
    assert drop.dropAction() == Qt.DropAction.CopyAction
    assert not find(page, QWidget, "drop_overlay").isVisible()


def test_dropped_folders_are_offered_one_after_the_other_and_dropped_files_are_sent(
    page: FoldersPage, instance: AppInstance, photos: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    scans = tmp_path / "scans"
    scans.mkdir()
    file = tmp_path / "note.txt"
    file.write_text("x")
    page.show()
    with qtbot.waitSignal(page.send_wanted) as sent:
        _drop(page, _mime(photos, file, scans))
    assert sent.args == [[str(file)]]
    first = _folder_dialog(page, qtbot)
    assert text(first, "path") == str(photos)
    click(first, "ok")
    qtbot.waitUntil(lambda: is_gone(first))
    second = _folder_dialog(page, qtbot)
    assert text(second, "path") == str(scans)
    with qtbot.waitSignal(second.rejected):
        second.reject()
    assert [view.folder.path for view in instance.folders()] == [str(photos)]


# by keyboard and for screen readers


def test_every_button_and_field_has_a_name(
    page: FoldersPage, instance: AppInstance, photos: Path, qtbot: QtBot
) -> None:
    (photos / "a.jpg").write_bytes(b"x")
    instance.add_folder(str(photos), FolderRules())
    (row,) = _show(page, qtbot, 1)
    click(row, "edit")
    dialog = _folder_dialog(page, qtbot, "edit_rules")
    for widget in [*row.findChildren(QAbstractButton), *dialog.findChildren(QWidget)]:
        is_inner = widget.objectName().startswith("qt_")  # Qt's own, inside of a field that has a name
        if widget.isVisible() and not is_inner and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            name = QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
            assert name, widget.objectName()
    switch = QAccessible.queryAccessibleInterface(find(row, QCheckBox, "switch"))
    assert switch.text(QAccessible.Text.Name) == f"Watch {photos}"
