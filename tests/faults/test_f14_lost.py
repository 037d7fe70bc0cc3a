# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F14: 1, a tenth or all of the chunks never arrive: exact ranges, a second round completes, five in vain end it."""

from collections.abc import Iterable
from typing import Final

import pytest

from faults.bookkeeping import Case
from faults.raw_records import FinelyCut, of_chunks, rig_in_memory
from fieldpost_receiver.jobs.files.completeness import MOST_STALE_ROUNDS
from fieldpost_shared.protocol.limits import MAX_RANGES
from fieldpost_shared.protocol.status import Event, Missing, MissingReason, Received, Rejected
from support.receiver.rig import Sent, pack

ORPHAN_ROUNDS: Final = MOST_STALE_ROUNDS


def ranges_of(lost: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """By hand, not by the product's bitmap."""
    found: list[tuple[int, int]] = []
    for index in sorted(lost):
        if found and found[-1][1] == index - 1:
            found[-1] = (found[-1][0], index)
        else:
            found.append((index, index))
    return tuple(found)


def asked(said: list[Event], file: Sent) -> list[Missing]:
    return [event for event in said if isinstance(event, Missing) and event.transfer == file.id]


def lose(case: Case, file: FinelyCut, how_many: int) -> set[int]:
    case.fault(how_many)
    return set(case.random.sample(range(file.facts.plan.count), how_many))


@pytest.mark.parametrize("share", [0, 10, 100])
def test_f14_exactly_what_never_arrived_is_asked_for_and_a_second_round_completes(case: Case, share: int) -> None:
    count = case.size(100, 2_000)
    file = of_chunks(1, "a.bin", count)
    lost = lose(case, file, max(1, count * share // 100))
    case.moved(len(file.content))
    with rig_in_memory() as rig:
        said = rig.take([file.chunk(index) for index in range(count) if index not in lost], file.end())
        (question,) = asked(said, file)
        assert question.ranges == ranges_of(lost)
        assert (question.round, question.reason) == (1, MissingReason.NEVER_ARRIVED)
        (again,) = asked(rig.take(file.end()), file)
        assert again == question, "asked in the same round, the same is missing"
        said = rig.take([file.chunk(index) for index in lost], file.end(1))
        assert not asked(said, file)
        assert [event.sha256 for event in said if isinstance(event, Received)]
        assert rig.tree() == {"van-7/a.bin": file.content}


def test_f14_more_holes_than_fit_into_a_message_are_asked_for_in_further_rounds(case: Case) -> None:
    count = case.size(2 * MAX_RANGES + 6, 3 * 2 * MAX_RANGES)
    file = of_chunks(1, "a.bin", count)
    lost = set(range(0, count, 2))
    case.fault(len(lost))
    with rig_in_memory() as rig:
        said = rig.take([file.chunk(index) for index in range(1, count, 2)], file.end())
        for _ in range(len(lost) // MAX_RANGES + 1):
            if any(isinstance(event, Received) for event in said):
                break
            (question,) = asked(said, file)
            assert question.ranges == ranges_of(lost)[:MAX_RANGES]
            wanted = {first for first, _ in question.ranges}
            lost -= wanted
            said = rig.take([file.chunk(index) for index in sorted(wanted)], file.end(question.round))
        assert rig.tree() == {"van-7/a.bin": file.content}


@pytest.mark.parametrize("share", [1, 10, 100])
def test_f14_an_orphan_ends_after_five_rounds_in_vain_and_never_blocks_the_rest(case: Case, share: int) -> None:
    orphan = of_chunks(1, "orphan.bin", 100)
    lost = lose(case, orphan, share)
    with rig_in_memory() as rig:
        said = rig.take([orphan.chunk(index) for index in range(100) if index not in lost], orphan.end())
        for number in range(1, ORPHAN_ROUNDS + 1):
            (question,) = asked(said, orphan)
            assert (question.round, question.ranges) == (number, ranges_of(lost))
            other, small = of_chunks(10 + number, f"{number}.bin", 3), Sent(20 + number, f"{number}.txt", b"x")
            said = rig.take(orphan.end(number), other.chunks(), pack(small), other.end())
            done = {event.transfer for event in said if isinstance(event, Received)}
            assert done == {other.id, small.id}, "the rest goes on"
        assert [event.code for event in said if isinstance(event, Rejected)] == ["incomplete"]
        assert not asked(said, orphan)
        assert rig.leftovers() == []
        assert "van-7/orphan.bin" not in rig.tree()
        assert len(rig.tree()) == 2 * ORPHAN_ROUNDS


def test_f14_a_chunk_that_comes_at_last_gives_the_sender_five_rounds_again(case: Case) -> None:
    file = of_chunks(1, "a.bin", 3)
    with rig_in_memory() as rig:
        rig.take(file.end())
        for number in range(1, MOST_STALE_ROUNDS):
            (question,) = asked(rig.take(file.end(number)), file)
            case.fault()
        (question,) = asked(rig.take(file.chunk(1), file.end(question.round)), file)
        for _ in range(MOST_STALE_ROUNDS - 1):
            (question,) = asked(rig.take(file.end(question.round)), file)
            assert question.ranges == ((0, 0), (2, 2))
        said = rig.take(file.chunk(0), file.chunk(2), file.end(question.round))
        assert any(isinstance(event, Received) for event in said)
