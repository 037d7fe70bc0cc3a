# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The post: letters leave the outbox in order and are struck off when the broker has them; notices go to everybody."""

import logging
from collections.abc import Callable, Sequence
from typing import Any, Final

from confluent_kafka import KafkaError, KafkaException, Message, Producer

from fieldpost_receiver.jobs.files.ledger.outbox import Letter, Outbox
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


class Post:
    """Used by the service's thread only; `step` never waits."""

    def __init__(self, settings: KafkaSettings, outbox: Outbox, crash: CrashPoints) -> None:
        self._settings = settings
        self._topic = settings.status_topic
        self._outbox = outbox
        self._crash = crash
        self._producer: Producer | None = None
        self._under_way: list[Letter] = []
        self._acknowledged: set[int] = set()
        self._failed = False
        self._errors: list[KafkaError] = []
        self._told: Code | None = None

    def step(self) -> None:
        """Send what waits; strike off what arrived."""
        producer = self._open()
        try:
            producer.poll(0)
        except (KafkaException, SystemError) as error:
            reason = reason_of(error)
            _LOG.info("the post cannot be sent: %s", reason, extra={"code": code_of(reason) if reason else None})
            self._failed = True
        self._tell_trouble()
        self._strike_off()
        if self._failed:
            self._close()
        elif not self._under_way:
            self._send(self._outbox.next(_AT_ONCE))

    @property
    def idle(self) -> bool:
        """Whether every letter has arrived."""
        return not self._under_way and not self._outbox.waiting()

    def say(self, statuses: Sequence[Status]) -> None:
        """Progress: of no importance if it does not arrive."""
        for status in statuses:
            key, value = encode_status(status)
            self._produce(value, key=key)

    def notice(self, status: Status) -> None:
        """To every partition: each sender reads one."""
        _, value = encode_status(status)
        try:
            topic = self._open().list_topics(self._topic, timeout=_METADATA_S).topics[self._topic]
        except KafkaException as error:
            _LOG.info("no notice: %s", reason_of(error))
            return
        for partition in topic.partitions:
            self._produce(value, partition=partition)

    def finish(self, seconds: float, wait: Callable[[float], None]) -> bool:
        """Send everything that waits, within a time; whether nothing is left."""
        tries = max(1, int(seconds / 0.05))
        for _ in range(tries):
            self.step()
            if self.idle:
                break
            wait(0.05)
        self._open().flush(1.0)  # notices and progress
        return self.idle

    def _send(self, letters: list[Letter]) -> None:
        for letter in letters:
            self._under_way.append(letter)
            if not self._produce(letter.value, key=letter.client.encode("ascii"), letter=letter):
                self._under_way.pop()
                break
        if letters:
            self._crash.reach("after_status_produce")

    def _produce(
        self, value: bytes, *, key: bytes | None = None, partition: int = -1, letter: Letter | None = None
    ) -> bool:
        def report(error: KafkaError | None, _message: Message) -> None:
            if letter is not None:
                self._reported(letter, error)

        try:
            self._open().produce(self._topic, value=value, key=key, partition=partition, on_delivery=report)
        except (BufferError, KafkaException) as error:
            _LOG.info("not sent: %s", error)
            self._failed = self._failed or isinstance(error, KafkaException)
            return False
        return True

    def _reported(self, letter: Letter, error: KafkaError | None) -> None:
        if error is None:
            self._acknowledged.add(letter.id)
        else:
            _LOG.info("a letter was refused: %s", error.name(), extra={"code": code_of(error)})
            self._failed = True

    def _strike_off(self) -> None:
        arrived = [letter for letter in self._under_way if letter.id in self._acknowledged]
        if arrived:
            self._told = None
            self._crash.reach("after_status_ack")
            self._outbox.sent(arrived)
            self._under_way = [letter for letter in self._under_way if letter.id not in self._acknowledged]
            self._acknowledged.clear()

    def _open(self) -> Producer:
        if self._producer is None:
            config: dict[str, Any] = {**status_producer(self._settings), "error_cb": self._errors.append}
            self._producer = Producer(config, logger=LIBRARY_LOG)
        return self._producer

    def _tell_trouble(self) -> None:
        """Letters wait for as long as it takes; why, is said once for each reason."""
        telling = worst(self._errors)
        self._errors.clear()
        if telling is not None and code_of(telling) is not self._told:
            self._told = code_of(telling)
            _LOG.info("the post waits: %s", telling.str(), extra={"code": self._told})

    def _close(self) -> None:
        """A producer that failed is replaced; what it carried is sent again, in order."""
        if self._producer is not None:
            self._producer.purge()
        self._producer, self._failed = None, False
        self._under_way, self._acknowledged = [], set()
