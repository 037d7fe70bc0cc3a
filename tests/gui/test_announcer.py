# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The announcer: from the engine's events to a notice in plain words."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from fieldpost_desktop.app.condition import Condition
from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.journal.browse import Group
from fieldpost_desktop.engine.model.events import OverallState, OverallStatus
from fieldpost_desktop.engine.sources.dropped_files import DroppedFiles
from fieldpost_desktop.ui.shell.announcer import Announcer, notice_text
from fieldpost_desktop.ui.shell.notifier import Notice, NoticeKind
from fieldpost_desktop.ui.shell.tray import Tray
from fieldpost_desktop.ui.threads.bridge import Bridge
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_shared.clock import FakeClock
from fieldpost_shared.codes import CODES, Code, Retry
from support.gui.studio import OFFICE, Studio


@dataclass
class Told:
    title: str
    text: str
    group: object
    serious: bool


class ListeningTray(Tray):
    """Keeps what the desktop would show."""

    told: list[Told]

    def notify(self, title: str, text: str, group: object = None, *, serious: bool = False) -> None:
        self.told.append(Told(title, text, group, serious))


@dataclass
class Wish:
    notices: bool = True

    def __call__(self) -> bool:
        return self.notices


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


def _tray(instance: AppInstance) -> ListeningTray:
    tray = ListeningTray(instance)
    tray.told = []
    return tray


def _let_time_pass(clock: FakeClock, announcer: Announcer, seconds: int) -> None:
    for _ in range(seconds):
        clock.advance(1)
        announcer.tell()


def test_a_lost_file_of_the_last_time_is_told_once_with_name_and_advice(
    studio: Studio, clock: FakeClock, qtbot: QtBot, tmp_path: Path
) -> None:
    bridge, worker = Bridge(), Worker()
    instance = studio.instance(bridge)
    assert instance.start() is Condition.RUNNING
    instance.add(DroppedFiles.of([str(tmp_path / "never there.pdf")]))
    qtbot.waitUntil(lambda: bridge.overall.state is OverallState.ATTENTION, timeout=10_000)
    instance.clock = clock
    tray = _tray(instance)
    announcer = Announcer(instance, Bridge(), tray, lambda: True)  # a bridge of its own: it heard nothing of that
    announcer.begin(worker)
    qtbot.waitUntil(lambda: _told_by_now(announcer, tray, clock), timeout=10_000)
    _let_time_pass(clock, announcer, 120)
    worker.close()
    instance.close()
    assert len(tray.told) == 1
    assert tray.told[0].group is Group.ATTENTION
    assert tray.told[0].serious
    assert tray.told[0].text.startswith("never there.pdf: ")


def _told_by_now(announcer: Announcer, tray: ListeningTray, clock: FakeClock) -> bool:
    _let_time_pass(clock, announcer, 20)
    return bool(tray.told)


def test_a_confirmed_file_is_told_unless_notifications_are_off(studio: Studio, clock: FakeClock, qtbot: QtBot) -> None:
    bridge, wish = Bridge(), Wish()
    instance = studio.instance(bridge)
    assert instance.start() is Condition.RUNNING
    instance.clock = clock
    clock.jump(-1_000_000_000)  # the engine has the computer's clock
    tray = _tray(instance)
    announcer = Announcer(instance, bridge, tray, wish)
    _let_time_pass(clock, announcer, 31)
    _send(studio, instance, bridge, qtbot, "one.jpg")
    _let_time_pass(clock, announcer, 2)
    assert [(told.group, told.serious) for told in tray.told] == [(Group.CONFIRMED, False)]
    assert tray.told[0].text == f"one.jpg has arrived at {OFFICE}."
    wish.notices = False
    _let_time_pass(clock, announcer, 120)
    _send(studio, instance, bridge, qtbot, "two.jpg")
    _let_time_pass(clock, announcer, 2)
    instance.close()
    assert len(tray.told) == 1


def _send(studio: Studio, instance: AppInstance, bridge: Bridge, qtbot: QtBot, name: str) -> None:
    states: list[OverallStatus] = []
    bridge.overall_changed.connect(states.append)
    instance.add(DroppedFiles.of([str(studio.file(name))]))

    def confirmed() -> bool:
        studio.answer()
        bridge.drain()
        return len(states) > 1 and states[-1].state is OverallState.ALL_CONFIRMED

    qtbot.waitUntil(confirmed, timeout=20_000)


@pytest.mark.parametrize("code", [code for code in Code if CODES[code].retry in {Retry.ASK, Retry.WAIT}])
def test_a_notice_of_one_file_names_it_and_has_no_holes(code: Code) -> None:
    said = notice_text(Notice(NoticeKind.NEEDS_YOU, Group.ATTENTION, 1, code, "photo.jpg"), OFFICE)
    assert "photo.jpg" in said.text
    assert CODES[code].label in said.text
    assert not {"{", "}"} & set(said.title + said.text)


@pytest.mark.parametrize("code", [code for code in Code if CODES[code].retry is Retry.STOP_ALL])
def test_a_notice_of_a_stop_says_why_and_what_to_do(code: Code) -> None:
    said = notice_text(Notice(NoticeKind.STOPPED, Group.IN_PROGRESS, code=code), OFFICE)
    assert said.title == "Nothing can be sent now"
    assert CODES[code].label in said.text
    assert not {"{", "}"} & set(said.text)


@pytest.mark.parametrize("kind", [NoticeKind.NEEDS_YOU, NoticeKind.UNDELIVERED, NoticeKind.CONFIRMED])
def test_a_notice_of_many_files_says_how_many(kind: NoticeKind) -> None:
    said = notice_text(Notice(kind, Group.ALL, 12, Code.FILE_GONE if kind is NoticeKind.NEEDS_YOU else None), OFFICE)
    assert said.title.startswith("12 ")
    assert said.text


def test_an_undelivered_file_is_named() -> None:
    said = notice_text(Notice(NoticeKind.UNDELIVERED, Group.IN_PROGRESS, 1, file="photo.jpg"), OFFICE)
    assert said.text.startswith("photo.jpg\n")


def test_a_name_with_a_line_break_stays_one_line() -> None:
    said = notice_text(Notice(NoticeKind.CONFIRMED, Group.CONFIRMED, 1, file="photo\nfrom somewhere.jpg"), OFFICE)
    assert "\n" not in said.text
