# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the core is made with: the profile's decisions, and ports to the outside world, each with a twin for tests."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from fieldpost_desktop.engine.link.network import NetworkPort
from fieldpost_desktop.engine.link.transport import Connector
from fieldpost_desktop.engine.profile.settings import EngineSettings
from fieldpost_desktop.engine.receipts.apply import StatusBatch
from fieldpost_desktop.engine.runtime.keep_awake import KeepAwake, NoKeepAwake
from fieldpost_desktop.engine.runtime.worker_threads import Workers
from fieldpost_shared.chunks import DEFAULT_CHUNK_SIZE
from fieldpost_shared.clock import Clock
from fieldpost_shared.crash_points import CrashPoints, NoCrashPoints
from fieldpost_shared.ids import ClientName


class StatusSource(Protocol):
    """Reads the status topic on a thread of its own."""

    listening: bool

    def start(self) -> None:
        """Begin to read."""

    def stop(self) -> None:
        """Stop reading."""


MakeStatusSource = Callable[[dict[int, int], Callable[[StatusBatch], None]], StatusSource]


@dataclass(frozen=True, slots=True)
class Config:
    """What the profile decides."""

    client: ClientName
    receivers: Sequence[str] = ()
    max_file_size: int | None = None
    late_h: float = 4.0
    absent_h: float = 24.0
    may_delete: bool = False  # confirmed files of watched folders
    chunk_size: int = DEFAULT_CHUNK_SIZE
    settings: EngineSettings = field(default_factory=EngineSettings)


@dataclass(frozen=True, slots=True)
class Ports:
    """The outside world."""

    clock: Clock
    connector: Connector
    status_source: MakeStatusSource
    network: NetworkPort
    workers: Workers
    random: Random = field(default_factory=Random)
    crash: CrashPoints = field(default_factory=NoCrashPoints)
    wake: Callable[[], None] = lambda: None  # another thread has something for the core
    keep_awake: KeepAwake = field(default_factory=NoKeepAwake)
