# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Where work that may block is done: one thread for each desk, and a twin for tests that does it at once."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from enum import StrEnum
from typing import Protocol, TypeVar

from fieldpost_shared.errors import FieldpostError

T = TypeVar("T")


class Desk(StrEnum):
    """Who works. A drive that hangs holds up its own desk only."""

    SMALL = "small"
    LARGE = "large"
    CHECKING = "checking"
    CONNECTING = "connecting"
    ADDING = "adding"
    TIDYING = "tidying"


class Desks(Protocol):
    """Takes work and gives a future; work of one desk is done in order."""

    def submit(self, desk: Desk, work: Callable[[], T]) -> Future[T]:
        """Have it done."""

    def close(self) -> None:
        """No more work; what runs may finish on its own."""


class ThreadDesks:
    """A thread each; `wake` is called when something is finished."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._pools = {desk: ThreadPoolExecutor(1, thread_name_prefix=f"fieldpost-{desk}") for desk in Desk}

    def submit(self, desk: Desk, work: Callable[[], T]) -> Future[T]:
        future = self._pools[desk].submit(work)
        future.add_done_callback(lambda _: self._wake())
        return future

    def close(self) -> None:
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)


class InlineDesks:
    """The twin: no threads, the same order."""

    def submit(self, desk: Desk, work: Callable[[], T]) -> Future[T]:  # noqa: ARG002 - the port's signature
        future: Future[T] = Future()
        try:
            future.set_result(work())
        except FieldpostError as error:
            future.set_exception(error)
        return future

    def close(self) -> None:
        """Nothing is left to do."""
