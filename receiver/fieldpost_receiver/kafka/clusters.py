# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the jobs of one Kafka cluster share: the watch of topics, the producer of status messages, the groups."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from fieldpost_receiver.kafka.cluster_watch import ClusterWatch, Listener
from fieldpost_receiver.kafka.group_offsets import GroupOffsets
from fieldpost_receiver.kafka.status_producer import StatusProducer
from fieldpost_shared.clock import Clock
from fieldpost_shared.kafka.settings import KafkaSettings

_OF_A_JOB: Final = frozenset({"files_topic", "status_topic"})


@dataclass(frozen=True, slots=True)
class Cluster:
    """One Kafka cluster, as one account sees it."""

    watch: ClusterWatch
    producer: StatusProducer
    groups: GroupOffsets


class Clusters:
    """All clusters of the service. May be used from any thread."""

    def __init__(self, clock: Clock, *, every: float, moved: Listener) -> None:
        self._clock = clock
        self._every = every
        self._moved = moved
        self._lock = threading.Lock()
        self._known: dict[frozenset[tuple[str, str]], Cluster] = {}

    def of(self, settings: KafkaSettings, options: Mapping[str, str]) -> Cluster:
        """Return the cluster with these servers and this account; `options` are the texts of its settings."""
        key = frozenset((name, text) for name, text in options.items() if name not in _OF_A_JOB)
        with self._lock:
            if key not in self._known:
                watch = ClusterWatch(settings, self._clock, every=self._every, moved=self._moved)
                self._known[key] = Cluster(watch, StatusProducer(settings), GroupOffsets(settings, self._clock))
            return self._known[key]

    def close(self) -> None:
        """Close all of them."""
        with self._lock:
            for cluster in self._known.values():
                cluster.watch.close()
                cluster.groups.close()
            self._known.clear()
