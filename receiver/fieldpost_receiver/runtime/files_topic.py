# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The offsets of the files topic for the service's threads: one request at a time, None without an answer."""

import logging
import threading
from collections.abc import Mapping
from typing import Final

from fieldpost_receiver.kafka.cluster_watch import TopicWatch, ends_of
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.kafka.settings import KafkaSettings

_LOG: Final = logging.getLogger(__name__)


class FilesTopic:
    """Used by the service's thread and by Spark's callback thread."""

    def __init__(self, kafka: KafkaSettings) -> None:
        self._watch = TopicWatch(kafka)
        self._lock = threading.Lock()
        self.broker_answers = False  # whether the last request got an answer, if only that there is no such topic

    def watermarks(self) -> Mapping[int, tuple[int, int]] | None:
        """Return (first offset, end offset) by partition."""
        try:
            with self._lock:
                marks = self._watch.watermarks()
        except FieldpostError as error:
            self.broker_answers = error.code is Code.NO_TOPIC
            _LOG.info("the ends of the files topic are not known now: %s", error, extra={"code": error.code})
            return None
        self.broker_answers = True
        return marks

    def ends(self) -> Mapping[int, int] | None:
        """Return the end offset by partition."""
        marks = self.watermarks()
        return None if marks is None else ends_of(marks)

    def close(self) -> None:
        """Close the connection."""
        self._watch.close()
