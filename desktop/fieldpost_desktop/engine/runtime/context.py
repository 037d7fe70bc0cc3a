# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the modules of the engine's core share; made once, by the core."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from fieldpost_desktop.engine.journal.files import Files
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model import failure_details
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.runtime.holds import Holds
from fieldpost_desktop.engine.runtime.worker_threads import Workers
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.crash_points import CrashPoints
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.ids import ClientName


@dataclass(frozen=True, slots=True)
class EngineContext:
    """Journal, clock, random numbers, workers for what may block, holds, and the client's identity and limits."""

    store: Store
    files: Files
    clock: Clock
    random: Random
    workers: Workers
    holds: Holds
    crash: CrashPoints
    client: ClientName
    chunk_size: int
    max_file_size: int | None  # the organisation's limit
    changed: Callable[[FileRow], None]  # tells the listeners, after the commit

    def check_size(self, size: int) -> None:
        """Raise `FieldpostError` for a file above the organisation's size limit."""
        if self.max_file_size is not None and size > self.max_file_size:
            raise FieldpostError(Code.OVER_PROFILE_LIMIT, failure_details.size_limit(self.max_file_size))
