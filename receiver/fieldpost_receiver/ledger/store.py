# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Opening the ledger."""

from pathlib import Path
from typing import Final

from fieldpost_receiver.ledger.schema import MIGRATIONS
from fieldpost_shared.codes import Code
from fieldpost_shared.database import Database

MEAN_KEY: Final = "mean_message_bytes"  # how large a message is lately: sizes the next batch
PAUSED_KEY: Final = "paused"  # set while nothing is to be read


class LedgerStore(Database):
    """The driver's connection; tasks and commands read through their own."""

    @classmethod
    def open(cls, path: Path) -> "LedgerStore":
        """Open or make the ledger.

        Raises:
            FieldpostError: damaged, or written by a newer Fieldpost.
        """
        return cls.open_at(path, MIGRATIONS, Code.LEDGER_DAMAGED)
