# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Send status messages: from the outbox in order until the broker acknowledges them, progress once, notices to all."""

import logging
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from confluent_kafka import KafkaError, KafkaException, Message, Producer

from fieldpost_receiver.kafka.outgoing_status import OutgoingStatus, StatusOutbox
from fieldpost_receiver.kafka.status_producer import StatusProducer
from fieldpost_shared.crash_points import CrashPoints
from fieldpost_shared.kafka.failures import code_of, reason_of
from fieldpost_shared.protocol.status import Status, encode_status

_LOG: Final = logging.getLogger(__name__)
_AT_ONCE: Final = 1_000
_METADATA_S: Final = 5.0


class StatusSender:
    """One for each job, used by the job's thread only; `step` never waits. The producer is the cluster's."""

    def __init__(self, cluster: StatusProducer, topic: str, outbox: StatusOutbox, crash: CrashPoints) -> None:
        self._cluster = cluster
        self._topic = topic
        self._outbox = outbox
        self._crash = crash
        self._producer: Producer | None = None  # the one that carries `_in_flight`
        self._in_flight: list[OutgoingStatus] = []
        self._acknowledged: deque[int] = deque()  # filled by whichever job's thread polls
        self._failed = False

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
        self._cluster.log_errors()
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
        producer = self._open()

        def report(error: KafkaError | None, _message: Message) -> None:
            if outgoing is not None:
                self._delivered(producer, outgoing, error)

        try:
            producer.produce(self._topic, value=value, key=key, partition=partition, on_delivery=report)
        except (BufferError, KafkaException) as error:
            _LOG.info("a status message was not sent: %s", error)
            self._failed = self._failed or isinstance(error, KafkaException)
            return False
        return True

    def _delivered(self, producer: Producer, status: OutgoingStatus, error: KafkaError | None) -> None:
        if error is None:
            self._acknowledged.append(status.id)
        elif producer is self._producer:  # else it was given up, and what it carried is sent again
            _LOG.info("the broker refused a status message: %s", error.name(), extra={"code": code_of(error)})
            self._failed = True

    def _remove_acknowledged(self) -> None:
        acknowledged = set()
        while self._acknowledged:
            acknowledged.add(self._acknowledged.popleft())
        arrived = [status for status in self._in_flight if status.id in acknowledged]
        if arrived:
            self._cluster.delivered()
            self._crash.reach("after_status_ack")
            self._outbox.remove(arrived)
            self._in_flight = [status for status in self._in_flight if status.id not in acknowledged]

    def _open(self) -> Producer:
        if self._producer is None or not self._in_flight:  # another job may have replaced it
            self._producer = self._cluster.current()
        return self._producer

    def _close(self) -> None:
        """Replace a producer that failed; what it carried is sent again, in order."""
        producer, self._producer = self._producer, None
        self._failed, self._in_flight = False, []
        if producer is not None:
            self._cluster.replace(producer)
