# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What is worth a notification: files confirmed, files that need a person, files that wait too long, a full stop.

One cause makes one notice, however many files it has, and no second one until it is cured. No Qt here: the
announcer asks `due` now and then, and finds the words.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from fieldpost_desktop.engine.journal.browse import Group
from fieldpost_desktop.engine.model.events import OverallStatus
from fieldpost_desktop.engine.model.file_row import FileId, FileRow
from fieldpost_desktop.engine.model.hold import HoldKind
from fieldpost_desktop.engine.model.states import OPEN, FileState
from fieldpost_shared.clock import NS_PER_S, Clock
from fieldpost_shared.codes import Code, known

QUIET_S: Final = 30.0  # after the start a person looks at the window, or has just signed in and wants peace
GATHER_S: Final = 3.0  # files that fail together make one notice
CURED_S: Final = 60.0  # a cause that is gone for so long is cured; a try in between is not a cure
BATCH_S: Final = 60.0  # at most one notice of confirmed files in this time
APART_S: Final = 6.0  # Windows shows one notice at a time
UNDELIVERED_NS: Final = 24 * 3_600 * NS_PER_S
_LOOK_S: Final = 60.0  # between two looks for files that wait too long


class NoticeKind(StrEnum):
    """What is told; the order is the order of importance."""

    STOPPED = "stopped"  # nothing can be sent until a person acts
    NEEDS_YOU = "needs_you"
    UNDELIVERED = "undelivered"
    CONFIRMED = "confirmed"


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing to tell; `file` is named when it is the only one, `group` is the list that a click opens."""

    kind: NoticeKind
    group: Group
    count: int = 0
    code: Code | None = None
    file: str = ""
    detail: str = ""  # as the engine noted it, where all files have the same


class _Cause(NamedTuple):
    kind: NoticeKind
    code: Code | None = None


@dataclass(slots=True)
class _CauseHistory:
    """When a cause was seen, and whether it was told."""

    since: float  # first seen
    seen: float  # last seen
    told: bool = False


@dataclass(slots=True)
class _OpenFile:
    row: FileRow
    since_ns: int  # since when this generation has been on its way


class Notifier:
    """Takes the engine's events in any order, and returns the notice that is due."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._start, self._start_ns = clock.monotonic(), clock.now_ns()
        self.enabled = True  # a person's wish; what happens while it is off is not told later
        self._open: dict[FileId, _OpenFile] = {}
        self._heard: set[FileId] | None = None  # since the list was asked for, while it is on its way
        self._confirmed: set[FileId] = set()  # a confirmed file is told of again when it is tidied away
        self._unsaid: dict[FileId, str] = {}
        self._unsaid_since = 0.0
        self._status = OverallStatus()
        self._histories: dict[_Cause, _CauseHistory] = {}
        self._waiting: list[FileId] = []  # for more than a day
        self._looked = self._start - _LOOK_S
        self._said = self._batch_said = self._start - BATCH_S

    # what is told

    def expect_list(self) -> None:
        """Remember that the list is being read: what is heard from now on is newer than it."""
        self._heard = set()

    def take_list(self, rows: Iterable[FileRow]) -> None:
        """Take the open files as the list has them, when the app starts and when the engine starts again."""
        newer = self._heard or set()
        self._heard = None
        listed = {row.id: row for row in rows if row.id not in newer}
        for file in self._open.keys() - listed.keys() - newer:
            del self._open[file]
        self._keep(listed.values())

    def changed(self, rows: Iterable[FileRow]) -> None:
        """Take files as they are now."""
        rows = list(rows)
        self._hear(row.id for row in rows)
        self._keep(rows)

    def dropped(self, files: Iterable[FileId]) -> None:
        """Forget rows that are gone."""
        files = list(files)
        self._hear(files)
        for file in files:
            self._open.pop(file, None)

    def overall(self, status: OverallStatus) -> None:
        """Take the overall status as it is now."""
        self._status = status

    # what is to be said

    def due(self) -> Notice | None:
        """Return the most important notice that is due now and was not shown yet."""
        now = self._clock.monotonic()
        self._follow_causes(now)
        if now - self._start < QUIET_S or now - self._said < APART_S:
            return None
        notice = next(self._to_say(now), None)
        if notice is None:
            return None
        self._note(notice, now)
        return notice if self.enabled else None

    def _to_say(self, now: float) -> Iterator[Notice]:
        for cause in sorted(self._histories, key=lambda cause: list(NoticeKind).index(cause.kind)):
            history = self._histories[cause]
            if not history.told and history.seen == now and now - history.since >= GATHER_S:
                yield self._notice(cause)
        if self._batch_is_due(now):
            names = list(self._unsaid.values())
            yield Notice(NoticeKind.CONFIRMED, Group.CONFIRMED, len(names), file=_only(names))

    def _note(self, notice: Notice, now: float) -> None:
        """Note that it is shown, so that it is not shown again."""
        if notice.kind is NoticeKind.CONFIRMED:
            self._unsaid.clear()
            self._batch_said = now
        else:
            self._histories[_Cause(notice.kind, notice.code)].told = True
        if self.enabled:
            self._said = now

    def _batch_is_due(self, now: float) -> bool:
        """Return whether the queue is empty or a minute has passed since the first; never twice in a minute."""
        if not self._unsaid or now - self._batch_said < BATCH_S:
            return False
        return not any(state in OPEN for state in self._status.counts) or now - self._unsaid_since >= BATCH_S

    def _notice(self, cause: _Cause) -> Notice:
        if cause.kind is NoticeKind.STOPPED:
            return Notice(cause.kind, Group.IN_PROGRESS, code=cause.code)
        rows = [self._open[file].row for file in self._files(cause)]
        group = Group.ATTENTION if cause.kind is NoticeKind.NEEDS_YOU else Group.IN_PROGRESS
        name, detail = _only([_name(row) for row in rows]), _only(list({row.detail for row in rows}))
        return Notice(cause.kind, group, len(rows), cause.code, name, detail)

    # what is known

    def _hear(self, files: Iterable[FileId]) -> None:
        if self._heard is not None:
            self._heard.update(files)

    def _keep(self, rows: Iterable[FileRow]) -> None:
        for row in rows:
            if row.state in OPEN:
                self._open[row.id] = _OpenFile(row, self._since(row))
            else:
                self._open.pop(row.id, None)
            if row.state is FileState.CONFIRMED:
                self._keep_confirmed(row)

    def _keep_confirmed(self, row: FileRow) -> None:
        if row.id in self._confirmed or (row.ended_ns or 0) < self._start_ns:
            return
        self._confirmed.add(row.id)
        if not self._unsaid:
            self._unsaid_since = self._clock.monotonic()
        self._unsaid[row.id] = _name(row)

    def _since(self, row: FileRow) -> int:
        """Return since when this generation is on its way: a file that is sent again has its first day before it."""
        if row.generation == 1:
            return row.added_ns
        earlier = self._open.get(row.id)
        if earlier is not None and earlier.row.generation == row.generation:
            return earlier.since_ns
        return row.started_ns or self._clock.now_ns()

    def _follow_causes(self, now: float) -> None:
        for cause in self._causes(now):
            self._histories.setdefault(cause, _CauseHistory(now, now)).seen = now
        for cause, history in list(self._histories.items()):
            if now - history.seen >= (CURED_S if history.told else GATHER_S):
                del self._histories[cause]

    def _causes(self, now: float) -> set[_Cause]:
        hold = self._status.hold
        found = {_cause(file.row) for file in self._open.values() if file.row.state is FileState.ATTENTION}
        if hold is not None and hold.kind is HoldKind.STOP_ALL:
            found.add(_Cause(NoticeKind.STOPPED, hold.code))
        if now - self._looked >= _LOOK_S:
            self._looked = now
            self._waiting = [file for file, known_file in self._open.items() if self._too_long(known_file)]
        if self._files(_Cause(NoticeKind.UNDELIVERED)):
            found.add(_Cause(NoticeKind.UNDELIVERED))
        return found

    def _files(self, cause: _Cause) -> list[FileId]:
        """Return the files that have this cause now."""
        if cause.kind is NoticeKind.UNDELIVERED:
            return [file for file in self._waiting if file in self._open and self._too_long(self._open[file])]
        found = (file for file, one in self._open.items() if one.row.state is FileState.ATTENTION)
        return [file for file in found if _cause(self._open[file].row) == cause]

    def _too_long(self, file: _OpenFile) -> bool:
        """Return whether a file waits for more than a day; one that needs a person or is paused has no such notice."""
        if file.row.state in {FileState.ATTENTION, FileState.PAUSED}:
            return False
        return self._clock.now_ns() - file.since_ns >= UNDELIVERED_NS


def _cause(row: FileRow) -> _Cause:
    return _Cause(NoticeKind.NEEDS_YOU, known(row.code))


def _name(row: FileRow) -> str:
    return PurePosixPath(row.path).name


def _only(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ""
