# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Having confirmed files of watched folders cleaned up, on a desk of its own: moving may take long."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Final

from fieldpost_desktop.engine.journal.folders import Folders
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.runtime.context import Tools
from fieldpost_desktop.engine.runtime.worker_threads import Desk
from fieldpost_desktop.engine.watching.clean_up import CleaningUp

_EVERY_S: Final = 2.0


class Tidying:
    """Looks every two seconds whether something is due."""

    def __init__(self, tools: Tools, may_delete: Callable[[], bool]) -> None:
        self._tools = tools
        self._cleaning = CleaningUp(tools.store, tools.clock, tools.random, tools.crash, may_delete)
        self._folders = Folders(tools.store)
        self._under_way: Future[list[FileRow]] | None = None
        self._next = 0.0

    def step(self) -> None:
        """Begin, or take what is finished."""
        if self._under_way is not None:
            if self._under_way.done():
                finished, self._under_way = self._under_way, None
                for row in finished.result():
                    self._tools.changed(row)
            return
        now = self._tools.clock.monotonic()
        if now >= self._next:
            self._next = now + _EVERY_S
            if self._folders.to_clean_up(self._tools.clock.now_ns(), 1):
                self._under_way = self._tools.desks.submit(Desk.TIDYING, self._cleaning.step)
