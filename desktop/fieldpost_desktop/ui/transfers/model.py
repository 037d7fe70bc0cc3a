# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The rows of the list: pages from the journal, kept up to date by what the engine tells.

A tick may bring thousands of changes. They are written into the rows first; then the view is told once for each
contiguous range, or once for all when there are many ranges. Nothing is sorted unless a sort key changed. A file that
no longer belongs here stays a while, so that people see what became of it.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal

from fieldpost_desktop.engine.journal.browse import FileQuery
from fieldpost_desktop.engine.model.events import FileChanged, OverallStatus
from fieldpost_desktop.ui.transfers.ordering import Ordering, runs
from fieldpost_desktop.ui.transfers.paging import Pages
from fieldpost_desktop.ui.transfers.row_texts import Column, RowTexts
from fieldpost_shared.clock import Clock

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
CHANGE: Final = Role.UserRole  # the FileChanged itself, for the delegate

LINGER_S: Final = 10.0
_SWEEP_MS: Final = 1_000
_MANY: Final = 32  # ranges; from here on one signal for all is cheaper than one for each
_PROGRESS_ROLES: Final = [Role.DisplayRole, CHANGE]
_ALL_ROLES: Final = [
    Role.DisplayRole,
    CHANGE,
    Role.AccessibleTextRole,
    Role.AccessibleDescriptionRole,
    Role.ToolTipRole,
]
_TOP: Final = QModelIndex()


class TransfersModel(QAbstractTableModel):
    """The files of one query, as many of them as were looked at."""

    arrived = Signal()  # a page has come: now it is known whether there is anything
    moved_on = Signal(object)  # a list of FileChanged: their state or their trouble is another

    def __init__(self, pages: Pages, texts: RowTexts, clock: Clock, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pages = pages
        self._clock = clock
        self.texts = texts
        self._rows: list[FileChanged] = []
        self._places: dict[int, int] | None = {}  # None: to be found again
        self._leaving: dict[int, float] = {}  # files that do not belong here any more, and when they go
        self._ordering = Ordering(pages.wanted)
        self._sweeping = QTimer(self)
        self._sweeping.setInterval(_SWEEP_MS)
        self._sweeping.timeout.connect(self.sweep)
        pages.first.connect(self._begin)
        pages.further.connect(self._add_page)
        pages.late.connect(self.take)

    # reading

    @property
    def query(self) -> FileQuery:
        """What is looked for at present."""
        return self._pages.wanted

    def change(self, row: int) -> FileChanged:
        """Return the file of a row."""
        return self._rows[row]

    def find(self, file: int) -> FileChanged | None:
        """Return a file, if it is in the list."""
        place = self.place_of(file)
        return None if place is None else self._rows[place]

    def place_of(self, file: int) -> int | None:
        """Return the row of a file."""
        return self._index().get(file)

    def _index(self) -> dict[int, int]:
        """Return the rows by file; built again only after rows came or went."""
        if self._places is None:
            self._places = {change.row.id: place for place, change in enumerate(self._rows)}
        return self._places

    # Qt's questions

    def rowCount(self, parent: Index = _TOP) -> int:  # noqa: N802 - Qt's name
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _TOP) -> int:  # noqa: N802 - Qt's name
        return 0 if parent.isValid() else len(Column)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:  # noqa: ANN401 - Qt's QVariant
        if not index.isValid():
            return None
        change, column = self._rows[index.row()], Column(index.column())
        if role == CHANGE:
            return change
        if role == Role.DisplayRole:
            return self.texts.text(change, column)
        return self._besides(change, column, role)

    def _besides(self, change: FileChanged, column: Column, role: int) -> Any:  # noqa: ANN401 - Qt's QVariant
        """Return tooltips and texts for screen readers: only the first cell is read, with the whole row's words."""
        match role:
            case Role.ToolTipRole:
                return self.texts.tooltip(change, column)
            case Role.AccessibleTextRole if column is Column.FILE:
                return self.texts.screen_reader_text(change)
            case Role.AccessibleDescriptionRole if column is Column.FILE:
                return self.texts.hint(change)
            case Role.TextAlignmentRole if column is Column.SIZE:
                return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            case _:
                return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:  # noqa: N802, ANN401 - Qt's name, Qt's QVariant
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Role.TextAlignmentRole:
            right = Qt.AlignmentFlag.AlignRight if section == Column.SIZE else Qt.AlignmentFlag.AlignLeft
            return right | Qt.AlignmentFlag.AlignVCenter
        return self._title(Column(section)) if role == Role.DisplayRole else None

    def canFetchMore(self, parent: Index) -> bool:  # noqa: N802 - Qt's name
        return not parent.isValid() and self._pages.more

    def fetchMore(self, parent: Index) -> None:  # noqa: N802 - Qt's name
        if not parent.isValid():
            self._pages.turn(len(self._rows) - len(self._leaving))

    # another query

    def look_for(self, query: FileQuery) -> None:
        """Show other files; the present ones stay until the first page has come, so that nothing flickers."""
        self._pages.remember(self._rows)
        self._pages.look_for(query)

    def reload(self) -> None:
        """Read again what is shown."""
        self.look_for(self.query)

    # what the engine tells

    def take(self, changes: Sequence[FileChanged]) -> None:
        """Take files as they are now."""
        if not changes:
            return
        self._pages.note(changes)
        self.texts.note_speed(changes[-1])
        places = self._index()
        known, unknown = [], []
        for change in changes:
            place = places.get(change.row.id)
            if place is None:
                unknown.append(change)
            else:
                known.append((place, change))
        self._update(known)
        self._pages.remember(unknown)
        self._insert([change for change in unknown if self._belongs(change)])

    def _update(self, changes: Sequence[tuple[int, FileChanged]]) -> None:
        progress, moved, resort = [], [], False
        rows, moves = self._rows, self._ordering.moves
        for place, change in changes:
            old, row = rows[place].row, change.row
            rows[place] = change
            if old is row or (
                old.state is row.state and old.code == row.code and old.path == row.path and old.size == row.size
            ):
                progress.append(place)
            else:
                moved.append(place)
                resort = resort or moves(old, row)
        self._tell(progress, Column.PROGRESS, Column.STATUS, _PROGRESS_ROLES)
        self._tell(moved, Column.FILE, Column.FROM, _ALL_ROLES)
        if moved:
            self._move_on([rows[place] for place in moved], resort=resort)

    def _move_on(self, changes: list[FileChanged], *, resort: bool) -> None:
        self._keep_or_let_go(changes)
        if resort:
            self._arrange(self._ordering.sorted(self._rows))
        self.moved_on.emit(changes)

    def drop(self, files: Iterable[int]) -> None:
        """Remove files that are gone."""
        self._remove({file for file in files if self.place_of(file) is not None})

    def take_status(self, status: OverallStatus) -> None:
        """Take the overall status; where the hold changed, files that wait get other words."""
        before, self.texts.status = self.texts.status, status
        if (before.hold, before.metered_limit) != (status.hold, status.metered_limit):
            self.refresh_texts()

    def sweep(self) -> None:
        """Let those go whose time is over."""
        now = self._clock.monotonic()
        self._remove({file for file, until in self._leaving.items() if until <= now})

    def refresh_texts(self) -> None:
        """Let the view ask for all words again, though no row changed."""
        self._tell(range(len(self._rows)), Column.FILE, Column.FROM, _ALL_ROLES)

    def count_down(self, first: int, last: int) -> None:
        """Move times one second on, in the rows between, which are the ones in sight."""
        seen = range(max(0, first), min(last + 1, len(self._rows)))
        running = [place for place in seen if self.texts.counts_down(self._rows[place])]
        self._tell(running, Column.STATUS, Column.STATUS, [Role.DisplayRole])

    # pages

    def _begin(self, page: list[FileChanged]) -> None:
        self.beginResetModel()
        self._ordering = Ordering(self.query)
        self._rows = self._ordering.sorted(page)
        self._places, self._leaving = None, {}
        self.endResetModel()
        self.arrived.emit()

    def _add_page(self, page: list[FileChanged]) -> None:
        self._insert([change for change in page if self.place_of(change.row.id) is None])
        self.arrived.emit()

    def _belongs(self, change: FileChanged) -> bool:
        """Return whether a file is shown now; what comes after the last page that was read comes with the next one."""
        if not self._ordering.fits(change.row):
            return False
        return not self._pages.unread or self._ordering.place(self._rows, change.row) < len(self._rows)

    # the rows

    def _keep_or_let_go(self, changes: Sequence[FileChanged]) -> None:
        fits, until = self._ordering.fits, self._clock.monotonic() + LINGER_S
        for change in changes:
            if not fits(change.row):
                self._leaving[change.row.id] = until
            elif self._leaving:
                self._leaving.pop(change.row.id, None)
        if self._leaving and not self._sweeping.isActive():
            self._sweeping.start()

    def _tell(self, places: Sequence[int], left: Column, right: Column, roles: list[Role]) -> None:
        found = list(runs(sorted(places)))
        if len(found) > _MANY:
            found = [(found[0][0], found[-1][1])]
        for first, last in found:
            self.dataChanged.emit(self.index(first, left), self.index(last, right), roles)

    def _insert(self, changes: Sequence[FileChanged]) -> None:
        """Insert each at its place; what comes between the same two neighbours goes in at once."""
        blocks: dict[int, list[FileChanged]] = {}
        for change in self._ordering.sorted(changes):
            blocks.setdefault(self._ordering.place(self._rows, change.row), []).append(change)
        if len(blocks) > _MANY:
            self._insert_block(len(self._rows), changes)
            self._arrange(self._ordering.sorted(self._rows))
            return
        for place, block in reversed(blocks.items()):  # from the end, so that the places before stay right
            self._insert_block(place, block)

    def _insert_block(self, place: int, block: Sequence[FileChanged]) -> None:
        self.beginInsertRows(_TOP, place, place + len(block) - 1)
        self._rows[place:place] = block
        self._places = None
        self.endInsertRows()

    def _remove(self, files: set[int]) -> None:
        for file in files:
            self._leaving.pop(file, None)
        if not self._leaving:
            self._sweeping.stop()
        if not files:
            return
        places = sorted(place for file in files if (place := self.place_of(file)) is not None)
        found = list(runs(places))
        if len(found) > _MANY:
            staying = [change for change in self._rows if change.row.id not in files]
            self._arrange(staying + [self._rows[place] for place in places])
            found = [(len(staying), len(self._rows) - 1)]
        for first, last in reversed(found):
            self._remove_block(first, last)

    def _remove_block(self, first: int, last: int) -> None:
        self._pages.remember(self._rows[first : last + 1])
        self.beginRemoveRows(_TOP, first, last)
        del self._rows[first : last + 1]
        self._places = None
        self.endRemoveRows()

    def _arrange(self, rows: list[FileChanged]) -> None:
        """Put the same rows in another order; selection and current row go with their files."""
        self.layoutAboutToBeChanged.emit()
        old = self.persistentIndexList()
        files = [self._rows[index.row()].row.id for index in old]
        self._rows, self._places = rows, None
        new = [self.index(self.place_of(file) or 0, index.column()) for file, index in zip(files, old, strict=True)]
        self.changePersistentIndexList(old, new)
        self.layoutChanged.emit()

    def _title(self, column: Column) -> str:
        return {
            Column.FILE: self.tr("File"),
            Column.SIZE: self.tr("Size"),
            Column.PROGRESS: self.tr("Progress"),
            Column.STATUS: self.tr("Status"),
            Column.ADDED: self.tr("Added"),
            Column.FROM: self.tr("From"),
        }[column]
