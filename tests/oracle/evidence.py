# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the oracle looks at, as it lies there. Nothing is asked of the programs that made it."""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, is_dataclass
from pathlib import Path
from typing import Any, Final

from confluent_kafka import Consumer, TopicPartition

TASKS_LOCK: Final = "tasks.lock"  # it stays, and holds no bytes of a file
OWN_FOLDER: Final = ".fieldpost"
_PATIENCE_S: Final = 10.0
Row = Mapping[str, Any]


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass
class Source:
    """A file that was handed over: under which name it travels, and every content it ever had."""

    client: str
    path: str
    versions: dict[str, int] = field(default_factory=dict)  # SHA-256 to size

    def had(self, content: bytes) -> "Source":
        self.versions[digest(content)] = len(content)
        return self


@dataclass(frozen=True, slots=True)
class Said:
    """A message of the status topic: its kind, the client it is for, and its fields."""

    kind: str
    client: str
    fields: Row

    @property
    def transfer(self) -> str:
        return str(self.fields.get("transfer", ""))


def said_in(messages: Iterable[tuple[bytes | None, bytes] | object]) -> list[Said]:
    """Of raw messages (key, value), or of decoded ones (a `client` and an `event`)."""
    return [_raw(*one) if isinstance(one, tuple) else _decoded(one) for one in messages]


def said_on_kafka(config: Mapping[str, str], topic: str) -> list[Said]:
    """Everything on a status topic now, partition by partition."""
    consumer = Consumer({**config, "group.id": "oracle", "enable.auto.commit": "false"})
    try:
        partitions = consumer.list_topics(topic, timeout=_PATIENCE_S).topics[topic].partitions
        return _read(consumer, [TopicPartition(topic, partition) for partition in sorted(partitions)])
    finally:
        consumer.close()


def _read(consumer: Consumer, places: Sequence[TopicPartition]) -> list[Said]:
    said: dict[int, list[Said]] = {place.partition: [] for place in places}
    ends: dict[int, int] = {}
    for place in places:
        place.offset, end = consumer.get_watermark_offsets(place, timeout=_PATIENCE_S)
        if place.offset < end:
            ends[place.partition] = end
    consumer.assign([place for place in places if place.partition in ends])
    while ends:
        message = consumer.poll(_PATIENCE_S)
        assert message is not None, f"no answer before these offsets: {ends}"
        error, partition = message.error(), message.partition() or 0
        assert error is None, str(error)
        said[partition].append(_raw(message.key(), message.value() or b""))
        if (message.offset() or 0) + 1 >= ends.get(partition, 0):
            ends.pop(partition, None)
    return [one for found in said.values() for one in found]


def _raw(key: bytes | str | None, value: bytes | str) -> Said:
    fields = json.loads(value)
    client = key.decode("ascii") if isinstance(key, bytes) else key or ""
    return Said(fields["kind"], client, fields)


def _decoded(status: Any) -> Said:  # noqa: ANN401 - of whichever side decoded it
    event = status.event
    assert is_dataclass(event)
    assert not isinstance(event, type)
    return Said(type(event).__name__.lower(), status.client or "", asdict(event))


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Everything beside the destination, to see later that nobody wrote there. `may_change` are the state folders."""

    root: Path
    destination: Path
    may_change: Sequence[Path]
    before: Mapping[str, str]

    @classmethod
    def look(cls, root: Path, destination: Path, may_change: Sequence[Path] = ()) -> "Surroundings":
        return cls(root, destination, may_change, _listing(root, [destination, *may_change]))

    def now(self) -> dict[str, str]:
        return _listing(self.root, [self.destination, *self.may_change])


def _listing(root: Path, without: Sequence[Path]) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in root.rglob("*"):
        if not any(path.is_relative_to(other) for other in without):
            link = f"-> {path.readlink()}" if path.is_symlink() else ""
            found[str(path.relative_to(root))] = link or (file_digest(path) if path.is_file() else "folder")
    return found


@dataclass(frozen=True)
class Evidence:
    """All of it. Without a ledger or a journal, what they would show is not judged."""

    sources: Sequence[Source]
    destination: Path
    said: Sequence[Said] = ()
    ledger: Path | None = None
    journals: Mapping[str, Path] = field(default_factory=dict)  # of each client
    surroundings: Surroundings | None = None
    taken: Sequence[tuple[str, str]] = ()  # (final name, SHA-256) that the office has moved away
    bad_offsets: frozenset[tuple[int, int]] | None = None  # (partition, offset) that may be refused; None: any
    name_of: Callable[[str, str], str] = lambda client, path: f"{client}/{path}"  # the receiver's layout

    def transfers(self) -> list[Row]:
        return _rows(self.ledger, "SELECT * FROM transfers")

    def quarantine(self) -> list[Row]:
        return _rows(self.ledger, "SELECT * FROM quarantine")

    def unsent(self) -> list[Row]:
        return _rows(self.ledger, "SELECT id, client FROM outbox")

    def sent_files(self) -> list[Row]:
        """The files of every uploader, with its client."""
        return [
            {**row, "client": client}
            for client, journal in self.journals.items()
            for row in _rows(journal, "SELECT * FROM files")
        ]

    def final_names(self) -> dict[str, Path]:
        """Everything that bears a final name; folders do not count."""
        return {
            str(path.relative_to(self.destination)): path
            for path in self.destination.rglob("*")
            if path.relative_to(self.destination).parts[0] != OWN_FOLDER and (path.is_symlink() or not path.is_dir())
        }

    def working_files(self) -> list[str]:
        found = (self.destination / OWN_FOLDER).rglob("*")
        return [path.name for path in found if not path.is_dir() and path.name != TASKS_LOCK]


def _rows(database: Path | None, sql: str) -> list[Row]:
    if database is None:
        return []
    with closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(sql)]
