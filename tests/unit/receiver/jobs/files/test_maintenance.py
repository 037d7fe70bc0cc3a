# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from faults.small_disk import small_disk
from fieldpost_receiver.jobs.files.admission import Admission, Limits
from fieldpost_receiver.jobs.files.ledger.states import TransferState, WrongStep
from fieldpost_receiver.jobs.files.ledger.transfers import Transfer
from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.codes import Code
from fieldpost_shared.protocol.messages import Record
from fieldpost_shared.protocol.status import Event, Missing, MissingReason, Phase, Progress, Received, Rejected
from support.receiver.rig import CHUNK, Rig, Sent, cut_otherwise, noise, pack, rig_at

S = TransferState
DAY = 86_400
BIG = Sent(1, "big.bin", noise(3 * CHUNK))
SMALL = Sent(2, "small.txt", b"small")
EMPTY = Sent(3, "empty", b"")


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    with rig_at(tmp_path / "rig", monkeypatch) as rig:
        yield rig


def state(rig: Rig, file: Sent) -> Transfer:
    found = rig.job.transfers.get(file.id)
    assert found is not None
    return found


def maintain(rig: Rig) -> list[Event]:
    rig.job.maintenance.step()
    rig.said.clear()
    rig.deliver()
    return rig.said


def admission(rig: Rig) -> Admission:
    return rig.space._admission


# held transfers


def held(rig: Rig, *records: Record | list[Record]) -> None:
    rig.topic.send(*records)
    admission(rig).free_bytes = 0
    rig.settle()


def test_held_transfers_are_admitted_when_there_is_space(rig: Rig) -> None:
    held(rig, BIG.chunks(), BIG.end(), pack(SMALL), EMPTY.end())
    assert rig.job.transfers.counts() == {S.HELD: 3}
    assert {event.phase for event in rig.said if isinstance(event, Progress)} == {Phase.HELD}
    assert maintain(rig) == []
    rig.space.update()
    asked = {event.transfer: event for event in maintain(rig) if isinstance(event, Missing)}
    assert asked[BIG.id] == Missing(BIG.id, ((0, 2),), 1, MissingReason.HELD)
    assert asked[SMALL.id].ranges == ((0, 0),)
    rig.take(BIG.chunks(), BIG.end(1), SMALL.chunks(), SMALL.end(1), EMPTY.end(1))
    assert rig.tree() == {"van-7/big.bin": BIG.content, "van-7/small.txt": b"small", "van-7/empty": b""}
    assert rig.leftovers() == []


def test_a_held_file_larger_than_the_disk_keeps_no_other_waiting(rig: Rig) -> None:
    huge = replace(BIG.facts, size=2**39)
    fields = dict(BIG.end().headers) | {"size": str(huge.size).encode()}
    held(rig, Record(huge.transfer.encode(), list(fields.items()), b""))
    rig.clock.advance(1)
    held(rig, pack(SMALL))
    admission(rig).free_bytes = 10**9
    asked = [event.transfer for event in maintain(rig) if isinstance(event, Missing)]
    assert asked == [SMALL.id]
    assert state(rig, BIG).state is S.HELD


def test_no_more_held_transfers_are_admitted_than_there_is_space_for(rig: Rig) -> None:
    files = [Sent(number, f"{number}", noise(CHUNK)) for number in range(10, 20)]
    held(rig, *(file.chunks() for file in files))
    limits: Limits = admission(rig)._limits
    admission(rig).free_bytes = limits.min_free_space + 3 * CHUNK
    asked = [event.transfer for event in maintain(rig) if isinstance(event, Missing)]
    assert len(asked) == 3
    assert rig.job.transfers.counts() == {S.HELD: 7, S.RECEIVING: 3}


def test_a_held_transfer_lives_as_long_as_its_sender_asks(rig: Rig) -> None:
    held(rig, BIG.chunks())
    for _ in range(3):
        rig.clock.advance(10 * DAY)
        held(rig, BIG.end())
        assert maintain(rig) == []
    assert state(rig, BIG).state is S.HELD


def test_a_pack_that_was_held_may_come_in_chunks_of_any_cut_but_one_only(rig: Rig) -> None:
    """Two cuts in one batch once broke every batch that held them."""
    file = Sent(5, "a", noise(100_000))
    held(rig, pack(file))
    rig.space.update()
    maintain(rig)
    rig.topic.send(file.chunk(0), cut_otherwise(file, 16_384, 6), file.chunk(1), file.end(1), partition=0)
    rig.settle()
    assert rig.tree() == {"van-7/a": file.content}
    assert rig.job.quarantine.counts() == {Code.CONTRADICTION: 1}
    assert rig.leftovers() == []


# expiry and forgetting


def test_only_idle_time_expires_a_transfer(rig: Rig) -> None:
    rig.take(BIG.chunk(0))
    for index in (1, 0, 1):
        rig.clock.advance(13 * DAY)
        rig.job.maintenance.step()
        rig.take(BIG.chunk(index))
    assert state(rig, BIG).state is S.RECEIVING
    rig.clock.advance(14 * DAY + 1)
    assert [event.code for event in maintain(rig) if isinstance(event, Rejected)] == [Code.TIMED_OUT]
    assert rig.leftovers() == []


@pytest.mark.parametrize("jump", [30 * DAY, 3_600])
def test_nothing_expires_within_an_hour_of_a_clock_jump(rig: Rig, jump: int) -> None:
    rig.take(BIG.chunk(0))
    rig.clock.advance(14 * DAY - 100)
    assert maintain(rig) == []
    rig.clock.jump(jump)
    for _ in range(59):
        rig.clock.advance(60)
        assert maintain(rig) == []
    rig.clock.jump(-jump)  # a person set it right
    rig.clock.advance(60)
    assert maintain(rig) == []
    rig.clock.advance(3_600)
    assert [type(event) for event in maintain(rig)] == [Rejected]


def test_a_clock_set_back_expires_nothing(rig: Rig) -> None:
    rig.clock.advance(1)
    rig.take(BIG.chunk(0))
    rig.clock.jump(-30 * DAY)
    rig.clock.advance(7_200)
    assert maintain(rig) == []


def test_a_finished_transfer_is_remembered_for_400_days(rig: Rig) -> None:
    rig.take(pack(SMALL))
    rig.clock.advance(399 * DAY)
    maintain(rig)
    assert [type(event) for event in rig.take(SMALL.end())] == [Received]
    rig.clock.advance(2 * DAY)
    maintain(rig)
    assert rig.job.transfers.get(SMALL.id) is None
    said = rig.take(SMALL.end())
    assert [event.ranges for event in said if isinstance(event, Missing)] == [((0, 0),)]


def test_a_clock_that_jumps_by_years_forgets_nothing_within_the_hour(rig: Rig) -> None:
    rig.take(pack(SMALL))
    maintain(rig)
    rig.clock.jump(500 * DAY)
    maintain(rig)
    assert state(rig, SMALL).state is S.PUBLISHED


def test_something_that_comes_at_the_last_moment_is_not_expired(rig: Rig) -> None:
    rig.take(BIG.chunk(0))
    rig.clock.advance(15 * DAY)
    (idle,) = rig.job.transfers.idle_since(rig.clock.now_ns() - 14 * DAY * NS_PER_S)
    rig.take(BIG.chunk(1))
    rig.job.maintenance.expire(idle)
    assert state(rig, BIG).state is S.RECEIVING


# barriers


def test_an_end_is_decided_when_the_broker_answers_at_last(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rig.job.batch, "_ends_of_topic", lambda: None)
    monkeypatch.setattr(rig.job.maintenance, "_ends_of_topic", lambda: None)
    said = rig.take(BIG.chunk(0), BIG.end())
    assert not [event for event in said if isinstance(event, Missing)]
    assert maintain(rig) == []
    monkeypatch.setattr(rig.job.maintenance, "_ends_of_topic", rig.topic.ends)
    assert maintain(rig) == [Missing(BIG.id, ((1, 2),), 1, MissingReason.NEVER_ARRIVED)]


def test_what_a_batch_learns_meanwhile_is_not_undone(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """The broker takes its time; a batch completes one transfer and cancels another before it answers."""
    other = Sent(5, "other", noise(2 * CHUNK))
    monkeypatch.setattr(rig.job.batch, "_ends_of_topic", lambda: None)
    rig.take(BIG.chunk(0), BIG.end(), other.chunk(0), other.end())

    def slow() -> dict[int, int]:
        rig.take(BIG.chunk(1), BIG.chunk(2), other.cancel())
        return rig.topic.ends()

    monkeypatch.setattr(rig.job.maintenance, "_ends_of_topic", slow)
    assert maintain(rig) == []
    assert (state(rig, BIG).state, state(rig, other).state) == (S.PUBLISHED, S.CANCELLED)


def test_a_change_by_an_old_view_is_refused(rig: Rig) -> None:
    rig.take(BIG.chunk(0))
    old = state(rig, BIG)
    rig.take(BIG.cancel())
    with pytest.raises(WrongStep):
        rig.job.transfers.change(old, S.COMPLETE)
    assert state(rig, BIG).state is S.CANCELLED


def test_a_ledger_copy_without_space_does_not_stop_receiving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with small_disk(tmp_path / "small", "8m") as disk, rig_at(disk.place / "rig", monkeypatch) as rig:
        rig.take(SMALL.chunks(), SMALL.end())
        copy = rig.state.ledger_copy
        copy.unlink(missing_ok=True)
        rig.clock.advance(2 * DAY)
        disk.fill(leave=16 * 1024)
        rig.job.maintenance.step()
        assert not copy.exists()
        assert not list(copy.parent.glob(f"{copy.name}*")), "no half copy either"
        disk.free()
        rig.clock.advance(2 * 3600)
        rig.job.maintenance.step()
        assert copy.exists(), "tried again after an hour, not after a day"
