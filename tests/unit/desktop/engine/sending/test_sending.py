# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fieldpost_desktop.engine.journal.inbox import hand_over
from fieldpost_desktop.engine.link.network import Metered
from fieldpost_desktop.engine.model import failure_details
from fieldpost_desktop.engine.model.events import OverallState
from fieldpost_desktop.engine.model.file_row import FileRow, SourceFile
from fieldpost_desktop.engine.model.hold import HoldKind
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.profile.settings import EngineSettings, Schedule
from fieldpost_desktop.engine.sources.file_probe import file_version
from fieldpost_shared.codes import Code
from fieldpost_shared.protocol import status
from fieldpost_shared.protocol.encodings import Encoding
from fieldpost_shared.protocol.messages import Chunk, End, Pack
from support.engine.core import CHUNK, MemoryOffice, Rig


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(tmp_path)
    yield rig
    rig.close()


def content(size: int, seed: int = 0) -> bytes:
    return random.Random(seed).randbytes(size)  # noqa: S311 - reproducible test data


@pytest.mark.parametrize("size", [0, 1, CHUNK // 4, CHUNK // 4 + 1, CHUNK - 1, CHUNK, CHUNK + 1, 20 * CHUNK + 7])
def test_a_file_of_any_size_arrives_whole(rig: Rig, size: int) -> None:
    data = content(size)
    (row,) = rig.add(rig.file("report.pdf", data))
    rig.until_confirmed(row)
    assert rig.office.published == {"report.pdf": data}


def test_a_file_never_shows_confirmed_before_its_receipt(rig: Rig) -> None:
    (row,) = rig.add(rig.file("a.bin", content(3 * CHUNK)))
    rig.steps(50)
    assert rig.row(row).state is FileState.SENT
    rig.answer()
    assert rig.row(row).state is FileState.CONFIRMED


def test_small_files_travel_together_and_are_confirmed_one_by_one(rig: Rig) -> None:
    paths = [rig.file(f"notes/{number}.txt", f"note {number}".encode()) for number in range(300)]
    rows = rig.add(*paths)
    rig.until_confirmed(*rows)
    packs = [message for message in rig.office.messages if isinstance(message, Pack)]
    assert 1 <= len(packs) <= 5
    assert len(rig.office.published) == 300


def test_a_dropped_folder_travels_under_its_name(rig: Rig) -> None:
    rig.file("trip/day 1/a.txt", b"a")
    rig.file("trip/b.txt", b"b")
    rows = rig.add(rig.folder / "sources" / "trip")
    rig.until_confirmed(*rows)
    assert rig.office.published == {"trip/day 1/a.txt": b"a", "trip/b.txt": b"b"}


def test_end_leaves_only_after_every_chunk_is_acknowledged(rig: Rig) -> None:
    rig.steps(3)
    rig.link.held = True
    rig.add(rig.file("a.bin", content(5 * CHUNK)))
    rig.steps(20)
    rig.link.held = False
    rig.steps(50)
    rig.office.read()
    kinds = [type(message) for message in rig.office.messages]
    assert kinds == [Chunk] * 5 + [End]


def test_a_restart_goes_on_with_the_chunks_that_are_not_acknowledged(rig: Rig) -> None:
    data = content(30 * CHUNK)
    (row,) = rig.add(rig.file("a.bin", data))
    rig.link_holding_after(10)
    rig.pass_time(2, 0.6)
    before = len(rig.topic.records)
    rig.reopen()
    rig.until_confirmed(row)
    sent = [message for message in rig.office.messages if isinstance(message, Chunk)]
    assert len(sent) - 30 <= 30 - before
    assert len(sent) < 60
    assert rig.office.published == {"a.bin": data}


def test_chunks_asked_for_again_are_sent_again_and_no_others(rig: Rig) -> None:
    rig.office.lose = {1, 5, 6}
    (row,) = rig.add(rig.file("a.bin", content(9 * CHUNK)))
    rig.until_confirmed(row)
    sent = [message.index for message in rig.office.messages if isinstance(message, Chunk)]
    assert sorted(sent) == sorted([*range(9), 1, 5, 6])
    assert [message.round for message in rig.office.messages if isinstance(message, End)] == [0, 1]


def test_a_request_of_an_older_round_is_not_answered_twice(rig: Rig) -> None:
    rig.office.lose = {1}
    (row,) = rig.add(rig.file("a.bin", content(4 * CHUNK)))
    rig.steps(30)
    request = rig.office.read()
    rig.hear(request)
    rig.steps(30)
    sent = len(rig.topic.records)
    rig.hear(request)
    rig.steps(30)
    assert len(rig.topic.records) == sent
    rig.until_confirmed(row)


def test_a_lost_pack_goes_again_as_chunks_under_the_same_id(rig: Rig) -> None:
    rig.office.lose_packs = True
    (row,) = rig.add(rig.file("a.txt", b"hello"))
    rig.steps(10)
    rig.answer()
    rig.hear([rig.office.notice()])
    rig.pass_time(200)
    rig.until_confirmed(row)
    assert rig.office.published == {"a.txt": b"hello"}
    assert len({m.facts.transfer for m in rig.office.messages if isinstance(m, Chunk | End)}) == 1


def test_a_receipt_is_asked_for_only_after_the_receiver_has_passed_the_question(rig: Rig) -> None:
    rig.office.silent = True
    (row,) = rig.add(rig.file("a.bin", content(2 * CHUNK)))
    rig.steps(30)
    rig.pass_time(3600)
    rig.office.read()

    def ends() -> int:
        return sum(isinstance(message, End) for message in rig.office.messages)

    assert ends() == 1, "the receiver has not been heard: asking would only add to its backlog"
    rig.hear([rig.office.notice()])
    rig.pass_time(100)
    rig.office.read()
    assert ends() == 1
    rig.pass_time(60)
    rig.office.read()
    assert ends() == 2
    rig.pass_time(3600)
    rig.office.read()
    assert ends() == 2, "the second question has not been passed yet"
    rig.office.silent = False
    rig.hear([rig.office.notice()])
    rig.pass_time(300)
    rig.until_confirmed(row)


def test_a_file_without_a_receipt_needs_a_person_after_a_day_and_is_still_asked_for(rig: Rig) -> None:
    rig.office.silent = True
    (row,) = rig.add(rig.file("a.bin", content(2 * CHUNK)))
    rig.steps(30)
    rig.pass_time(4 * 3600 + 60, tick=30)
    assert (rig.row(row).state, rig.row(row).code) == (FileState.SENT, Code.RECEIPT_LATE)
    rig.pass_time(20 * 3600, tick=30)
    assert (rig.row(row).state, rig.row(row).code) == (FileState.ATTENTION, Code.RECEIPT_ABSENT)
    rig.office.read()
    rig.office.silent = False
    rig.hear([rig.office.notice()])
    rig.pass_time(3700, tick=30)
    rig.answer()
    assert rig.row(row).state is FileState.CONFIRMED


@pytest.mark.logs_warnings
def test_a_receipt_for_other_bytes_does_not_confirm(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    (row,) = rig.add(rig.file("a.bin", content(2 * CHUNK)))
    rig.steps(30)
    transfer = rig.row(row).transfer
    assert transfer is not None
    wrong = status.Received(transfer, 2 * CHUNK, "0" * 64, renamed=False, duplicate=False)
    rig.hear([rig.office.stamped(wrong)])
    assert rig.row(row).state is FileState.SENT
    assert "other bytes" in caplog.text


def test_after_pause_not_one_more_chunk_leaves(rig: Rig) -> None:
    (row,) = rig.add(rig.file("a.bin", content(40 * CHUNK)))
    rig.link_holding_after(5)
    rig.steps(5)
    rig.core.commands.pause_all()
    rig.steps(3)
    rig.link.held = False
    left = len(rig.topic.records)
    rig.pass_time(60)
    assert len(rig.topic.records) == left
    assert rig.row(row).state is FileState.QUEUED
    assert rig.core.overall().state is OverallState.PAUSED
    rig.core.commands.resume_all()
    rig.until_confirmed(row)


def test_what_is_in_flight_is_given_up_five_seconds_after_pause(rig: Rig) -> None:
    rig.steps(3)
    (row,) = rig.add(rig.file("a.bin", content(10 * CHUNK)))
    stuck = rig.link
    stuck.held = stuck.unpurgeable = True
    rig.steps(5)
    rig.core.commands.pause_all()
    rig.steps(2)
    assert rig.core.overall().pausing
    rig.pass_time(6, tick=1)
    assert stuck.closed
    assert not rig.core.overall().pausing
    rig.core.commands.resume_all()
    rig.until_confirmed(row)


def test_a_pause_survives_a_restart(rig: Rig) -> None:
    rig.core.commands.pause_all()
    (row,) = rig.add(rig.file("a.bin", content(3 * CHUNK)))
    rig.reopen()
    rig.pass_time(30)
    assert rig.topic.records == []
    rig.core.commands.resume_all()
    rig.reopen()
    rig.until_confirmed(row)


def test_a_pause_until_a_moment_ends_by_itself(rig: Rig) -> None:
    rig.core.commands.pause_all(rig.clock.now_ns() + 3600 * 10**9)
    (row,) = rig.add(rig.file("a.bin", content(3 * CHUNK)))
    rig.pass_time(3500, tick=30)
    assert rig.row(row).state is FileState.QUEUED
    rig.pass_time(200, tick=30)
    rig.until_confirmed(row)


def test_one_paused_file_does_not_hold_up_the_others(rig: Rig) -> None:
    first, second = rig.add(rig.file("a.bin", content(30 * CHUNK)), rig.file("b.bin", content(3 * CHUNK, 1)))
    rig.steps(2)
    rig.core.commands.pause([first.id])
    rig.until_confirmed(second)
    assert rig.row(first).state is FileState.PAUSED
    rig.core.commands.resume([first.id])
    rig.until_confirmed(first)


def test_a_cancelled_file_is_forgotten_at_both_ends(rig: Rig) -> None:
    (row,) = rig.add(rig.file("a.bin", content(30 * CHUNK)))
    rig.link_holding_after(5)
    transfer = rig.row(row).transfer
    rig.core.commands.cancel([row.id])
    rig.link.held = False
    rig.steps(20)
    rig.answer()
    assert rig.row(row).state is FileState.CANCELLED
    assert rig.office.cancelled == {transfer}
    rig.core.commands.send_again(row.id)
    rig.until_confirmed(row)
    assert rig.row(row).transfer != transfer


def test_a_file_that_changes_while_it_is_sent_goes_again_as_a_new_transfer(rig: Rig) -> None:
    path = rig.file("a.bin", content(30 * CHUNK))
    (row,) = rig.add(path)
    rig.link_holding_after(5)
    first = rig.row(row).transfer
    changed = content(31 * CHUNK, 5)
    path.write_bytes(changed)
    rig.link.held = False
    rig.until_confirmed(row)
    assert rig.office.published == {"a.bin": changed}
    assert rig.row(row).transfer != first
    assert first in rig.office.cancelled


def test_a_dropped_file_that_keeps_changing_needs_a_person(rig: Rig) -> None:
    path = rig.file("a.bin", content(10 * CHUNK))
    (row,) = rig.add(path)
    rig.link_holding_after(2)
    for seed in range(1, 5):
        path.write_bytes(content((10 + seed) * CHUNK, seed))
        rig.link.held, rig.link.take = False, None
        rig.until(lambda: rig.row(row).state in {FileState.RETRYING, FileState.ATTENTION})
        if seed < 4:
            rig.link.take = len(rig.topic.records) + 2
            rig.until(lambda: rig.row(row).state is FileState.SENDING)
    assert (rig.row(row).state, rig.row(row).code) == (FileState.ATTENTION, Code.FILE_CHANGED)
    rig.core.commands.retry([row.id])
    rig.until_confirmed(row)


def test_a_file_that_was_deleted_is_named_and_can_be_located(rig: Rig) -> None:
    path = rig.file("a.bin", content(5 * CHUNK))
    (row,) = rig.add(path)
    moved = path.rename(path.with_name("elsewhere.bin"))
    rig.steps(10)
    assert (rig.row(row).state, rig.row(row).code) == (FileState.ATTENTION, Code.FILE_GONE)
    rig.core.commands.locate(row.id, str(moved), file_version(str(moved)))
    rig.until_confirmed(row)
    assert "a.bin" in rig.office.published


def test_a_file_in_the_way_does_not_hold_up_its_pack(rig: Rig) -> None:
    paths = [rig.file(f"{number}.txt", b"x" * number) for number in range(10)]
    rows = rig.add(*paths)
    paths[4].unlink()
    rig.until_confirmed(*rows[:4], *rows[5:])
    assert rig.row(rows[4]).code == Code.FILE_GONE


def test_a_smaller_limit_means_smaller_chunks_and_a_new_id(rig: Rig) -> None:
    rig.config = replace(rig.config, chunk_size=983_040)
    rig.reopen()
    data = content(5_000_000)
    (row,) = rig.add(rig.file("a.bin", data))
    rig.steps(1)
    rig.topic.message_limit = 300_000
    rig.until_confirmed(row)
    assert rig.office.published == {"a.bin": data}
    assert rig.row(row).chunk_size <= 300_000
    assert rig.row(row).resends == 1


def test_a_broker_that_refuses_what_it_says_it_takes_is_answered_by_halving(rig: Rig) -> None:
    rig.config = replace(rig.config, chunk_size=983_040)
    rig.reopen()
    rig.topic.secret_limit = 200_000
    (row,) = rig.add(rig.file("a.bin", content(3_000_000)))
    rig.until_confirmed(row)
    assert rig.row(row).chunk_size <= 200_000


def test_a_limit_too_small_to_work_with_stops_everything_and_says_so(rig: Rig) -> None:
    rig.topic.message_limit = 50_000
    (row,) = rig.add(rig.file("a.bin", content(3 * CHUNK)))
    rig.steps(5)
    hold = rig.core.holds.worst()
    assert hold is not None
    assert hold.code is Code.LIMIT_TOO_SMALL
    assert rig.row(row).state is FileState.QUEUED


def test_a_refused_password_stops_everything_and_is_not_tried_again(rig: Rig) -> None:
    rig.connector.fail = Code.SIGN_IN_REFUSED
    (row,) = rig.add(rig.file("a.bin", content(3 * CHUNK)))
    rig.pass_time(3600, tick=30)
    assert rig.connector.tries == 1
    assert rig.core.overall().state is OverallState.ATTENTION
    assert rig.row(row).state is FileState.QUEUED
    rig.connector.fail = None
    rig.core.commands.retry([])
    rig.until_confirmed(row)


def test_without_a_connection_it_tries_again_less_and_less_often(rig: Rig) -> None:
    rig.connector.fail = Code.NO_CONNECTION
    (row,) = rig.add(rig.file("a.bin", content(3 * CHUNK)))
    rig.pass_time(3600, tick=1)
    assert 8 <= rig.connector.tries <= 40
    overall = rig.core.overall()
    assert overall.state is OverallState.WAITING
    assert overall.next_try_ns is not None
    rig.connector.fail = None
    rig.core.commands.retry()
    rig.until_confirmed(row)


def test_a_short_outage_is_not_shown_and_a_long_one_is(rig: Rig) -> None:
    (row,) = rig.add(rig.file("a.bin", content(30 * CHUNK)))
    rig.link_holding_after(5)
    rig.link.errors = Code.NO_CONNECTION
    rig.pass_time(25, tick=1)
    assert rig.core.holds.worst() is None
    rig.connector.fail = Code.NO_CONNECTION
    rig.pass_time(10, tick=1)
    hold = rig.core.holds.worst()
    assert hold is not None
    assert hold.kind is HoldKind.OFFLINE
    assert rig.row(row).state is FileState.QUEUED
    rig.connector.fail = None
    rig.pass_time(30, tick=1)
    rig.until_confirmed(row)


def test_a_stuck_link_is_noticed_in_two_minutes_and_replaced(rig: Rig) -> None:
    (row,) = rig.add(rig.file("a.bin", content(30 * CHUNK)))
    rig.link_holding_after(5)
    rig.pass_time(110)
    assert len(rig.connector.links) == 1
    rig.pass_time(20)
    assert len(rig.connector.links) == 2
    rig.until_confirmed(row)


def test_on_a_metered_network_large_files_wait_unless_a_person_says_so(rig: Rig) -> None:
    rig.network.is_metered = Metered.YES
    small, large = rig.add(rig.file("s.bin", content(2 * CHUNK)), rig.file("l.bin", content(5_100_000)))
    rig.until_confirmed(small)
    rig.pass_time(60)
    assert rig.row(large).state is FileState.QUEUED
    rig.core.commands.send_anyway(large.id)
    rig.until_confirmed(large)


def test_sending_keeps_to_set_hours_and_send_now_overrides(rig: Rig) -> None:
    rig.core.use(EngineSettings(schedule=Schedule(0, 1)))
    rig.clock.jump(12 * 3600 - rig.clock.now_ns() / 10**9 % 86_400)
    rig.steps(2)
    rig.pass_time(20)
    (row,) = rig.add(rig.file("a.bin", content(3 * CHUNK)))
    rig.pass_time(60)
    assert rig.row(row).state is FileState.QUEUED
    rig.core.commands.send_now()
    rig.until_confirmed(row)
    assert not rig.core.holds.send_now


def test_after_waking_nothing_is_tried_before_the_network_had_time(rig: Rig) -> None:
    rig.steps(3)
    tries = rig.connector.tries
    (row,) = rig.add(rig.file("a.bin", content(3 * CHUNK)))
    rig.clock.advance(8 * 3600)
    rig.pass_time(9, tick=1)
    assert rig.connector.tries == tries
    rig.pass_time(10, tick=1)
    assert rig.connector.tries == tries + 1
    rig.until_confirmed(row)


def test_a_full_receiver_holds_everything_until_it_has_room(rig: Rig) -> None:
    rig.steps(3)
    rig.hear([rig.office.notice(status.ReceiverState.LOW_SPACE)])
    (row,) = rig.add(rig.file("a.bin", content(3 * CHUNK)))
    rig.pass_time(60)
    assert rig.row(row).state is FileState.QUEUED
    hold = rig.core.holds.worst()
    assert hold is not None
    assert hold.code is Code.RECEIVER_FULL
    rig.clock.advance(1)
    rig.hear([rig.office.notice()])
    rig.until_confirmed(row)


def test_with_several_required_receivers_a_file_is_confirmed_when_all_have_it(rig: Rig) -> None:
    rig.config = replace(rig.config, receivers=("central", "archive"))
    rig.reopen()
    archive = MemoryOffice(rig.topic, rig.clock, "archive")
    (row,) = rig.add(rig.file("a.bin", content(3 * CHUNK)))
    rig.steps(30)
    rig.answer()
    assert rig.row(row).state is FileState.SENT
    rig.hear(archive.read())
    assert rig.row(row).state is FileState.CONFIRMED


@pytest.mark.parametrize(
    ("code", "state"),
    [
        (Code.HASH_MISMATCH, FileState.CONFIRMED),
        (Code.TIMED_OUT, FileState.CONFIRMED),
        (Code.INCOMPLETE, FileState.ATTENTION),
        (Code.TOO_LARGE, FileState.ATTENTION),
        (Code.NAME_TAKEN, FileState.ATTENTION),
    ],
)
def test_a_rejection_is_answered_by_its_rule(rig: Rig, code: Code, state: FileState) -> None:
    rig.office.silent = True
    (row,) = rig.add(rig.file("a.bin", content(3 * CHUNK)))
    rig.steps(30)
    transfer = rig.row(row).transfer
    assert transfer is not None
    rig.office.read()
    rig.office.silent = False
    rig.hear([rig.office.stamped(status.Rejected(transfer, code, "words"))])
    rig.until(lambda: rig.row(row).state is state)
    assert (rig.row(row).transfer != transfer) == (state is FileState.CONFIRMED)


def test_a_file_damaged_again_and_again_needs_a_person(rig: Rig) -> None:
    rig.office.silent = True
    (row,) = rig.add(rig.file("a.bin", content(3 * CHUNK)))
    for _ in range(3):
        rig.until(lambda: rig.row(row).state is FileState.SENT)
        transfer = rig.row(row).transfer
        assert transfer is not None
        rig.hear([rig.office.stamped(status.Rejected(transfer, Code.HASH_MISMATCH, ""))])
    assert (rig.row(row).state, rig.row(row).code) == (FileState.ATTENTION, Code.HASH_MISMATCH)
    rig.office.silent = False
    rig.core.commands.retry([row.id])
    rig.until_confirmed(row)


def test_a_receiver_of_another_major_version_stops_everything(rig: Rig) -> None:
    rig.office.silent = True
    (row,) = rig.add(rig.file("a.bin", content(3 * CHUNK)))
    rig.steps(30)
    transfer = rig.row(row).transfer
    assert transfer is not None
    rig.hear([rig.office.stamped(status.Rejected(transfer, Code.UNSUPPORTED_VERSION, "understood: 2.0"))])
    assert rig.core.overall().state is OverallState.ATTENTION
    assert rig.row(row).state is FileState.QUEUED


def test_a_huge_file_never_holds_up_small_ones(rig: Rig) -> None:
    huge = rig.add(rig.file("huge.bin", content(12_000_000)))[0]
    rig.steps(2)
    rig.core.sender.limit_bandwidth(100_000)
    small = rig.add(rig.file("small.txt", b"quick"))[0]
    rig.until_confirmed(small)
    assert rig.row(huge).state is FileState.SENDING


def test_the_bandwidth_limit_is_kept(rig: Rig) -> None:
    rig.core.use(EngineSettings(bandwidth_limit=CHUNK))
    (row,) = rig.add(rig.file("a.bin", content(30 * CHUNK)))
    rig.pass_time(10, tick=0.5)
    assert 8 <= len(rig.topic.records) <= 12
    rig.core.use(EngineSettings())
    rig.until_confirmed(row)


def test_the_same_file_dropped_twice_is_queued_once(rig: Rig) -> None:
    path = rig.file("a.bin", content(3 * CHUNK))
    rig.core.commands.pause_all()
    (first,) = rig.add(path)
    (second,) = rig.add(path)
    assert first.id == second.id


def test_a_file_over_the_profiles_limit_is_refused_with_the_limit(rig: Rig) -> None:
    rig.config = replace(rig.config, max_file_size=1_000_000)
    rig.reopen()
    (row,) = rig.add(rig.file("a.bin", content(1_000_001)))
    assert (row.state, row.code) == (FileState.ATTENTION, Code.OVER_PROFILE_LIMIT)
    assert failure_details.read_size_limit(row.detail) == 1_000_000
    assert "0.001 GB" in failure_details.in_english(row.detail)


def test_a_file_over_the_limit_is_not_sent_by_trying_again_nor_from_a_watched_folder(rig: Rig) -> None:
    rig.config = replace(rig.config, max_file_size=1_000_000)
    rig.reopen()
    (row,) = rig.add(rig.file("a.bin", content(1_000_001)))
    rig.core.commands.retry()
    rig.until(lambda: rig.row(row).state is FileState.ATTENTION)
    assert rig.row(row).code == Code.OVER_PROFILE_LIMIT
    path = rig.file("watched.bin", content(1_000_001))
    seen = file_version(str(path))
    found = rig.core.files.add(  # as a scan does it
        SourceFile(str(path), "watched.bin", seen.size, seen.mtime_ns, seen.identity),
        FileState.QUEUED,
        rig.clock.now_ns(),
    )
    rig.core.sender.requery()
    rig.until(lambda: rig.row(found).state is FileState.ATTENTION)
    assert rig.row(found).code == Code.OVER_PROFILE_LIMIT
    assert not rig.topic.records


def test_a_refused_name_can_be_sent_under_another(rig: Rig) -> None:
    (row,) = rig.add(rig.file("a\\b.txt", b"hello"))
    assert (row.state, row.code) == (FileState.ATTENTION, Code.NAME_REFUSED)
    assert rig.core.commands.retry([row.id]) == 0
    rig.core.commands.rename(row.id, "a-b.txt")
    rig.pass_time(10)
    rig.until_confirmed(row)
    assert rig.office.published == {"a-b.txt": b"hello"}


def test_text_is_compressed_and_noise_is_not(rig: Rig) -> None:
    text, noise = rig.add(rig.file("t.txt", b"field notes\n" * 50_000), rig.file("n.bin", content(600_000)))
    rig.until_confirmed(text, noise)
    encodings = {m.facts.path: m.encoding for m in rig.office.messages if isinstance(m, Chunk)}
    assert encodings == {"t.txt": Encoding.ZSTD, "n.bin": Encoding.IDENTITY}
    assert rig.office.published["t.txt"] == b"field notes\n" * 50_000


def test_new_partitions_are_used(rig: Rig) -> None:
    rig.steps(3)
    rig.topic.partitions = 16
    rig.pass_time(700)
    (row,) = rig.add(rig.file("a.bin", content(200 * CHUNK)))
    rig.until_confirmed(row)
    assert len({partition for partition, _, _ in rig.topic.records}) == 16


def test_a_receipt_for_one_file_disturbs_no_other(rig: Rig) -> None:
    rows = rig.add(*(rig.file(f"{number}.bin", content(20 * CHUNK, number)) for number in range(5)))
    rig.until_confirmed(*rows)
    sent = [message for message in rig.office.messages if isinstance(message, Chunk)]
    assert len(sent) == 5 * 20


def test_chunks_taken_back_after_the_whole_file_was_read_still_leave(rig: Rig) -> None:
    first, second = rig.add(rig.file("a.bin", content(3 * CHUNK)), rig.file("b.bin", content(3 * CHUNK, 1)))
    rig.steps(1)
    rig.link_holding_after(1)
    rig.steps(10)
    rig.core.commands.pause([second.id])
    rig.link.held = False
    rig.until_confirmed(first)
    rig.core.commands.resume([second.id])
    rig.until_confirmed(second)


def a_retrying_file(rig: Rig) -> FileRow:
    """A file that changed while it was sent, and waits to settle."""
    path = rig.file("a.bin", content(3 * CHUNK))
    (row,) = rig.add(path)
    rig.steps(1)
    rig.link_holding_after(1)
    path.write_bytes(content(4 * CHUNK, 3))
    rig.link.held = False
    rig.until(lambda: rig.row(row).state is FileState.RETRYING)
    return row


def test_a_clock_set_back_keeps_no_file_waiting_for_years(rig: Rig) -> None:
    row = a_retrying_file(rig)
    rig.clock.jump(-10 * 365 * 86_400)
    rig.pass_time(620)
    rig.until_confirmed(row)


def test_a_clock_that_was_wrong_before_a_restart_keeps_no_file_waiting(rig: Rig) -> None:
    row = a_retrying_file(rig)
    rig.close()
    rig.clock.jump(-10 * 365 * 86_400)
    rig.open()
    rig.pass_time(620)
    rig.until_confirmed(row)


@pytest.mark.parametrize(
    "order",
    [{"command": "cancel"}, {"command": "add", "paths": 7}, {"command": "dance"}, {}, {"command": "retry", "files": 3}],
)
def test_an_order_that_makes_no_sense_does_not_stop_the_queue(rig: Rig, order: dict[str, object]) -> None:
    hand_over(rig.folder / "journal.db", order, 1)
    hand_over(rig.folder / "journal.db", {"command": "pause"}, 2)
    rig.pass_time(3, tick=1)
    assert rig.store.rows("SELECT * FROM inbox") == []
    assert rig.core.overall().state is OverallState.PAUSED
