# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Records as nobody's encoder would write them: headers changed, one bit turned, cut into many small chunks."""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest

from fieldpost_shared.chunks import ChunkIndex
from fieldpost_shared.ids import ClientName, TransferId
from fieldpost_shared.protocol.encodings import Encoding
from fieldpost_shared.protocol.limits import MIN_CHUNK_SIZE
from fieldpost_shared.protocol.messages import FileFacts, Record, encode, make_chunk
from support.receiver.rig import Rig, Sent, noise, rig_at

_SHM: Final = Path("/dev/shm")  # noqa: S108 - each rig has a folder of its own in it
IN_MEMORY: Final = _SHM if _SHM.is_dir() else None  # no power is cut here: fsync would prove nothing


@dataclass(frozen=True)
class FinelyCut(Sent):
    """A file in the smallest chunks that the protocol allows."""

    chunk_size: int = MIN_CHUNK_SIZE

    @property
    def facts(self) -> FileFacts:
        return replace(super().facts, chunk_size=self.chunk_size)

    def chunk(self, index: int) -> Record:
        plain = self.content[index * self.chunk_size : (index + 1) * self.chunk_size]
        return encode(make_chunk(self.facts, ChunkIndex(index), plain, Encoding.IDENTITY))


def of_chunks(number: int, path: str, count: int, client: str = "van-7") -> FinelyCut:
    """A file of so many chunks; the last one is a byte short."""
    return FinelyCut(number, path, noise(count * MIN_CHUNK_SIZE - 1), ClientName(client))


def with_headers(record: Record, changes: Mapping[str, bytes | str | None]) -> Record:
    """Other values; None leaves a header out, a new name adds one."""
    values: dict[str, bytes | str | None] = {**dict(record.headers), **changes}
    kept = [
        (name, value if isinstance(value, bytes) else value.encode())
        for name, value in values.items()
        if value is not None
    ]
    return Record(record.key, kept, record.value)


def with_bit_turned(record: Record, field: str, bit: int) -> Record:
    """One bit is another one: in the `key`, the `value` or the header of that name."""
    if field == "value":
        return replace(record, value=_turned(record.value, bit))
    if field == "key":
        return replace(record, key=_turned(record.key, bit))
    return with_headers(record, {field: _turned(dict(record.headers)[field], bit)})


def _turned(data: bytes, bit: int) -> bytes:
    at, mask = bit // 8, 1 << bit % 8
    return data[:at] + bytes([data[at] ^ mask]) + data[at + 1 :]


def as_json(record: Record) -> dict[str, Any]:
    """For a file of recorded messages; what is text stays readable."""
    headers = [[name, value.decode()] for name, value in record.headers]
    return {"key": record.key.decode(), "headers": headers, "value": b64encode(record.value).decode()}


def from_json(fields: Mapping[str, Any]) -> Record:
    headers = [(name, value.encode()) for name, value in fields["headers"]]
    return Record(fields["key"].encode(), headers, b64decode(fields["value"]))


def recorded(name: str) -> list[dict[str, Any]]:
    """A committed corpus of this folder."""
    found: list[dict[str, Any]] = json.loads((Path(__file__).parent / "recorded" / name).read_text(encoding="utf-8"))
    return found


def packed_by_hand(index: object, bodies: bytes = b"", *, length: int | None = None, client: str = "van-7") -> Record:
    """A pack whose index may say anything; `length` is what it claims for the index."""
    text = index if isinstance(index, bytes) else json.dumps(index).encode()
    plain = (len(text) if length is None else length).to_bytes(4, "big") + text + bodies
    said = {"fieldpost": "1.0", "kind": "pack", "client": client, "encoding": "identity", "length": str(len(plain))}
    return Record(TransferId("0" * 32).encode(), [(name, value.encode()) for name, value in said.items()], plain)


@contextmanager
def rig_in_memory() -> Iterator[Rig]:
    """A receiver on a disk that costs nothing."""
    with (
        TemporaryDirectory(prefix="fieldpost-faults-", dir=IN_MEMORY) as folder,
        pytest.MonkeyPatch.context() as patch,
        rig_at(Path(folder) / "office", patch) as rig,
    ):
        yield rig
