# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Changes one after the other: the worker has several threads, and the newest value must be the one that stays."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject

from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_shared.errors import FieldpostError


class CoalescingQueue:
    """Runs one change at a time; of those that wait for the same key only the newest."""

    def __init__(self, worker: Worker, owner: QObject) -> None:
        """Run changes on the worker; nothing comes back once Qt has destroyed `owner`."""
        self._worker = worker
        self._owner = owner
        self._busy = False
        self._waiting: dict[str, tuple[Callable[[], Any], Callable[[Any], None], Callable[[FieldpostError], None]]] = {}

    def run(
        self,
        key: str,
        work: Callable[[], Any],
        done: Callable[[Any], None],
        failed: Callable[[FieldpostError], None],
    ) -> None:
        """Do this when its turn comes, unless something newer about the same key has come by then."""
        self._waiting.pop(key, None)
        self._waiting[key] = work, done, failed
        self._next()

    def is_pending(self, key: str) -> bool:
        """Return whether something newer is still to come."""
        return key in self._waiting

    def _next(self) -> None:
        if self._busy or not self._waiting:
            return
        self._busy = True
        work, done, failed = self._waiting.pop(next(iter(self._waiting)))
        self._worker.run(work, self._then(done), self._then(failed), owner=self._owner)

    def _then(self, tell: Callable[[Any], None]) -> Callable[[Any], None]:
        def end(result: object) -> None:
            self._busy = False
            tell(result)
            self._next()

        return end
