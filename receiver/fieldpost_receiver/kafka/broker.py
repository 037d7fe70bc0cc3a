# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the receiver and its commands ask the broker, and the topics they make.

Why no answer came is told by the library's callback.
"""

import threading
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Final

from confluent_kafka import KafkaError, KafkaException, TopicCollection
from confluent_kafka.admin import (  # type: ignore[attr-defined]  # re-exported without saying so
    AclOperation,
    AdminClient,
    ConfigResource,
    NewTopic,
    ResourceType,
    TopicDescription,
)

from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.kafka import clients
from fieldpost_shared.kafka.failures import code_of, reason_of, worst
from fieldpost_shared.kafka.library_log import LIBRARY_LOG
from fieldpost_shared.kafka.settings import KafkaSettings

ANSWER_S: Final = 10.0
_POLL_S: Final = 0.05


@dataclass(frozen=True, slots=True)
class TopicFacts:
    """A topic as it is. `rights` is None where the broker tells none."""

    name: str
    id: str  # another one if the topic is made anew
    partitions: int
    replicas: int
    leaderless: int
    rights: frozenset[AclOperation] | None

    def lacks(self, *wanted: AclOperation) -> tuple[AclOperation, ...]:
        """The rights among these that we do not have."""
        return () if self.rights is None else tuple(right for right in wanted if right not in self.rights)


class Broker:
    """One connection for all questions; each takes 10 s at most."""

    def __init__(self, settings: KafkaSettings, clock: Clock) -> None:
        self._clock = clock
        self._errors: list[KafkaError] = []
        config: dict[str, Any] = {**clients.admin(settings), "error_cb": self._errors.append}
        try:
            self._admin = AdminClient(config, logger=LIBRARY_LOG)
        except KafkaException as error:
            raise FieldpostError(Code.BAD_SETTING, str(error)) from None

    def brokers(self) -> int:
        """How many there are."""
        return len(self._ask(self._admin.describe_cluster(request_timeout=ANSWER_S)).nodes)

    def topic(self, name: str) -> TopicFacts | None:
        """A topic; None if there is none of that name.

        Raises:
            FieldpostError: no answer; MAY_NOT_SEND if we may not even describe it.
        """
        asked = self._admin.describe_topics(
            TopicCollection([name]), include_authorized_operations=True, request_timeout=ANSWER_S
        )
        try:
            found: TopicDescription = self._ask(asked[name])
        except FieldpostError as error:
            if error.code is Code.NO_TOPIC:
                return None
            raise
        replicas = min((len(partition.replicas) for partition in found.partitions), default=0)
        leaderless = sum(partition.leader is None for partition in found.partitions)
        told = found.authorized_operations
        rights = frozenset(right for right in told if isinstance(right, AclOperation)) if told else None
        return TopicFacts(name, str(found.topic_id), len(found.partitions), replicas, leaderless, rights)

    def settings_of(self, topic: str) -> dict[str, str] | None:
        """The topic's settings; None if we may not read them."""
        resource = ConfigResource(ResourceType.TOPIC, topic)
        try:
            found = self._ask(self._admin.describe_configs([resource], request_timeout=ANSWER_S)[resource])
        except FieldpostError as error:
            if error.code is Code.MAY_NOT_SEND:
                return None
            raise
        return {name: str(entry.value) for name, entry in found.items()}

    def create(self, topic: str, partitions: int, replicas: int, settings: Mapping[str, str]) -> None:
        """Make a topic; returns when the broker that is asked knows it. Others may hear of it a moment later.

        Raises:
            FieldpostError: no answer, or we may not; SERVER_BUSY if it was made but nobody leads it yet.
        """
        wanted = NewTopic(topic, partitions, replicas, config=dict(settings))
        self._ask(self._admin.create_topics([wanted], operation_timeout=ANSWER_S, request_timeout=ANSWER_S)[topic])
        deadline = self._clock.monotonic() + ANSWER_S
        while (made := self.topic(topic)) is None or made.leaderless:
            if self._clock.monotonic() > deadline:
                raise FieldpostError(Code.SERVER_BUSY, f"{topic} was made, but is not ready yet")
            self._clock.wait(threading.Event(), _POLL_S)

    def _ask(self, answer: "Future[Any]") -> Any:  # noqa: ANN401 - the library does not type its answers
        self._errors.clear()
        deadline = self._clock.monotonic() + ANSWER_S + 1  # the request has its own limit
        while not answer.done():
            self._admin.poll(_POLL_S)  # brings the reasons
            telling = worst(self._errors)
            if telling is not None and code_of(telling) is Code.SIGN_IN_REFUSED:
                raise _ours([telling])  # waiting does not help
            if self._clock.monotonic() > deadline:
                raise _ours(self._errors)
        try:
            return answer.result()
        except KafkaException as error:
            raise _ours([*self._errors, *filter(None, [reason_of(error)])]) from None


def _ours(errors: list[KafkaError]) -> FieldpostError:
    telling = worst(errors)
    if telling is None:
        return FieldpostError(Code.NO_CONNECTION, "no answer")
    return FieldpostError(code_of(telling), telling.str())
