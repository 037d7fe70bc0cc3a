# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Commit how far jobs have read as the offsets of the groups `connect-NAME`, where every tool that shows lag looks.

They mirror the ledgers and no job starts from them: a commit that fails is told once and changes nothing.
"""

import logging
import threading
from collections.abc import Mapping
from typing import Any, Final

from confluent_kafka import Consumer, KafkaError, KafkaException, TopicPartition

from fieldpost_receiver.kafka.cluster_offsets import Offsets
from fieldpost_shared.clock import Clock
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.kafka.clients import group_committer
from fieldpost_shared.kafka.failures import reason_of
from fieldpost_shared.kafka.library_log import LIBRARY_LOG
from fieldpost_shared.kafka.settings import KafkaSettings

PREFIX: Final = "connect-"  # of the groups of Kafka Connect's sinks
_LOG: Final = logging.getLogger(__name__)
_ANSWER_S: Final = 10.0
_EVERY_S: Final = 5.0
_AGAIN_S: Final = 3000.0  # a broker forgets a group without members some time after its last commit
_FAILED_S: Final = 60.0
_LAST_S: Final = 3.0


class GroupOffsets:
    """All groups of a cluster, in one thread: a coordinator that does not answer delays no job."""

    def __init__(self, settings: KafkaSettings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._groups: dict[str, _Group] = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def put(self, job: str, *, topic: str, owner: str, processed: Mapping[int, int]) -> None:
        """Tell how far a job has read; `owner` marks the commits of its ledger. Never waits."""
        with self._lock:
            group = self._groups.setdefault(job, _Group(self._settings, job, topic=topic, owner=owner))
            group.processed = dict(processed)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="group-offsets", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Commit what is left, unless the coordinator does not answer."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(_LAST_S)

    def _run(self) -> None:
        while not self._clock.wait(self._stop, _EVERY_S):
            self._commit_all()
        for group in self._commit_all():
            group.close()

    def _commit_all(self) -> "list[_Group]":
        with self._lock:
            groups = list(self._groups.values())
        for group in groups:
            group.step(self._clock.monotonic())
        return groups


class _Group:
    """The offsets of one job. Used by the thread of `GroupOffsets` but for `processed`."""

    def __init__(self, settings: KafkaSettings, job: str, *, topic: str, owner: str) -> None:
        self._settings = settings
        self._name = f"{PREFIX}{job}"
        self._topic = topic
        self._owner = owner
        self._consumer: Consumer | None = None
        self._used = 0.0
        self._next_try = 0.0
        self._is_compared = False
        self._committed: Offsets = {}
        self._reported = ""
        self.processed: Offsets = {}

    def step(self, now: float) -> None:
        """Commit what has moved, and after a long time also what has not."""
        processed = self.processed
        if now < self._next_try:
            return
        if processed and (processed != self._committed or now >= self._used + _AGAIN_S):
            self._used = now
            self._commit(processed)
        else:
            self.close()  # it has threads of its own

    def close(self) -> None:
        """Close the client."""
        if self._consumer is not None:
            self._consumer.close()
            self._consumer = None

    def _commit(self, processed: Offsets) -> None:
        try:
            consumer = self._open()
            if not self._is_compared:
                self._compare(consumer, processed)
            places = [TopicPartition(self._topic, number, offset, self._owner) for number, offset in processed.items()]
            _check(consumer.commit(offsets=places, asynchronous=False))
        except (KafkaException, FieldpostError) as error:
            self._tell(error)
            self.close()
            refused = isinstance(error, KafkaException) and _is_refusal(error)
            self._next_try = self._used + (_AGAIN_S if refused else _FAILED_S)  # brokers log each refusal
            return
        self._committed, self._reported = processed, ""

    def _compare(self, consumer: Consumer, processed: Offsets) -> None:
        """Tell when this ledger was further once: an older copy of it was restored."""
        places = [TopicPartition(self._topic, number) for number in processed]
        found = consumer.committed(places, timeout=_ANSWER_S)
        self._is_compared = True
        ahead = sum(
            max(0, place.offset - processed[place.partition]) for place in found if place.metadata == self._owner
        )
        if ahead:
            _LOG.warning(
                "the ledger is older than what this job has done before: it reads %d messages again; files that are in"
                " their place are recognised, those that were moved away come again",
                ahead,
                extra={"group": self._name},
            )

    def _open(self) -> Consumer:
        if self._consumer is None:
            config: dict[str, Any] = {**group_committer(self._settings, self._name)}
            self._consumer = Consumer(config, logger=LIBRARY_LOG)
        return self._consumer

    def _tell(self, error: KafkaException | FieldpostError) -> None:
        reason = reason_of(error) if isinstance(error, KafkaException) else None
        text = str(error) if reason is None else _words(reason)
        if text != self._reported:  # it is tried for ever
            self._reported = text
            _LOG.info("the offsets of group %s were not committed, so its lag is not shown: %s", self._name, text)


def _check(answers: list[TopicPartition] | None) -> None:
    for place in answers or []:
        if place.error is not None:
            raise KafkaException(place.error)


def _is_refusal(error: KafkaException) -> bool:
    reason = reason_of(error)
    return reason is not None and reason.code() == KafkaError.GROUP_AUTHORIZATION_FAILED


def _words(reason: KafkaError) -> str:
    match reason.code():
        case KafkaError.GROUP_AUTHORIZATION_FAILED:
            return "no right to read the group; `topics create` prints the command that grants it"
        case KafkaError.UNKNOWN_MEMBER_ID | KafkaError.REBALANCE_IN_PROGRESS:
            return "a Kafka Connect sink of the same name is running"
        case _:
            return str(reason.str())
