# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Windows without a screen, and a live app in memory for the tests that want one."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fieldpost_desktop.app.condition import Condition
from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.ui.threads.bridge import Bridge
from fieldpost_desktop.ui.threads.worker import Worker
from support.gui.studio import App, Studio, open_app

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


@pytest.fixture(scope="session")
def qapp_args() -> list[str]:
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))
    return ["fieldpost"]


@dataclass
class Live:
    """A running instance with its doorways to the GUI thread."""

    studio: Studio
    instance: AppInstance
    bridge: Bridge
    worker: Worker
    qtbot: QtBot


@pytest.fixture
def app(studio: Studio, qtbot: QtBot, qapp: QApplication) -> Iterator[App]:  # noqa: ARG001 - Qt must be up
    opened = open_app(studio, qtbot)
    qtbot.waitUntil(lambda: opened.instance.condition is Condition.RUNNING, timeout=10_000)
    yield opened
    opened.close()


@pytest.fixture
def studio(tmp_path: Path) -> Studio:
    return Studio(tmp_path)


@pytest.fixture
def live(studio: Studio, qtbot: QtBot, qapp: QApplication) -> Iterator[Live]:  # noqa: ARG001 - Qt must be up
    bridge = Bridge()
    worker = Worker()
    instance = studio.instance(bridge)
    assert instance.start() is Condition.RUNNING
    yield Live(studio, instance, bridge, worker, qtbot)
    worker.close()
    instance.close()
    bridge.stop()
