# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Threads for work that may block, one for each role, and a twin for tests that works at once."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from enum import StrEnum
from queue import SimpleQueue
from typing import Protocol, TypeVar

from fieldpost_shared.errors import FieldpostError

T = TypeVar("T")


class WorkerRole(StrEnum):
    """What a worker does. A drive that hangs blocks only the worker that reads it."""

    SMALL = "small"
    LARGE = "large"
    VERIFYING = "verifying"
    CONNECTING = "connecting"
    ADDING = "adding"
    CLEANING_UP = "cleaning-up"


class Workers(Protocol):
    """Take work and return a future; the work of one role is done in order."""

    def submit(self, role: WorkerRole, work: Callable[[], T]) -> Future[T]:
        """Have the work done by the worker of this role."""

    def renew(self, role: WorkerRole) -> None:
        """Leave a worker that hangs alone, and give its role to another thread."""

    def close(self) -> None:
        """Take no more work; what runs may finish on its own."""


class WorkerThreads:
    """One thread for each role; `wake` is called when work is finished."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._threads = {role: _WorkerThread(f"fieldpost-{role}") for role in WorkerRole}

    def submit(self, role: WorkerRole, work: Callable[[], T]) -> Future[T]:
        future: Future[T] = Future()
        future.add_done_callback(lambda _: self._wake())
        self._threads[role].submit(lambda: _run(work, future))
        return future

    def renew(self, role: WorkerRole) -> None:
        self._threads[role].close()
        self._threads[role] = _WorkerThread(f"fieldpost-{role}")

    def close(self) -> None:
        for thread in self._threads.values():
            thread.close()


class _WorkerThread:
    """A daemon thread, started by its first work: a read or connection that hangs cannot keep the program alive.

    ThreadPoolExecutor would wait for its threads when the program ends, for 15 s while no broker answers.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._work: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._closed = False

    def submit(self, work: Callable[[], None]) -> None:
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


def _run(work: Callable[[], T], future: Future[T]) -> None:
    try:
        result = work()
    except BaseException as error:  # noqa: BLE001 - the caller gets it from the future
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
        """Do nothing: no inline work hangs."""

    def close(self) -> None:
        """Do nothing: no work is left."""
