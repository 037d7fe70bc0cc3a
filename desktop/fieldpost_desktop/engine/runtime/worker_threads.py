# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Where work that may block is done: one thread for each desk, and a twin for tests that does it at once."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from enum import StrEnum
from queue import SimpleQueue
from typing import Protocol, TypeVar

from fieldpost_shared.errors import FieldpostError

T = TypeVar("T")


class WorkerRole(StrEnum):
    """Who works. A drive that hangs holds up its own desk only."""

    SMALL = "small"
    LARGE = "large"
    CHECKING = "checking"
    CONNECTING = "connecting"
    ADDING = "adding"
    TIDYING = "tidying"


class Workers(Protocol):
    """Takes work and gives a future; work of one desk is done in order."""

    def submit(self, role: WorkerRole, work: Callable[[], T]) -> Future[T]:
        """Have it done."""

    def renew(self, role: WorkerRole) -> None:
        """What this desk does hangs: leave it alone, and let another thread do what comes."""

    def close(self) -> None:
        """No more work; what runs may finish on its own."""


class WorkerThreads:
    """A thread each; `wake` is called when something is finished."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._workers = {role: _Worker(f"fieldpost-{role}") for role in WorkerRole}

    def submit(self, role: WorkerRole, work: Callable[[], T]) -> Future[T]:
        future: Future[T] = Future()
        future.add_done_callback(lambda _: self._wake())
        self._workers[role].take(lambda: _carry_out(work, future))
        return future

    def renew(self, role: WorkerRole) -> None:
        self._workers[role].close()
        self._workers[role] = _Worker(f"fieldpost-{role}")

    def close(self) -> None:
        for worker in self._workers.values():
            worker.close()


class _Worker:
    """A daemon thread, begun with its first work: what hangs in a drive or a connection cannot keep the program alive.

    ThreadPoolExecutor would wait for its threads when the program ends, for 15 s while no broker answers.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._work: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._closed = False

    def take(self, work: Callable[[], None]) -> None:
        self._work.put(work)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()

    def close(self) -> None:
        self._closed = True
        self._work.put(lambda: None)

    def _run(self) -> None:
        while not self._closed:
            self._work.get()()


def _carry_out(work: Callable[[], T], future: Future[T]) -> None:
    try:
        result = work()
    except BaseException as error:  # noqa: BLE001 - whoever asked gets it
        future.set_exception(error)
    else:
        future.set_result(result)


class InlineWorkers:
    """The twin: no threads, the same order."""

    def submit(self, role: WorkerRole, work: Callable[[], T]) -> Future[T]:  # noqa: ARG002 - the port's signature
        future: Future[T] = Future()
        try:
            future.set_result(work())
        except FieldpostError as error:
            future.set_exception(error)
        return future

    def renew(self, role: WorkerRole) -> None:
        """Nothing hangs here."""

    def close(self) -> None:
        """Nothing is left to do."""
