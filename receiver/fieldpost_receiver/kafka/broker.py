# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Ask the brokers about topics and settings, and create topics.

The reason for a missing answer comes from the library's callback.
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
    """A topic as it is. `operations` are those that this account may use; None if the broker does not tell."""

    name: str
    id: str  # a topic that is deleted and created again gets another one
    partitions: int
    replicas: int
    leaderless: int
    operations: frozenset[AclOperation] | None

    def lacks(self, *wanted: AclOperation) -> tuple[AclOperation, ...]:
        """Return the operations among these that this account may not use."""
        if self.operations is None:
            return ()
        return tuple(operation for operation in wanted if operation not in self.operations)


class Broker:
    """One connection for all requests; each takes 10 s at most."""

    def __init__(self, settings: KafkaSettings, clock: Clock) -> None:
        self._clock = clock
        self._errors: list[KafkaError] = []
        config: dict[str, Any] = {**clients.admin(settings), "error_cb": self._errors.append}
        try:
            self._admin = AdminClient(config, logger=LIBRARY_LOG)
        except KafkaException as error:
            raise FieldpostError(Code.BAD_SETTING, str(error)) from None

    def brokers(self) -> int:
        """Return how many brokers the cluster has."""
        return len(self._ask(self._admin.describe_cluster(request_timeout=ANSWER_S)).nodes)

    def topic(self, name: str) -> TopicFacts | None:
        """Return a topic; None if there is none of that name.

        Raises:
            FieldpostError: no answer; MAY_NOT_SEND if this account may not even describe it.
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
        granted = found.authorized_operations
        return TopicFacts(
            name=name,
            id=str(found.topic_id),
            partitions=len(found.partitions),
            replicas=replicas,
            leaderless=leaderless,
            operations=frozenset(one for one in granted if isinstance(one, AclOperation)) if granted else None,
        )

    def settings_of(self, topic: str) -> dict[str, str] | None:
        """Return a topic's settings; None if this account may not read them."""
        resource = ConfigResource(ResourceType.TOPIC, topic)
        try:
            found = self._ask(self._admin.describe_configs([resource], request_timeout=ANSWER_S)[resource])
        except FieldpostError as error:
            if error.code is Code.MAY_NOT_SEND:
                return None
            raise
        return {name: str(entry.value) for name, entry in found.items()}

    def create(self, topic: str, *, partitions: int, replicas: int, settings: Mapping[str, str]) -> None:
        """Create a topic and wait until the broker that is asked knows it; others may learn of it a moment later.

        Raises:
            FieldpostError: no answer, or no permission; SERVER_BUSY if a partition has no leader yet.
        """
        wanted = NewTopic(topic, partitions, replicas, config=dict(settings))
        self._ask(self._admin.create_topics([wanted], operation_timeout=ANSWER_S, request_timeout=ANSWER_S)[topic])
        deadline = self._clock.monotonic() + ANSWER_S
        while (created := self.topic(topic)) is None or created.leaderless:
            if self._clock.monotonic() > deadline:
                raise FieldpostError(Code.SERVER_BUSY, f"topic {topic} was created, but is not ready yet; try again")
            self._clock.wait(threading.Event(), _POLL_S)

    def _ask(self, answer: "Future[Any]") -> Any:  # noqa: ANN401 - the library does not type its answers
        self._errors.clear()
        deadline = self._clock.monotonic() + ANSWER_S + 1  # the request has its own limit
        while not answer.done():
            self._admin.poll(_POLL_S)  # brings the reasons
            reason = worst(self._errors)
            if reason is not None and code_of(reason) is Code.SIGN_IN_REFUSED:
                raise _failure([reason])  # waiting does not help
            if self._clock.monotonic() > deadline:
                raise _failure(self._errors)
        try:
            return answer.result()
        except KafkaException as error:
            raise _failure([*self._errors, *filter(None, [reason_of(error)])]) from None


def _failure(errors: list[KafkaError]) -> FieldpostError:
    reason = worst(errors)
    if reason is None:
        return FieldpostError(Code.NO_CONNECTION, "no answer")
    return FieldpostError(code_of(reason), reason.str())
