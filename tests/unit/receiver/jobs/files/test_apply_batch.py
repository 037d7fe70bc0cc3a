# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_receiver.jobs.files.ingest.rows import Row, RowKind, pack_rows, unpack_rows
from fieldpost_receiver.jobs.files.ledger.states import NEXT, TransferState, WrongStep, check
from fieldpost_shared.codes import Code
from fieldpost_shared.protocol.status import Missing, MissingReason, Phase, Progress, Received, Rejected
from support.receiver.logic import CHUNK, LIMITS, SHA, Desk, facts

S = TransferState


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    desk.store.close()


def test_chunks_and_end_in_any_order_make_a_complete_transfer(tmp_path: Path) -> None:
    about = facts(size=2 * CHUNK + 1)
    for number, order in enumerate(permutations(["c0", "c1", "c2", "end"])):
        desk = Desk(tmp_path / str(number))
        for what in order:
            desk.say(desk.end(about) if what == "end" else desk.chunk(about, int(what[1])))
        assert desk.transfer(about).state is S.COMPLETE
        desk.store.close()


def test_a_replayed_batch_changes_nothing(desk: Desk) -> None:
    about = facts()
    rows = [*desk.chunks(about, 0, 1, 2), desk.end(about)]
    desk.say(rows)
    before = replace(desk.transfer(about), told_ns=0)
    desk.say(rows)
    after = replace(desk.transfer(about), told_ns=0)
    assert (after.have, after.bitmap, after.state, after.round) == (
        before.have,
        before.bitmap,
        before.state,
        before.round,
    )


def test_an_empty_file_is_its_end_alone(desk: Desk) -> None:
    about = facts(size=0)
    desk.say(desk.end(about))
    assert desk.transfer(about).state is S.COMPLETE


def test_a_packed_file_is_complete_at_once(desk: Desk) -> None:
    about = facts(size=100, chunk_size=0)
    desk.say(desk.whole(about))
    assert (desk.transfer(about).state, desk.transfer(about).sha256) == (S.COMPLETE, SHA)


def test_a_hole_is_a_loss_only_when_everything_before_the_barrier_is_processed(desk: Desk) -> None:
    about = facts(size=5 * CHUNK)
    desk.ends = {0: 50, 1: 70}
    said = desk.say(desk.chunks(about, 0, 1), desk.end(about))
    assert not any(isinstance(event, Missing) for event in said)
    assert desk.read_up_to(69) == []
    (missing,) = desk.read_up_to(70, partitions=[1])
    assert missing == Missing(about.transfer, ((2, 4),), 1, MissingReason.NEVER_ARRIVED)


def test_a_late_chunk_before_the_barrier_is_no_loss(desk: Desk) -> None:
    about = facts(size=3 * CHUNK)
    desk.ends = {0: 50, 1: 70}
    desk.say(desk.chunks(about, 0, 1), desk.end(about))
    desk.say(desk.chunk(about, 2))
    assert desk.transfer(about).state is S.COMPLETE
    assert not any(isinstance(event, Missing) for event in desk.read_up_to(70))


def test_an_unknown_barrier_waits_until_the_broker_answers(desk: Desk) -> None:
    about = facts(size=3 * CHUNK)
    desk.ends = None
    desk.say(desk.chunk(about, 0), desk.end(about))
    (waiting,) = desk.completeness.without_barrier()
    desk.completeness.wait_for(waiting, waiting.end_round or 0, {0: 0})
    assert any(isinstance(event, Missing) for event in desk.read_up_to(99))


def rounds(said: list[object]) -> list[int]:
    return [event.round for event in said if isinstance(event, Missing)]


def test_the_same_question_gets_the_same_round_and_an_answer_the_next(desk: Desk) -> None:
    about = facts(size=4 * CHUNK)
    assert rounds([*desk.say(desk.chunk(about, 0), desk.end(about))]) == [1]
    assert rounds([*desk.say(desk.end(about))]) == [1]
    assert rounds([*desk.say(desk.chunk(about, 1), desk.end(about, 1))]) == [2]


def test_five_rounds_without_progress_end_the_transfer(desk: Desk) -> None:
    about = facts(size=4 * CHUNK)
    said = desk.say(desk.chunk(about, 0), desk.end(about))
    for number in range(1, 6):
        assert rounds([*said]) == [number]
        said = desk.say(desk.end(about, number))
    assert said == [Rejected(about.transfer, Code.INCOMPLETE, "Parts are still missing after 5 tries.")]
    assert (about.transfer, None) in desk.discarded
    assert isinstance(desk.say(desk.end(about, 5))[0], Rejected)


def test_progress_starts_the_count_anew(desk: Desk) -> None:
    about = facts(size=9 * CHUNK)
    said = desk.say(desk.chunk(about, 0), desk.end(about))
    for number in range(1, 9):
        assert rounds([*said]) == [number]
        said = desk.say(desk.chunk(about, number), desk.end(about, number))
    assert desk.transfer(about).state is S.COMPLETE


def test_a_contradicting_message_is_refused_and_mixes_with_nothing(desk: Desk) -> None:
    about, other = facts(), facts(size=11 * CHUNK)
    desk.say(desk.chunk(about, 0))
    desk.say(desk.chunk(other, 1), desk.end(other))
    assert desk.transfer(about).have == 1
    assert desk.quarantine.counts() == {Code.CONTRADICTION: 2}
    assert (about.transfer, other.fingerprint) in desk.discarded
    assert (about.transfer, about.fingerprint) not in desk.discarded


def test_a_second_end_with_another_hash_is_refused(desk: Desk) -> None:
    about = facts(size=2 * CHUNK)
    desk.say(desk.chunk(about, 0), desk.end(about))
    desk.say(desk.end(about, sha256="cd" * 32))
    assert desk.transfer(about).sha256 == SHA
    assert desk.quarantine.counts() == {Code.CONTRADICTION: 1}


def test_a_cancelled_id_is_never_revived(desk: Desk) -> None:
    about = facts()
    said = desk.say(desk.cancel(about))
    assert [type(event) for event in said] == [Rejected]
    desk.say(desk.chunks(about), desk.end(about))
    assert desk.transfer(about).state is S.CANCELLED
    assert (about.transfer, about.fingerprint) in desk.discarded


def test_no_client_cancels_for_another(desk: Desk) -> None:
    about = facts()
    desk.say(desk.chunk(about, 0))
    desk.say(replace(desk.cancel(about), client="somebody-else"))
    assert desk.transfer(about).state is S.RECEIVING


def test_a_file_too_large_is_rejected_and_harms_no_other(desk: Desk) -> None:
    huge, small = facts(1, size=2**60), facts(2)
    said = desk.say(desk.chunk(huge, 5), desk.chunk(small, 0))
    assert Code.TOO_LARGE in {event.code for event in said if isinstance(event, Rejected)}
    assert desk.transfer(small).state is S.RECEIVING


def test_without_space_a_transfer_is_held_and_others_go_on(desk: Desk) -> None:
    desk.admission.free_bytes = LIMITS.min_free_space + 20 * CHUNK
    first, second = facts(1, size=15 * CHUNK), facts(2, size=15 * CHUNK)
    desk.say(desk.chunk(first, 0))
    said = desk.say(desk.chunk(second, 0))
    assert [event.phase for event in said if isinstance(event, Progress)] == [Phase.HELD]
    assert desk.transfer(second).state is S.HELD
    assert (second.transfer, second.fingerprint) in desk.discarded
    assert desk.say(desk.end(second)) == [Progress(second.transfer, 0, 15, Phase.HELD)]
    desk.say(desk.chunks(first), desk.end(first))
    assert desk.transfer(first).state is S.COMPLETE
    assert second.transfer in desk.transfers.not_to_write(10)


@pytest.mark.parametrize("limit", ["max_open_transfers", "max_open_transfers_per_client"])
def test_a_flood_of_transfers_is_held_at_the_limit(tmp_path: Path, limit: str) -> None:
    desk = Desk(tmp_path, replace(LIMITS, **{limit: 3}))
    for number in range(1, 6):
        desk.say(desk.chunk(facts(number), 0))
    assert desk.transfers.counts() == {S.RECEIVING: 3, S.HELD: 2}
    desk.store.close()


def test_an_end_is_always_answered_with_the_current_state(desk: Desk) -> None:
    about = facts(size=CHUNK)
    desk.say(desk.chunks(about), desk.end(about))
    assert desk.say(desk.end(about)) == [Progress(about.transfer, 1, 1, Phase.VERIFYING)]
    done = desk.transfer(about)
    for state in (S.SEALED, S.INTENT):
        done = desk.transfers.change(done, state)
        assert desk.say(desk.end(about)) == [Progress(about.transfer, 1, 1, Phase.VERIFYING)]
    desk.transfers.finish(done, S.PUBLISHED, 1)
    assert desk.say(desk.end(about)) == [Received(about.transfer, CHUNK, SHA, renamed=False, duplicate=False)]
    assert desk.say(desk.cancel(about)) == [Received(about.transfer, CHUNK, SHA, renamed=False, duplicate=False)]


def test_a_pack_sent_twice_is_answered_twice(desk: Desk) -> None:
    about = facts(size=9, chunk_size=0)
    desk.say(desk.whole(about))
    done = desk.transfer(about)
    for state in (S.SEALED, S.INTENT):
        done = desk.transfers.change(done, state)
    desk.transfers.finish(done, S.PUBLISHED, 1)
    assert [type(event) for event in desk.say(desk.whole(about))] == [Received]


def test_a_lost_pack_may_come_again_in_chunks(desk: Desk) -> None:
    about = facts(size=9)
    said = desk.say(desk.end(about))
    assert said == [Missing(about.transfer, ((0, 0),), 1, MissingReason.NEVER_ARRIVED)]
    desk.say(desk.chunks(about), desk.end(about, 1))
    assert desk.transfer(about).state is S.COMPLETE


def test_lost_offsets_make_the_reason_expired(desk: Desk) -> None:
    about = facts(size=3 * CHUNK)
    desk.say(desk.chunk(about, 0))
    desk.say(Row(RowKind.LOST, 0, 40, count=10))
    (missing,) = desk.say(desk.end(about))
    assert isinstance(missing, Missing)
    assert missing.reason is MissingReason.EXPIRED


def test_damaged_chunks_make_the_reason_damaged(desk: Desk) -> None:
    about = facts(size=3 * CHUNK)
    bad = Row(RowKind.BAD, 0, 77, about.client, about.transfer, code=Code.DAMAGED, detail="chunk 1")
    desk.say(desk.chunk(about, 0), bad)
    (missing,) = [event for event in desk.say(desk.end(about)) if isinstance(event, Missing)]
    assert missing.reason is MissingReason.DAMAGED


def test_a_refused_name_rejects_a_new_transfer_but_never_a_healthy_one(desk: Desk) -> None:
    new, healthy = facts(1), facts(2)
    desk.say(desk.chunk(healthy, 0))
    said = desk.say(
        *(
            Row(RowKind.BAD, 0, 90 + number, about.client, about.transfer, code=Code.NAME_REFUSED, detail="dot_part")
            for number, about in enumerate((new, healthy))
        )
    )
    assert [event.transfer for event in said if isinstance(event, Rejected)] == [new.transfer]
    assert desk.transfer(healthy).state is S.RECEIVING


def test_the_quarantine_is_bounded_counted_and_escaped(desk: Desk) -> None:
    for offset in range(30):
        desk.say(Row(RowKind.BAD, 1, offset, code=Code.BAD_NUMBER, detail="\x1b[31m\n" + "x" * 1000))
    desk.say(Row(RowKind.BAD, 1, 0, code=Code.BAD_NUMBER, detail="again"))
    assert desk.quarantine.counts() == {Code.BAD_NUMBER: 30}
    rows = desk.store.rows("SELECT detail FROM quarantine")
    assert all(len(row["detail"]) <= 300 and row["detail"].isprintable() for row in rows)


def test_progress_is_said_every_two_seconds_at_most(desk: Desk) -> None:
    about = facts()
    assert [type(event) for event in desk.say(desk.chunk(about, 0))] == [Progress]
    assert desk.say(desk.chunk(about, 1)) == []
    desk.clock.advance(2)
    assert desk.say(desk.chunk(about, 2)) == [Progress(about.transfer, 3, 10, Phase.RECEIVING)]


def test_old_finished_transfers_are_forgotten(desk: Desk) -> None:
    about = facts()
    desk.say(desk.cancel(about))
    assert desk.transfers.forget_before(desk.clock.now_ns()) == 0
    desk.clock.advance(10)
    assert desk.transfers.forget_before(desk.clock.now_ns()) == 1
    assert desk.transfers.get(about.transfer) is None


@pytest.mark.parametrize("old", list(S))
def test_a_transfer_takes_no_step_that_the_table_does_not_have(old: TransferState) -> None:
    for new in S:
        if new is old or new in NEXT[old]:
            check(old, new)
        else:
            with pytest.raises(WrongStep):
                check(old, new)


_texts = st.none() | st.text(st.characters(exclude_categories=("C", "Z"), include_characters=" "), max_size=20)
_numbers = st.none() | st.integers(-(2**63), 2**63 - 1)


@given(
    st.lists(
        st.builds(
            Row,
            st.sampled_from(RowKind),
            st.integers(0, 9),
            st.integers(0, 2**62),
            *[_texts] * 3,
            *[_numbers] * 4,
            _texts,
            _numbers,
            _texts,
            _texts,
            _numbers,
            st.integers(0, 2**40),
        ),
        max_size=5,
    )
)
def test_rows_survive_the_way_through_the_jvm(rows: list[Row]) -> None:
    assert unpack_rows(pack_rows(rows)) == rows
