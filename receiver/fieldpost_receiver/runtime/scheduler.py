# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Decide whose batch runs next, and give it to a driver thread. Asks neither network nor disk.

Awake when offsets moved, a batch ended or a job said so. A job that is not due costs a look at its numbers.
"""

import threading
from collections import deque
from typing import Final, Protocol

_LEAST_THREADS: Final = 2
_MOST_THREADS: Final = 16
_LOOK_S: Final = 1.0  # for pauses after failures, whose end wakes no one
_ENDS_S: Final = 10.0


class Turns(Protocol):
    """A job that takes turns. `due` never blocks; `run_turn` raises nothing."""

    @property
    def name(self) -> str:
        """The job's name."""

    @property
    def comes_first(self) -> bool:
        """Whether people wait for its batches; it then also gets a driver thread more."""

    def due(self) -> bool:
        """Return whether a batch should run now."""

    def run_turn(self) -> None:
        """Run one batch."""


class Scheduler:
    """One thread that looks, and driver threads that are started as they are needed and kept.

    They are kept because Spark has a Java thread for each of them.
    """

    def __init__(self, slots: int) -> None:
        self._threads_for_all = max(_LEAST_THREADS, min(_MOST_THREADS, slots))
        self._lock = threading.Condition()
        self._jobs: dict[str, Turns] = {}
        self._ready: dict[str, int] = {}  # since which look; the smallest has waited longest
        self._running: set[str] = set()
        self._turns: deque[Turns] = deque()
        self._drivers: list[threading.Thread] = []
        self._idle_drivers = 0
        self._look = 0
        self._is_awake = False
        self._is_stopped = False
        self._thread = threading.Thread(target=self._run, name="scheduler", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def add(self, job: Turns) -> None:
        """Let a job take turns."""
        with self._lock:
            self._jobs[job.name] = job
        self.wake()

    def remove(self, name: str) -> None:
        """Give a job no more turns; one that it has now goes on."""
        with self._lock:
            self._jobs.pop(name, None)
            self._ready.pop(name, None)

    def is_running(self, name: str) -> bool:
        """Return whether a batch of a job runs."""
        with self._lock:
            return name in self._running

    def wake(self) -> None:
        """Look now."""
        with self._lock:
            self._is_awake = True
            self._lock.notify_all()

    def stop(self) -> None:
        """Give no more turns; wait a while for the threads."""
        with self._lock:
            self._is_stopped = True
            self._lock.notify_all()
        for thread in (self._thread, *self._drivers):
            if thread.is_alive():
                thread.join(_ENDS_S)

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._is_awake and not self._is_stopped:
                    self._lock.wait(_LOOK_S)
                self._is_awake = False
                if self._is_stopped:
                    return
                waiting = [job for name, job in self._jobs.items() if name not in self._running]
            due = [job for job in waiting if job.due()]
            with self._lock:
                self._give_turns(due, waiting)

    def _give_turns(self, due: list[Turns], asked: list[Turns]) -> None:
        """Start as many as there are driver threads: those that come first, then the one that has waited longest."""
        self._look += 1
        names = {job.name for job in due}
        for job in asked:
            if job.name in names:
                self._ready.setdefault(job.name, self._look)
            else:
                self._ready.pop(job.name, None)
        for job in sorted(due, key=lambda job: (not job.comes_first, self._ready[job.name])):
            if len(self._running) >= self._limit():
                break
            if self._jobs.get(job.name) is job:  # else it was removed meanwhile
                self._running.add(job.name)
                del self._ready[job.name]
                self._turns.append(job)
                self._add_driver()
        self._lock.notify_all()

    def _limit(self) -> int:
        return self._threads_for_all + sum(job.comes_first for job in self._jobs.values())

    def _add_driver(self) -> None:
        if len(self._turns) > self._idle_drivers:
            thread = threading.Thread(target=self._drive, name=f"driver-{len(self._drivers)}", daemon=True)
            self._drivers.append(thread)
            self._idle_drivers += 1
            thread.start()

    def _drive(self) -> None:
        while True:
            with self._lock:
                while not self._turns and not self._is_stopped:
                    self._lock.wait()
                if not self._turns:
                    return
                job = self._turns.popleft()
                self._idle_drivers -= 1
            try:
                job.run_turn()
            finally:
                with self._lock:
                    self._running.discard(job.name)
                    self._idle_drivers += 1
                    self._is_awake = True
                    self._lock.notify_all()
