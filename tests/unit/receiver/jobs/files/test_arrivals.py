# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Messages that do not fit together, through task, batch, disk and publisher: none harms another transfer."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from fieldpost_receiver.jobs.files.ledger.states import TransferState
from fieldpost_receiver.storage.folder.disk import Disk
from fieldpost_shared.codes import Code
from fieldpost_shared.ids import ClientName
from fieldpost_shared.protocol.messages import Record
from fieldpost_shared.protocol.status import Received, Rejected
from support.receiver.rig import CHUNK, Rig, Sent, cut_otherwise, noise, pack, rig_at

S = TransferState
FILE = Sent(1, "a.bin", noise(3 * CHUNK))
SMALL = Sent(2, "b.txt", b"small")


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    with rig_at(tmp_path / "rig", monkeypatch) as rig:
        yield rig


def rejected(said: list[object]) -> list[tuple[str, str]]:
    return [(event.transfer, event.code) for event in said if isinstance(event, Rejected)]


def received(said: list[object]) -> list[str]:
    return [event.transfer for event in said if isinstance(event, Received)]


def test_a_pack_cannot_change_the_hash_that_an_end_has_fixed(rig: Rig) -> None:
    """The first `end` fixes it: a pack of the same facts with other bytes was once published in its place."""
    forged = Sent(FILE.number, FILE.path, noise(3 * CHUNK)[::-1])
    rig.take(FILE.end(), FILE.chunk(0))
    rig.take(pack(forged))
    assert rig.job.quarantine.counts() == {Code.CONTRADICTION: 1}
    said = rig.take(FILE.chunks(), FILE.end(1))
    assert received([*said]) == [FILE.id]
    assert rig.tree() == {"van-7/a.bin": FILE.content}
    assert rig.leftovers() == []


def test_a_forged_pack_does_not_take_the_bytes_of_the_true_one(rig: Rig) -> None:
    rig.topic.send(pack(SMALL))
    rig.batch()
    rig.topic.send(pack(Sent(SMALL.number, SMALL.path, b"SMALL")))
    rig.settle()
    assert received([*rig.said]) == [SMALL.id]
    assert rig.tree() == {"van-7/b.txt": b"small"}


def test_chunks_that_came_before_their_pack_leave_nothing_behind(rig: Rig) -> None:
    rig.take(FILE.chunk(1))
    assert received([*rig.take(pack(FILE))]) == [FILE.id]
    assert rig.tree() == {"van-7/a.bin": FILE.content}
    assert rig.leftovers() == []


def test_late_chunks_of_a_cancelled_id_leave_nothing_behind_however_they_are_cut(rig: Rig) -> None:
    rig.topic.send(FILE.cancel(), partition=0)
    rig.batch()
    rig.reopen()
    rig.job.store.connection.execute("UPDATE transfers SET ended_ns = 0")
    with patch.object(rig.job.transfers, "not_to_write", lambda _most: set()):  # too long ago for the skip list
        rig.take(FILE.chunk(0), cut_otherwise(FILE, 16_384, 3), cut_otherwise(FILE, 32_768, 1))
    assert rig.job.transfers.counts() == {S.CANCELLED: 1}
    assert rig.leftovers() == []


def test_a_file_that_the_disk_cannot_hold_is_rejected_and_the_others_arrive(rig: Rig) -> None:
    original = Disk.pwrite

    def fat(self: Disk, file: int, data: memoryview, offset: int) -> int:
        if offset >= 2 * CHUNK:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        return original(self, file, data, offset)

    with patch.object(Disk, "pwrite", fat):
        said = rig.take(FILE.chunks(), FILE.end(), pack(SMALL))
        other = Sent(5, "c.bin", noise(4 * CHUNK))
        said += rig.take(other.chunk(3), other.end())
    assert set(rejected([*said])) == {(FILE.id, Code.TOO_LARGE), (other.id, Code.TOO_LARGE)}
    assert received([*said]) == [SMALL.id]
    assert rig.leftovers() == []


def test_a_claim_of_a_huge_size_does_not_reject_a_healthy_transfer(rig: Rig) -> None:
    """Another message of the same id, too large for any disk, is a contradiction and no reason to give up."""
    chunk = FILE.chunk(0)
    size = 2**62
    lie = [(name, str(size).encode() if name == "size" else value) for name, value in chunk.headers]
    lie = [(name, str(size // CHUNK - 1).encode() if name == "index" else value) for name, value in lie]
    rig.take(chunk, Record(chunk.key, lie, chunk.value))
    rig.take(Record(chunk.key, lie, chunk.value))
    assert received([*rig.take(FILE.chunks(), FILE.end())]) == [FILE.id]
    assert rig.leftovers() == []


def test_a_batch_that_failed_discards_nothing_when_it_is_run_again(rig: Rig) -> None:
    """There was no room at the first try, and there is at the second: its bytes must stay."""
    rig.topic.send(FILE.chunks())
    rig.space._admission.free_bytes = 0
    with patch.object(rig.job.quarantine, "trim", side_effect=KeyboardInterrupt), pytest.raises(KeyboardInterrupt):
        rig.batch()
    rig.space.update()
    assert received([*rig.take(FILE.end())]) == [FILE.id]
    assert rig.tree() == {"van-7/a.bin": FILE.content}


def test_a_refused_name_is_explained_to_its_sender(rig: Rig) -> None:
    chunk = FILE.chunk(0)
    bad = [(name, b"../a" if name == "path" else value) for name, value in chunk.headers]
    (said,) = [event for event in rig.take(Record(chunk.key, bad, chunk.value)) if isinstance(event, Rejected)]
    assert said.code == Code.NAME_REFUSED
    assert " " in said.text
    assert [event for event in rig.take(FILE.end()) if isinstance(event, Rejected)] == [said]


def test_a_cancel_of_a_file_that_waits_for_its_name_frees_its_bytes(rig: Rig) -> None:
    rig.topic.send(FILE.chunks(), FILE.end())
    rig.batch()
    assert rejected([*rig.take(FILE.cancel())]) == [(FILE.id, Code.CANCELLED)]
    assert (rig.tree(), rig.leftovers()) == ({}, [])


def test_a_cancel_that_comes_too_late_is_answered_with_the_receipt(rig: Rig) -> None:
    rig.take(pack(SMALL))
    assert received([*rig.take(SMALL.cancel())]) == [SMALL.id]
    assert rig.tree() == {"van-7/b.txt": b"small"}


def test_one_client_cannot_add_to_the_file_of_another(rig: Rig) -> None:
    stranger = Sent(FILE.number, FILE.path, noise(3 * CHUNK)[::-1], ClientName("van-8"))
    rig.take(FILE.chunks(), stranger.chunks(), stranger.end(), stranger.cancel())
    assert received([*rig.take(FILE.end())]) == [FILE.id]
    assert rig.tree() == {"van-7/a.bin": FILE.content}
    assert rig.leftovers() == []
