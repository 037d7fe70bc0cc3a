# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The steps of the connection test that ask the broker: sign-in, rights, size limit. Nothing is sent to a topic."""

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

from fieldpost_shared.chunks import KIB, chunk_size_for
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError, SettingsError
from fieldpost_shared.kafka import clients
from fieldpost_shared.kafka.failures import code_of, reason_of, status_code_of, worst
from fieldpost_shared.kafka.settings import KafkaSettings

DEFAULT_LIMIT: Final = 1_048_588  # of a broker that nobody configured
_OVERHEAD: Final = 2 * KIB  # key, headers with the longest path, and the batch around them
_POLL_S: Final = 0.05
_SILENT: Final = 0  # the library would repeat every error in its log
# Waiting on does not help: a password that one server refuses is wrong for all of them.
_CLEAR: Final = frozenset({Code.SIGN_IN_REFUSED})
# Nor here, unless there are other servers: one that is gone must not hide those that answer.
_CLEAR_OF_ONE: Final = frozenset({Code.SIGN_IN_REFUSED, Code.SERVER_NOT_FOUND, Code.NO_SECURE_CONNECTION})


class BrokerProbe:
    """One administration client for all steps, made when the first of them needs it."""

    def __init__(self, settings: KafkaSettings, clock: Clock, seconds: float, expects_tls: Callable[[], bool]) -> None:
        self._settings = settings
        self._clock = clock
        self._seconds = seconds
        self._expects_tls = expects_tls
        self._errors: list[KafkaError] = []
        self._client: AdminClient | None = None
        self._asked_for_tls = False

    def sign_in(self) -> str | None:
        """Whether the broker takes name and password; None if it wants none."""
        security = self._settings.security
        if not security.protocol.sasl:
            return None
        if security.missing():
            raise FieldpostError(Code.SIGN_IN_REFUSED, "no user name or password was given")
        self._ask(lambda admin, seconds: admin.describe_cluster(request_timeout=seconds))
        return security.username

    def may_write(self) -> str:
        """Whether the files topic is there and we may write to it. The broker tells without a message being sent."""
        topic = self._settings.files_topic
        if _denies(self._describe(topic, code_of), AclOperation.WRITE):
            raise FieldpostError(Code.MAY_NOT_SEND, f"{topic}: no right to write")
        return topic

    def limit(self) -> str:
        """How large a message may be. Without the right to ask, a broker's default is taken, as the sender does."""
        topic = ConfigResource(ResourceType.TOPIC, self._settings.files_topic)
        try:
            entries = self._ask(lambda admin, s: admin.describe_configs([topic], request_timeout=s)[topic])
        except FieldpostError as error:
            if error.code is not Code.MAY_NOT_SEND:
                raise
            return f"{DEFAULT_LIMIT} bytes, taken for granted: this account may not read it"
        entry = entries.get("max.message.bytes")
        if entry is None or not str(entry.value).isdecimal():  # not every server that speaks Kafka is one
            return f"{DEFAULT_LIMIT} bytes, taken for granted: the server does not tell it"
        chunk_size_for(int(entry.value), _OVERHEAD, None)
        return f"{entry.value} bytes"

    def status_partitions(self) -> int:
        """How many partitions the status topic has; an error if we may not read it."""
        topic = self._settings.status_topic
        found = self._describe(topic, status_code_of)
        if _denies(found, AclOperation.READ):
            raise FieldpostError(Code.MAY_NOT_READ_STATUS, f"{topic}: no right to read")
        return len(found.partitions)

    def _describe(self, topic: str, code: Callable[[KafkaError], Code]) -> TopicDescription:
        found: TopicDescription = self._ask(
            lambda admin, seconds: admin.describe_topics(
                TopicCollection([topic]), include_authorized_operations=True, request_timeout=seconds
            )[topic],
            code,
            topic,
        )
        return found

    def _ask(
        self,
        question: Callable[[AdminClient, float], "Future[Any]"],
        code: Callable[[KafkaError], Code] = code_of,
        about: str = "",
    ) -> Any:  # noqa: ANN401 - the library does not type its answers
        """The answer. A call says only that none came; why, comes through `error_cb`, so both are looked at."""
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

    def _give_up_early(self, code: Callable[[KafkaError], Code]) -> None:
        """Raise as soon as it is known what is wrong, instead of waiting for the time to pass."""
        telling = worst(self._errors)
        if telling is None:
            return
        if code(telling) in (_CLEAR if len(self._settings.servers) > 1 else _CLEAR_OF_ONE):
            raise FieldpostError(code(telling), telling.str())
        protocol = self._settings.security.protocol
        if not protocol.tls and not self._asked_for_tls:
            self._asked_for_tls = True
            if self._expects_tls():
                other = "SASL_SSL" if protocol.sasl else "SSL or SASL_SSL"
                raise SettingsError("security_protocol", f"{protocol} is set, but the server wants TLS; use {other}")

    def _failure(self, reasons: list[KafkaError], code: Callable[[KafkaError], Code], about: str) -> FieldpostError:
        telling = worst([*self._errors, *reasons])
        if telling is None:
            return FieldpostError(Code.NO_CONNECTION, "no answer")
        return FieldpostError(code(telling), f"{about}: {telling.str()}" if about else telling.str())

    def _admin(self) -> AdminClient:
        if self._client is None:
            config: dict[str, Any] = clients.admin(self._settings) | {"log_level": _SILENT}
            self._client = AdminClient(config | {"error_cb": self._errors.append})
        return self._client


def _denies(topic: TopicDescription, operation: AclOperation) -> bool:
    """Whether the broker says that we lack this right; one that tells no rights does not say so."""
    rights = topic.authorized_operations
    return bool(rights) and operation not in rights
