# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F12: any order, `end` first, `cancel` before its chunks: the same end state, and a cancelled id stays dead."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from faults.bookkeeping import Case
from faults.raw_records import FinelyCut, of_chunks, rig_in_memory
from fieldpost_receiver.jobs.files.ledger.states import TransferState
from fieldpost_shared.ids import new_transfer_id
from fieldpost_shared.protocol.messages import Record
from fieldpost_shared.protocol.status import Event, Missing, Received, Rejected
from oracle import said_on_kafka
from reference_receiver.raw_sender import RawSender
from support.brokers import Topics
from support.processes.receiver import Receiver
from support.receiver.rig import PARTITIONS, Rig, Sent, pack
from support.waiting import wait_until


@dataclass(frozen=True)
class Post:
    """What lies in the topic, in some order. `given_up` never had all its chunks; `late` was complete."""

    whole: FinelyCut = field(default_factory=lambda: of_chunks(1, "whole.bin", 4))
    empty: Sent = field(default_factory=lambda: Sent(2, "empty.txt", b""))
    packed: tuple[Sent, ...] = field(default_factory=lambda: (Sent(3, "a.txt", b"a"), Sent(4, "b.txt", b"")))
    given_up: FinelyCut = field(default_factory=lambda: of_chunks(5, "given-up.bin", 3))
    late: FinelyCut = field(default_factory=lambda: of_chunks(6, "late.bin", 2))

    def records(self) -> list[Record]:
        return [
            *self.whole.chunks(),
            self.whole.end(),
            self.empty.end(),
            pack(*self.packed),
            self.given_up.chunk(0),
            self.given_up.chunk(2),
            self.given_up.end(),
            self.given_up.cancel(),
            *self.late.chunks(),
            self.late.end(),
            self.late.cancel(),
        ]

    def arriving(self) -> dict[str, bytes]:
        return {f"van-7/{file.path}": file.content for file in (self.whole, self.empty, *self.packed)}


POST: Final = Post()
RECORDS: Final = POST.records()
IN_ORDER: Final = list(range(len(RECORDS)))
ORDERS: Final = st.permutations(IN_ORDER)
PLACES: Final = st.lists(st.integers(0, PARTITIONS - 1), min_size=len(RECORDS), max_size=len(RECORDS))


def state_of(rig: Rig, file: Sent) -> TransferState:
    found = rig.job.transfers.get(file.id)
    assert found is not None
    return found.state


def about(said: list[Event], file: Sent) -> list[Event]:
    return [event for event in said if getattr(event, "transfer", None) == file.id]


def check_end(rig: Rig) -> None:
    """The same for every order; a complete file may have been published before its cancel came."""
    late = {"van-7/late.bin": POST.late.content} if state_of(rig, POST.late) is TransferState.PUBLISHED else {}
    assert rig.tree() == POST.arriving() | late
    assert rig.leftovers() == []
    assert rig.job.quarantine.counts() == {}
    assert state_of(rig, POST.given_up) is TransferState.CANCELLED
    for file in (POST.whole, POST.empty, *POST.packed):
        verdicts = about(rig.said, file)
        assert any(isinstance(event, Received) for event in verdicts)
        assert not [event for event in verdicts if isinstance(event, Missing | Rejected)], "everything was there"
    told = {type(event) for event in about(rig.said, POST.late) if isinstance(event, Received | Rejected)}
    assert told == {Received if late else Rejected}, "one verdict, and no other later"


def check_the_dead_stay_dead(rig: Rig) -> None:
    before = rig.tree()
    rig.said.clear()
    said = rig.take(POST.given_up.chunks(), POST.given_up.end(), POST.given_up.end(1), pack(Sent(5, "x", b"x")))
    assert {event.code for event in said if isinstance(event, Rejected)} == {"cancelled"}
    assert not [event for event in said if isinstance(event, Received | Missing)]
    assert (rig.tree(), rig.leftovers()) == (before, [])


@settings(max_examples=200)  # in every profile: the long one repeats the case with other seeds
@given(order=ORDERS, places=PLACES, most=st.sampled_from([100, 5, 3, 1]))
@example(order=IN_ORDER, places=[0] * len(RECORDS), most=100)
@example(order=IN_ORDER[::-1], places=[0] * len(RECORDS), most=1)
@example(order=IN_ORDER[::-1], places=[0] * len(RECORDS), most=100)
def test_f12_every_order_comes_to_the_same_end(order: list[int], places: list[int], most: int) -> None:
    with rig_in_memory() as rig:
        rig.judge_receipts = False  # `check_end` looks at the whole tree
        for number, place in zip(order, places, strict=True):
            rig.topic.send(RECORDS[number], partition=place)
        rig.settle(most)
        check_end(rig)
        rig.reopen()
        check_the_dead_stay_dead(rig)


@pytest.mark.broker
def test_f12_random_orders_over_a_real_broker_come_to_the_same_end(
    case: Case, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    if not case.is_long:
        pytest.skip("in the long run only: the rig tries the orders in CI")
    topics: Topics = request.getfixturevalue("topics")
    sender = RawSender(topics)
    orders = case.size(1, 300)
    wholes: list[FinelyCut] = []
    dead: list[FinelyCut] = []
    for number in range(orders):
        whole = of_chunks(int(new_transfer_id(number), 16), f"{number}/whole.bin", 4)
        gone = of_chunks(int(new_transfer_id(number), 16), f"{number}/gone.bin", 3)
        records = [*whole.chunks(), whole.end(), gone.chunk(0), gone.chunk(2), gone.end(), gone.cancel()]
        case.random.shuffle(records)
        for record in records:
            sender.send([record], case.random.randrange(topics.partitions))
        wholes.append(whole)
        dead.append(gone)
        case.fault()
    with Receiver(topics, tmp_path / "office") as receiver:
        wait_until(lambda: receiver.states() == {"published": orders, "cancelled": orders}, 120, "the same end for all")
        sender.send([record for gone in dead for record in [*gone.chunks(), gone.end()]])
        again = of_chunks(7, "last.bin", 2)
        sender.send([*again.chunks(), again.end()])
        wait_until(lambda: receiver.states().get("published") == orders + 1, 60, "what came after the dead")
        assert receiver.states()["cancelled"] == orders
        assert {name: path.read_bytes() for name, path in receiver.files().items()} == {
            f"van-7/{file.path}": file.content for file in [*wholes, again]
        }
        said = said_on_kafka({"bootstrap.servers": topics.bootstrap_servers}, topics.status)
        asked = {one.fields["transfer"] for one in said if one.kind == "missing"}
        assert not asked & {whole.id for whole in wholes}, "everything was there"
