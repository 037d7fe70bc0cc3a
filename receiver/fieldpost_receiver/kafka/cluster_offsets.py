# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Ask a cluster which topics are there, and how far each of their partitions reaches: one request for all of them."""

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from confluent_kafka import IsolationLevel, KafkaError, KafkaException, TopicCollection, TopicPartition
from confluent_kafka.admin import AdminClient, OffsetSpec  # type: ignore[attr-defined]  # re-exported without saying so

from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.kafka.clients import admin
from fieldpost_shared.kafka.failures import code_of, reason_of, worst
from fieldpost_shared.kafka.library_log import LIBRARY_LOG
from fieldpost_shared.kafka.settings import KafkaSettings

_TIMEOUT_S: Final = 5.0
_DESCRIBE_S: Final = 10.0  # how soon a new partition is seen, or that a topic was created again

Offsets = Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic that is there. One that is deleted and created again gets another id."""

    id: str
    partitions: tuple[int, ...]


class ClusterOffsets:
    """May be used from any thread; one request at a time, 5 s at most. The client is kept: connecting costs 50 ms."""

    def __init__(self, settings: KafkaSettings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._lock = threading.Lock()
        self._admin: AdminClient | None = None
        self._errors: list[KafkaError] = []
        self._topics: dict[str, Topic] = {}
        self._described: dict[str, float] = {}

    def describe(self, topics: Iterable[str]) -> dict[str, Topic | FieldpostError]:
        """Return each topic as it was a few seconds ago at most, or why it is not known."""
        with self._lock:
            return self._describe(self._client(), topics)

    def ends(self, topics: Iterable[str]) -> dict[str, Offsets | FieldpostError]:
        """Return the end offset by partition, also behind messages of open transactions, or why it is not known."""
        return self._ask(topics, OffsetSpec.latest())  # type: ignore[no-untyped-call]  # the library does not type it

    def firsts(self, topics: Iterable[str]) -> dict[str, Offsets | FieldpostError]:
        """Return the first offset by partition, or why it is not known."""
        return self._ask(topics, OffsetSpec.earliest())  # type: ignore[no-untyped-call]  # the library does not type it

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._admin = None

    def _ask(self, topics: Iterable[str], spec: OffsetSpec) -> dict[str, Offsets | FieldpostError]:
        with self._lock:
            client = self._client()
            client.poll(0)  # drop the reasons of earlier requests
            self._errors.clear()
            found: dict[str, Offsets | FieldpostError] = {}
            known: dict[str, Topic] = {}
            for name, topic in self._describe(client, topics).items():
                if isinstance(topic, Topic):
                    known[name] = topic
                else:
                    found[name] = topic
            places = [TopicPartition(name, number) for name, topic in known.items() for number in topic.partitions]
            return found | self._offsets(client, dict.fromkeys(places, spec), known)

    def _offsets(
        self, client: AdminClient, wanted: dict[TopicPartition, OffsetSpec], topics: Iterable[str]
    ) -> dict[str, Offsets | FieldpostError]:
        if not wanted:
            return {}
        offsets: dict[str, dict[int, int]] = {name: {} for name in topics}
        failures: dict[str, FieldpostError] = {}
        answers = client.list_offsets(
            wanted, isolation_level=IsolationLevel.READ_UNCOMMITTED, request_timeout=_TIMEOUT_S
        )
        for place, answer in answers.items():
            try:
                offsets[place.topic][place.partition] = answer.result(_TIMEOUT_S + 1).offset
            except (KafkaException, TimeoutError) as error:
                self._described.pop(place.topic, None)  # it may have been deleted
                failures.setdefault(place.topic, self._failure(client, place.topic, error))
        return {**offsets, **failures}

    def _describe(self, client: AdminClient, topics: Iterable[str]) -> dict[str, Topic | FieldpostError]:
        now = self._clock.monotonic()
        names = list(topics)
        old = [name for name in names if now - self._described.get(name, -_DESCRIBE_S) >= _DESCRIBE_S]
        failures: dict[str, Topic | FieldpostError] = {}
        if old:
            answers = client.describe_topics(TopicCollection(old), request_timeout=_TIMEOUT_S)
            for name, answer in answers.items():
                try:
                    found = answer.result(_TIMEOUT_S + 1)
                except (KafkaException, TimeoutError) as error:
                    self._described.pop(name, None)
                    failures[name] = self._failure(client, name, error)
                else:
                    numbers = tuple(sorted(partition.id for partition in found.partitions))
                    self._topics[name], self._described[name] = Topic(str(found.topic_id), numbers), now
        return {name: failures.get(name) or self._topics[name] for name in names}

    def _client(self) -> AdminClient:
        if self._admin is None:
            config: dict[str, Any] = {**admin(self._settings), "error_cb": self._errors.append}
            try:
                self._admin = AdminClient(config, logger=LIBRARY_LOG)
            except KafkaException as error:
                raise FieldpostError(Code.BAD_SETTING, str(error)) from None
        return self._admin

    def _failure(self, client: AdminClient, topic: str, error: Exception) -> FieldpostError:
        """Return the reason that the library gave its callback; the call itself only says that no answer came."""
        client.poll(0)
        own = reason_of(error) if isinstance(error, KafkaException) else None
        reason = worst([*self._errors, *filter(None, [own])])
        code = Code.NO_CONNECTION if reason is None else code_of(reason)
        return FieldpostError(code, f"topic {topic}: {error if reason is None else reason.str()}")
