# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the list of files for those who show it: pages, counts and all that is known of one file.

Every call opens a connection of its own that cannot write, so it is safe from any thread while the engine works.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Final

from fieldpost_desktop.engine.journal.csv_export import write_table
from fieldpost_desktop.engine.journal.files import COLUMNS, row_of
from fieldpost_desktop.engine.journal.schema import MIGRATIONS
from fieldpost_desktop.engine.model.failure_details import EXISTED_BEFORE_FORMS
from fieldpost_desktop.engine.model.file_row import FileId, FileRow
from fieldpost_desktop.engine.model.states import OPEN, FileState
from fieldpost_shared.codes import Code
from fieldpost_shared.database import open_for_reading
from fieldpost_shared.errors import FieldpostError


class Group(StrEnum):
    """Which files."""

    IN_PROGRESS = "in_progress"  # open, and no person has to act
    ATTENTION = "attention"
    CONFIRMED = "confirmed"
    ALL = "all"  # the cancelled ones too


class SortOrder(StrEnum):
    """What they are sorted by."""

    ADDED = "added"
    NAME = "name"
    SIZE = "size"
    STATE = "state"


@dataclass(frozen=True, slots=True)
class FileQuery:
    """Which files are wanted, and which page of them."""

    group: Group = Group.ALL
    text: str = ""  # somewhere in the name or the path, in either case
    order: SortOrder = SortOrder.ADDED
    descending: bool = True
    start: int = 0
    most: int = 200


@dataclass(frozen=True, slots=True)
class Receipt:
    """One receiver has the file."""

    receiver: str
    at: datetime
    renamed: bool
    duplicate: bool


@dataclass(frozen=True, slots=True)
class FileDetails:
    """All that is known of one file; `folder` is the path of the watched folder it came from."""

    row: FileRow
    receipts: tuple[Receipt, ...] = ()
    folder: str | None = None


GROUPS: Final[Mapping[Group, frozenset[FileState]]] = MappingProxyType(
    {
        Group.IN_PROGRESS: OPEN - {FileState.ATTENTION},
        Group.ATTENTION: frozenset({FileState.ATTENTION}),
        Group.CONFIRMED: frozenset({FileState.CONFIRMED}),
        Group.ALL: frozenset(FileState),
    }
)
STATE_ORDER: Final = (  # what a person should see first
    FileState.ATTENTION,
    FileState.RETRYING,
    FileState.SENDING,
    FileState.QUEUED,
    FileState.SETTLING,
    FileState.PAUSED,
    FileState.SENT,
    FileState.CONFIRMED,
    FileState.CANCELLED,
)
_BY_STATE: Final = (
    "CASE state " + " ".join(f"WHEN '{state}' THEN {at}" for at, state in enumerate(STATE_ORDER)) + " END"
)
_BY: Final[Mapping[SortOrder, str]] = MappingProxyType(
    {SortOrder.ADDED: "id", SortOrder.NAME: "folded(path)", SortOrder.SIZE: "size", SortOrder.STATE: _BY_STATE}
)
_RECEIVERS: Final = "(SELECT group_concat(receiver, ', ') FROM receipts WHERE file = files.id)"


class Browser:
    """Reads the journal that the engine writes. Where there is none yet, there are no files."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal

    def page(self, query: FileQuery) -> list[FileRow]:
        """Return the files of one page.

        Raises:
            FieldpostError: the journal cannot be read; so do all others here.
        """
        where, values = _where(query)
        sql = f"SELECT {COLUMNS} FROM files {where} {_order(query)} LIMIT ? OFFSET ?"  # noqa: S608 - names of ours
        with self._reading() as journal:
            return [row_of(found) for found in journal.execute(sql, (*values, query.most, query.start))]

    def count(self, query: FileQuery) -> int:
        """Return how many files there are on all pages."""
        where, values = _where(query)
        with self._reading() as journal:
            found = journal.execute(f"SELECT count(*) FROM files {where}", values).fetchone()  # noqa: S608 - ours
            return int(found[0])

    def facts(self, file: FileId) -> FileDetails | None:
        """Return all that is known of one file, if it is still there."""
        with self._reading() as journal:
            journal.execute("BEGIN")  # all three answers from the same moment
            found = journal.execute(f"SELECT {COLUMNS} FROM files WHERE id = ?", (file,)).fetchone()  # noqa: S608 - ours
            if found is None:
                return None
            row = row_of(found)
            receipts = journal.execute("SELECT * FROM receipts WHERE file = ? ORDER BY at, receiver", (file,))
            folder = journal.execute("SELECT path FROM folders WHERE id = ?", (row.folder,)).fetchone()
            return FileDetails(row, tuple(map(_receipt, receipts)), folder["path"] if folder else None)

    def export(self, out: Path, query: FileQuery) -> int:
        """Write all files of a query, of every page, as a table; return how many.

        Raises:
            FieldpostError: the journal cannot be read, or the table cannot be written there; then it is not there.
        """
        where, values = _where(query)
        sql = f"SELECT {COLUMNS}, {_RECEIVERS} FROM files {where} {_order(query)}"  # noqa: S608 - names of ours
        with self._reading() as journal:
            found = ((row_of(columns), receivers or "") for *columns, receivers in journal.execute(sql, values))
            return write_table(out, found)

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(open_for_reading(self._journal) if self._journal.exists() else _empty()) as journal:
                journal.create_function("folded", 1, _folded, deterministic=True)
                yield journal
        except sqlite3.Error as error:
            raise FieldpostError(Code.JOURNAL_DAMAGED, f"{self._journal.name}: {error}") from error


def _empty() -> sqlite3.Connection:
    """Return a journal without files."""
    journal = sqlite3.connect(":memory:")
    for migration in MIGRATIONS:
        journal.executescript(migration)
    return journal


def _where(query: FileQuery) -> tuple[str, tuple[str, ...]]:
    """Return the condition of a query; it leaves out what a folder held before it was watched."""
    states = ", ".join(f"'{state}'" for state in sorted(GROUPS[query.group]))
    where = "WHERE NOT (state = 'cancelled' AND detail IN (?, ?))"
    if query.group is not Group.ALL:  # there a state of a newer version is shown as well
        where += f" AND state IN ({states})"
    if not query.text:
        return where, EXISTED_BEFORE_FORMS
    text = _folded(query.text)
    return f"{where} AND (instr(folded(path), ?) OR instr(folded(source), ?))", (*EXISTED_BEFORE_FORMS, text, text)


def _order(query: FileQuery) -> str:
    """Return the order of a query; equal rows in the order they were added, so that pages never overlap."""
    way = "DESC" if query.descending else "ASC"
    return f"ORDER BY {_BY[query.order]} {way}, id {way}"


def _folded(text: str) -> str:
    """Return the text for a comparison without case: SQLite itself folds only the letters of English."""
    return text.casefold()


def _receipt(found: sqlite3.Row) -> Receipt:
    at = datetime.fromisoformat(found["at"])
    return Receipt(found["receiver"], at, renamed=bool(found["renamed"]), duplicate=bool(found["duplicate"]))
