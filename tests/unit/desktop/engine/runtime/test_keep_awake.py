# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.profile.settings import EngineSettings
from fieldpost_desktop.engine.runtime.keep_awake import (
    CHECK_S,
    IDLE_S,
    FakeKeepAwake,
    NoKeepAwake,
    WakeLock,
    this_system,
)
from fieldpost_shared.clock import FakeClock
from support.engine.core import CHUNK, Rig


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def system() -> FakeKeepAwake:
    return FakeKeepAwake()


@pytest.fixture
def vigil(system: FakeKeepAwake, clock: FakeClock) -> WakeLock:
    return WakeLock(system, clock)


def keep(vigil: WakeLock, clock: FakeClock, seconds: float, *, sending: bool, wanted: bool = True) -> None:
    for _ in range(round(seconds)):
        vigil.step(sending=sending, wanted=wanted)
        clock.advance(1)


def test_the_system_is_asked_once_and_let_go_once(vigil: WakeLock, system: FakeKeepAwake, clock: FakeClock) -> None:
    keep(vigil, clock, 30, sending=False)
    assert system.asked == []
    keep(vigil, clock, 300, sending=True)
    assert system.asked == [True]
    keep(vigil, clock, IDLE_S, sending=False)
    assert system.asked == [True], "a pause between two files is no end"
    keep(vigil, clock, 300, sending=False)
    assert system.asked == [True, False]


def test_a_short_rest_between_files_changes_nothing(vigil: WakeLock, system: FakeKeepAwake, clock: FakeClock) -> None:
    for _ in range(5):
        keep(vigil, clock, 20, sending=True)
        keep(vigil, clock, IDLE_S - 5, sending=False)
    assert system.asked == [True]


def test_on_battery_the_computer_may_sleep(vigil: WakeLock, system: FakeKeepAwake, clock: FakeClock) -> None:
    system.mains = False
    keep(vigil, clock, 30, sending=True)
    assert system.asked == []
    system.mains = True
    keep(vigil, clock, CHECK_S + 1, sending=True)
    assert system.asked == [True]
    system.mains = False
    keep(vigil, clock, CHECK_S + 1, sending=True)
    assert system.asked == [True, False], "the plug was pulled"


def test_a_person_decides(vigil: WakeLock, system: FakeKeepAwake, clock: FakeClock) -> None:
    keep(vigil, clock, 30, sending=True, wanted=False)
    assert system.asked == []
    keep(vigil, clock, 1, sending=True)
    keep(vigil, clock, 1, sending=True, wanted=False)
    assert system.asked == [True, False]


def test_at_its_end_the_engine_lets_go(vigil: WakeLock, system: FakeKeepAwake, clock: FakeClock) -> None:
    vigil.end()
    keep(vigil, clock, 1, sending=True)
    vigil.end()
    assert system.asked == [True, False]


def test_this_system_can_be_asked_and_let_go_of() -> None:
    system = this_system()
    assert system.on_mains() in {True, False}
    system.hold(awake=True)
    system.hold(awake=False)


def test_who_cannot_be_asked_is_never_on_mains() -> None:
    assert not NoKeepAwake().on_mains()


def test_the_engine_keeps_awake_while_it_sends_and_only_then(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    rig.pass_time(20)
    assert rig.keep_awake.asked == []
    (row,) = rig.add(rig.file("a.bin", b"x" * (30 * CHUNK)))
    rig.link_holding_after(5)
    assert rig.row(row).state is FileState.SENDING
    assert rig.keep_awake.asked == [True]
    rig.link.held = False
    rig.until_confirmed(row)
    rig.pass_time(IDLE_S + 10)
    assert rig.keep_awake.asked == [True, False]
    rig.core.use(EngineSettings(keep_awake=False))
    (row,) = rig.add(rig.file("b.bin", b"y" * (5 * CHUNK)))
    rig.until_confirmed(row)
    assert rig.keep_awake.asked == [True, False]
    rig.close()
