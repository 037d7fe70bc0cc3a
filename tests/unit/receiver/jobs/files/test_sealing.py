# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterator
from pathlib import Path

import pytest

from fieldpost_receiver.jobs.files.ingest.partition_reader import Range
from fieldpost_receiver.jobs.files.ledger.states import TransferState
from fieldpost_shared.codes import Code
from fieldpost_shared.protocol.status import Missing, MissingReason, Received, Rejected
from support.receiver.rig import CHUNK, Rig, Sent, noise, rig_at

BIG = Sent(1, "big.bin", noise(3 * CHUNK))


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    with rig_at(tmp_path / "rig", monkeypatch) as rig:
        yield rig


def test_a_file_whose_staged_bytes_are_gone_is_never_published(rig: Rig) -> None:
    rig.take(BIG.chunk(0), BIG.chunk(1))
    for path in (rig.destination / ".fieldpost/staging").iterdir():
        path.unlink()
    said = rig.take(BIG.end())
    assert [event for event in said if isinstance(event, Missing)][-1].ranges == ((2, 2),)
    said = rig.take(BIG.chunk(2), BIG.end(1))  # now it looks complete, but is all holes in front: the hash tells
    assert [event.code for event in said if isinstance(event, Rejected)] == [Code.HASH_MISMATCH]


def test_a_complete_file_that_is_not_staged_is_requested_whole(rig: Rig) -> None:
    rig.topic.send(BIG.chunks(), BIG.end())
    rig.job.batch.apply(rig._read([Range(number, 0, end) for number, end in rig.topic.ends().items()]))
    for path in (rig.destination / ".fieldpost/staging").iterdir():
        path.unlink()
    rig.job.sealing.seal()
    rig.position = rig.topic.ends()
    rig.deliver()
    assert Missing(BIG.id, ((0, 2),), 1, MissingReason.NEVER_ARRIVED) in rig.said
    assert rig.job.transfers.counts() == {TransferState.RECEIVING: 1}
    said = rig.take(BIG.chunks(), BIG.end(1))
    assert [event.transfer for event in said if isinstance(event, Received)] == [BIG.id]
    assert rig.tree() == {"van-7/big.bin": BIG.content}


def test_a_sealed_file_of_a_wrong_size_is_discarded_and_requested(rig: Rig) -> None:
    rig.take(BIG.chunks())
    sealed = rig.destination / f".fieldpost/sealed/{BIG.id}-{BIG.facts.fingerprint}"
    sealed.write_bytes(b"cut short")
    said = rig.take(BIG.end())
    assert [event.ranges for event in said if isinstance(event, Missing)] == [((0, 2),)]
    rig.take(BIG.chunks(), BIG.end(1))
    assert rig.tree() == {"van-7/big.bin": BIG.content}


def test_a_start_sweeps_what_no_transfer_needs(rig: Rig) -> None:
    rig.take(BIG.chunk(0))
    staging, sealed = rig.destination / ".fieldpost/staging", rig.destination / ".fieldpost/sealed"
    kept = [path.name for path in staging.iterdir()]
    for name in (f"{9:032x}-{'0' * 16}", f"{BIG.id}-{'0' * 16}"):
        (staging / f"{name}.part").write_bytes(b"x")
        (sealed / name).write_bytes(b"x")
    rig.reopen()
    assert rig.leftovers() == kept
