# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Ask the broker how far each partition of the files topic reaches. One client, used by one thread at a time."""

from typing import Any, Final

from confluent_kafka import IsolationLevel, KafkaError, KafkaException, TopicPartition
from confluent_kafka.admin import AdminClient, OffsetSpec  # type: ignore[attr-defined]  # re-exported without saying so

from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.kafka.clients import admin
from fieldpost_shared.kafka.failures import code_of, reason_of, worst
from fieldpost_shared.kafka.library_log import LIBRARY_LOG
from fieldpost_shared.kafka.settings import KafkaSettings

_TIMEOUT_S: Final = 10.0
_PARTITIONS_S: Final = 10.0  # how soon a new partition is seen


class TopicWatch:
    """First and end offsets of all partitions. The client is kept, because connecting costs 50 ms."""

    def __init__(self, settings: KafkaSettings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._admin: AdminClient | None = None
        self._errors: list[KafkaError] = []
        self._partitions: list[int] = []
        self._asked = 0.0

    def watermarks(self) -> dict[int, tuple[int, int]]:
        """Return (first offset, end offset) by partition.

        Raises:
            FieldpostError: the broker does not answer, or the topic is not there.
        """
        firsts, ends = self.firsts(), self.ends()
        return {partition: (first, ends[partition]) for partition, first in firsts.items() if partition in ends}

    def firsts(self) -> dict[int, int]:
        """Return the first offset by partition; raises as `watermarks`."""
        return self._ask(OffsetSpec.earliest())  # type: ignore[no-untyped-call]  # the library does not type it

    def ends(self) -> dict[int, int]:
        """Return the end offset by partition, also behind messages of open transactions; raises as `watermarks`."""
        return self._ask(OffsetSpec.latest())  # type: ignore[no-untyped-call]  # the library does not type it

    def close(self) -> None:
        """Close the connection."""
        self._admin = None

    def _ask(self, spec: OffsetSpec) -> dict[int, int]:
        client = self._client()
        client.poll(0)  # drop the reasons of earlier requests
        self._errors.clear()
        try:
            wanted = {TopicPartition(self._settings.files_topic, number): spec for number in self._numbers(client)}
            answers = client.list_offsets(
                wanted, isolation_level=IsolationLevel.READ_UNCOMMITTED, request_timeout=_TIMEOUT_S
            )
            return {place.partition: answer.result(_TIMEOUT_S + 1).offset for place, answer in answers.items()}
        except (KafkaException, TimeoutError) as error:
            self._partitions = []
            raise self._failure(client, error) from None

    def _numbers(self, client: AdminClient) -> list[int]:
        """Return the partitions that exist, as known since a few seconds."""
        now = self._clock.monotonic()
        if not self._partitions or now - self._asked > _PARTITIONS_S:
            topic = self._settings.files_topic
            found = client.list_topics(topic, timeout=_TIMEOUT_S).topics[topic]
            if found.error is not None:
                raise KafkaException(found.error)
            self._partitions, self._asked = sorted(found.partitions), now
        return self._partitions

    def _client(self) -> AdminClient:
        if self._admin is None:
            config: dict[str, Any] = {**admin(self._settings), "error_cb": self._errors.append}
            self._admin = AdminClient(config, logger=LIBRARY_LOG)
        return self._admin

    def _failure(self, client: AdminClient, error: Exception) -> FieldpostError:
        """Return the reason that the library gave its callback; the call itself only says that no answer came."""
        client.poll(0)
        own = reason_of(error) if isinstance(error, KafkaException) else None
        reason = worst([*self._errors, *filter(None, [own])])
        code = Code.NO_CONNECTION if reason is None else code_of(reason)
        return FieldpostError(code, f"topic {self._settings.files_topic}: {error if reason is None else reason.str()}")
