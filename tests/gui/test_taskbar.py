# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The taskbar: its title and its badge come from the status that everything else shows."""

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from fieldpost_desktop.engine.model.events import OverallState, OverallStatus
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.ui.shell import taskbar
from fieldpost_desktop.ui.text import wording
from fieldpost_shared.codes import Code

OFFICE, NOW_NS = "Head office", 1_800_000_000_000_000_000


def test_the_badge_counts_the_files_that_need_a_person() -> None:
    counts = {FileState.ATTENTION: 3, FileState.SENDING: 2}
    assert taskbar.badge(OverallStatus(OverallState.ATTENTION, counts)) == 3


def test_a_stop_of_everything_has_a_badge_although_no_file_failed() -> None:
    stopped = OverallStatus(
        OverallState.ATTENTION, {FileState.QUEUED: 4}, hold=Hold(HoldKind.STOP_ALL, Code.SIGN_IN_REFUSED)
    )
    assert taskbar.badge(stopped) == 1


@pytest.mark.parametrize("state", [state for state in OverallState if state is not OverallState.ATTENTION])
def test_there_is_no_badge_while_nothing_needs_a_person(state: OverallState) -> None:
    assert taskbar.badge(OverallStatus(state, {FileState.SENDING: 2})) == 0


@pytest.mark.parametrize("state", OverallState)
def test_the_windows_title_says_what_the_tray_says(state: OverallState, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    status = OverallStatus(state, {FileState.ATTENTION: 1, FileState.QUEUED: 2})
    taskbar.show_status(window, status, OFFICE, NOW_NS)
    calm = state is OverallState.ALL_CONFIRMED
    assert window.windowTitle() == ("Fieldpost" if calm else f"{wording.tooltip(status, OFFICE, NOW_NS)} · Fieldpost")
