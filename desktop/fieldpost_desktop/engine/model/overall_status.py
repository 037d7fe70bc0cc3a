# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""How everything is, in one value: the worst state wins; and what it means for one file."""

from collections.abc import Mapping
from typing import Final

from fieldpost_desktop.engine.model.events import OverallState, OverallStatus
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.model.states import OPEN, FileState

_UNDER_WAY: Final = (FileState.QUEUED, FileState.SENDING, FileState.RETRYING)
_TO_SEND: Final = (*_UNDER_WAY, FileState.SETTLING, FileState.PAUSED)


def overall(
    counts: Mapping[FileState, tuple[int, int]],
    *,
    hold: Hold | None,
    set_up: bool,
    rate: float | None = None,
    acknowledged: int = 0,
    next_try_ns: int | None = None,
    metered: tuple[int, int] = (0, 0),
) -> OverallStatus:
    """Return the status from files and bytes by state, the worst hold and the link's speed.

    `acknowledged` are the bytes of unfinished files that the broker already has, `metered` the queued files and
    bytes above the limit of a metered connection. Those hold everything up only if nothing else is left to send.
    """
    files = {state: count for state, (count, _) in counts.items() if count}
    if hold is None and metered[0] and files.get(FileState.QUEUED) == metered[0] and FileState.SENDING not in files:
        hold = Hold(HoldKind.METERED)
    left = max(0, sum(counts.get(state, (0, 0))[1] for state in _UNDER_WAY) - acknowledged - metered[1])
    return OverallStatus(
        state=_state(files, hold, set_up=set_up),
        counts=files,
        bytes_left=left,
        rate=rate,
        seconds_left=left / rate if rate and left else None,
        hold=hold,
        next_try_ns=next_try_ns if hold is None or hold.until_ns is None else hold.until_ns,
    )


def held_by(row: FileRow, status: OverallStatus) -> Hold | None:
    """Return what keeps a queued file from being sent at once, if anything does."""
    if row.state is not FileState.QUEUED:
        return None
    if status.hold is not None and status.hold.kind is not HoldKind.METERED:
        return status.hold
    limit = status.metered_limit
    return Hold(HoldKind.METERED) if limit is not None and row.size > limit and not row.anyway else None


def _state(files: Mapping[FileState, int], hold: Hold | None, *, set_up: bool) -> OverallState:
    """Return the worst state; a hold counts only while a file waits for it, a pause and a stop always."""
    if not set_up:
        return OverallState.NOT_SET_UP
    if FileState.ATTENTION in files or (hold is not None and hold.kind is HoldKind.STOP_ALL):
        return OverallState.ATTENTION
    if hold is not None and hold.kind is HoldKind.PAUSED:
        return OverallState.PAUSED
    if not any(state in files for state in OPEN):
        return OverallState.ALL_CONFIRMED
    if hold is not None and hold.kind is HoldKind.METERED and FileState.SENDING in files:
        hold = None  # a person said: send this one anyway
    moving = FileState.SENDING in files or FileState.QUEUED in files
    if (hold is not None and any(state in files for state in _TO_SEND)) or (FileState.RETRYING in files and not moving):
        return OverallState.WAITING
    return OverallState.PAUSED if set(files) & OPEN == {FileState.PAUSED} else OverallState.WORKING
