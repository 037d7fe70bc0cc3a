# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What a destination in memory keeps, from one opening to the next."""

import threading
from dataclasses import dataclass, field

from fieldpost_receiver.storage.port import Segments, StagedFile


@dataclass
class Stored:
    """Bytes under a final name."""

    data: bytes
    mtime_ns: int


@dataclass
class MemoryDisk:
    """What outlives a process. `lock` makes each step one step."""

    capacity: int = 2**40
    created: bool = False
    staged: dict[StagedFile, bytearray] = field(default_factory=dict)
    sealed: dict[StagedFile, Stored] = field(default_factory=dict)
    published: dict[Segments, Stored] = field(default_factory=dict)
    token: str = ""  # of the batch whose tasks may begin
    driver_holds: bool = False
    tasks: int = 0  # that hold the tasks' lock
    lock: threading.RLock = field(default_factory=threading.RLock)

    def free_bytes(self) -> int:
        """Return what can still be written."""
        with self.lock:
            used = sum(map(len, self.staged.values()))
            used += sum(len(one.data) for one in (*self.sealed.values(), *self.published.values()))
            return max(0, self.capacity - used)
