# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The texts of a file's row: in each column, in tooltips and for screen readers."""

from dataclasses import replace
from enum import IntEnum
from pathlib import PurePath
from typing import Final, Protocol

from PySide6.QtCore import QCoreApplication

from fieldpost_desktop.engine.model.events import FileChanged, OverallStatus
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.model.overall_status import held_by
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.ui.text import phrases, wording
from fieldpost_desktop.ui.transfers.actions import Action, available_actions, label, main_action
from fieldpost_shared.clock import Clock
from fieldpost_shared.saying import safe

translate = QCoreApplication.translate

_HELD: Final = frozenset({FileState.QUEUED, FileState.SENDING})
_BELIEVABLE: Final = 3.0  # a time left that is so many times the one at the best speed is no guess any more


class Column(IntEnum):
    """From left to right."""

    FILE = 0
    SIZE = 1
    PROGRESS = 2
    STATUS = 3
    ADDED = 4
    FROM = 5


class TextSource(Protocol):
    """What the texts need of the app instance."""

    @property
    def office(self) -> str:
        """What people call the other end."""

    @property
    def clock(self) -> Clock:
        """The time."""


class RowTexts:
    """Knows what the rows themselves do not: the time, the office, what holds everything up, the folders' names."""

    def __init__(self, instance: TextSource) -> None:
        self._instance = instance
        self.status = OverallStatus()
        self.folders: dict[int, str] = {}
        self._best_rate = 0.0

    @property
    def now_ns(self) -> int:
        """The time by the wall clock."""
        return self._instance.clock.now_ns()

    def sentence(self, change: FileChanged) -> str:
        """Return the file's state."""
        if change.rate is not None and change.rate * _BELIEVABLE < self._best_rate:
            # A row whose beginning is not known gets no guess of the time left.
            change = replace(change, row=replace(change.row, started_ns=None))
        return wording.row_sentence(change, self._instance.office, now_ns=self.now_ns, hold=self.hold_of(change))

    def hold_of(self, change: FileChanged) -> Hold | None:
        """Return what keeps this file back."""
        hold = self.status.hold
        if change.row.state is FileState.QUEUED:
            return held_by(change.row, self.status)
        return None if hold is not None and hold.kind is HoldKind.METERED else hold

    def note_speed(self, change: FileChanged) -> None:
        """Note the link's speed, which is the same in all changes of a tick."""
        self._best_rate = max(self._best_rate, change.rate or 0.0)

    def action(self, change: FileChanged) -> Action:
        """Return what the row's button does."""
        return main_action(change, self.hold_of(change))

    def actions(self, change: FileChanged) -> tuple[Action, ...]:
        """Return all that can be done with the file."""
        return available_actions(change, self.hold_of(change))

    def text(self, change: FileChanged, column: Column) -> str:
        """Return the text of a cell."""
        match column:
            case Column.FILE:
                return name_of(change)
            case Column.SIZE:
                return phrases.size(change.row.size)
            case Column.PROGRESS:
                return progress_text(change)
            case Column.STATUS:
                return self.sentence(change)
            case Column.ADDED:
                return phrases.clock(change.row.added_ns, self.now_ns)
            case Column.FROM:
                return self.origin(change)

    def origin(self, change: FileChanged) -> str:
        """Return where the file came from."""
        if change.row.folder is None:
            return translate("transfers", "Dropped")
        return self.folders.get(change.row.folder) or translate("transfers", "Watched folder")

    def tooltip(self, change: FileChanged, column: Column) -> str:
        """Return the whole of what a cell may have to cut."""
        match column:
            case Column.FILE:
                return safe(change.row.source)
            case Column.ADDED:
                return phrases.moment(change.row.added_ns)
            case _:
                return self.text(change, column)

    def screen_reader_text(self, change: FileChanged) -> str:
        """Return the whole row in one sentence, so that a screen reader reads no single cells."""
        return translate("transfers", "{file}. {sentence} {size}, {origin}, added {added}.").format(
            file=name_of(change),
            sentence=_ended(self.sentence(change)),
            size=phrases.size(change.row.size),
            origin=self.origin(change),
            added=phrases.clock(change.row.added_ns, self.now_ns),
        )

    def hint(self, change: FileChanged) -> str:
        """Return how to do by key what the row's button does."""
        return translate("transfers", "Ctrl+Enter: {action}").format(action=label(self.action(change)))

    def counts_down(self, change: FileChanged) -> bool:
        """Return whether the sentence may hold a time that runs."""
        hold = self.status.hold
        return change.row.state is FileState.RETRYING or (
            hold is not None and hold.until_ns is not None and change.row.state in _HELD
        )


def name_of(change: FileChanged) -> str:
    """Return the last segment of its path."""
    return wording.file_name(change.row)


def folder_of(change: FileChanged) -> str:
    """Return the folder that it lies in on this computer."""
    return safe(str(PurePath(change.row.source).parent))


def share(change: FileChanged) -> float:
    """Return how much of the file the server has, from 0 to 1."""
    if change.row.state in {FileState.SENT, FileState.CONFIRMED}:
        return 1.0
    return min(1.0, change.acknowledged / change.parts) if change.parts else 0.0


def progress_text(change: FileChanged) -> str:
    """Return per cent while a file is on its way; never 100 before all of it is there."""
    if change.row.state in {FileState.SENT, FileState.CONFIRMED, FileState.CANCELLED}:
        return ""
    if change.row.state is not FileState.SENDING and not change.acknowledged:
        return ""
    return translate("transfers", "{n} %").format(n=phrases.number(int(share(change) * 100)))


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?", "…")) else f"{sentence}."
