# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Look again and again how far the topics of a cluster reach, for all jobs that read there, in one thread."""

import logging
import threading
from collections import Counter
from collections.abc import Callable
from typing import Final

from fieldpost_receiver.kafka.cluster_offsets import ClusterOffsets, Offsets, Topic
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.kafka.settings import KafkaSettings

_LOG: Final = logging.getLogger(__name__)
_BACK_OFF_S: Final = 5.0  # senders wait, and a look at a broker that is gone takes 5 s itself
_ENDS_S: Final = 6.0  # a look that is under way, when the watch is closed

Listener = Callable[[], None]


class ClusterWatch:
    """The newest end offsets of every watched topic. A cluster that does not answer delays its own jobs only."""

    def __init__(self, settings: KafkaSettings, clock: Clock, *, every: float, moved: Listener) -> None:
        self._clock = clock
        self._every = every
        self._moved = moved
        self._offsets = ClusterOffsets(settings, clock)
        self._read: Counter[str] = Counter()  # topics whose ends are asked for, by the number of jobs
        self._marks: dict[str, Offsets] = {}
        self._failures: dict[str, FieldpostError] = {}
        self._answered: dict[str, float] = {}
        self._stop = threading.Event()
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, topic: str) -> None:
        """Watch a topic."""
        self._read[topic] += 1
        self._answered[topic] = self._clock.monotonic()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="cluster-watch", daemon=True)
            self._thread.start()
        self._wake.set()

    def remove(self, topic: str) -> None:
        """Watch a topic no longer for one of its jobs."""
        self._read[topic] -= 1
        if not self._read[topic]:
            del self._read[topic]
            self._marks.pop(topic, None)

    def marks(self, topic: str) -> Offsets | None:
        """Return the end offset by partition at the last look that was answered; None before it."""
        return self._marks.get(topic)

    def silence(self, topic: str) -> tuple[float, FieldpostError | None]:
        """Return for how many seconds nothing was heard about a topic, and why."""
        failure = self._failures.get(topic)
        return (0.0, None) if failure is None else (self._clock.monotonic() - self._answered[topic], failure)

    def ends(self, topic: str) -> Offsets | None:
        """Ask now for the end offset by partition; None without an answer, at once if the last look had none."""
        return None if self._is_silent(topic) else _answer(self._offsets.ends([topic])[topic])

    def firsts(self, topic: str) -> Offsets | None:
        """Ask now for the first offset by partition, as `ends`."""
        return None if self._is_silent(topic) else _answer(self._offsets.firsts([topic])[topic])

    def describe(self, topic: str) -> Topic | FieldpostError:
        """Return a topic as it was a few seconds ago at most, or why it is not known."""
        return self._offsets.describe([topic])[topic]

    def close(self) -> None:
        """Look no more."""
        self._stop.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(_ENDS_S)
        self._offsets.close()

    def _is_silent(self, topic: str) -> bool:
        failure = self._failures.get(topic)
        return failure is not None and failure.code is not Code.NO_TOPIC

    def _run(self) -> None:
        wait = self._every
        while not self._stop.is_set():
            topics = list(self._read)
            try:
                answered = self._look(topics)
            except Exception:  # noqa: BLE001 - the watch must go on
                _LOG.exception("the ends of the topics could not be asked for")
                answered = False
            wait = self._every if answered or not topics else min(2 * wait, max(_BACK_OFF_S, self._every))
            self._clock.wait(self._wake if not topics else self._stop, wait if topics else _BACK_OFF_S)
            self._wake.clear()

    def _look(self, topics: list[str]) -> bool:
        """Ask once for all; return whether any was answered."""
        found = self._offsets.ends(topics) if topics else {}
        now, has_moved = self._clock.monotonic(), False
        for topic, answer in found.items():
            if isinstance(answer, FieldpostError):
                self._note_failure(topic, answer)
            else:
                self._failures.pop(topic, None)
                self._answered[topic] = now
                has_moved = has_moved or self._marks.get(topic) != answer
                self._marks[topic] = answer
        if has_moved:
            self._moved()
        return any(not isinstance(answer, FieldpostError) for answer in found.values())

    def _note_failure(self, topic: str, failure: FieldpostError) -> None:
        before = self._failures.get(topic)
        self._failures[topic] = failure
        if before is None or before.code is not failure.code:  # it is asked several times a second, perhaps for days
            _LOG.info("the ends of the topic are not known now: %s", failure, extra={"code": failure.code})


def _answer(found: Offsets | FieldpostError) -> Offsets | None:
    return None if isinstance(found, FieldpostError) else found
