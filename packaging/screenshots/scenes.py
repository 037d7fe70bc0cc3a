# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Every window and state as a scene: brings the stage into it and yields what is to be seen, by the picture's name."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeVar

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QMenu, QMessageBox, QTabWidget, QWidget, QWizard

from fieldpost_desktop.engine.link.check.check import Step, StepResult
from fieldpost_desktop.engine.model.events import OverallState
from fieldpost_desktop.engine.model.folder_rules import FolderRules
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.model.parts_map import PartsMap, PartState
from fieldpost_desktop.engine.profile import profile_file
from fieldpost_desktop.engine.watching.folder_kind import FolderPreview
from fieldpost_desktop.ui.connection.password_dialog import PasswordDialog
from fieldpost_desktop.ui.detail.legend import Legend
from fieldpost_desktop.ui.detail.pane import DetailPane
from fieldpost_desktop.ui.detail.parts_bar import PartsBar
from fieldpost_desktop.ui.dialogs.about import AboutDialog
from fieldpost_desktop.ui.dialogs.rename import RenameDialog
from fieldpost_desktop.ui.dialogs.report import ReportDialog
from fieldpost_desktop.ui.dialogs.send_question import SendQuestion
from fieldpost_desktop.ui.folders.rules_dialog import AddFolderDialog
from fieldpost_desktop.ui.setup.wizard import SetupWizard
from fieldpost_desktop.ui.shell.navigation import Page
from fieldpost_desktop.ui.widgets.path_label import PathLabel
from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.codes import Code
from screenshots.files import (
    ALL_CONFIRMED,
    ALL_STAGES,
    ASKED_AGAIN,
    CONFIRMED,
    GONE,
    HOME,
    MINUTE_NS,
    NOW_NS,
    SENDING,
    SILENT,
    TAKEN,
    WAITING,
    WORKING,
    Told,
)
from screenshots.stage import PROFILE, Stage
from support.gui.hands import find
from support.gui.setup import ALL_WELL, PASSWORD, Link, refused_at
from support.gui.studio import OFFICE

Scene = Iterator[tuple[str, QWidget]]
D = TypeVar("D", bound=QDialog)
_ABOUT: Final = {
    "fieldpost": "1.0.0",
    "python": "3.11.9",
    "confluent-kafka": "2.11.1",
    "librdkafka": "2.11.1",
    "sqlite": "3.45.1",
    "system": "Windows-11-10.0.26100",
    "packaged": "yes",
    "pyside6": "6.11.0",
    "qt": "6.11.0",
}
_FLYING: Final = PartsMap(
    52, {PartState.ACKNOWLEDGED: ((0, 13),), PartState.IN_FLIGHT: ((14, 16),), PartState.NOT_SENT: ((17, 51),)}
)
_WANTED: Final = PartsMap(52, {PartState.ACKNOWLEDGED: ((0, 19), (23, 51)), PartState.ASKED_AGAIN: ((20, 22),)})
HOLDS: Final = {
    "banner-no-connection": Hold(HoldKind.OFFLINE, Code.NO_CONNECTION, NOW_NS + 80 * NS_PER_S, 2),
    "banner-wifi-sign-in": Hold(HoldKind.OFFLINE, Code.CAPTIVE_PORTAL, NOW_NS + 20 * NS_PER_S, 1),
    "banner-office-full": Hold(HoldKind.RECEIVER_FULL),
    "banner-password": Hold(HoldKind.STOP_ALL, Code.SIGN_IN_REFUSED),
    "banner-hours": Hold(HoldKind.SCHEDULE, until_ns=NOW_NS + 553 * MINUTE_NS),
    "banner-metered": Hold(HoldKind.METERED),
    "banner-paused": Hold(HoldKind.PAUSED),
    "banner-paused-hour": Hold(HoldKind.PAUSED, until_ns=NOW_NS + 60 * MINUTE_NS),
}


def transfers(stage: Stage) -> Scene:
    """The list in its states."""
    stage.folders()
    stage.show(ALL_STAGES)
    yield "transfers", stage.window
    find(stage.window, QLineEdit, "search").setText("bridge")
    stage.wait(stage.controller.transfers.empty.isVisible)
    yield "transfers-search", stage.window
    stage.show(WORKING)
    yield "transfers-working", stage.window
    stage.show(ALL_CONFIRMED)
    yield "transfers-confirmed", stage.window
    stage.show([])
    yield "transfers-empty", stage.window


def menus(stage: Stage) -> Scene:
    """What the right mouse button, the pause button and the tray offer."""
    stage.show(ALL_STAGES)
    stage.controller.transfers.view.choose(SENDING.row.id)
    with _popped(stage, stage.controller.transfers.view.menu()) as menu:
        yield "file-menu", menu
    pause = stage.window.header.pause.menu()
    assert pause is not None  # noqa: S101 - the header has one
    with _popped(stage, pause) as menu:
        yield "pause-menu", menu
    stage.wait(lambda: stage.controller.tray.state is OverallState.ATTENTION)  # a state stays for a second
    with _popped(stage, stage.controller.tray.menu) as menu:
        yield "tray-menu", menu


def details(stage: Stage) -> Scene:
    """The pane below the list."""
    pane = find(stage.window, DetailPane, "detail_pane")
    again = tuple(ASKED_AGAIN if one is SENDING else one for one in ALL_STAGES)
    for name, one, parts in (
        ("detail-sending", SENDING, _FLYING),
        ("detail-asked-again", ASKED_AGAIN, _WANTED),
        ("detail-needs-you", GONE, None),
        ("detail-confirmed", CONFIRMED, None),
    ):
        stage.show(again if one is ASKED_AGAIN else ALL_STAGES)
        stage.controller.transfers.view.choose(one.row.id)
        stage.controller.transfers.view.details_wanted.emit()
        for _ in range(3):  # facts and parts are asked for one after the other
            stage.calm()
        if parts is not None:
            _show_parts(pane, parts)
            QApplication.processEvents()  # what was moved by them
            _show_parts(pane, parts)  # the engine's own answer may have come in between
        yield name, stage.window
    pane.hide()


def banners(stage: Stage) -> Scene:
    """What holds everything up."""
    for name, hold in HOLDS.items():
        stage.show(WAITING, hold)
        yield name, stage.window
    stage.show(SILENT, silent=True)
    yield "banner-office-silent", stage.window


def adding(stage: Stage) -> Scene:
    """From dropping to the question."""
    stage.show(ALL_CONFIRMED)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(f"/photos/site {number}.jpg") for number in range(1, 13)])
    enter = QDragEnterEvent(
        QPoint(50, 50), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(stage.window, enter)
    yield "drop", stage.window
    QApplication.sendEvent(stage.window, QEvent(QEvent.Type.DragLeave))
    folder = Path(HOME, "Pictures/Site 12")
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(214):
        with (folder / f"{number}.jpg").open("wb") as photo:
            photo.truncate(5_607_000)
    stage.controller.add_files.add([str(folder)])
    question = _dialog(stage, SendQuestion)
    stage.wait(lambda: find(question, QWidget, "send").isEnabled())
    yield from _seen(stage, "send-question", question)


def folders(stage: Stage) -> Scene:
    """Watched folders."""
    stage.show(ALL_STAGES)
    stage.folders(there=False)
    stage.window.show_page(Page.FOLDERS)
    stage.wait(find(stage.window, QWidget, "no_folders").isVisible)
    stage.calm()
    yield "folders-empty", stage.window
    stage.folders()
    stage.show(ALL_STAGES)
    stage.window.show_page(Page.FOLDERS)
    stage.wait(lambda: not find(stage.window, QWidget, "no_folders").isVisible())
    stage.calm()
    yield "folders", stage.window
    look = FolderPreview(f"{HOME}/Pictures/Site 12", 37, 412_000_000, complete=True)
    dialog = AddFolderDialog(look, FolderRules(), may_delete=False, parent=stage.controller.folders)
    dialog.open()
    yield from _seen(stage, "add-folder", dialog)


def settings(stage: Stage) -> Scene:
    """Every section; one setting is the organisation's."""
    stage.show(ALL_CONFIRMED)
    stage.instance.change_setting("bandwidth_limit", 500_000)
    stage.instance.change_setting("schedule", "20:00-06:00")
    stage.window.show_page(Page.SETTINGS)
    tabs = find(stage.window, QTabWidget, "settings_tabs")
    for number, name in enumerate(("general", "sending", "connection", "advanced")):
        tabs.setCurrentIndex(number)
        stage.calm()
        yield f"settings-{name}", stage.window
    tabs.setCurrentIndex(0)


def dialogs(stage: Stage) -> Scene:
    """Those that come when they are asked for."""
    stage.show(ALL_STAGES)
    stage.controller.dialogs.enter_password()
    yield from _seen(stage, "password", _dialog(stage, PasswordDialog))
    stage.controller.dialogs.make_report()
    report = _dialog(stage, ReportDialog)
    for path in report.findChildren(PathLabel):
        path.show_path(f"{HOME}/Desktop/{report.out.name}")
    yield from _seen(stage, "report", report)
    about = AboutDialog(_ABOUT, stage.window)
    about.open()
    yield from _seen(stage, "about", about)
    stage.controller.dialogs.rename(TAKEN.change)
    yield from _seen(stage, "rename", _dialog(stage, RenameDialog))
    stage.window.quit_wanted.emit()
    yield from _seen(stage, "quit", _dialog(stage, QMessageBox))


def first_start(stage: Stage, patch: pytest.MonkeyPatch) -> Scene:
    """From nothing to a connection; on a stage without a settings file."""
    wizard = _dialog(stage, SetupWizard)
    stage.calm()
    yield "first-start", stage.window
    yield "setup-1-empty", wizard
    path = Path(HOME, "head-office.fieldpost")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(profile_file.dump(PROFILE), encoding="utf-8")
    wizard.read(path)
    stage.wait(lambda: wizard.button(QWizard.WizardButton.NextButton).isEnabled())
    stage.calm()
    yield "setup-1-file", wizard
    wizard.next()
    find(wizard, QLineEdit, "password").setText(PASSWORD)
    stage.calm()
    yield "setup-2-password", wizard
    for name, link in (
        ("setup-3-test", Link(_named(ALL_WELL))),
        ("setup-3-failed", Link(refused_at(Step.SIGN_IN, Code.SIGN_IN_REFUSED))),
    ):
        link.install(patch)
        wizard.next()
        stage.wait(lambda: wizard.button(QWizard.WizardButton.FinishButton).isEnabled())
        stage.calm()
        yield name, wizard
        wizard.back()
        find(wizard, QLineEdit, "password").setText(PASSWORD)
    wizard.reject()


SCENES: Final[tuple[Callable[[Stage], Scene], ...]] = (
    transfers,
    menus,
    details,
    banners,
    adding,
    folders,
    settings,
    dialogs,
)


def _named(results: Sequence[StepResult]) -> list[StepResult]:
    return [replace(one, detail="van-7") if one.step is Step.SIGN_IN else one for one in results]


def _dialog(stage: Stage, kind: type[D]) -> D:
    stage.wait(lambda: any(found.isVisible() for found in stage.window.findChildren(kind)))
    return next(found for found in stage.window.findChildren(kind) if found.isVisible())


def _seen(stage: Stage, name: str, dialog: QDialog) -> Scene:
    stage.calm()
    yield name, dialog
    dialog.reject()
    stage.calm()


@contextmanager
def _popped(stage: Stage, menu: QMenu) -> Iterator[QMenu]:
    menu.popup(QPoint(0, 0))
    stage.calm()
    yield menu
    menu.close()


def _show_parts(pane: DetailPane, parts: PartsMap) -> None:
    """Parts on their way are in no journal."""
    for bar in pane.findChildren(PartsBar):
        bar.show_parts(parts)
    for legend in pane.findChildren(Legend):
        legend.show_parts(parts)


__all__ = ["OFFICE", "SCENES", "Told", "first_start"]
