# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The files that a command line follows while another thread or process writes the journal."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.file_row import FileId
from fieldpost_desktop.engine.model.states import OPEN, FileState

Mark = tuple[FileState, str, int, int]  # state, code, attempt and generation: another mark is news

_OPEN: Final = ", ".join(f"'{state}'" for state in sorted(OPEN))
_UNFINISHED: Final = (  # the moving ones first
    "state IN ('sending', 'retrying', 'sent', 'paused', 'queued') ORDER BY CASE state WHEN 'sending' THEN 0"
    " WHEN 'retrying' THEN 1 WHEN 'sent' THEN 2 WHEN 'paused' THEN 3 ELSE 4 END, urgent DESC, id"
)


@dataclass(frozen=True, slots=True)
class Scope:
    """Which files: the rows that a condition on `files` selects."""

    condition: str
    values: tuple[object, ...] = ()
    batch: str = ""  # if it is one: handed over, perhaps not queued yet


def batch_scope(batch: str) -> Scope:
    """Return the scope of the files that were handed over together."""
    return Scope("id IN (SELECT file FROM batches WHERE batch = ?)", (batch,), batch)


def open_scope(store: Store) -> Scope:
    """Return the scope of all files that are open now or come later."""
    rows = store.rows(f"SELECT min(id) AS first FROM files WHERE state IN ({_OPEN})")  # noqa: S608 - names of ours
    newest = store.rows("SELECT coalesce(max(id), 0) AS newest FROM files")
    return Scope("id >= ?", (rows[0]["first"] or newest[0]["newest"] + 1,))


def marks(store: Store, scope: Scope) -> Iterator[tuple[FileId, Mark]]:
    """Return every file of the scope with its mark."""
    rows = store.rows(
        f"SELECT id, state, code, attempt, generation FROM files WHERE {scope.condition} ORDER BY id",  # noqa: S608 - ours
        *scope.values,
    )
    return ((row["id"], (FileState(row["state"]), row["code"], row["attempt"], row["generation"])) for row in rows)


def unfinished(store: Store, scope: Scope, most: int) -> list[FileId]:
    """Return the unfinished files of the scope, the moving ones first."""
    rows = store.rows(
        f"SELECT id FROM files WHERE {scope.condition} AND {_UNFINISHED} LIMIT ?",  # noqa: S608 - names of ours
        *scope.values,
        most,
    )
    return [row["id"] for row in rows]
