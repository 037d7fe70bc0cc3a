# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The journal's rows for the report that a person sends to support; of a damaged journal as much as can be read."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fieldpost_shared.database import open_for_reading


@dataclass(frozen=True, slots=True)
class SupportRows:
    """Counts by state, all folders, and the newest files."""

    counts: Sequence[Mapping[str, Any]]
    folders: Sequence[Mapping[str, Any]]
    files: Sequence[Mapping[str, Any]]


def support_rows(journal: Path, most_files: int) -> SupportRows:
    """Read the rows, with the columns that this journal has.

    Raises:
        sqlite3.Error: the journal cannot be read.
    """
    with closing(open_for_reading(journal)) as opened:
        return SupportRows(
            counts=_rows(opened, "SELECT state, count(*) AS files, sum(size) AS bytes FROM files GROUP BY state"),
            folders=_rows(opened, "SELECT * FROM folders ORDER BY id"),
            files=_rows(opened, "SELECT * FROM files ORDER BY id DESC LIMIT ?", most_files),
        )


def _rows(journal: sqlite3.Connection, sql: str, *values: object) -> list[dict[str, Any]]:
    return [dict(row) for row in journal.execute(sql, values)]
