# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Notices: few, once for each cause, and true when they are said."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from fieldpost_desktop.engine.journal.browse import Group
from fieldpost_desktop.engine.model.events import OverallState, OverallStatus
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.ui.shell.notifier import Notice, NoticeKind, Notifier
from fieldpost_shared.clock import NS_PER_S, FakeClock
from fieldpost_shared.codes import Code
from fieldpost_shared.protocol.encodings import Encoding

DAY_S = 24 * 3_600
GONE, BLOCKED = Code.FILE_GONE, Code.BLOCKED_BY_ANTIVIRUS


class Day:
    """A notifier on a fake clock, asked every second as the app does."""

    def __init__(self, *, quiet_over: bool = True) -> None:
        self.clock = FakeClock()
        self.notifier = Notifier(self.clock)
        self._counts: dict[int, FileState] = {}
        if quiet_over:
            assert self.pass_by(31) == []

    def row(
        self, file: int, state: FileState, code: str = "", detail: str = "", *, added_s: int = 0, generation: int = 1
    ) -> FileRow:
        """`added_s`: before now."""
        now_ns = self.clock.now_ns()
        return FileRow(
            id=file,
            source=f"/van/{file}.jpg",
            path=f"van/{file}.jpg",
            folder=None,
            size=1,
            mtime_ns=0,
            identity="",
            seen_ns=now_ns,
            state=state,
            transfer=None,
            generation=generation,
            chunk_size=0,
            encoding=Encoding.IDENTITY,
            sha256="",
            attempt=0,
            next_try_ns=None,
            code=code,
            detail=detail,
            resends=0,
            round=0,
            end_partition=None,
            end_offset=None,
            asked=0,
            ask_ns=None,
            urgent=False,
            anyway=False,
            added_ns=now_ns - added_s * NS_PER_S,
            started_ns=None,
            sent_ns=None,
            ended_ns=now_ns if state is FileState.CONFIRMED else None,
            clean_up="",
            clean_up_tries=0,
        )

    def tell(self, *rows: FileRow, hold: Hold | None = None) -> None:
        """As the bridge does: files first, then how everything is."""
        self.notifier.changed(rows)
        self._counts |= {row.id: row.state for row in rows}
        states = list(self._counts.values())
        counts = {state: states.count(state) for state in set(states)}
        self.notifier.overall(OverallStatus(OverallState.WORKING, counts, hold=hold))

    def files(self, state: FileState, files: Sequence[int], code: str = "") -> None:
        self.tell(*(self.row(file, state, code) for file in files))

    def pass_by(self, seconds: int, step: int = 1) -> list[Notice]:
        said = []
        for _ in range(0, seconds, step):
            self.clock.advance(step)
            if (notice := self.notifier.due()) is not None:
                said.append(notice)
        return said


def test_a_batch_is_told_once_when_all_of_it_is_confirmed() -> None:
    day = Day()
    day.files(FileState.SENDING, range(5))
    for file in range(5):
        assert day.pass_by(3) == []
        day.files(FileState.CONFIRMED, [file])
    assert day.pass_by(600) == [Notice(NoticeKind.CONFIRMED, Group.CONFIRMED, 5)]


def test_a_single_confirmed_file_is_named() -> None:
    day = Day()
    day.files(FileState.SENT, [1])
    day.files(FileState.CONFIRMED, [1])
    assert day.pass_by(2) == [Notice(NoticeKind.CONFIRMED, Group.CONFIRMED, 1, file="1.jpg")]


def test_a_file_that_was_quicker_than_the_window_is_told_too() -> None:
    day = Day()
    day.files(FileState.CONFIRMED, [1, 2])  # no other state of theirs was ever seen
    assert [notice.count for notice in day.pass_by(2)] == [2]


def test_a_long_queue_is_told_once_a_minute_at_most() -> None:
    day = Day()
    day.files(FileState.QUEUED, range(300))
    said = []
    for file in range(300):
        day.files(FileState.CONFIRMED, [file])
        said += day.pass_by(1)
    said += day.pass_by(120)
    assert len(said) <= 6
    assert sum(notice.count for notice in said) == 300


def test_files_that_come_one_by_one_do_not_make_a_notice_each() -> None:
    day = Day()
    said = []
    for file in range(12):  # a camera that writes every ten seconds into a watched folder
        day.files(FileState.CONFIRMED, [file])
        said += day.pass_by(10)
    assert len(said) == 2


def test_tidying_up_a_confirmed_file_is_not_told_as_a_confirmation() -> None:
    day = Day()
    yesterday = day.clock.now_ns() - DAY_S * NS_PER_S
    day.files(FileState.CONFIRMED, [1])
    assert len(day.pass_by(2)) == 1
    day.files(FileState.CONFIRMED, [1])
    day.tell(replace(day.row(2, FileState.CONFIRMED), ended_ns=yesterday))
    assert day.pass_by(300) == []


def test_files_that_fail_together_make_one_notice_for_each_cause() -> None:
    day = Day()
    day.files(FileState.ATTENTION, [1], GONE)
    assert day.pass_by(1) == []
    day.files(FileState.ATTENTION, [2, 3], GONE)
    day.files(FileState.ATTENTION, [4], BLOCKED)
    said = day.pass_by(60)
    assert set(said) == {
        Notice(NoticeKind.NEEDS_YOU, Group.ATTENTION, 3, GONE),
        Notice(NoticeKind.NEEDS_YOU, Group.ATTENTION, 1, BLOCKED, "4.jpg"),
    }


def test_the_same_failure_is_not_notified_twice() -> None:
    day = Day()
    day.files(FileState.ATTENTION, [1], GONE)
    assert len(day.pass_by(10)) == 1
    day.files(FileState.ATTENTION, [2], GONE)
    day.files(FileState.QUEUED, [1])  # a person tries again, in vain
    assert day.pass_by(20) == []
    day.files(FileState.ATTENTION, [1], GONE)
    assert day.pass_by(3_600, 10) == []


def test_a_try_in_vain_is_no_cure_and_a_cured_cause_may_be_told_again() -> None:
    day = Day()
    day.files(FileState.ATTENTION, [1], GONE)
    assert len(day.pass_by(10)) == 1
    day.files(FileState.QUEUED, [1])
    assert day.pass_by(30) == []
    day.files(FileState.ATTENTION, [1], GONE)
    assert day.pass_by(30) == []
    day.files(FileState.CANCELLED, [1])
    assert day.pass_by(61) == []
    day.files(FileState.ATTENTION, [2], GONE)
    assert [notice.file for notice in day.pass_by(10)] == ["2.jpg"]


def test_what_heals_before_it_is_said_is_never_said() -> None:
    day = Day()
    day.files(FileState.ATTENTION, [1], GONE)
    day.pass_by(1)
    day.files(FileState.QUEUED, [1])
    assert day.pass_by(60) == []
    day.notifier.dropped([1])
    assert day.pass_by(60) == []


def test_nothing_is_said_in_the_first_half_minute_and_then_once_what_still_holds() -> None:
    day = Day(quiet_over=False)
    day.files(FileState.ATTENTION, [1, 2], GONE)
    day.files(FileState.ATTENTION, [3], BLOCKED)
    assert day.pass_by(20) == []
    day.files(FileState.QUEUED, [3])
    assert day.pass_by(9) == []
    assert day.pass_by(300) == [Notice(NoticeKind.NEEDS_YOU, Group.ATTENTION, 2, GONE)]


def test_what_was_in_the_list_before_the_start_is_told_once() -> None:
    day = Day(quiet_over=False)
    day.notifier.take_list([day.row(1, FileState.ATTENTION, GONE), day.row(2, FileState.SENT, added_s=2 * DAY_S)])
    assert [notice.kind for notice in day.pass_by(DAY_S, 30)] == [NoticeKind.NEEDS_YOU, NoticeKind.UNDELIVERED]


def test_the_list_does_not_undo_what_was_heard_while_it_was_read() -> None:
    day = Day(quiet_over=False)
    day.notifier.expect_list()
    before = [day.row(1, FileState.ATTENTION, GONE), day.row(2, FileState.ATTENTION, GONE)]
    day.files(FileState.CANCELLED, [1])
    day.files(FileState.ATTENTION, [3], BLOCKED)
    day.notifier.dropped([2])
    day.notifier.take_list(before)
    assert [notice.code for notice in day.pass_by(300)] == [BLOCKED]


def test_a_list_that_is_read_again_tells_what_is_over() -> None:
    day = Day(quiet_over=False)
    day.notifier.take_list([day.row(1, FileState.ATTENTION, GONE), day.row(2, FileState.ATTENTION, BLOCKED)])
    day.notifier.expect_list()
    day.notifier.take_list([day.row(2, FileState.ATTENTION, BLOCKED)])  # another process saw to the first
    assert [notice.code for notice in day.pass_by(300)] == [BLOCKED]


@pytest.mark.parametrize("state", [FileState.QUEUED, FileState.SENDING, FileState.RETRYING, FileState.SENT])
def test_a_file_that_is_on_its_way_for_a_day_is_told_once(state: FileState) -> None:
    day = Day()
    day.files(state, [1])
    assert day.pass_by(DAY_S - 120, 30) == []
    said = day.pass_by(DAY_S, 30)
    assert said == [Notice(NoticeKind.UNDELIVERED, Group.IN_PROGRESS, 1, file="1.jpg")]


@pytest.mark.parametrize("state", [FileState.PAUSED, FileState.CANCELLED, FileState.CONFIRMED])
def test_a_paused_or_ended_file_is_not_told_as_undelivered(state: FileState) -> None:
    day = Day()
    day.tell(day.row(1, state, added_s=3 * DAY_S))
    assert not [notice for notice in day.pass_by(600) if notice.kind is NoticeKind.UNDELIVERED]


def test_an_old_file_that_is_sent_again_gets_a_day_of_its_own() -> None:
    day = Day()
    day.tell(day.row(1, FileState.QUEUED, added_s=30 * DAY_S, generation=2))
    assert day.pass_by(DAY_S - 120, 30) == []
    day.tell(day.row(1, FileState.SENDING, added_s=31 * DAY_S, generation=2))
    assert [notice.kind for notice in day.pass_by(300)] == [NoticeKind.UNDELIVERED]


def test_a_stop_of_everything_is_told_once_until_it_is_solved() -> None:
    day = Day()
    refused = Hold(HoldKind.STOP_ALL, Code.SIGN_IN_REFUSED)
    day.tell(hold=refused)
    assert day.pass_by(600) == [Notice(NoticeKind.STOPPED, Group.IN_PROGRESS, code=Code.SIGN_IN_REFUSED)]
    day.tell()
    day.pass_by(20)
    day.tell(hold=refused)  # the wrong password again
    assert day.pass_by(600) == []
    day.tell()
    day.pass_by(120)
    day.tell(hold=refused)
    assert len(day.pass_by(600)) == 1


@pytest.mark.parametrize("kind", [kind for kind in HoldKind if kind is not HoldKind.STOP_ALL])
def test_a_hold_that_ends_by_itself_is_no_notice(kind: HoldKind) -> None:
    day = Day()
    day.tell(hold=Hold(kind, Code.NO_CONNECTION))
    assert day.pass_by(3_600, 10) == []


def test_the_worst_comes_first_and_they_come_apart() -> None:
    day = Day()
    day.files(FileState.CONFIRMED, [1])
    day.tell(day.row(2, FileState.ATTENTION, GONE), hold=Hold(HoldKind.STOP_ALL, Code.MAY_NOT_SEND))
    assert [notice.kind for notice in day.pass_by(3)] == []
    assert [notice.kind for notice in day.pass_by(2)] == [NoticeKind.STOPPED]
    assert [notice.kind for notice in day.pass_by(4)] == []
    assert [notice.kind for notice in day.pass_by(4)] == [NoticeKind.NEEDS_YOU]
    assert [notice.kind for notice in day.pass_by(60)] == [NoticeKind.CONFIRMED]


def test_who_wants_no_notices_gets_none_and_no_flood_afterwards() -> None:
    day = Day()
    day.notifier.enabled = False
    day.files(FileState.CONFIRMED, [1])
    day.files(FileState.ATTENTION, [2], GONE)
    assert day.pass_by(120) == []
    day.notifier.enabled = True
    assert day.pass_by(600) == []
    day.files(FileState.ATTENTION, [3], BLOCKED)
    assert [notice.code for notice in day.pass_by(10)] == [BLOCKED]


def test_what_the_engine_noted_is_kept_where_all_files_have_the_same() -> None:
    day = Day()
    day.tell(*(day.row(file, FileState.ATTENTION, Code.OVER_PROFILE_LIMIT, "limit 4 GB") for file in (1, 2)))
    day.tell(*(day.row(file, FileState.ATTENTION, Code.NAME_REFUSED, f"reason {file}") for file in (3, 4)))
    assert {notice.code: notice.detail for notice in day.pass_by(20)} == {
        Code.OVER_PROFILE_LIMIT: "limit 4 GB",
        Code.NAME_REFUSED: "",
    }


def test_a_code_of_a_newer_fieldpost_is_told_as_something_unexpected() -> None:
    day = Day()
    day.files(FileState.ATTENTION, [1], "from_the_future")
    assert [notice.code for notice in day.pass_by(10)] == [Code.UNEXPECTED]
