# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The link to a real broker, on confluent-kafka's idempotent producer."""

import json
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from confluent_kafka import KafkaError, KafkaException, Message, Producer, TopicPartition
from confluent_kafka.admin import OffsetSpec  # type: ignore[attr-defined]  # re-exported without saying so

from fieldpost_desktop.engine.link.broker_admin import DEFAULT_LIMIT, BrokerAdmin
from fieldpost_desktop.engine.link.transport import Delivered, Failed, LinkFacts, Report
from fieldpost_shared.chunks import status_partition
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.ids import ClientName
from fieldpost_shared.kafka import clients
from fieldpost_shared.kafka.failures import code_of, reason_of, status_code_of, worst
from fieldpost_shared.kafka.library_log import LIBRARY_LOG
from fieldpost_shared.kafka.settings import KafkaSettings
from fieldpost_shared.protocol.messages import Record

_LOG: Final = logging.getLogger(__name__)
_ANSWER_S: Final = 15.0  # a 64 kbit/s line with a second of delay still signs in within this
_TAKEN_BACK: Final = (KafkaError._PURGE_QUEUE, KafkaError._PURGE_INFLIGHT)  # noqa: SLF001 - public constants, named so


class KafkaConnector:
    """Asks the broker what is needed to send, then opens the producer."""

    def __init__(self, settings: KafkaSettings, client: ClientName, clock: Clock) -> None:
        self._settings = settings
        self._client = client
        self._clock = clock

    def connect(self, cap: int | None = None) -> "KafkaTransport":
        def ask_broker() -> LinkFacts:
            facts = ask(self._settings, self._client, self._clock)
            return facts if cap is None else replace(facts, message_limit=min(cap, facts.message_limit))

        return KafkaTransport(self._settings, ask_broker(), ask_broker)


class KafkaTransport:
    """A link over one producer."""

    def __init__(self, settings: KafkaSettings, facts: LinkFacts, ask_again: Callable[[], LinkFacts]) -> None:
        self.facts = facts
        self._topic = settings.files_topic
        self._ask_again = ask_again
        self._reports: list[Report] = []
        self._errors: list[KafkaError] = []
        self._bytes_out = 0
        config = clients.uploader_producer(settings, message_limit=facts.message_limit)
        callbacks = {"error_cb": self._errors.append, "stats_cb": self._read_statistics}
        self._producer = Producer(config | callbacks, logger=LIBRARY_LOG)

    def send(self, record: Record, partition: int, token: object) -> None:
        def report(error: KafkaError | None, message: Message) -> None:
            self._reports.append(_report(token, error, message))

        try:
            self._producer.produce(
                self._topic,
                value=record.value,
                key=record.key,
                headers=list(record.headers),
                partition=partition,
                on_delivery=report,
            )
        except BufferError:
            raise FieldpostError(Code.SERVER_BUSY, "its queue is full") from None
        except KafkaException as error:
            raise _as_ours(error) from None

    def poll(self, seconds: float) -> list[Report]:
        try:
            self._producer.poll(seconds)
        except (KafkaException, SystemError) as error:
            reason = reason_of(error)
            if reason is None:
                raise
            self._errors.append(reason)
        reports, self._reports = self._reports, []
        if any(isinstance(report, Delivered) for report in reports):
            self._errors.clear()
        return reports

    def trouble(self) -> Code | None:
        error = worst(self._errors)
        del self._errors[:-100]
        return None if error is None else code_of(error)

    def bytes_out(self) -> int:
        return self._bytes_out

    def purge(self) -> None:
        self._producer.purge(in_queue=True, in_flight=False, blocking=False)

    def refresh(self) -> LinkFacts:
        self.facts = self._ask_again()
        self._producer.list_topics(self._topic, timeout=_ANSWER_S)  # else a new partition is unknown to it
        return self.facts

    def close(self) -> None:
        self._producer.purge(in_queue=True, in_flight=True, blocking=False)
        try:
            self._producer.flush(0)
        except (KafkaException, SystemError) as error:
            _LOG.debug("closing a link: %s", reason_of(error))

    def _read_statistics(self, text: str) -> None:
        self._bytes_out = int(json.loads(text).get("tx_bytes", 0))


def ask(settings: KafkaSettings, client: ClientName, clock: Clock) -> LinkFacts:
    """Return partitions, size limit, and where the status partition ends."""
    broker = BrokerAdmin(settings, clock, _ANSWER_S)
    partitions = broker.files_partitions()
    status_partitions = broker.status_partitions()
    mine = TopicPartition(settings.status_topic, status_partition(client, status_partitions))
    newest = OffsetSpec.latest()  # type: ignore[no-untyped-call]  # the library's types end here
    end = broker.ask(lambda admin, s: admin.list_offsets({mine: newest}, request_timeout=s)[mine], status_code_of)
    limit = broker.message_limit() or DEFAULT_LIMIT
    return LinkFacts(partitions, limit, status_partitions=status_partitions, status_end=end.offset)


def _report(token: object, error: KafkaError | None, message: Message) -> Report:
    if error is None:
        return Delivered(token, message.partition() or 0, message.offset() or 0)
    if error.code() in _TAKEN_BACK:
        return Failed(token, None)
    return Failed(token, code_of(error), error.str())


def _as_ours(error: KafkaException) -> FieldpostError:
    reason = reason_of(error)
    return FieldpostError(Code.UNEXPECTED if reason is None else code_of(reason), str(error))
