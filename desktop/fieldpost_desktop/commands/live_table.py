# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The live table on a terminal: what is under way, drawn over itself, with receipts scrolling up above it."""

from typing import Final

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from fieldpost_desktop.commands.follow import ENDED, FileView, Follower, Snapshot
from fieldpost_desktop.commands.output import file_line
from fieldpost_desktop.commands.terminal import Terminal
from fieldpost_desktop.commands.words import (
    STATES,
    duration_words,
    file_words,
    files_words,
    hold_words,
    rate_words,
)
from fieldpost_desktop.engine.link.pacing import Meter
from fieldpost_desktop.engine.model.hold import Hold
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.clock import Clock
from fieldpost_shared.saying import safe, size_words

_MOST_ROWS: Final = 15
_OTHER_LINES: Final = 7  # head, foot, and the line that the cursor is on
_WIDE: Final = 110  # columns; with fewer, parts and bar say the same in less room
_SURE_AFTER_S: Final = 3.0  # no time left before: the first parts say little
_STYLES: Final = {FileState.CONFIRMED: "green", FileState.ATTENTION: "bold red", FileState.CANCELLED: "yellow"}


class Speeds:
    """How fast each file goes, over the last 30 s."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._meters: dict[int, tuple[Meter, int, float]] = {}  # with the bytes at the last look, and since when

    def look(self, views: list[FileView]) -> None:
        """Note how far the files have come; those no longer among them are forgotten."""
        now = self._clock.monotonic()
        fresh: dict[int, tuple[Meter, int, float]] = {}
        for view in views:
            if view.row.state is FileState.SENDING:
                meter, before, since = self._meters.get(view.row.id, (Meter(), view.acknowledged_bytes, now))
                meter.busy(now, sending=True)
                if view.acknowledged_bytes > before:
                    meter.add(now, view.acknowledged_bytes - before)
                fresh[view.row.id] = meter, view.acknowledged_bytes, since
        self._meters = fresh

    def rate(self, file: int) -> float | None:
        """Return bytes a second; None while unknown."""
        return self._meters[file][0].rate(self._clock.monotonic()) if file in self._meters else None

    def left_s(self, view: FileView) -> float | None:
        """Return the seconds until all of it is sent; None while that is a guess."""
        rate = self.rate(view.row.id)
        if not rate or self._clock.monotonic() - self._meters[view.row.id][2] < _SURE_AFTER_S:
            return None
        return (view.row.size - view.acknowledged_bytes) / rate


class LiveTable:
    """A table of what is under way; each file that ends leaves a line above it."""

    def __init__(
        self, terminal: Terminal, clock: Clock, follower: Follower, office: str, *, console: Console | None = None
    ) -> None:
        """Draw on the terminal in its own size; tests give a `console`."""
        self._terminal = terminal
        self._clock = clock
        self._follower = follower
        self._office = office
        self._speeds = Speeds(clock)
        console = console or Console(file=terminal.out, markup=False, emoji=False, highlight=False)
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._live.start()

    def update(self, snapshot: Snapshot, hold: Hold | None) -> None:
        for view in snapshot.changed:
            if view.row.state in ENDED:
                self._live.console.print(self._receipt(view), soft_wrap=True)
        views = self._follower.under_way(max(1, min(_MOST_ROWS, self._live.console.height - _OTHER_LINES)))
        self._speeds.look(views)
        self._live.update(Group(self._table(views), self._foot(snapshot, len(views), hold)), refresh=True)

    def tell(self, line: str) -> None:
        self._live.console.print(Text(line), soft_wrap=True)

    def finish(self) -> None:
        self._live.stop()

    def _receipt(self, view: FileView) -> Text:
        mark = self._terminal.mark("tick" if view.row.state is FileState.CONFIRMED else "cross")
        line = file_line(view, self._office, self._clock.now_ns())
        return Text(f"{mark} {line}", style=_STYLES.get(view.row.state, ""))

    def _table(self, views: list[FileView]) -> Table:
        wide = self._live.console.width >= _WIDE
        table = Table(box=None, expand=True, pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column("File", ratio=1, no_wrap=True, overflow="ellipsis", min_width=8)
        table.add_column("Size", justify="right", no_wrap=True)
        table.add_column("Progress", width=16 if wide else 8)
        if wide:
            table.add_column("Parts", justify="right", no_wrap=True)
        table.add_column("Speed", justify="right", no_wrap=True, min_width=8)
        table.add_column("Time left", justify="right", no_wrap=True)
        table.add_column("Status", no_wrap=True, overflow="ellipsis", min_width=len(STATES[FileState.SENT]))
        for view in views:
            table.add_row(*self._cells(view, wide=wide))
        return table

    def _cells(self, view: FileView, *, wide: bool) -> list[RenderableType]:
        row = view.row
        parts = f"{view.acknowledged}/{row.plan.count}" if row.plan else ""
        left = self._speeds.left_s(view)
        return [
            Text(safe(row.path)),
            Text(size_words(row.size)),
            ProgressBar(
                total=max(1, row.size),
                completed=view.acknowledged_bytes,
                pulse=row.state is FileState.SENT,
                animation_time=self._clock.monotonic(),
            ),
            *([Text(parts)] if wide else []),
            Text(rate_words(self._speeds.rate(row.id))),
            Text(duration_words(left) if left is not None else ""),
            Text(file_words(row, view.acknowledged, office=self._office, now_ns=self._clock.now_ns())),
        ]

    def _foot(self, snapshot: Snapshot, shown: int, hold: Hold | None) -> Group:
        hidden = sum(count for state, count in snapshot.counts.items() if state not in ENDED) - shown
        lines = [Text(f"and {files_words(hidden)} more")] if hidden > 0 else []
        if hold is not None:
            words = hold_words(hold, self._office, self._clock.now_ns())
            lines.append(Text(words, style="yellow"))
        known = f"{snapshot.confirmed} of {files_words(snapshot.total)} confirmed"
        lines.append(Text(known if snapshot.looked_up else f"{known}, looking for more"))
        return Group(*lines)
