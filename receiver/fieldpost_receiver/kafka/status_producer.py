# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""One producer for the status messages of all jobs on a cluster: each has threads and connections of its own."""

import logging
import threading
from collections.abc import Callable
from typing import Any, Final

from confluent_kafka import KafkaError, KafkaException, Message, Producer

from fieldpost_shared.codes import Code
from fieldpost_shared.kafka.clients import status_producer
from fieldpost_shared.kafka.failures import code_of, worst
from fieldpost_shared.kafka.library_log import LIBRARY_LOG
from fieldpost_shared.kafka.settings import KafkaSettings

_LOG: Final = logging.getLogger(__name__)

Report = Callable[[KafkaError | None, Message], None]


class StatusProducer:
    """May be used from any thread. Reports arrive in the thread of whichever job polls."""

    def __init__(self, settings: KafkaSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._producer: Producer | None = None
        self._errors: list[KafkaError] = []
        self._reported: Code | None = None

    def current(self) -> Producer:
        """Return the producer, opened if need be."""
        with self._lock:
            if self._producer is None:
                config: dict[str, Any] = {**status_producer(self._settings), "error_cb": self._errors.append}
                self._producer = Producer(config, logger=LIBRARY_LOG)
            return self._producer

    def replace(self, failed: Producer) -> None:
        """Give up a producer that failed. What it carried is reported as failed to the jobs that sent it."""
        with self._lock:
            if self._producer is not failed:
                return  # another job was first
            self._producer = None
        failed.purge()
        try:
            failed.poll(0)
        except (KafkaException, SystemError) as error:
            _LOG.debug("a producer that was given up: %s", error)

    def log_errors(self) -> None:
        """Log each reason once, because messages may wait for the broker for days."""
        error = worst(list(self._errors))
        self._errors.clear()
        if error is not None and code_of(error) is not self._reported:
            self._reported = code_of(error)
            _LOG.info("status messages wait for the broker: %s", error.str(), extra={"code": self._reported})

    def delivered(self) -> None:
        """Note that the broker takes messages: the next reason is worth a line again."""
        self._reported = None
