# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The app's first moments and its last: quick hands at the start, and a quit that really quits."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QTimer
from pytestqt.qtbot import QtBot

from fieldpost_desktop.ui.setup.wizard import SetupWizard
from support.gui.studio import App, Studio, open_app

WAIT_MS = 15_000


def test_files_dropped_before_the_engine_is_there_are_sent(studio: Studio, qtbot: QtBot) -> None:
    app = open_app(studio, qtbot)
    try:
        app.controller.window.drop_target.dropped.emit([str(studio.file("quick.txt"))])
        app.controller._single_instance.files_given.emit([str(studio.file("quicker.txt"))])
        qtbot.waitUntil(app.confirmed, timeout=WAIT_MS)
        assert set(studio.published) == {"quick.txt", "quicker.txt"}
        assert not app.controller.window.banners.contents()
    finally:
        app.close()


def test_a_settings_file_among_other_files_does_not_keep_the_set_up_away(tmp_path: Path, qtbot: QtBot) -> None:
    studio = Studio(tmp_path, profile=None)
    app = open_app(studio, qtbot, given=[str(studio.file("plan.pdf")), str(studio.file("office.fieldpost"))])
    try:
        qtbot.waitUntil(lambda: app.controller.window.findChild(SetupWizard) is not None, timeout=WAIT_MS)
    finally:
        app.close()


def test_quitting_ends_the_app_although_its_window_never_closes(app: App) -> None:
    quits = QTimer(app.controller, singleShot=True)
    quits.timeout.connect(app.controller.window.quit_wanted)
    quits.start(0)
    stuck = QTimer(app.controller, singleShot=True)
    stuck.timeout.connect(lambda: QCoreApplication.exit(1))
    stuck.start(WAIT_MS)
    assert QCoreApplication.exec() == 0
