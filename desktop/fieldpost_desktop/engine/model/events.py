# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the engine tells its listeners: frozen events, the newest value of each file, one overall status."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.hold import Hold
from fieldpost_desktop.engine.model.states import FileState


class OverallState(StrEnum):
    """How everything is; the order is the order of badness, and the worst wins."""

    NOT_SET_UP = "not_set_up"
    ATTENTION = "attention"
    PAUSED = "paused"
    WAITING = "waiting"
    WORKING = "working"
    ALL_CONFIRMED = "all_confirmed"


@dataclass(frozen=True, slots=True)
class OverallStatus:
    """The one truth that tray, window header, taskbar and `fieldpost status` show."""

    state: OverallState = OverallState.ALL_CONFIRMED
    counts: Mapping[FileState, int] = field(default_factory=dict)
    bytes_left: int = 0
    rate: float | None = None  # bytes a second
    seconds_left: float | None = None
    hold: Hold | None = None
    next_try_ns: int | None = None
    pausing: bool = False  # chunks in flight are still waited for
    office_silent: bool = False  # no receiver gave a sign of life for minutes
    done: int = 0  # confirmed since there was last nothing to do
    metered_limit: int | None = None  # queued files above so many bytes wait: this connection is metered


@dataclass(frozen=True, slots=True)
class FileChanged:
    """The newest value of a file; of its `parts`, as the window calls chunks, `acknowledged` are at the broker."""

    row: FileRow
    acknowledged: int = 0
    parts: int = 0
    rate: float | None = None
    arrived: int = 0  # at the receiver


@dataclass(frozen=True, slots=True)
class FileDropped:
    """A row is gone: the file vanished before it was ever queued."""

    file: int


@dataclass(frozen=True, slots=True)
class OverallChanged:
    """The overall status is now this."""

    status: OverallStatus


@dataclass(frozen=True, slots=True)
class OfficeHeard:
    """A receiver said how it is."""

    receiver: str
    state: str
    text: str


Event = FileChanged | FileDropped | OverallChanged | OfficeHeard
Listener = Callable[[Event], None]
