# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F13: one bit of a value, a header or a hash is another one: refused before the disk, counted, asked for as damaged.

Two headers say where bytes belong, and no hash of a chunk covers them: with a bit of `index` or `transfer` turned, a
message may still be a true one of another place. Those bytes never get a final name: the hash of the whole file sees
them, or they lie in a file of a stranger's id until they expire.
"""

from collections.abc import Iterator
from typing import Final

import pytest

from faults.bookkeeping import Case
from faults.raw_records import FinelyCut, of_chunks, rig_in_memory, with_bit_turned
from fieldpost_receiver.storage.folder.disk import Disk
from fieldpost_shared.errors import ProtocolError
from fieldpost_shared.protocol.messages import Record, decode
from fieldpost_shared.protocol.status import Event, Missing, MissingReason, Received, Rejected
from support.receiver.rig import Rig

CHUNK_FIELDS: Final = [
    *["value", "fieldpost", "kind", "client", "transfer", "path", "size", "chunk.size", "mtime", "index", "sha256"],
    "encoding",
]
END_FIELDS: Final = [
    "fieldpost",
    "kind",
    "client",
    "transfer",
    "path",
    "size",
    "chunk.size",
    "mtime",
    "sha256",
    "round",
]
TURNED: Final = 1  # the chunk that comes damaged


class Writes:
    """What reached the disk."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.written: list[bytes] = []
        real = Disk.pwrite

        def pwrite(disk: Disk, file: int, data: memoryview, offset: int) -> int:
            self.written.append(bytes(data))
            return real(disk, file, data, offset)

        patch.setattr(Disk, "pwrite", pwrite)


def bits(case: Case, record: Record, field: str) -> Iterator[int]:
    """Some in CI, many in the long run, which comes again with other seeds."""
    length = 8 * len(record.value if field == "value" else dict(record.headers)[field])
    wanted = min(length, case.size(2, 150))
    return iter(case.random.sample(range(length), wanted))


def is_still_true(record: Record, file: FinelyCut) -> bool:
    """Whether it is a valid message of the same place with the same bytes: another minor version."""
    try:
        return decode(record.key, record.headers, record.value) == decode(*_parts(file.chunk(TURNED)))
    except ProtocolError:
        return False


def _parts(record: Record) -> tuple[bytes, list[tuple[str, bytes]], bytes]:
    return record.key, record.headers, record.value


def is_of_another_place(record: Record, file: FinelyCut) -> bool:
    try:
        found = decode(*_parts(record))
    except ProtocolError:
        return False
    facts, index = getattr(found, "facts", None), getattr(found, "index", TURNED)
    return facts is not None and (facts.transfer != file.id or index != TURNED)


def arrived(rig: Rig, file: FinelyCut) -> bytes | None:
    path = rig.destination / "van-7" / file.path
    return path.read_bytes() if path.exists() else None


def missing(said: list[Event]) -> list[Missing]:
    return [event for event in said if isinstance(event, Missing)]


@pytest.mark.parametrize("field", CHUNK_FIELDS)
def test_f13_a_chunk_with_a_turned_bit_is_not_written_and_asked_for_as_damaged(
    case: Case, monkeypatch: pytest.MonkeyPatch, field: str
) -> None:
    writes = Writes(monkeypatch)
    with rig_in_memory() as rig:
        rig.judge_receipts = False  # by the whole tree each time; each file is looked at here
        for number, bit in enumerate(bits(case, of_chunks(1, "x", 3).chunk(TURNED), field)):
            file = of_chunks(case.random.getrandbits(128), f"{number}.bin", 3)  # far from every other id
            bad = with_bit_turned(file.chunk(TURNED), field, bit)
            case.fault()
            if is_of_another_place(bad, file):
                _judge_misplaced(rig, file, bad)
            elif is_still_true(bad, file):
                said = rig.take(file.chunk(0), bad, file.chunk(2), file.end())
                assert any(isinstance(event, Received) for event in said)
            else:
                _judge_refused(rig, file, bad, writes, field)
            rig.said.clear()


def _judge_refused(rig: Rig, file: FinelyCut, bad: Record, writes: Writes, field: str) -> None:
    before, written = sum(rig.job.quarantine.counts().values()), len(writes.written)
    said = rig.take(file.chunk(0), bad, file.chunk(2), file.end())
    assert sum(rig.job.quarantine.counts().values()) == before + 1, "counted"
    # One that is valid in itself lies in a file of its own fingerprint for a moment: only the driver knows the facts.
    assert len(writes.written) == written + 2 + contradicts(bad, file), "refused before the disk"
    (asked,) = missing(said)
    assert asked.ranges == ((TURNED, TURNED),)
    named = rig.job.store.rows("SELECT transfer FROM quarantine ORDER BY id DESC LIMIT 1")[0]["transfer"]
    assert asked.reason is (MissingReason.DAMAGED if named == file.id else MissingReason.NEVER_ARRIVED)
    assert named == file.id or field in {"client", "transfer"}, "whose it was can be read"
    assert any(isinstance(event, Received) for event in rig.take(file.chunk(TURNED), file.end(asked.round)))
    assert arrived(rig, file) == file.content
    assert not [name for name in rig.leftovers() if name.startswith(file.id)]


def contradicts(record: Record, file: FinelyCut) -> bool:
    """Valid in itself, but of other facts than its transfer's."""
    try:
        found = decode(*_parts(record))
    except ProtocolError:
        return False
    return getattr(found, "facts", file.facts) != file.facts


def _judge_misplaced(rig: Rig, file: FinelyCut, bad: Record) -> None:
    """Bytes in the wrong place never get a final name; the sender is told to send the chunk, or the file, again."""
    said = rig.take(file.chunk(0), bad, file.chunk(2), file.end())
    (asked,) = missing(said)
    assert asked.ranges == ((TURNED, TURNED),)
    said = rig.take(file.chunk(TURNED), file.end(asked.round))
    verdict = next(event for event in said if isinstance(event, Received | Rejected))
    if isinstance(verdict, Received):
        assert arrived(rig, file) == file.content
    else:
        assert verdict.code == "hash_mismatch"
        assert arrived(rig, file) is None


@pytest.mark.parametrize("field", END_FIELDS)
def test_f13_a_turned_bit_in_an_end_publishes_nothing_and_the_next_end_is_answered(case: Case, field: str) -> None:
    with rig_in_memory() as rig:
        rig.judge_receipts = False  # by the whole tree each time; each file is looked at here
        for number, bit in enumerate(bits(case, of_chunks(1, "x", 3).end(), field)):
            file = of_chunks(case.random.getrandbits(128), f"{number}.bin", 3)  # far from every other id
            said = rig.take(file.chunks(), with_bit_turned(file.end(), field, bit))
            case.fault()
            early = [event for event in said if isinstance(event, Received | Rejected) and event.transfer == file.id]
            verdicts = early or [
                event
                for event in rig.take(file.end())
                if isinstance(event, Received | Rejected) and event.transfer == file.id
            ]
            assert verdicts, (field, bit)
            if isinstance(verdicts[0], Received):
                assert arrived(rig, file) == file.content
            else:
                assert field in {"sha256", "fieldpost"}
                assert arrived(rig, file) is None
            rig.said.clear()
