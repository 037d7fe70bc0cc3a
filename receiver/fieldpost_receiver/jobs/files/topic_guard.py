# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Check while the job runs that both topics exist, and that the files topic is the one whose offsets are known.

If the topic is deleted and created again under its name, the batches go on with the old offsets: they read nothing, and
later skip the first messages. So the job ends, as it does when it finds such a topic at its start.
"""

import logging
from typing import Final, Protocol

from fieldpost_receiver.jobs.files.ownership_tags import bind_topic
from fieldpost_receiver.kafka.cluster_offsets import Topic
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.database import Database
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.kafka.settings import KafkaSettings

_LOG: Final = logging.getLogger(__name__)
_PATIENCE_S: Final = 15.0  # a broker that has just started may not know its topics yet


class DescribesTopics(Protocol):
    """The part of the cluster's watch that knows which topics are there."""

    def describe(self, topic: str) -> Topic | FieldpostError:
        """Return a topic as it was a few seconds ago at most, or why it is not known."""


class TopicGuard:
    """Used by the job's thread; a check takes 10 s at most."""

    def __init__(self, cluster: DescribesTopics, kafka: KafkaSettings, *, store: Database, clock: Clock) -> None:
        self._cluster = cluster
        self._kafka = kafka
        self._store = store
        self._clock = clock
        self._gone_since: dict[str, float] = {}

    def check(self) -> None:
        """Ask for both topics; without an answer nothing is known.

        Raises:
            FieldpostError: NO_TOPIC if one stays away, LEDGER_FOREIGN if the files topic was created again.
        """
        for name in (self._kafka.files_topic, self._kafka.status_topic):
            found = self._cluster.describe(name)
            if isinstance(found, Topic):
                self._gone_since.pop(name, None)
                if name == self._kafka.files_topic:
                    bind_topic(self._store, found.id)
            elif found.code is Code.NO_TOPIC:
                self._missing(name)
            else:
                _LOG.info("the broker does not answer about topic %s: %s", name, found, extra={"code": found.code})
                return

    def _missing(self, name: str) -> None:
        now = self._clock.monotonic()
        error = FieldpostError(Code.NO_TOPIC, f"{name} is not there any more; run: fieldpost-receiver topics create")
        if now - self._gone_since.setdefault(name, now) >= _PATIENCE_S:
            raise error
        _LOG.info("%s", error, extra={"code": error.code})
