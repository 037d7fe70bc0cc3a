# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Ask the broker how far each partition of the files topic reaches. One client, used by one thread at a time."""

from collections.abc import Mapping
from typing import Any, Final

from confluent_kafka import Consumer, KafkaError, KafkaException, TopicPartition

from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.kafka.clients import task_consumer
from fieldpost_shared.kafka.failures import code_of, reason_of, worst
from fieldpost_shared.kafka.library_log import LIBRARY_LOG
from fieldpost_shared.kafka.settings import KafkaSettings

_TIMEOUT_S: Final = 10.0


class TopicWatch:
    """First and end offsets of all partitions that exist now. The client is kept, because connecting costs 50 ms."""

    def __init__(self, settings: KafkaSettings) -> None:
        self._settings = settings
        self._consumer: Consumer | None = None
        self._errors: list[KafkaError] = []

    def watermarks(self) -> dict[int, tuple[int, int]]:
        """Return (first offset, end offset) by partition.

        Raises:
            FieldpostError: the broker does not answer, or the topic is not there.
        """
        try:
            return self._ask()
        except KafkaException as error:
            raise self._failure(error) from None

    def ends(self) -> dict[int, int]:
        """Return the end offset by partition."""
        return ends_of(self.watermarks())

    def close(self) -> None:
        """Close the connection."""
        if self._consumer is not None:
            self._consumer.close()
            self._consumer = None

    def _failure(self, error: KafkaException) -> FieldpostError:
        """Return the reason that the library gave its callback; the call itself only says that no answer came."""
        if self._consumer is not None:
            self._consumer.poll(0)
        reason = worst([*self._errors, *filter(None, [reason_of(error)])])
        code = Code.NO_CONNECTION if reason is None else code_of(reason)
        return FieldpostError(code, f"topic {self._settings.files_topic}: {error if reason is None else reason.str()}")

    def _ask(self) -> dict[int, tuple[int, int]]:
        if self._consumer is None:
            config: dict[str, Any] = {**task_consumer(self._settings), "error_cb": self._errors.append}
            self._consumer = Consumer(config, logger=LIBRARY_LOG)
        self._consumer.poll(0)  # drop the reasons of earlier requests
        self._errors.clear()
        topic = self._settings.files_topic
        found = self._consumer.list_topics(topic, timeout=_TIMEOUT_S).topics[topic]
        if found.error is not None:
            raise KafkaException(found.error)
        return {
            partition: self._consumer.get_watermark_offsets(TopicPartition(topic, partition), timeout=_TIMEOUT_S)
            for partition in sorted(found.partitions)
        }


def ends_of(marks: Mapping[int, tuple[int, int]]) -> dict[int, int]:
    """Return the end offset by partition, out of the result of `watermarks`."""
    return {partition: high for partition, (_, high) in marks.items()}
