# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Files as Fieldpost 0.1 left them, made again on this machine from what `tests/recorded` keeps of them."""

import json
import os
import random
import re
import sqlite3
import zlib
from base64 import b64decode
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

RECORDED: Final = Path(__file__).parents[1] / "recorded" / "0.1"
UPLOADER: Final = RECORDED / "uploader"
RECEIVER: Final = RECORDED / "receiver"
FOLDER: Final = "@FOLDER@"  # where the recording was made; there is another one in each test
NOW_NS: Final = 1_750_144_000_000_000_000  # a while after the last thing that 0.1 did
_IDENTITY: Final = re.compile("@IDENTITY:([^@]+)@")


def recorded_json(path: Path) -> Any:  # noqa: ANN401 - whatever JSON has
    return json.loads(path.read_text(encoding="utf-8"))


def uploader_of_0_1(folder: Path) -> Path:
    """Make sources and watched folders below `folder`, and the data folder of an uploader; return the latter."""
    for name, facts in recorded_json(UPLOADER / "sources.json").items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content(name, facts["size"]))
        os.utime(path, ns=(facts["mtime_ns"], facts["mtime_ns"]))
    data = folder / "data"
    data.mkdir(mode=0o700)
    for name in ("profile.fieldpost", "app.json"):
        (data / name).write_bytes((UPLOADER / name).read_bytes())
    _database(data / "journal.db", UPLOADER / "journal.sql", folder)
    return data


def receiver_of_0_1(folder: Path) -> Path:
    """Make state folder and destination of a receiver below `folder`; return its receiver.toml."""
    for one in recorded_json(RECEIVER / "folders.json"):
        path = folder / one["name"]
        if one["zlib"] is None:
            path.mkdir(one["mode"])
        else:
            path.write_bytes(zlib.decompress(b64decode(one["zlib"])))
            path.chmod(one["mode"])
            os.utime(path, ns=(one["mtime_ns"], one["mtime_ns"]))
    _database(folder / "state" / "ledger.db", RECEIVER / "ledger.sql", folder)
    config = folder / "receiver.toml"
    config.write_bytes((RECEIVER / "receiver.toml").read_bytes())
    return config


def content(name: str, size: int) -> bytes:
    """Return what a source had in it when it was recorded."""
    return random.Random(name).randbytes(size)  # noqa: S311 - reproducible


def said_by_0_1(path: Path, folder: Path) -> str:
    """Return what a command of 0.1 printed, as if it had worked below `folder`."""
    return path.read_text(encoding="utf-8").replace(FOLDER, str(folder))


def rows_of(database: Path, table: str) -> list[Mapping[str, Any]]:
    with closing(sqlite3.connect(database)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(f"SELECT * FROM {table}")]  # noqa: S608 - ours


def _database(path: Path, text: Path, folder: Path) -> None:
    def identity(found: re.Match[str]) -> str:
        about = (folder / found[1]).stat()
        return f"{about.st_dev}:{about.st_ino}"

    sql = _IDENTITY.sub(identity, text.read_text(encoding="utf-8")).replace(FOLDER, str(folder))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(sql)
