# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What is shown while files go out: plain lines for a pipe, JSON for a script. The live table is in live_table.py."""

import json
from datetime import datetime
from typing import Final, Protocol

from fieldpost_desktop.commands.follow import FileView, Follower, Snapshot
from fieldpost_desktop.commands.terminal import Terminal
from fieldpost_desktop.commands.words import clock_words, duration_words, file_words, hold_words
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.clock import NS_PER_S, Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.saying import safe, size_words

_NO_NEWS: Final = frozenset({FileState.QUEUED, FileState.SETTLING})
_EXACT_S: Final = 10  # below, tenths of a second say something
_MOMENT_S: Final = 2.0
_OVER: Final = frozenset({FileState.CONFIRMED, FileState.CANCELLED})


_HoldMark = tuple[HoldKind, Code | None, int]


class ProgressOutput(Protocol):
    """Shows the progress of a follower's files."""

    def update(self, snapshot: Snapshot, hold: Hold | None) -> None:
        """Show what is new."""

    def tell(self, line: str) -> None:
        """Show a line that is about no single file."""

    def finish(self) -> None:
        """Leave the terminal as it was; nothing more comes."""


def choose_output(
    terminal: Terminal, clock: Clock, follower: Follower, office: str, *, as_json: bool
) -> ProgressOutput:
    """Return JSON if asked for, a live table where one can be drawn, else plain lines."""
    if as_json:
        return JsonOutput(terminal, clock, office)
    if not terminal.is_live:
        return PlainOutput(terminal, clock, office)
    from fieldpost_desktop.commands.live_table import LiveTable  # noqa: PLC0415 - rich takes long to load; scripts need none

    return LiveTable(terminal, clock, follower=follower, office=office)


class PlainOutput:
    """A line for each change that matters; no control characters, no colours."""

    def __init__(self, terminal: Terminal, clock: Clock, office: str) -> None:
        self._terminal = terminal
        self._clock = clock
        self._office = office
        self._holding = HoldLines(clock, office)

    def update(self, snapshot: Snapshot, hold: Hold | None) -> None:
        for view in snapshot.changed:
            if is_news(view.row):
                self._terminal.say(file_line(view, self._office, self._clock.now_ns()))
        words = self._holding.news(hold)
        if words:
            self.tell(words)

    def tell(self, line: str) -> None:
        self._terminal.say(line)

    def finish(self) -> None:
        """Do nothing: every line is written already."""


class JsonOutput:
    """One object for each file when it reaches its end; what has not when waiting ends, comes then."""

    def __init__(self, terminal: Terminal, clock: Clock, office: str) -> None:
        self._terminal = terminal
        self._holding = HoldLines(clock, office)
        self._open: dict[int, FileView] = {}

    def update(self, snapshot: Snapshot, hold: Hold | None) -> None:
        for view in snapshot.changed:
            if view.row.state in _OVER:
                self._open.pop(view.row.id, None)
                self._say(view)
            else:
                self._open[view.row.id] = view
        words = self._holding.news(hold)
        if words:
            self.tell(words)

    def tell(self, line: str) -> None:
        self._terminal.complain(line)

    def finish(self) -> None:
        for view in self._open.values():
            self._say(view)

    def _say(self, view: FileView) -> None:
        self._terminal.say(json.dumps(file_object(view)))


class HoldLines:
    """What holds everything up, said once for each try; that of a moment is not worth a line."""

    def __init__(self, clock: Clock, office: str) -> None:
        self._clock = clock
        self._office = office
        self._seen: _HoldMark | None = None
        self._since = 0.0
        self._said: _HoldMark | None = None

    def news(self, hold: Hold | None) -> str:
        """Return the words for a hold that was not shown yet; nothing otherwise."""
        mark = None if hold is None else (hold.kind, hold.code, hold.attempt)
        now = self._clock.monotonic()
        if mark != self._seen:
            self._seen, self._since = mark, now
        connecting = hold is not None and hold.kind is HoldKind.OFFLINE and hold.code is None
        if mark == self._said or (connecting and now - self._since < _MOMENT_S):
            return ""
        self._said = mark
        return "Sending goes on." if hold is None else hold_words(hold, self._office, self._clock.now_ns())


def is_news(row: FileRow) -> bool:
    """Return whether a person wants to read of this change: waiting its turn is none, parts asked for again are."""
    return row.state not in _NO_NEWS or bool(row.code)


def file_line(view: FileView, office: str, now_ns: int) -> str:
    """Return a file's state on a line of its own."""
    words = receipt_words(view, now_ns) or file_words(view.row, view.acknowledged, office=office, now_ns=now_ns)
    return f"{safe(view.row.path)}: {words}"


def receipt_words(view: FileView, now_ns: int) -> str:
    """Return the words of the receipt; nothing without one."""
    row = view.row
    if row.state is not FileState.CONFIRMED:
        return ""
    at = clock_words(datetime.fromisoformat(view.confirmed_at), now_ns) if view.confirmed_at else ""
    known = ", which had it already" if row.code == Code.DUPLICATE else ""
    seconds = seconds_of(row) or 0.0
    took = f"{seconds:.1f} s" if seconds < _EXACT_S else duration_words(seconds)
    return f"Confirmed {at} by {safe(view.receiver)}{known} ({size_words(row.size)} in {took})"


def file_object(view: FileView) -> dict[str, object]:
    """Return a file as scripts get it; these keys are stable."""
    row = view.row
    return {
        "path": row.path,
        "transfer": row.transfer,
        "state": row.state,
        "size": row.size,
        "sha256": row.sha256 or None,
        "receiver": view.receiver or None,
        "confirmed_at": view.confirmed_at or None,
        "seconds": seconds_of(row),
        "code": row.code or None,
    }


def seconds_of(row: FileRow) -> float | None:
    """Return the seconds from being queued to the end."""
    return None if row.ended_ns is None else round(max(0, row.ended_ns - row.added_ns) / NS_PER_S, 3)
