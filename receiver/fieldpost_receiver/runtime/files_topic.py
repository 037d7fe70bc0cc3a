# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The offsets of the files topic for the service's threads: one request at a time, None without an answer."""

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Final

from fieldpost_receiver.kafka.cluster_watch import TopicWatch
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.kafka.settings import KafkaSettings

_LOG: Final = logging.getLogger(__name__)


class FilesTopic:
    """Used by the service's thread and by the batches' thread."""

    def __init__(self, kafka: KafkaSettings, clock: Clock) -> None:
        self._watch = TopicWatch(kafka, clock)
        self._lock = threading.Lock()
        self._reported: Code | None = None
        self.broker_answers = False  # whether the last request got an answer, if only that there is no such topic

    def firsts(self) -> Mapping[int, int] | None:
        """Return the first offset by partition."""
        return self._ask(self._watch.firsts)

    def ends(self) -> Mapping[int, int] | None:
        """Return the end offset by partition."""
        return self._ask(self._watch.ends)

    def close(self) -> None:
        """Close the connection."""
        self._watch.close()

    def _ask(self, question: Callable[[], Mapping[int, int]]) -> Mapping[int, int] | None:
        try:
            with self._lock:
                answer = question()
        except FieldpostError as error:
            self.broker_answers = error.code is Code.NO_TOPIC
            if error.code is not self._reported:  # it is asked several times a second, perhaps for days
                self._reported = error.code
                _LOG.info("the ends of the files topic are not known now: %s", error, extra={"code": error.code})
            return None
        self.broker_answers, self._reported = True, None
        return answer
