# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Write a database as SQL text, with placeholders for what differs between machines. Needs the standard library only.

`support/recorded.py` is the other half: it makes the database again from the text.
"""

import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

FOLDER: Final = "@FOLDER@"
_IDENTITY: Final = re.compile(r"'(\d+:\d+)'")  # device and inode


def dump_sql(database: Path, folder: Path, identities: Mapping[str, str] | None = None) -> str:
    """Return the SQL that makes the database again; `identities` names the file behind each device and inode."""
    known = identities or {}
    with closing(sqlite3.connect(database)) as connection:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        text = "\n".join([*connection.iterdump(), f"PRAGMA user_version = {version};", ""])

    def placeholder(found: re.Match[str]) -> str:
        return f"'@IDENTITY:{known[found[1]]}@'" if found[1] in known else "'0:0'"

    return _IDENTITY.sub(placeholder, text).replace(str(folder), FOLDER)
