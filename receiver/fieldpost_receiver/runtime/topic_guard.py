# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Whether both topics are still there while the receiver runs, and the files topic still the one whose offsets we know.

Of a topic that was made anew under the old name the query would go on with the old offsets: it would read nothing, and
later skip what came first. So the receiver ends, as it does when it finds that at its start.
"""

import logging
from typing import Final

from fieldpost_receiver.kafka.broker import Broker
from fieldpost_receiver.runtime.ownership_tags import bind_topic
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.database import Database
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.kafka.settings import KafkaSettings

_LOG: Final = logging.getLogger(__name__)
_PATIENCE_S: Final = 15.0  # a broker that has just started may not know its topics yet


class TopicSentry:
    """Used by the service's thread; a look takes 10 s at most."""

    def __init__(self, broker: Broker, kafka: KafkaSettings, store: Database, clock: Clock) -> None:
        self._broker = broker
        self._kafka = kafka
        self._store = store
        self._clock = clock
        self._gone_since: dict[str, float] = {}

    def look(self) -> None:
        """Ask for both topics. No answer is no finding.

        Raises:
            FieldpostError: NO_TOPIC if one is gone for good, LEDGER_FOREIGN if the files topic is another one.
        """
        for name in (self._kafka.files_topic, self._kafka.status_topic):
            try:
                found = self._broker.topic(name)
            except FieldpostError as error:
                _LOG.info("no answer about %s: %s", name, error, extra={"code": error.code})
                return
            if found is None:
                self._miss(name)
                continue
            self._gone_since.pop(name, None)
            if name == self._kafka.files_topic:
                bind_topic(self._store, found.id)

    def _miss(self, name: str) -> None:
        now = self._clock.monotonic()
        error = FieldpostError(Code.NO_TOPIC, f"{name} is not there any more; run: fieldpost-receiver topics create")
        if now - self._gone_since.setdefault(name, now) >= _PATIENCE_S:
            raise error
        _LOG.info("%s", error, extra={"code": error.code})
