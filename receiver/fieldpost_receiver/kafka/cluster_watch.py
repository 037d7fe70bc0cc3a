# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the driver asks the broker about the files topic: how far each partition reaches. One client, one thread."""

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
    """Lows and highs of all partitions that exist now; the client is kept, since connecting costs 50 ms."""

    def __init__(self, settings: KafkaSettings) -> None:
        self._settings = settings
        self._consumer: Consumer | None = None
        self._errors: list[KafkaError] = []

    def watermarks(self) -> dict[int, tuple[int, int]]:
        """Partition to (first offset, end offset).

        Raises:
            FieldpostError: the broker does not answer, or the topic is not there.
        """
        try:
            return self._ask()
        except KafkaException as error:
            raise self._ours(error) from None

    def ends(self) -> dict[int, int]:
        """Partition to end offset."""
        return ends_of(self.watermarks())

    def close(self) -> None:
        """Let go of the connection."""
        if self._consumer is not None:
            self._consumer.close()
            self._consumer = None

    def _ours(self, error: KafkaException) -> FieldpostError:
        """The call only says that no answer came; why, the library tells its callback."""
        if self._consumer is not None:
            self._consumer.poll(0)
        telling = worst([*self._errors, *filter(None, [reason_of(error)])])
        code = Code.NO_CONNECTION if telling is None else code_of(telling)
        return FieldpostError(
            code, f"topic {self._settings.files_topic}: {error if telling is None else telling.str()}"
        )

    def _ask(self) -> dict[int, tuple[int, int]]:
        if self._consumer is None:
            config: dict[str, Any] = {**task_consumer(self._settings), "error_cb": self._errors.append}
            self._consumer = Consumer(config, logger=LIBRARY_LOG)
        self._consumer.poll(0)  # what was told before this question is of no interest
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
    """Partition to end offset, of what `watermarks` told."""
    return {partition: high for partition, (_, high) in marks.items()}
