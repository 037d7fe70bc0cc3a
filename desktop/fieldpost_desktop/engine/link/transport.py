# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The port to the broker, and its twin in memory. The engine's core thread is its only user."""

from collections import deque
from dataclasses import dataclass, field
from typing import Protocol

from fieldpost_shared.chunks import batch_size
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.protocol.messages import Record


@dataclass(frozen=True, slots=True)
class LinkFacts:
    """What the broker said when the link came up."""

    partitions: int
    message_limit: int
    status_partitions: int
    status_end: int  # of this client's status partition; where reading begins the very first time


@dataclass(frozen=True, slots=True)
class Delivered:
    """The broker has the message, here."""

    token: object
    partition: int
    offset: int


@dataclass(frozen=True, slots=True)
class Failed:
    """The broker does not have the message. Without a code it was taken back before it left."""

    token: object
    code: Code | None
    detail: str = ""


Report = Delivered | Failed


class Transport(Protocol):
    """A link that is up, or believes so."""

    @property
    def facts(self) -> LinkFacts:
        """Return what the broker said at the last connect or refresh."""

    def send(self, record: Record, partition: int, token: object) -> None:
        """Hand a message over; a report with the token follows.

        Raises:
            FieldpostError: MESSAGE_TOO_LARGE, SERVER_BUSY (its queue is full) or whatever the broker holds against it.
        """

    def poll(self, seconds: float) -> list[Report]:
        """Return the reports that came, waiting at most so long for the first."""

    def trouble(self) -> Code | None:
        """Return the most telling error since the last acknowledgement, if there is one."""

    def bytes_out(self) -> int:
        """Return the bytes that left this computer so far: the sign of life of a slow link."""

    def purge(self) -> None:
        """Take back what has not left yet; a report without code follows for each."""

    def refresh(self) -> LinkFacts:
        """Ask for partitions and limit again."""

    def close(self) -> None:
        """Give the link up at once; no reports follow."""


class Connector(Protocol):
    """Brings a link up."""

    def connect(self, cap: int | None = None) -> Transport:
        """Connect, which blocks for some seconds at most; `cap` bounds messages whatever the broker says.

        Raises:
            FieldpostError: with the code that says why not.
        """


@dataclass
class MemoryTopic:
    """A topic in memory: what was sent, by partition."""

    partitions: int = 4
    message_limit: int = 1_048_588
    secret_limit: int | None = None  # smaller than what it says
    records: list[tuple[int, int, Record]] = field(default_factory=list)  # partition, offset, record

    def append(self, partition: int, record: Record) -> int:
        """Store a record; its offset."""
        offset = sum(1 for stored in self.records if stored[0] == partition)
        self.records.append((partition, offset, record))
        return offset


class MemoryTransport:
    """Delivers into a `MemoryTopic` when polled. Tests hold it back, break it or make it refuse."""

    def __init__(self, topic: MemoryTopic, cap: int | None = None) -> None:
        self.topic = topic
        self._cap = cap
        self.facts = self._ask()
        self.queue: deque[tuple[Record, int, object]] = deque()
        self.held = False  # nothing is delivered
        self.take: int | None = None  # delivers until the topic has so many records
        self.unpurgeable = False  # everything has left already
        self.refuse: Code | None = None  # every delivery fails with this
        self.errors: Code | None = None
        self.closed = False
        self._reports: list[Report] = []
        self._bytes = 0

    def send(self, record: Record, partition: int, token: object) -> None:
        if not 0 <= partition < self.topic.partitions:
            raise FieldpostError(Code.NO_TOPIC, f"partition {partition}")
        self.queue.append((record, partition, token))

    def poll(self, seconds: float) -> list[Report]:  # noqa: ARG002 - the port's signature
        while self.queue and not self.held and (self.take is None or len(self.topic.records) < self.take):
            self._reports.append(self._deliver(*self.queue.popleft()))
        reports, self._reports = self._reports, []
        return reports

    def trouble(self) -> Code | None:
        return self.errors

    def bytes_out(self) -> int:
        return self._bytes

    def purge(self) -> None:
        if self.unpurgeable:
            return
        self._reports += [Failed(token, None) for _, _, token in self.queue]
        self.queue.clear()

    def refresh(self) -> LinkFacts:
        self.facts = self._ask()
        return self.facts

    def _ask(self) -> LinkFacts:
        limit = self.topic.message_limit
        return LinkFacts(self.topic.partitions, min(limit, self._cap or limit), status_partitions=1, status_end=0)

    def close(self) -> None:
        self.closed = True
        self.queue.clear()

    def _deliver(self, record: Record, partition: int, token: object) -> Report:
        limit = self.topic.secret_limit or self.topic.message_limit
        if batch_size(record.key, record.headers, len(record.value)) > limit:
            return Failed(token, Code.MESSAGE_TOO_LARGE)
        if self.refuse is not None:
            return Failed(token, self.refuse)
        self._bytes += len(record.value)
        return Delivered(token, partition, self.topic.append(partition, record))
