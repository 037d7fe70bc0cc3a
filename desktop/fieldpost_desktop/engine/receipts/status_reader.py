# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Reads this client's status partition on a thread of its own: assigned by hand, no group, the journal's offset."""

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any, Final

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, TopicPartition

from fieldpost_desktop.engine.receipts.apply import StatusBatch
from fieldpost_shared.chunks import status_partition
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError, ProtocolError
from fieldpost_shared.ids import ClientName
from fieldpost_shared.kafka import clients
from fieldpost_shared.kafka.failures import reason_of, status_code_of, worst
from fieldpost_shared.kafka.library_log import LIBRARY_LOG
from fieldpost_shared.kafka.settings import KafkaSettings
from fieldpost_shared.protocol.status import Status, decode_status

_LOG: Final = logging.getLogger(__name__)
_MOST: Final = 500
_WAIT_S: Final = 0.2
_GROWTH_S: Final = 60.0
_METADATA_S: Final = 10.0
_RETRY_S: Final = 5.0
_HARMLESS: Final = frozenset(
    {KafkaError._PARTITION_EOF, KafkaError.GROUP_AUTHORIZATION_FAILED}  # noqa: SLF001 - public constants, named so
)  # the second: asked for by the library, not needed by an assigned consumer


class StatusReader:
    """`deliver` gets batches; `listening` says whether the topic is being read without trouble."""

    def __init__(
        self,
        settings: KafkaSettings,
        client: ClientName,
        positions: Mapping[int, int],
        clock: Clock,
        deliver: Callable[[StatusBatch], None],
    ) -> None:
        self._settings = settings
        self._client = client
        self._positions = dict(positions)
        self._clock = clock
        self._deliver = deliver
        self._errors: list[KafkaError] = []
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="fieldpost-receipts", daemon=True)
        self.code: Code | None = None
        self.listening = False

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def stop(self) -> None:
        """Stop reading; the journal knows where to go on."""
        self._stopping.set()
        self._thread.join(5.0)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._read()
            except (KafkaException, SystemError, FieldpostError) as error:
                reason = reason_of(error)
                self.code = status_code_of(reason) if reason else getattr(error, "code", Code.UNEXPECTED)
                self.listening = False
                _LOG.info("the status topic cannot be read: %s", self.code)
                self._clock.wait(self._stopping, _RETRY_S)

    def _read(self) -> None:
        config: dict[str, Any] = {**clients.status_consumer(self._settings), "error_cb": self._errors.append}
        consumer = Consumer(config, logger=LIBRARY_LOG)
        try:
            self._assign(consumer)
            look_again = self._clock.monotonic() + _GROWTH_S
            while not self._stopping.is_set():
                self._take(consumer.consume(_MOST, _WAIT_S))
                if self._clock.monotonic() > look_again:
                    look_again = self._clock.monotonic() + _GROWTH_S
                    self._follow_growth(consumer)
        finally:
            consumer.close()

    def _assign(self, consumer: Consumer) -> None:
        """Assign the partitions read so far, and this client's present one: the topic may have grown."""
        mine = status_partition(self._client, self._count(consumer))
        self._positions.setdefault(mine, 0)
        topic = self._settings.status_topic
        consumer.assign([TopicPartition(topic, partition, start) for partition, start in self._positions.items()])

    def _follow_growth(self, consumer: Consumer) -> None:
        try:
            mine = status_partition(self._client, self._count(consumer))
        except (KafkaException, FieldpostError):
            return  # offline: what is assigned goes on by itself
        if mine not in self._positions:
            self._positions[mine] = 0
            consumer.incremental_assign([TopicPartition(self._settings.status_topic, mine, 0)])

    def _count(self, consumer: Consumer) -> int:
        found = consumer.list_topics(self._settings.status_topic, timeout=_METADATA_S)
        topic = found.topics[self._settings.status_topic]
        if topic.error is not None:
            raise FieldpostError(status_code_of(topic.error), "status topic")
        return len(topic.partitions)

    def _take(self, messages: list[Message]) -> None:
        batches: dict[int, list[Status]] = {}
        for message in messages:
            error = message.error()
            if error is None:
                self._decode(message, batches)
            elif error.code() not in _HARMLESS:
                self._errors.append(error)
        for partition, statuses in batches.items():
            self._deliver(StatusBatch(partition, self._positions[partition], statuses))
        self._judge(heard=bool(batches))

    def _decode(self, message: Message, batches: dict[int, list[Status]]) -> None:
        partition, offset = message.partition() or 0, message.offset() or 0
        self._positions[partition] = offset + 1
        statuses = batches.setdefault(partition, [])
        try:
            statuses.append(decode_status(message.key(), message.value()))
        except ProtocolError as error:
            _LOG.info("a status message at %s/%s is unreadable: %s (%s)", partition, offset, error.code, error.detail)

    def _judge(self, *, heard: bool) -> None:
        error = worst(self._errors)
        if heard or error is None:
            self._errors.clear()
            self.listening, self.code = True, None
            return
        del self._errors[:-20]
        self.listening, self.code = False, status_code_of(error)
