# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The tray: one status in icon, tooltip and menu, no flicker, and every wish of its menu comes out as a signal."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import QElapsedTimer, QSize
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.journal.browse import Group
from fieldpost_desktop.engine.model.events import OverallState, OverallStatus
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.ui.shell.tray import STAY_MS, Tray
from fieldpost_desktop.ui.text import wording
from fieldpost_desktop.ui.widgets import icons
from support.gui.studio import Studio

HOUR_NS = 3_600_000_000_000
WORKING = OverallStatus(OverallState.WORKING, {FileState.SENDING: 2})
WAITING = OverallStatus(OverallState.WAITING, {FileState.RETRYING: 2})
FAILED = OverallStatus(OverallState.ATTENTION, {FileState.ATTENTION: 1})
PAUSED = OverallStatus(OverallState.PAUSED, {FileState.QUEUED: 1}, hold=Hold(HoldKind.PAUSED))


@pytest.fixture
def instance(studio: Studio) -> AppInstance:
    return studio.instance(lambda _event: None)


@pytest.fixture
def tray(instance: AppInstance, qtbot: QtBot) -> Iterator[Tray]:
    assert qtbot is not None
    made = Tray(instance)
    yield made
    made.hide()


def _settled(tray: Tray, status: OverallStatus, qtbot: QtBot) -> None:
    """Show a status and wait until it is seen."""
    tray.show_status(status)
    qtbot.waitUntil(lambda: tray.state is status.state, timeout=5 * STAY_MS)


def _actions(menu: QMenu) -> list[QAction]:
    menu.aboutToShow.emit()
    return [action for action in menu.actions() if not action.isSeparator()]


def _texts(menu: QMenu) -> list[str]:
    return [action.text().replace("&", "") for action in _actions(menu)]


def _find(menu: QMenu, text: str) -> QAction:
    for action in _actions(menu):
        if action.text().replace("&", "") == text:
            return action
        submenu = action.menu()
        if isinstance(submenu, QMenu) and text in _texts(submenu):
            return _find(submenu, text)
    pytest.fail(f"no {text!r} in the menu")


@pytest.mark.parametrize("state", OverallState)
def test_icon_tooltip_and_menu_show_the_same_status(
    state: OverallState, tray: Tray, instance: AppInstance, qtbot: QtBot
) -> None:
    status = OverallStatus(state, {FileState.ATTENTION: 1, FileState.QUEUED: 2})
    _settled(tray, status, qtbot)
    size = QSize(16, 16)
    assert tray.icon.pixmap(size).toImage() == icons.tray_icon(state).pixmap(size).toImage()
    sentence = wording.tooltip(status, instance.office, instance.clock.now_ns())
    assert tray.tooltip == sentence
    assert _texts(tray.menu)[0] == sentence
    assert not _actions(tray.menu)[0].isEnabled()


def test_the_icon_does_not_flicker(tray: Tray, qtbot: QtBot) -> None:
    seen: list[tuple[OverallState, int]] = []
    since = QElapsedTimer()
    since.start()

    def look() -> int:
        if not seen or seen[-1][0] is not tray.state:
            seen.append((tray.state, since.elapsed()))
        return len(seen)

    _settled(tray, PAUSED, qtbot)
    look()
    for _ in range(50):
        tray.show_status(WORKING)
        tray.show_status(WAITING)
        look()
    qtbot.waitUntil(lambda: look() == 2, timeout=5 * STAY_MS)
    tray.show_status(FAILED)
    qtbot.waitUntil(lambda: look() == 3, timeout=5 * STAY_MS)
    assert [state for state, _ in seen] == [OverallState.PAUSED, OverallState.WAITING, OverallState.ATTENTION]
    assert all(later - earlier >= STAY_MS * 0.9 for (_, earlier), (_, later) in pairwise(seen))


def test_the_first_news_do_not_wait(tray: Tray) -> None:
    tray.show_status(FAILED)
    assert tray.state is OverallState.ATTENTION
    assert tray.tooltip.startswith("1 file")


def test_a_state_that_came_back_in_time_was_never_away(tray: Tray, qtbot: QtBot) -> None:
    _settled(tray, WORKING, qtbot)
    tray.show_status(WAITING)
    tray.show_status(WORKING)
    _settled(tray, FAILED, qtbot)  # had the short one been kept, it would be shown first
    assert tray.state is OverallState.ATTENTION


def test_news_of_the_same_state_are_shown_at_once(tray: Tray, qtbot: QtBot) -> None:
    _settled(tray, WORKING, qtbot)
    tray.show_status(OverallStatus(OverallState.WORKING, {FileState.SENDING: 7}))
    assert "7" in tray.tooltip


def test_the_menu_offers_what_can_be_done(tray: Tray) -> None:
    assert _texts(tray.menu)[1:] == ["Add files…", "Pause", "Send now", "Open Fieldpost", "Help", "Quit"]


def test_the_menu_does_not_grow_when_it_is_opened_often(tray: Tray) -> None:
    menus = {len(tray.menu.findChildren(QMenu)) for _ in range(5) if _actions(tray.menu)}
    actions = {len(tray.menu.findChildren(QAction)) for _ in range(5) if _actions(tray.menu)}
    assert (len(menus), len(actions)) == (1, 1)


@pytest.mark.parametrize(
    ("text", "signal"),
    [
        ("Add files…", "add_wanted"),
        ("Send now", "send_now_wanted"),
        ("Open Fieldpost", "open_wanted"),
        ("Make a report…", "report_wanted"),
        ("Quit", "quit_wanted"),
    ],
)
def test_every_wish_comes_out(text: str, signal: str, tray: Tray, qtbot: QtBot) -> None:
    with qtbot.waitSignal(getattr(tray, signal)):
        _find(tray.menu, text).trigger()


def test_a_pause_has_no_end_or_ends_in_an_hour(tray: Tray, instance: AppInstance, qtbot: QtBot) -> None:
    with qtbot.waitSignal(tray.pause_wanted, check_params_cb=lambda until: until is None):
        _find(tray.menu, "Until I resume").trigger()
    now_ns = instance.clock.now_ns()
    with qtbot.waitSignal(tray.pause_wanted) as given:
        _find(tray.menu, "For 1 hour").trigger()
    assert given.args is not None
    assert 0 <= given.args[0] - now_ns - HOUR_NS < HOUR_NS // 60


def test_what_is_paused_can_be_resumed(tray: Tray, qtbot: QtBot) -> None:
    _settled(tray, PAUSED, qtbot)
    assert "Pause" not in _texts(tray.menu)
    with qtbot.waitSignal(tray.resume_wanted):
        _find(tray.menu, "Resume").trigger()


def test_nothing_can_be_sent_before_the_set_up(tray: Tray, qtbot: QtBot) -> None:
    _settled(tray, OverallStatus(OverallState.NOT_SET_UP), qtbot)
    enabled = {action.text().replace("&", "") for action in _actions(tray.menu) if action.isEnabled()}
    assert enabled == {"Open Fieldpost", "Help", "Quit"}


def test_a_left_click_opens_the_window(tray: Tray, qtbot: QtBot) -> None:
    with qtbot.waitSignal(tray.open_wanted):
        tray._icon.activated.emit(QSystemTrayIcon.ActivationReason.Trigger)
    with qtbot.assertNotEmitted(tray.open_wanted):
        tray._icon.activated.emit(QSystemTrayIcon.ActivationReason.Context)


def test_a_click_on_a_notice_says_what_it_was_about(tray: Tray, qtbot: QtBot) -> None:
    tray.notify("1 file needs you", "It was moved", Group.ATTENTION, serious=True)
    with qtbot.waitSignal(tray.notice_clicked, check_params_cb=lambda group: group is Group.ATTENTION):
        tray._icon.messageClicked.emit()


def test_without_a_place_for_it_the_tray_says_so_and_stays_away(tray: Tray, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: False)
    tray.show()
    assert not tray.available
    assert not tray._icon.isVisible()
