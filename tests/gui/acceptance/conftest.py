# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The whole app with a desktop that a test reads and a clock that a test moves."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from support.gui.acceptance import Desktop, HurriedClock, running
from support.gui.studio import App, Studio


@pytest.fixture
def desktop(monkeypatch: pytest.MonkeyPatch) -> Desktop:
    return Desktop().install(monkeypatch)


@pytest.fixture
def studio(tmp_path: Path, desktop: Desktop) -> Studio:  # noqa: ARG001 - the desktop must be there first
    made = Studio(tmp_path)
    made.clock = HurriedClock()
    return made


@pytest.fixture
def app(studio: Studio, qtbot: QtBot, qapp: QApplication) -> Iterator[App]:  # noqa: ARG001 - Qt must be up
    with running(studio, qtbot) as opened:
        yield opened
