# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F11: every chunk three times, `end` ten times, packs twice: the same content, once."""

from faults.bookkeeping import Case
from faults.raw_records import of_chunks, rig_in_memory
from fieldpost_receiver.jobs.files.ledger.states import TransferState
from fieldpost_shared.protocol.messages import Record
from fieldpost_shared.protocol.status import Missing, Received, Rejected
from support.receiver.rig import Sent, noise, pack


def test_f11_what_comes_many_times_in_any_order_is_published_once(case: Case) -> None:
    count = case.size(1_000, 4_000)
    big = of_chunks(1, "big.bin", count)
    small = [Sent(number, f"small-{number}.txt", noise(number)) for number in range(100, 150)]
    packs = [pack(*small[:25]), pack(*small[25:])]
    records: list[Record] = [*big.chunks() * 3, *[big.end()] * 10, *packs * 2]
    case.random.shuffle(records)
    case.fault(len(records) - count - 3)
    case.moved(len(big.content))
    with rig_in_memory() as rig:
        rig.topic.send(records)
        rig.settle(most=case.random.randrange(50, 500))
        assert rig.tree() == {f"van-7/{file.path}": file.content for file in [big, *small]}
        assert rig.leftovers() == []
        receipts = [event for event in rig.said if isinstance(event, Received)]
        assert {event.transfer for event in receipts} == {file.id for file in [big, *small]}
        assert not any(event.duplicate or event.renamed for event in receipts), "a copy of itself is no other file"
        assert not [event for event in rig.said if isinstance(event, Missing | Rejected)]
        assert rig.job.quarantine.counts() == {}


def test_f11_what_comes_again_after_the_receipt_changes_nothing_and_is_answered(case: Case) -> None:
    big, small = of_chunks(1, "big.bin", 20), Sent(2, "small.txt", b"small")
    with rig_in_memory() as rig:
        rig.take(big.chunks(), big.end(), pack(small))
        before = {path: path.stat().st_mtime_ns for path in rig.destination.rglob("*")}
        again: list[Record] = [*big.chunks() * 3, *[big.end()] * 10, *[pack(small)] * 2]
        case.random.shuffle(again)
        case.fault(len(again))
        answers = rig.take(again)
        assert [event for event in answers if not isinstance(event, Received)] == []
        assert {event.transfer for event in answers if isinstance(event, Received)} == {big.id, small.id}
        assert {
            path: path.stat().st_mtime_ns for path in rig.destination.rglob("*") if ".fieldpost" not in path.parts
        } == {path: moment for path, moment in before.items() if ".fieldpost" not in path.parts}
        assert rig.leftovers() == []
        for file in (big, small):
            found = rig.job.transfers.get(file.id)
            assert found is not None
            assert found.state is TransferState.PUBLISHED
