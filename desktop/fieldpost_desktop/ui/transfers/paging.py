# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Pages of the journal, read elsewhere and brought to the GUI thread, one at a time.

While a page is on its way the engine may tell newer things about its files: those are remembered and win.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, Signal

from fieldpost_desktop.engine.journal.browse import FileQuery
from fieldpost_desktop.engine.model.events import FileChanged
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_desktop.ui.transfers.ordering import Ordering
from fieldpost_shared.errors import FieldpostError

_OVERLAP: Final = 20  # rows may leave the journal's list before the engine has told us: none must be skipped


class Pages(QObject):
    """Reads the pages of one query, or begins another one."""

    # Lists of FileChanged; as objects, for Qt copies a list of 5,000 in 2 ms.
    first = Signal(object)  # page one of a new query
    further = Signal(object)  # the next one
    late = Signal(object)  # what the engine told meanwhile: it may or may not belong to the first page

    def __init__(
        self, read: Callable[[FileQuery], list[FileRow]], worker: Worker, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._read = read
        self._worker = worker
        self.wanted = FileQuery()
        self._query = FileQuery()  # what the rows that were brought belong to
        self.unread = False  # whether the journal has more
        self._awaited: FileQuery | None = None
        self._newer: dict[int, FileChanged] = {}
        self._halfway: dict[int, FileChanged] = {}
        self._last = (-1, 0)  # rows shown and start of the page that was asked for last

    @property
    def more(self) -> bool:
        """Whether the next page can be asked for."""
        return self.unread and self._awaited is None

    def look_for(self, query: FileQuery) -> None:
        """Begin with another query; a page of the old one that is on its way is thrown away."""
        self.wanted = replace(query, start=0)
        self._last = (-1, 0)
        self._ask(self.wanted)

    def turn(self, shown: int) -> None:
        """Ask for the next page, after so many rows."""
        if not self.more:
            return
        start = max(0, shown - _OVERLAP)
        if shown == self._last[0]:  # the last page held nothing new
            start = self._last[1] + self._query.most - _OVERLAP
        self._last = (shown, start)
        self._ask(replace(self._query, start=start))

    def note(self, changes: Sequence[FileChanged]) -> None:
        """Note changes that are newer than a page on its way."""
        if self._awaited is not None:
            self._newer.update((change.row.id, change) for change in changes)

    def remember(self, changes: Iterable[FileChanged]) -> None:
        """Remember the progress of files outside of the list: the journal's rows do not have it."""
        for change in changes:
            if 0 < change.acknowledged < change.parts:
                self._halfway[change.row.id] = change
            else:
                self._halfway.pop(change.row.id, None)

    def _ask(self, query: FileQuery) -> None:
        self._awaited, self._newer = query, {}
        self._worker.run(
            lambda: self._read(query), lambda page: self._come(query, page), lambda error: self._fail(query, error)
        )

    def _come(self, query: FileQuery, page: list[FileRow]) -> None:
        if query is not self._awaited:
            return
        newer, self._newer, self._awaited = self._newer, {}, None
        self.unread = len(page) >= query.most
        ordering = Ordering(query)
        changes = [newer.pop(row.id) if row.id in newer else self._as_told(row) for row in page]
        fitting = [change for change in changes if ordering.fits(change.row)]
        if query is self.wanted:
            self._query = query
            self.first.emit(fitting)
            self.late.emit(list(newer.values()))
        else:
            self.further.emit(fitting)

    def _fail(self, query: FileQuery, error: FieldpostError) -> None:
        """Show what there is, and have the trouble told."""
        self._come(query, [])
        self._worker.unhandled_error.emit(error)

    def _as_told(self, row: FileRow) -> FileChanged:
        """Return a row of the journal as the engine would tell it."""
        known = self._halfway.get(row.id)
        if known is not None and known.row.transfer == row.transfer:
            return replace(known, row=row)
        return FileChanged(row, 0, row.plan.count if row.plan else 1)
