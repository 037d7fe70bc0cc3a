# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Blocking work off the GUI thread; its result comes back on it.

Files, journal, keyring and network may take seconds: nothing of them is touched on the GUI thread.
"""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, Final, TypeVar

import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, Signal

from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

_LOG: Final = logging.getLogger(__name__)
_THREADS: Final = 4  # a connection test, a file count, a page of history and a keyring at the same time
T = TypeVar("T")

Failed = Callable[[FieldpostError], None]


class Worker(QObject):
    """Runs work on a few threads. Must be made on the GUI thread, where `done` and `failed` are called."""

    unhandled_error = Signal(object)  # a FieldpostError that no `failed` takes
    _ended = Signal(object)  # what to call on the GUI thread

    def __init__(self, parent: QObject | None = None) -> None:
        # Owned by Qt: the last to let go of it may be another thread, where it must not be destroyed.
        super().__init__(parent or QCoreApplication.instance())
        self._work: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._closed = False
        for number in range(_THREADS):  # daemons: a server that does not answer must not keep the app from ending
            threading.Thread(target=self._work_on, name=f"fieldpost-ui-work-{number}", daemon=True).start()
        self._ended.connect(self._call)

    def run(
        self,
        work: Callable[[], T],
        done: Callable[[T], None] | None = None,
        failed: Failed | None = None,
        *,
        owner: QObject | None = None,
    ) -> None:
        """Do this elsewhere; then call `done` with its result, or `failed` with what went wrong.

        Neither is called once Qt has destroyed the `owner`.
        """
        if self._closed:
            return
        future: Future[T] = Future()
        self.follow(future, done, failed, owner=owner)
        self._work.put(lambda: _carry_out(work, future))

    def follow(
        self,
        future: Future[T],
        done: Callable[[T], None] | None = None,
        failed: Failed | None = None,
        *,
        owner: QObject | None = None,
    ) -> None:
        """Do the same for a command that the engine carries out."""
        if owner is not None:
            done, failed = _while_alive(owner, done), _while_alive(owner, failed)
        future.add_done_callback(lambda ended: self._report(ended, done, failed or self.unhandled_error.emit))

    def close(self) -> None:
        """Let nothing come back from now on; drop work that was not begun."""
        self._closed = True
        for _ in range(_THREADS):
            self._work.put(_nothing)

    def _work_on(self) -> None:
        """Run the work of one thread."""
        while not self._closed:
            self._work.get()()

    def _report(self, ended: Future[T], done: Callable[[T], None] | None, failed: Failed) -> None:
        """Report the result from whatever thread the work ended on."""
        if self._closed:
            return
        try:
            result = ended.result()
        except FieldpostError as error:
            self._ended.emit(lambda error=error: failed(error))
        except Exception as error:  # noqa: BLE001 - the outermost frame of that thread: a bug is told, and logged
            _LOG.error("unexpected in the background", exc_info=error)
            unexpected = FieldpostError(Code.UNEXPECTED, repr(error))
            self._ended.emit(lambda: failed(unexpected))
        else:
            if done is not None:
                self._ended.emit(lambda: done(result))

    def _call(self, what: Callable[[], Any]) -> None:
        if not self._closed:
            what()


def _while_alive(owner: QObject, call: Callable[[T], None] | None) -> Callable[[T], None] | None:
    """Return the same call, which does nothing once Qt has destroyed the owner."""
    if call is None:
        return None

    def forward(value: T) -> None:
        if shiboken6.isValid(owner):
            call(value)

    return forward


def _carry_out(work: Callable[[], T], future: Future[T]) -> None:
    try:
        future.set_result(work())
    except BaseException as error:  # noqa: BLE001 - the follower of the future judges it
        future.set_exception(error)


def _nothing() -> None:
    """Wake a thread so that it sees that it is over."""
