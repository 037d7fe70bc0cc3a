# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What a run cost: seconds, processor time, memory over time; contenders in turn, so that a busy minute hits all."""

import os
import statistics
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

import psutil  # type: ignore[import-untyped]  # it ships no types

MIB: Final = 1024**2
GIB: Final = 1024**3
_EVERY_S: Final = 0.2


@dataclass(frozen=True, slots=True)
class Run:
    """One run of one contender."""

    seconds: float
    size: int
    files: int = 1
    cpu_s: float = 0.0
    rss: Mapping[str, int] = field(default_factory=dict)  # the peak of each kind of process
    timeline: Sequence[Mapping[str, float]] = ()  # seconds and MB by kind

    @property
    def rate(self) -> float:
        """MiB a second."""
        return self.size / MIB / self.seconds

    @property
    def files_rate(self) -> float:
        return self.files / self.seconds

    @property
    def cpu_per_gib(self) -> float:
        return self.cpu_s / (self.size / GIB)


@dataclass(frozen=True, slots=True)
class Figure:
    """Median and spread of several runs; larger is better unless the unit says seconds."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Figure":
        return cls(statistics.median(values), min(values), max(values))

    def words(self, digits: int = 0) -> str:
        if self.low == self.high:
            return f"{self.median:.{digits}f}"
        return f"{self.median:.{digits}f} ({self.low:.{digits}f}-{self.high:.{digits}f})"


def in_turn(contenders: Mapping[str, Callable[[int], Run]], rounds: int) -> dict[str, list[Run]]:
    """A B C A B C ...; what the one before left to be written is on disk first."""
    runs: dict[str, list[Run]] = {name: [] for name in contenders}
    for number in range(rounds):
        for name, work in contenders.items():
            os.sync()
            runs[name].append(work(number))
            print(f"    {name}, round {number + 1}: {runs[name][-1].seconds:.2f} s", flush=True)
    return runs


class Watch:
    """Looks at families of processes, each a kind of its own, until the end of the `with` statement."""

    def __init__(self, kinds: Mapping[str, Sequence[int]]) -> None:
        self._kinds = kinds
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look_often, daemon=True)
        self._began = time.perf_counter()
        self._cpu_before = self._cpu()
        self.cpu_s = 0.0
        self.rss: dict[str, int] = {}
        self.timeline: list[dict[str, float]] = []

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self.cpu_s = self._cpu() - self._cpu_before

    def _look_often(self) -> None:
        while True:
            self._look()
            if self._over.wait(_EVERY_S):
                return

    def _look(self) -> None:
        now: dict[str, int] = {}
        for kind, member in self._members():
            with suppress(psutil.Error, OSError):
                name = _kind(kind, member)
                now[name] = max(now.get(name, 0), int(member.memory_info().rss))
        for name, rss in now.items():
            self.rss[name] = max(self.rss.get(name, 0), rss)
        seconds = {"seconds": round(time.perf_counter() - self._began, 2)}
        self.timeline.append(seconds | {name: round(rss / 1e6, 1) for name, rss in now.items()})

    def _members(self) -> Iterator[tuple[str, Any]]:
        for kind, pids in self._kinds.items():
            for pid in pids:
                with suppress(psutil.Error):
                    parent = psutil.Process(pid)
                    yield kind, parent
                    for child in parent.children(recursive=True):
                        yield kind, child

    def _cpu(self) -> float:
        """Of all that live, and of their children that have ended."""
        total = 0.0
        for _, member in self._members():
            with suppress(psutil.Error):
                times = member.cpu_times()
                total += times.user + times.system + times.children_user + times.children_system
        return total


def _kind(kind: str, member: Any) -> str:  # noqa: ANN401 - psutil has no types
    """The receiver is a family of two kinds: Spark's Java process, and Python."""
    return f"{kind} {'JVM' if Path(member.exe()).name == 'java' else 'Python'}" if kind == "receiver" else kind


@contextmanager
def watched(kinds: Mapping[str, Sequence[int]], size: int, files: int = 1) -> Iterator[list[Run]]:
    """Time what happens inside; the run is in the list afterwards."""
    done: list[Run] = []
    with Watch(kinds) as watch:
        began = time.perf_counter()
        yield done
        seconds = time.perf_counter() - began
    done.append(Run(seconds, size, files, watch.cpu_s, watch.rss, watch.timeline))
