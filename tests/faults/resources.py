# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Memory and open files of every process over its life: they may rise while it warms up, then they stay."""

import statistics
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import psutil  # type: ignore[import-untyped]  # it ships no types

from faults.scene import MB, Scene
from oracle import Violation
from oracle.violations import Promise

EVERY_S: Final = 5.0
LIFE_S: Final = 240.0  # shorter lives say nothing: caches and pools are filled first
MOST_FILES: Final = 512
MORE_MB: Final = 30  # between the first half of a life and its end
MORE_FILES: Final = 20


@dataclass
class Life:
    """One process."""

    name: str
    began: float
    seen: list[tuple[float, int, int]] = field(default_factory=list)  # when, resident bytes, open files

    def violations(self) -> Iterator[Violation]:
        most = max(files for _, _, files in self.seen)
        if most > MOST_FILES:
            yield Violation(Promise.MEMORY, self.name, f"{most} files open")
        if self.seen[-1][0] - self.began < LIFE_S:
            return
        quarter = len(self.seen) // 4
        before, after = self.seen[quarter : 2 * quarter], self.seen[-quarter:]
        rss = [statistics.median(rss for _, rss, _ in part) for part in (before, after)]
        files = [statistics.median(files for _, _, files in part) for part in (before, after)]
        if rss[1] - rss[0] > MORE_MB * MB:
            yield Violation(Promise.MEMORY, self.name, f"grew from {rss[0] / MB:.0f} to {rss[1] / MB:.0f} MB")
        if files[1] - files[0] > MORE_FILES:
            yield Violation(Promise.MEMORY, self.name, f"open files grew from {files[0]:.0f} to {files[1]:.0f}")


class Resources:
    """Looks at all processes of a scene every few seconds."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._lives: dict[tuple[int, float], Life] = {}  # by number and birth: numbers are used again
        self._next = 0.0

    def sample(self) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + EVERY_S
        for name, process in self._processes():
            with suppress(psutil.Error):
                life = self._lives.setdefault((process.pid, process.create_time()), Life(name, now))
                life.seen.append((now, int(process.memory_info().rss), int(process.num_fds())))

    def _processes(self) -> Iterator[tuple[str, psutil.Process]]:
        receiver = self._scene.receiver
        with suppress(psutil.Error):
            if receiver.process is not None and receiver.process.poll() is None:
                for member in receiver.family():
                    yield f"receiver's {member.name()} {member.pid}", member
        for van in self._scene.vans.values():
            with suppress(psutil.Error):
                yield f"{van.name} {van.sendings[-1].pid}", psutil.Process(van.sendings[-1].pid)

    def violations(self) -> list[Violation]:
        """What grew."""
        return [found for life in self._lives.values() if life.seen for found in life.violations()]

    def words(self) -> str:
        """How long the longest lives were, and how large they became, by kind of process."""
        kinds: dict[str, list[Life]] = defaultdict(list)
        for life in self._lives.values():
            if life.seen:
                kinds[life.name.rsplit("-" if life.name.startswith("van") else " ", 1)[0]].append(life)
        return "; ".join(f"{kind}: {_words(lives)}" for kind, lives in sorted(kinds.items()))


def _words(lives: list[Life]) -> str:
    largest = max(rss for life in lives for _, rss, _ in life.seen)
    most = max(files for life in lives for _, _, files in life.seen)
    longest = max(life.seen[-1][0] - life.began for life in lives)
    return f"{len(lives)} processes, up to {largest / MB:.0f} MB and {most} open files, longest life {longest:.0f} s"
