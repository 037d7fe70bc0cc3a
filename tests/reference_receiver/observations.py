# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the office saw, did and found wrong: counters for tests to read from their own thread."""

import threading
from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

_NOTICES: Final = 1_000  # the newest; a long run has more than anybody wants to keep


@dataclass(frozen=True, slots=True)
class Published:
    """A file that got its receipt; `path` is relative to the office's folder: `client/path`."""

    transfer: str
    path: str
    size: int
    sha256: str
    renamed: bool
    duplicate: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """A message of the status topic as it was sent; `client` is None for a notice."""

    client: str | None
    fields: Mapping[str, object]

    @property
    def kind(self) -> str:
        return str(self.fields["kind"])


class Observations:
    """Written by the office's thread. Every method that reads returns a copy."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self._violations: list[str] = []
        self._arrivals: Counter[tuple[str, int | None]] = Counter()
        self._messages: Counter[str] = Counter()
        self._bytes = 0
        self._ends: dict[str, list[int]] = {}
        self._cancels: list[str] = []
        self._published: list[Published] = []
        self._answers: list[Answer] = []
        self._notices: deque[Answer] = deque(maxlen=_NOTICES)
        self._kafka_errors: list[str] = []

    def violations(self) -> list[str]:
        """Everything that a sender of ours must never do, in words."""
        with self.changed:
            return list(self._violations)

    def arrivals(self) -> Counter[tuple[str, int | None]]:
        """How often each (transfer, index) came, what a switch lost or damaged included; index None: in a pack."""
        with self.changed:
            return Counter(self._arrivals)

    def messages(self) -> Counter[str]:
        """How many messages of each kind were dealt with; `unreadable` are those that could not be."""
        with self.changed:
            return Counter(self._messages)

    def bytes_received(self) -> int:
        """Values of all messages, as they travelled."""
        with self.changed:
            return self._bytes

    def ends(self) -> dict[str, list[int]]:
        """The rounds of the ends of each transfer, in the order in which they were read."""
        with self.changed:
            return {transfer: list(rounds) for transfer, rounds in self._ends.items()}

    def cancels(self) -> list[str]:
        with self.changed:
            return list(self._cancels)

    def published(self) -> list[Published]:
        with self.changed:
            return list(self._published)

    def answers(self, kind: str | None = None) -> list[Answer]:
        """What was said on the status topic, in order; then the newest notices."""
        with self.changed:
            return [answer for answer in (*self._answers, *self._notices) if kind in {None, answer.kind}]

    def kafka_errors(self) -> list[str]:
        """What the client library complained about; an outage is no fault of anybody."""
        with self.changed:
            return list(self._kafka_errors)

    def note_message(self, kind: str, length: int) -> None:
        with self.changed:
            self._messages[kind] += 1
            self._bytes += length

    def note_arrival(self, transfer: str, index: int | None) -> None:
        with self.changed:
            self._arrivals[transfer, index] += 1

    def note_end(self, transfer: str, round_: int) -> None:
        with self.changed:
            self._ends.setdefault(transfer, []).append(round_)

    def note_cancel(self, transfer: str) -> None:
        with self.changed:
            self._cancels.append(transfer)

    def note_violations(self, where: str, faults: Iterable[str]) -> None:
        with self.changed:
            self._violations += [f"{where}: {fault}" for fault in faults]

    def note_answer(self, answer: Answer) -> None:
        with self.changed:
            (self._notices if answer.kind == "notice" else self._answers).append(answer)

    def note_kafka_error(self, error: str) -> None:
        with self.changed:
            self._kafka_errors.append(error)

    def note_published(self, published: Published) -> None:
        with self.changed:
            self._published.append(published)
            self.changed.notify_all()
