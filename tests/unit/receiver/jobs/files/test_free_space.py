# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterator
from pathlib import Path

import pytest

from fieldpost_receiver.jobs.files.admission import Verdict
from fieldpost_receiver.jobs.files.free_space import FreeSpace, StateDisk
from fieldpost_receiver.storage.folder.staging_area import StagingArea
from fieldpost_receiver.storage.folder.working_folder import create_working_folders
from fieldpost_shared.protocol.status import ReceiverState
from support.receiver.logic import LIMITS, Desk, facts

FLOOR = LIMITS.min_free_space


class Disk(StagingArea):
    """A destination whose free space is what the test says."""

    free = 10 * FLOOR

    def free_bytes(self) -> int:
        return self.free


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    desk.store.close()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    create_working_folders(tmp_path)
    disk = Disk(tmp_path)
    yield disk
    disk.close()


@pytest.fixture
def space(desk: Desk, disk: Disk, tmp_path: Path) -> FreeSpace:
    return FreeSpace(reading=desk.reading, staged=disk, admission=desk.admission, state_disk=StateDisk(tmp_path, 0))


def seen(space: FreeSpace) -> ReceiverState:
    space.update()
    return space.state


@pytest.mark.parametrize(
    ("free", "expected"),
    [
        (10 * FLOOR, (ReceiverState.OK, Verdict.ADMITTED)),
        (FLOOR + 10**6, (ReceiverState.OK, Verdict.ADMITTED)),
        (FLOOR, (ReceiverState.OK, Verdict.HELD)),
        (FLOOR - 1, (ReceiverState.LOW_SPACE, Verdict.HELD)),
        (FLOOR // 4, (ReceiverState.LOW_SPACE, Verdict.HELD)),
        (FLOOR // 4 - 1, (ReceiverState.PAUSED, Verdict.HELD)),
        (0, (ReceiverState.PAUSED, Verdict.HELD)),
    ],
)
def test_less_space_admits_less(
    desk: Desk, disk: Disk, space: FreeSpace, free: int, expected: tuple[ReceiverState, Verdict]
) -> None:
    disk.free = free
    state, verdict = expected
    assert space.update() is (state is not ReceiverState.OK)
    assert space.state is state
    assert desk.admission.judge(facts()) is verdict
    assert bool(desk.reading.paused()) is (state is ReceiverState.PAUSED)


def test_a_change_of_state_is_reported_once(disk: Disk, space: FreeSpace) -> None:
    assert not space.update()
    disk.free = 0
    assert [space.update(), space.update()] == [True, False]
    assert space.notice
    disk.free = 10 * FLOOR
    assert [space.update(), space.update()] == [True, False]
    assert not space.notice


def test_after_a_full_disk_reading_resumes_only_with_ample_space(desk: Desk, disk: Disk, space: FreeSpace) -> None:
    disk.free = FLOOR // 2  # enough to read on, had not a write failed
    space.ran_out()
    for _ in range(3):
        assert seen(space) == ReceiverState.PAUSED
        assert desk.reading.paused()
    disk.free = FLOOR
    assert seen(space) == ReceiverState.OK
    assert not desk.reading.paused()
    disk.free = FLOOR // 2
    assert seen(space) == ReceiverState.LOW_SPACE


def test_a_pause_of_an_earlier_run_ends_with_the_first_look(desk: Desk, space: FreeSpace) -> None:
    desk.reading.pause(ReceiverState.STOPPING)
    assert not space.update()
    assert not desk.reading.paused()


def test_stopping_reads_nothing_more_however_much_space_there_is(desk: Desk, space: FreeSpace) -> None:
    space.stopping = True
    assert space.update()
    assert space.state is ReceiverState.STOPPING
    assert desk.reading.paused()


def test_space_that_open_transfers_need_is_not_given_twice(desk: Desk, disk: Disk, space: FreeSpace) -> None:
    disk.free = FLOOR + 25 * 65_536
    space.update()
    desk.say(desk.chunk(facts(1, size=20 * 65_536), 0))
    assert desk.admission.judge(facts(2, size=5 * 65_536)) is Verdict.ADMITTED
    assert desk.admission.judge(facts(2, size=10 * 65_536)) is Verdict.HELD


def test_thousands_of_whole_files_in_one_batch_are_all_admitted(desk: Desk) -> None:
    """They wait for nothing, so they are not open; and judging one must not mean looking at all others."""
    files = [facts(number, size=100, chunk_size=0, path=f"{number}") for number in range(1, 3_001)]
    desk.say([desk.whole(file) for file in files])
    assert desk.transfers.counts() == {"complete": 3_000}
    assert desk.transfers.load() == (0, 0)
