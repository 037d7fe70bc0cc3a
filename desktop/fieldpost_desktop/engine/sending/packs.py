# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Small files travel together in a pack: which fit into one message, and reading them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.sources.file_reader import expected_version, read_whole
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.ids import ClientName, TransferId
from fieldpost_shared.protocol.encodings import Encoding, deflate, sample
from fieldpost_shared.protocol.limits import MAX_PACK_FILES, MAX_PACK_INDEX
from fieldpost_shared.protocol.messages import Pack
from fieldpost_shared.protocol.packs import PackedFile, make_pack

_ENTRY: Final = 220  # bytes of an index entry without its path, rounded up
_PREFIX: Final = 32


@dataclass(frozen=True, slots=True)
class Member:
    """A file and the id it travels under."""

    row: FileRow
    transfer: TransferId


@dataclass(slots=True)
class PackReading:
    """Files that a worker reads for a pack; `at` is the position of the one that it is reading."""

    members: tuple[Member, ...]
    at: int = 0

    @property
    def current(self) -> FileRow:
        """Return the file that is being read."""
        return self.members[self.at].row


@dataclass(frozen=True, slots=True)
class ReadPack:
    """What became of the members: packed with their hashes, or failed."""

    pack: Pack | None
    packed: tuple[tuple[Member, str], ...]
    failed: tuple[tuple[Member, FieldpostError], ...]


def is_tiny(row: FileRow, chunk_size: int) -> bool:
    """Return whether a file goes into a pack: small, and not one that the receiver asked for in chunks."""
    return row.chunk_size == 0 and row.size <= chunk_size // 4


def gather(rows: Iterable[FileRow], room: int) -> list[FileRow]:
    """Return as many of the files, in order, as fit into one message of `room` bytes."""
    chosen: list[FileRow] = []
    index = _PREFIX
    bodies = 0
    for row in rows:
        entry = _ENTRY + 2 * len(row.path.encode())  # JSON doubles a quotation mark at the worst
        full = index + entry > MAX_PACK_INDEX or len(chosen) == MAX_PACK_FILES
        if chosen and (full or index + entry + bodies + row.size > room):
            break
        chosen.append(row)
        index += entry
        bodies += row.size
    return chosen


def read_pack(client: ClientName, reading: PackReading) -> ReadPack:
    """Read the files; one that cannot be read does not keep its neighbours back."""
    packed: list[tuple[Member, PackedFile]] = []
    failed: list[tuple[Member, FieldpostError]] = []
    for at, member in enumerate(reading.members):
        reading.at = at
        try:
            packed.append((member, _read(member)))
        except FieldpostError as error:
            failed.append((member, error))
    hashes = tuple((member, file.sha256) for member, file in packed)
    return ReadPack(_compressed(client, [file for _, file in packed]), hashes, tuple(failed))


def _compressed(client: ClientName, files: Sequence[PackedFile]) -> Pack | None:
    if not files:
        return None
    plain = make_pack(client, files, Encoding.IDENTITY)
    encoding = sample(plain.value)
    if encoding is Encoding.IDENTITY:
        return plain
    return Pack(client, plain.length, encoding=encoding, value=deflate(plain.value, encoding), key=plain.key)


def _read(member: Member) -> PackedFile:
    row = member.row
    body = read_whole(row.source, expected_version(row))
    return PackedFile(member.transfer, row.path, mtime_ns=row.mtime_ns, sha256=sha256(body).hexdigest(), body=body)
