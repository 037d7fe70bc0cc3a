# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Which files a list shows and in which order: by the rules of the journal's pages, for rows that change meanwhile."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from fieldpost_desktop.engine.journal.browse import GROUPS, STATE_ORDER, FileQuery, SortOrder
from fieldpost_desktop.engine.model.events import FileChanged
from fieldpost_desktop.engine.model.file_row import FileRow

_RANK: Final = MappingProxyType({state: rank for rank, state in enumerate(STATE_ORDER)})
_KEYS: Final[Mapping[SortOrder, Callable[[FileRow], Any]]] = MappingProxyType(
    {
        SortOrder.ADDED: lambda row: row.id,
        SortOrder.NAME: lambda row: (row.path.casefold(), row.id),
        SortOrder.SIZE: lambda row: (row.size, row.id),
        SortOrder.STATE: lambda row: (_RANK[row.state], row.id),
    }
)
_MOVES: Final[Mapping[SortOrder, Callable[[FileRow, FileRow], bool]]] = MappingProxyType(  # cheaper than two keys
    {
        SortOrder.ADDED: lambda _old, _new: False,
        SortOrder.NAME: lambda old, new: old.path != new.path,
        SortOrder.SIZE: lambda old, new: old.size != new.size,
        SortOrder.STATE: lambda old, new: old.state is not new.state,
    }
)


class Ordering:
    """A query without its page."""

    def __init__(self, query: FileQuery) -> None:
        self._states = GROUPS[query.group]
        self._text = query.text.casefold()
        self.moves = _MOVES[query.order]  # whether a file may have to stand elsewhere now
        self._key = _KEYS[query.order]
        self._descending = query.descending

    def fits(self, row: FileRow) -> bool:
        """Return whether the list shows this file."""
        return row.state in self._states and (
            not self._text or self._text in row.path.casefold() or self._text in row.source.casefold()
        )

    def place(self, rows: Sequence[FileChanged], row: FileRow) -> int:
        """Return where a file belongs among sorted ones."""
        wanted, low, high = self._key(row), 0, len(rows)
        while low < high:
            middle = (low + high) // 2
            found = self._key(rows[middle].row)
            if (found > wanted) if self._descending else (found < wanted):
                low = middle + 1
            else:
                high = middle
        return low

    def sorted(self, rows: Iterable[FileChanged]) -> list[FileChanged]:
        """Return the rows in the order of the list."""
        return sorted(rows, key=lambda change: self._key(change.row), reverse=self._descending)


def runs(places: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Return ascending numbers as ranges, first and last of each."""
    first = last = -1
    for place in places:
        if place != last + 1 or last < 0:
            if last >= 0:
                yield first, last
            first = place
        last = place
    if last >= 0:
        yield first, last
