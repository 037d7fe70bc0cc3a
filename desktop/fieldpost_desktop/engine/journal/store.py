# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Opening the journal, the sender's only truth about its queue."""

from contextlib import closing
from pathlib import Path

from fieldpost_desktop.engine.journal.schema import MIGRATIONS
from fieldpost_shared.codes import Code
from fieldpost_shared.database import Database, open_for_reading


class Store(Database):
    """The engine's connection to the journal."""

    @classmethod
    def open(cls, path: Path) -> "Store":
        """Open or make the journal.

        Raises:
            FieldpostError: damaged, or written by a newer Fieldpost.
        """
        return cls.open_at(path, MIGRATIONS, Code.JOURNAL_DAMAGED)


def reading(journal: Path) -> "closing[Store]":
    """The journal for looking only, from any thread or process; to be used in a `with` statement."""
    return closing(Store(open_for_reading(journal)))
