# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What goes wrong on a long day, one at a time: each mishap is healed before the next one happens."""

import signal
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import psutil  # type: ignore[import-untyped]  # it ships no types

from devkafka.roles import Role
from faults.scene import Scene

SHORTEST_S: Final = 3.0
LONGEST_S: Final = 12.0
MOST_PARTITIONS: Final = 12


class Mishaps:
    """`happen` breaks something, `heal` mends it when its time has come."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._random = scene.case.random
        self._cure: Callable[[], None] | None = None
        self._heal_at = 0.0
        self.happened: list[str] = []

    def happen(self) -> None:
        """Another one, after the last one is healed."""
        self.heal_all()
        kinds = [
            self._kill_receiver,
            self._stop_receiver,
            self._freeze_receiver,
            self._kill_broker,
            self._freeze_broker,
            self._kill_van,
            self._freeze_van,
            self._take_rights,
            self._lose_records,
            self._grow,
        ]
        kind = self._random.choice(kinds)
        self.happened.append(kind.__name__)
        self._cure = kind()
        self._heal_at = time.monotonic() + self._random.uniform(SHORTEST_S, LONGEST_S)
        self._scene.case.fault()

    def heal(self) -> None:
        """If it is time."""
        if self._cure is not None and time.monotonic() >= self._heal_at:
            self.heal_all()

    def heal_all(self) -> None:
        """Now."""
        cure, self._cure = self._cure, None
        if cure is not None:
            cure()

    def _kill_receiver(self) -> Callable[[], None]:
        self._scene.receiver.kill()
        return self._scene.receiver.start

    def _stop_receiver(self) -> Callable[[], None]:
        assert self._scene.receiver.stop() == 0
        return self._scene.receiver.start

    def _freeze_receiver(self) -> Callable[[], None]:
        member = self._random.choice(self._scene.receiver.family())
        _let(member.suspend)
        return lambda: _let(member.resume)

    def _kill_broker(self) -> Callable[[], None]:
        self._scene.topics.cluster.kill()
        return self._scene.topics.cluster.restart

    def _freeze_broker(self) -> Callable[[], None]:
        self._scene.topics.cluster.pause()
        return self._scene.topics.cluster.resume

    def _kill_van(self) -> Callable[[], None]:
        van = self._random.choice(list(self._scene.vans.values()))
        van.sendings[-1].kill()

        def again() -> None:
            van.watch()

        return again

    def _freeze_van(self) -> Callable[[], None]:
        sending = self._random.choice(list(self._scene.vans.values())).sendings[-1]
        sending.signal(signal.SIGSTOP)
        return lambda: sending.signal(signal.SIGCONT)

    def _take_rights(self) -> Callable[[], None]:
        topics = self._scene.topics
        topics.cluster.revoke(Role.RECEIVER)
        return lambda: topics.grant(Role.RECEIVER)

    def _lose_records(self) -> Callable[[], None]:
        """Retention takes a partition while nobody reads; what was not read is asked for again."""
        topics, receiver = self._scene.topics, self._scene.receiver
        receiver.kill()
        partition = self._random.randrange(topics.partitions)
        topics.cluster.delete_records(topics.files, partition, -1)
        return receiver.start

    def _grow(self) -> Callable[[], None]:
        cluster, files = self._scene.topics.cluster, self._scene.topics.files
        count = len(cluster.partitions(files))
        if count < MOST_PARTITIONS:
            cluster.grow(files, count + 1)
        return lambda: None


def _let(act: Callable[[], None]) -> None:
    """One of Spark's Pythons may be gone by then: it was not needed any more."""
    with suppress(psutil.NoSuchProcess):
        act()
