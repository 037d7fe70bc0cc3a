# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Send status messages: from the outbox in order until the broker acknowledges them, progress once, notices to all."""

import logging
from collections.abc import Callable, Sequence
from typing import Any, Final

from confluent_kafka import KafkaError, KafkaException, Message, Producer

from fieldpost_receiver.kafka.outgoing_status import OutgoingStatus, StatusOutbox
from fieldpost_shared.codes import Code
from fieldpost_shared.crash_points import CrashPoints
from fieldpost_shared.kafka.clients import status_producer
from fieldpost_shared.kafka.failures import code_of, reason_of, worst
from fieldpost_shared.kafka.library_log import LIBRARY_LOG
from fieldpost_shared.kafka.settings import KafkaSettings
from fieldpost_shared.protocol.status import Status, encode_status

_LOG: Final = logging.getLogger(__name__)
_AT_ONCE: Final = 1_000
_METADATA_S: Final = 5.0


class StatusSender:
    """Used by the service's thread only; `step` never waits."""

    def __init__(self, settings: KafkaSettings, outbox: StatusOutbox, crash: CrashPoints) -> None:
        self._settings = settings
        self._topic = settings.status_topic
        self._outbox = outbox
        self._crash = crash
        self._producer: Producer | None = None
        self._in_flight: list[OutgoingStatus] = []
        self._acknowledged: set[int] = set()
        self._failed = False
        self._errors: list[KafkaError] = []
        self._reported_code: Code | None = None

    def step(self) -> None:
        """Send what waits in the outbox; remove what the broker acknowledged."""
        producer = self._open()
        try:
            producer.poll(0)
        except (KafkaException, SystemError) as error:
            reason = reason_of(error)
            code = code_of(reason) if reason else None
            _LOG.info("status messages cannot be sent: %s", reason, extra={"code": code})
            self._failed = True
        self._log_errors()
        self._remove_acknowledged()
        if self._failed:
            self._close()
        elif not self._in_flight:
            self._send(self._outbox.next(_AT_ONCE))

    @property
    def idle(self) -> bool:
        """Whether the broker has everything that was in the outbox."""
        return not self._in_flight and not self._outbox.waiting()

    def send_unconfirmed(self, statuses: Sequence[Status]) -> None:
        """Send progress; a loss does no harm."""
        for status in statuses:
            key, value = encode_status(status)
            self._produce(value, key=key)

    def notice(self, status: Status) -> None:
        """Send a notice to every partition, because each sender reads only one."""
        _, value = encode_status(status)
        try:
            topic = self._open().list_topics(self._topic, timeout=_METADATA_S).topics[self._topic]
        except KafkaException as error:
            _LOG.info("the notice was not sent: %s", reason_of(error))
            return
        for partition in topic.partitions:
            self._produce(value, partition=partition)

    def finish(self, seconds: float, wait: Callable[[float], None]) -> bool:
        """Send everything that waits, within a time; return whether nothing is left."""
        tries = max(1, int(seconds / 0.05))
        for _ in range(tries):
            self.step()
            if self.idle:
                break
            wait(0.05)
        self._open().flush(1.0)  # notices and progress
        return self.idle

    def _send(self, statuses: list[OutgoingStatus]) -> None:
        for status in statuses:
            self._in_flight.append(status)
            if not self._produce(status.value, key=status.client.encode("ascii"), outgoing=status):
                self._in_flight.pop()
                break
        if statuses:
            self._crash.reach("after_status_produce")

    def _produce(
        self, value: bytes, *, key: bytes | None = None, partition: int = -1, outgoing: OutgoingStatus | None = None
    ) -> bool:
        def report(error: KafkaError | None, _message: Message) -> None:
            if outgoing is not None:
                self._delivered(outgoing, error)

        try:
            self._open().produce(self._topic, value=value, key=key, partition=partition, on_delivery=report)
        except (BufferError, KafkaException) as error:
            _LOG.info("a status message was not sent: %s", error)
            self._failed = self._failed or isinstance(error, KafkaException)
            return False
        return True

    def _delivered(self, status: OutgoingStatus, error: KafkaError | None) -> None:
        if error is None:
            self._acknowledged.add(status.id)
        else:
            _LOG.info("the broker refused a status message: %s", error.name(), extra={"code": code_of(error)})
            self._failed = True

    def _remove_acknowledged(self) -> None:
        arrived = [status for status in self._in_flight if status.id in self._acknowledged]
        if arrived:
            self._reported_code = None
            self._crash.reach("after_status_ack")
            self._outbox.remove(arrived)
            self._in_flight = [status for status in self._in_flight if status.id not in self._acknowledged]
            self._acknowledged.clear()

    def _open(self) -> Producer:
        if self._producer is None:
            config: dict[str, Any] = {**status_producer(self._settings), "error_cb": self._errors.append}
            self._producer = Producer(config, logger=LIBRARY_LOG)
        return self._producer

    def _log_errors(self) -> None:
        """Log each reason once, because messages may wait for the broker for days."""
        error = worst(self._errors)
        self._errors.clear()
        if error is not None and code_of(error) is not self._reported_code:
            self._reported_code = code_of(error)
            _LOG.info("status messages wait for the broker: %s", error.str(), extra={"code": self._reported_code})

    def _close(self) -> None:
        """Replace a producer that failed; what it carried is sent again, in order."""
        if self._producer is not None:
            self._producer.purge()
        self._producer, self._failed = None, False
        self._in_flight, self._acknowledged = [], set()
