# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Blocking work off the GUI thread; its result comes back on it.

Files, journal, keyring and network may take seconds: nothing of them is touched on the GUI thread.
"""

import logging
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import Any, Final, TypeVar

from PySide6.QtCore import QObject, Signal

from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

_LOG: Final = logging.getLogger(__name__)
_THREADS: Final = 4  # a connection test, a file count, a page of history and a keyring at the same time
T = TypeVar("T")

Failed = Callable[[FieldpostError], None]


class Worker(QObject):
    """Runs work on a few threads. Must be made on the GUI thread, where `done` and `failed` are called."""

    troubled = Signal(object)  # a FieldpostError that nobody else takes
    _ended = Signal(object)  # what to call on the GUI thread

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="fieldpost-ui-work")
        self._closed = False
        self._ended.connect(self._call)

    def run(self, work: Callable[[], T], done: Callable[[T], None] | None = None, failed: Failed | None = None) -> None:
        """Do this elsewhere; then call `done` with its result, or `failed` with what went wrong."""
        if not self._closed:
            self.follow(self._pool.submit(work), done, failed)

    def follow(self, future: Future[T], done: Callable[[T], None] | None = None, failed: Failed | None = None) -> None:
        """The same for a command that the engine carries out."""
        future.add_done_callback(lambda ended: self._report(ended, done, failed or self.troubled.emit))

    def close(self) -> None:
        """Nothing comes back from now on; work that was not begun is dropped."""
        self._closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _report(self, ended: Future[T], done: Callable[[T], None] | None, failed: Failed) -> None:
        """On whatever thread the work ended."""
        if self._closed:
            return
        try:
            result = ended.result()
        except CancelledError:
            return
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
