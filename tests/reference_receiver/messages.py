# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the office understands of a message: the kinds of docs/protocol.md as plain values."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Raw:
    """A record as Kafka gave it."""

    partition: int
    offset: int
    key: bytes | None
    headers: Sequence[tuple[str, bytes | None]]
    value: bytes

    @property
    def place(self) -> str:
        return f"partition {self.partition} offset {self.offset}"


@dataclass(frozen=True, slots=True)
class Facts:
    """What the first valid message of a transfer fixes; `chunk_size` is 0 while only a pack told of the file."""

    client: str
    transfer: str
    path: str
    size: int
    mtime: int
    chunk_size: int = 0

    @property
    def count(self) -> int:
        return -(-self.size // self.chunk_size) if self.chunk_size else 0

    def length(self, index: int) -> int:
        """Plain bytes of a chunk."""
        return min(self.chunk_size, self.size - index * self.chunk_size)

    def contradicts(self, later: "Facts") -> list[str]:
        """The names of the facts that a later message states differently."""
        names = ["client", "path", "size", "mtime"]
        if self.chunk_size and later.chunk_size:
            names.append("chunk_size")
        return [name for name in names if getattr(self, name) != getattr(later, name)]


@dataclass(frozen=True, slots=True)
class Chunk:
    """`plain` is None if the bytes are not what the headers say."""

    facts: Facts
    index: int
    sha256: str
    plain: bytes | None


@dataclass(frozen=True, slots=True)
class End:
    facts: Facts
    sha256: str
    round: int


@dataclass(frozen=True, slots=True)
class Cancel:
    client: str
    transfer: str


@dataclass(frozen=True, slots=True)
class Member:
    """A whole file of a pack; `code` says why it is rejected alone, "" if it is fine."""

    facts: Facts
    sha256: str
    body: bytes
    code: str = ""


@dataclass(frozen=True, slots=True)
class Pack:
    client: str
    members: tuple[Member, ...]


Message = Chunk | End | Cancel | Pack


@dataclass(frozen=True, slots=True)
class Refusal:
    """A message that is answered with `rejected` although it could not be used."""

    client: str
    transfer: str
    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of one record: a message, a refusal to be answered, or neither; and all that is wrong with it."""

    message: Message | None
    refusal: Refusal | None
    violations: tuple[str, ...]


class Unusable(Exception):
    """A record that must not be acted upon; with a code if the sender is to be told."""

    def __init__(self, why: str, code: str = "") -> None:
        super().__init__(why)
        self.code = code
