# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Why a file waits, as the events and the status tell it."""

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from fieldpost_desktop.engine.link.network import Metered, UnknownNetwork
from fieldpost_desktop.engine.model.events import FileChanged, OverallChanged, OverallState, OverallStatus
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.model.overall_status import held_by
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.profile.settings import EngineSettings, MeteredPolicy, Schedule
from fieldpost_desktop.engine.runtime.holds import SMALL_ENOUGH, Holds
from fieldpost_shared.clock import NS_PER_S, FakeClock
from fieldpost_shared.codes import Code
from support.engine.core import CHUNK, Rig

BERLIN = ZoneInfo("Europe/Berlin")
NIGHT = Schedule(20 * 60, 6 * 60)


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(tmp_path)
    yield rig
    rig.close()


def told(rig: Rig) -> OverallStatus:
    """The newest status that listeners heard."""
    return next(event.status for event in reversed(rig.events) if isinstance(event, OverallChanged))


def progress(rig: Rig, file: int) -> tuple[int, int]:
    """What listeners heard last of a file's parts."""
    changes = [event for event in rig.events if isinstance(event, FileChanged) and event.row.id == file]
    return changes[-1].acknowledged, changes[-1].parts


def stuck_at(rig: Rig, name: str, size: int, parts: int) -> FileRow:
    """A file whose first parts are acknowledged and whose next ones are on their way for ever."""
    rig.until(lambda: rig.connector.links)
    rig.link.take = parts
    (row,) = rig.add(rig.file(name, random.Random(1).randbytes(size)))  # noqa: S311 - reproducible test data
    rig.steps(10)
    rig.pass_time(1)
    return row


# metered


def test_a_large_file_on_a_metered_network_says_why_it_waits(rig: Rig) -> None:
    rig.network.is_metered = Metered.YES
    small, large = rig.add(rig.file("s.bin", b"s" * (2 * CHUNK)), rig.file("l.bin", b"l" * (SMALL_ENOUGH + 1)))
    rig.until_confirmed(small)
    rig.steps(2)
    status = told(rig)
    assert (status.state, status.hold) == (OverallState.WAITING, Hold(HoldKind.METERED))
    assert (status.metered_limit, status.bytes_left) == (SMALL_ENOUGH, 0)
    assert held_by(rig.row(large), status) == Hold(HoldKind.METERED)
    assert held_by(rig.row(small), status) is None
    rig.core.commands.send_anyway(large.id)
    rig.steps(3)
    assert rig.row(large).state is FileState.SENDING
    assert (told(rig).state, told(rig).hold) == (OverallState.WORKING, None)
    rig.until_confirmed(large)


def test_while_small_files_go_out_nothing_is_held_up_as_a_whole(rig: Rig) -> None:
    rig.network.is_metered = Metered.YES
    _, large = rig.add(rig.file("s.bin", b"s" * (30 * CHUNK)), rig.file("l.bin", b"l" * (SMALL_ENOUGH + 1)))
    rig.link_holding_after(3)
    status = rig.core.overall()
    assert (status.state, status.hold) == (OverallState.WORKING, None)
    assert status.bytes_left <= 30 * CHUNK, "what waits does not count into the time left"
    assert held_by(rig.row(large), status) == Hold(HoldKind.METERED)


def test_a_file_in_the_middle_waits_when_the_network_becomes_a_metered_one(rig: Rig) -> None:
    row = stuck_at(rig, "l.bin", 100 * CHUNK, 20)
    rig.network.is_metered = Metered.YES
    rig.link.take = None
    rig.steps(1)
    assert rig.row(row).state is FileState.QUEUED
    sent = len(rig.topic.records)
    rig.pass_time(60)
    assert len(rig.topic.records) == sent, "not one more part"
    assert progress(rig, row.id) == (sent, 100)
    assert held_by(rig.row(row), told(rig)) == Hold(HoldKind.METERED)
    rig.network.is_metered = Metered.NO
    rig.until_confirmed(row)
    assert len(rig.office.transfers) == 1, "it goes on where it was"


def test_sending_anyway_in_the_middle_goes_on(rig: Rig) -> None:
    row = stuck_at(rig, "l.bin", 100 * CHUNK, 20)
    rig.core.commands.send_anyway(row.id)
    rig.network.is_metered = Metered.YES
    rig.link.take = None
    rig.until_confirmed(row)


def test_where_nothing_may_cost_money_even_an_empty_file_waits(rig: Rig) -> None:
    rig.network.is_metered = Metered.YES
    rig.core.use(EngineSettings(metered=MeteredPolicy.NOTHING))
    (row,) = rig.add(rig.file("a.txt", b""))
    rig.pass_time(20)
    assert held_by(rig.row(row), told(rig)) == Hold(HoldKind.METERED)
    assert told(rig).state is OverallState.WAITING
    rig.core.commands.send_anyway(row.id)
    assert held_by(rig.row(row), told(rig)) is None
    rig.until_confirmed(row)


# set hours


@pytest.mark.parametrize(
    ("now", "schedule", "begins"),
    [
        ("2026-10-01 10:42", NIGHT, "2026-10-01 20:00"),
        ("2026-10-01 06:00", NIGHT, "2026-10-01 20:00"),
        ("2026-10-01 13:00", Schedule(8 * 60, 12 * 60 + 30), "2026-10-02 08:00"),
        ("2026-10-01 07:59", Schedule(8 * 60, 12 * 60 + 30), "2026-10-01 08:00"),
        ("2026-10-24 23:30", Schedule(4 * 60, 5 * 60), "2026-10-25 04:00"),  # the clock goes back at three
        ("2026-03-28 23:30", Schedule(4 * 60, 5 * 60), "2026-03-29 04:00"),  # and forward at two
    ],
)
def test_the_set_hours_say_when_they_begin(now: str, schedule: Schedule, begins: str) -> None:
    moment = datetime.fromisoformat(now).replace(tzinfo=BERLIN)
    holds = Holds(FakeClock(round(moment.timestamp()) * NS_PER_S), UnknownNetwork(), BERLIN)
    holds.settings = EngineSettings(schedule=schedule)
    expected = round(datetime.fromisoformat(begins).replace(tzinfo=BERLIN).timestamp()) * NS_PER_S
    assert holds.worst() == Hold(HoldKind.SCHEDULE, until_ns=expected)


def test_within_the_set_hours_and_after_send_now_nothing_waits() -> None:
    moment = datetime(2026, 10, 1, 23, 0, tzinfo=BERLIN)
    clock = FakeClock(round(moment.timestamp()) * NS_PER_S)
    holds = Holds(clock, UnknownNetwork(), BERLIN)
    holds.settings = EngineSettings(schedule=NIGHT)
    assert holds.worst() is None
    clock.advance(timedelta(hours=8).total_seconds())
    assert holds.worst() is not None
    holds.send_now = True
    assert holds.worst() is None


def test_this_computers_own_hours_begin_at_the_minute() -> None:
    clock = FakeClock()
    holds = Holds(clock, UnknownNetwork())
    local = datetime.fromtimestamp(clock.now_ns() / NS_PER_S).astimezone()
    start = (local.hour * 60 + local.minute + 10) % (24 * 60)
    holds.settings = EngineSettings(schedule=Schedule(start, (start + 1) % (24 * 60)))
    hold = holds.worst()
    assert hold is not None
    assert hold.until_ns is not None
    clock.advance((hold.until_ns - clock.now_ns()) / NS_PER_S - 1)
    assert holds.worst() == hold
    clock.advance(1)
    assert holds.worst() is None


def test_a_queued_file_outside_the_hours_says_until_when_it_waits(rig: Rig) -> None:
    rig.core.use(EngineSettings(schedule=Schedule(0, 1)))
    rig.clock.jump(12 * 3600 - rig.clock.now_ns() / NS_PER_S % 86_400)
    rig.steps(2)
    rig.pass_time(20)
    (row,) = rig.add(rig.file("a.bin", b"x" * (3 * CHUNK)))
    rig.pass_time(2)
    hold = held_by(rig.row(row), told(rig))
    assert hold is not None
    assert hold.kind is HoldKind.SCHEDULE
    assert told(rig).next_try_ns == hold.until_ns
    before = len([event for event in rig.events if isinstance(event, OverallChanged)])
    rig.pass_time(60, tick=1)
    assert len([event for event in rig.events if isinstance(event, OverallChanged)]) == before, "no news, no event"


# the connection


@pytest.mark.parametrize(("captive", "code"), [(False, Code.NO_CONNECTION), (True, Code.CAPTIVE_PORTAL)])
def test_without_a_connection_every_waiting_file_knows_the_next_try(rig: Rig, captive: bool, code: Code) -> None:
    rig.connector.fail = Code.NO_CONNECTION
    rig.network.is_captive = captive
    (row,) = rig.add(rig.file("a.bin", b"x" * (3 * CHUNK)))
    rig.until(lambda: rig.connector.tries >= 3)
    rig.steps(2)
    hold = held_by(rig.row(row), told(rig))
    assert hold is not None
    assert (hold.kind, hold.code, hold.attempt) == (HoldKind.OFFLINE, code, rig.connector.tries)
    assert hold.until_ns is not None
    assert hold.until_ns > rig.clock.now_ns()
    assert told(rig).next_try_ns == hold.until_ns
    assert told(rig).state is OverallState.WAITING


def test_when_the_network_is_back_nothing_waits_for_its_next_try(rig: Rig) -> None:
    gone = rig.file("gone.bin", b"x" * (3 * CHUNK))
    (row,) = rig.add(gone)
    rig.connector.fail = Code.SERVER_NOT_FOUND
    rig.steps(5)
    rig.core.files.change(rig.row(row), FileState.RETRYING, next_try_ns=rig.clock.now_ns() + 600 * NS_PER_S)
    rig.connector.fail = None
    rig.core.commands.try_now()
    rig.steps(5)
    assert rig.row(row).state in {FileState.SENDING, FileState.SENT}
    assert told(rig).hold is None


def test_trying_now_leaves_alone_what_needs_a_person(rig: Rig) -> None:
    (row,) = rig.add(rig.folder / "nowhere.txt")
    rig.core.holds.put(Hold(HoldKind.STOP_ALL, Code.SIGN_IN_REFUSED))
    rig.core.commands.try_now()
    assert rig.row(row).state is FileState.ATTENTION
    assert rig.core.holds.get(HoldKind.STOP_ALL) is not None


# half sent, and sent again


def test_a_paused_file_still_knows_how_far_it_was_also_after_a_restart(rig: Rig) -> None:
    row = stuck_at(rig, "a.bin", 30 * CHUNK, 8)
    rig.core.commands.pause([row.id])
    rig.steps(1)
    assert progress(rig, row.id) == (8, 30)
    rig.events.clear()
    rig.reopen()
    rig.steps(1)
    assert progress(rig, row.id) == (8, 30)
    rig.core.commands.resume([row.id])
    rig.until_confirmed(row)
    assert progress(rig, row.id) == (30, 30)


def test_a_confirmed_file_is_sent_again_beside_its_old_row(rig: Rig) -> None:
    path = rig.file("trip/a.bin", b"x" * (3 * CHUNK))
    (row,) = rig.add(path.parent)
    rig.until_confirmed(row)
    again = rig.core.commands.send_again(row.id)
    assert again != row.id
    assert rig.core.commands.send_again(row.id) == again, "asked twice, sent once"
    new = rig.core.files.get(again)
    assert (new.path, new.source, new.folder) == (row.path, row.source, row.folder)
    rig.until_confirmed(new)
    assert rig.row(row).state is FileState.CONFIRMED
    assert rig.row(new).transfer != rig.row(row).transfer


def test_a_confirmed_file_that_changed_goes_out_as_it_is_now(rig: Rig) -> None:
    path = rig.file("a.bin", b"x" * (3 * CHUNK))
    (row,) = rig.add(path)
    rig.until_confirmed(row)
    path.write_bytes(b"y" * (4 * CHUNK))
    new = rig.core.files.get(rig.core.commands.send_again(row.id))
    rig.until_confirmed(new)
    assert rig.office.published["a.bin"] == b"y" * (4 * CHUNK)


def test_a_confirmed_file_that_was_moved_away_asks_where_it_is(rig: Rig) -> None:
    path = rig.file("a.bin", b"x" * (3 * CHUNK))
    (row,) = rig.add(path)
    rig.until_confirmed(row)
    path.unlink()
    new = rig.core.commands.send_again(row.id)
    rig.until(lambda: rig.core.files.get(new).state is FileState.ATTENTION)
    assert rig.core.files.get(new).code == Code.FILE_GONE
