# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A damaged journal: it is set aside for support, and a new one begins with what can still be read of the old.

Watched folders, settings and the offsets of the status topic are carried over. The list of files is not: folders are
checked anew, and the office knows again what it already has.
"""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from fieldpost_desktop.engine.journal.store import Store
from fieldpost_shared.database import open_for_reading

_LOG: Final = logging.getLogger(__name__)
_CARRIED_OVER: Final = ("folders", "meta", "status_positions")
_BESIDE: Final = ("", "-wal", "-shm")  # SQLite's files of one database


def rescue(journal: Path, now_ns: int) -> Path:
    """Begin a new journal; return where the damaged one lies now. No other program may have it open.

    Raises:
        OSError: it cannot be moved.
    """
    aside = journal.with_name(f"{journal.stem}-damaged-{now_ns}{journal.suffix}")
    for suffix in _BESIDE:
        with suppress(FileNotFoundError):
            journal.with_name(journal.name + suffix).rename(aside.with_name(aside.name + suffix))
    with closing(Store.open(journal)) as store:
        for table in _CARRIED_OVER:
            kept = sum(_take(store, table, row) for row in _readable(aside, table))
            _LOG.info("%d rows of %s could be carried over", kept, table)
    return aside


def _readable(damaged: Path, table: str) -> Iterator[sqlite3.Row]:
    """Return the rows up to the first that cannot be read."""
    with suppress(sqlite3.DatabaseError), closing(open_for_reading(damaged)) as old:
        yield from old.execute(f"SELECT * FROM {table}")  # noqa: S608 - names of ours


def _take(store: Store, table: str, row: sqlite3.Row) -> bool:
    columns = ", ".join(row.keys())
    marks = ", ".join("?" * len(row))
    try:
        with store.transaction() as db:
            db.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", tuple(row))  # noqa: S608 - names of ours
    except sqlite3.Error:  # half of it is nonsense: better none of it
        return False
    return True
