# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Questions to the broker, before sending and for the connection test. Nothing is sent to a topic.

A call only says that no answer came; why, comes through `error_cb`. Both count, and a question that cannot be
answered any more is given up at once.
"""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Final

from confluent_kafka import KafkaError, KafkaException, TopicCollection
from confluent_kafka.admin import (  # type: ignore[attr-defined]  # re-exported without saying so
    AclOperation,
    AdminClient,
    ConfigResource,
    ResourceType,
    TopicDescription,
)

from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.kafka import clients
from fieldpost_shared.kafka.failures import code_of, reason_of, status_code_of, worst
from fieldpost_shared.kafka.library_log import LIBRARY_LOG
from fieldpost_shared.kafka.settings import KafkaSettings

DEFAULT_LIMIT: Final = 1_048_588  # a broker's own default
_POLL_S: Final = 0.05
# Waiting on does not help: a password that one server refuses is wrong for all of them.
_CLEAR: Final = frozenset({Code.SIGN_IN_REFUSED})
# Nor here, unless there are other servers: one that is gone must not hide those that answer.
_CLEAR_OF_ONE: Final = frozenset({Code.SIGN_IN_REFUSED, Code.SERVER_NOT_FOUND, Code.NO_SECURE_CONNECTION})
CodeOf = Callable[[KafkaError], Code]


class BrokerAdmin:
    """One administration client for all questions, each answered within `seconds` or not at all.

    `suspicion` is called when the broker does not understand the client, and may raise something more telling.
    """

    def __init__(
        self, settings: KafkaSettings, clock: Clock, seconds: float, suspicion: Callable[[], None] = lambda: None
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._seconds = seconds
        self._suspicion = suspicion
        self._errors: list[KafkaError] = []
        self._client: AdminClient | None = None

    def files_partitions(self) -> int:
        """Return the partitions of the files topic; raise without the right to write to it."""
        topic = self._settings.files_topic
        found = self._describe(topic, code_of)
        if _denies(found, AclOperation.WRITE):
            raise FieldpostError(Code.MAY_NOT_SEND, f"{topic}: no right to write")
        return len(found.partitions)

    def status_partitions(self) -> int:
        """Return the partitions of the status topic; raise without the right to read it."""
        topic = self._settings.status_topic
        found = self._describe(topic, status_code_of)
        if _denies(found, AclOperation.READ):
            raise FieldpostError(Code.MAY_NOT_READ_STATUS, f"{topic}: no right to read")
        return len(found.partitions)

    def message_limit(self) -> int | None:
        """Return the topic's `max.message.bytes`; None without the right to ask, or without an answer."""
        topic = ConfigResource(ResourceType.TOPIC, self._settings.files_topic)
        try:
            entries = self.ask(lambda admin, s: admin.describe_configs([topic], request_timeout=s)[topic])
        except FieldpostError as error:
            if error.code is not Code.MAY_NOT_SEND:
                raise
            return None
        entry = entries.get("max.message.bytes")
        known = entry is not None and str(entry.value).isdecimal()  # not every server that speaks Kafka is one
        return int(entry.value) if known else None

    def ask(
        self,
        question: Callable[[AdminClient, float], "Future[Any]"],
        code: CodeOf = code_of,
        about: str = "",
    ) -> Any:  # noqa: ANN401 - the library does not type its answers
        """Return the answer to any question."""
        admin = self._admin()
        deadline = self._clock.monotonic() + self._seconds
        self._errors.clear()
        answer = question(admin, self._seconds)
        while not answer.done():
            admin.poll(_POLL_S)
            self._give_up_early(code)
            if self._clock.monotonic() > deadline:
                raise self._failure([], code, about)
        try:
            return answer.result()
        except KafkaException as error:
            raise self._failure([*filter(None, [reason_of(error)])], code, about) from None

    def _describe(self, topic: str, code: CodeOf) -> TopicDescription:
        found: TopicDescription = self.ask(
            lambda admin, seconds: admin.describe_topics(
                TopicCollection([topic]), include_authorized_operations=True, request_timeout=seconds
            )[topic],
            code,
            topic,
        )
        return found

    def _give_up_early(self, code: CodeOf) -> None:
        """Raise as soon as it is known what is wrong, instead of waiting for the time to pass."""
        telling = worst(self._errors)
        if telling is None:
            return
        if code(telling) in (_CLEAR if len(self._settings.servers) > 1 else _CLEAR_OF_ONE):
            raise FieldpostError(code(telling), telling.str())
        self._suspicion()

    def _failure(self, reasons: list[KafkaError], code: CodeOf, about: str) -> FieldpostError:
        telling = worst([*self._errors, *reasons])
        if telling is None:
            return FieldpostError(Code.NO_CONNECTION, "no answer")
        return FieldpostError(code(telling), f"{about}: {telling.str()}" if about else telling.str())

    def _admin(self) -> AdminClient:
        if self._client is None:
            config: dict[str, Any] = {**clients.admin(self._settings), "error_cb": self._errors.append}
            self._client = AdminClient(config, logger=LIBRARY_LOG)
        return self._client


def _denies(topic: TopicDescription, operation: AclOperation) -> bool:
    """Return whether the broker denies this right; one that tells no rights denies none."""
    rights = topic.authorized_operations
    return bool(rights) and operation not in rights
