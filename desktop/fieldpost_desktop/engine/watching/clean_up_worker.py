# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Having confirmed files of watched folders cleaned up, on a desk of its own: moving may take long."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Final

from fieldpost_desktop.engine.journal.folders import Folders
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.runtime.context import EngineContext
from fieldpost_desktop.engine.runtime.worker_threads import WorkerRole
from fieldpost_desktop.engine.watching.clean_up import CleanUp

_EVERY_S: Final = 2.0


class CleanUpWorker:
    """Looks every two seconds whether something is due."""

    def __init__(self, context: EngineContext, may_delete: Callable[[], bool]) -> None:
        self._context = context
        self._cleaning = CleanUp(context.store, context.clock, context.random, context.crash, may_delete)
        self._folders = Folders(context.store)
        self._under_way: Future[list[FileRow]] | None = None
        self._next = 0.0

    def step(self) -> None:
        """Begin, or take what is finished."""
        if self._under_way is not None:
            if self._under_way.done():
                finished, self._under_way = self._under_way, None
                for row in finished.result():
                    self._context.changed(row)
            return
        now = self._context.clock.monotonic()
        if now >= self._next:
            self._next = now + _EVERY_S
            if self._folders.to_clean_up(self._context.clock.now_ns(), 1):
                self._under_way = self._context.workers.submit(WorkerRole.CLEANING_UP, self._cleaning.step)
