# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The list of files as a table that a spreadsheet opens: proof of what was sent, when, and which receiver has it."""

import csv
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TextIO

from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.errors import SettingsError
from fieldpost_shared.whole_file import whole_file

COLUMNS: Final = (
    "name",
    "source",
    "size",
    "state",
    "added",
    "sent",
    "confirmed",
    "receiver",
    "sha256",
    "transfer",
    "code",
)
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would work out what begins so
_ENCODING: Final = "utf-8-sig"  # with the mark by which Excel knows it


def write_table(out: Path, files: Iterable[tuple[FileRow, str]]) -> int:
    """Write the files, each with its receivers, or nothing at all; return how many.

    Raises:
        SettingsError: it cannot be written there.
    """
    try:
        with (
            whole_file(out) as unfinished,
            unfinished.open("w", encoding=_ENCODING, newline="", errors="backslashreplace") as file,
        ):
            return _write(file, files)
    except OSError as error:
        raise SettingsError("table", f"{out}: cannot be written: {error.strerror}") from error


def _write(file: TextIO, files: Iterable[tuple[FileRow, str]]) -> int:
    writer = csv.writer(file)
    writer.writerow(COLUMNS)
    count = 0
    for row, receivers in files:
        writer.writerow(_cells(row, receivers))
        count += 1
    return count


def _cells(row: FileRow, receivers: str) -> tuple[str | int, ...]:
    """Return the cells in the order of the columns."""
    confirmed = row.ended_ns if row.state is FileState.CONFIRMED else None
    return (
        _text(row.path),
        _text(row.source),
        row.size,
        row.state,
        _moment(row.added_ns),
        _moment(row.sent_ns),
        _moment(confirmed),
        _text(receivers),
        row.sha256,
        row.transfer or "",
        row.code,
    )


def _text(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def _moment(ns: int | None) -> str:
    """Return this computer's time, with its distance from UTC."""
    if ns is None:
        return ""
    return datetime.fromtimestamp(ns / NS_PER_S, UTC).astimezone().isoformat(timespec="seconds")
