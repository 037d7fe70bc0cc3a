# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The files that a walk through dropped files and folders found, kept until they are queued or declined.

A folder may hold a million files, so that only a little is kept in memory and the rest in a temporary file without a
name: the system removes it with the process.
"""

import json
import weakref
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from tempfile import SpooledTemporaryFile
from typing import Any, Final, Self

from fieldpost_desktop.engine.model.file_row import SourceFile
from fieldpost_desktop.engine.sources.expand import NotAdded, expand
from fieldpost_desktop.engine.sources.file_probe import code_of_os_error
from fieldpost_shared.codes import known
from fieldpost_shared.errors import FieldpostError

PIECE: Final = 500  # files of one inbox command: some 50 ms of the journal's time
_IN_MEMORY: Final = 1024 * 1024  # bytes: about 5,000 files


class DroppedFiles:
    """Filled by one thread, then read by one thread."""

    def __init__(self) -> None:
        # One line of JSON for each file; binary, because the text mode keeps its decoder's state outside of the file.
        self._lines = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - closed by `close` or with this object
        self._finalizer = weakref.finalize(self, self._lines.close)

    @classmethod
    def of(cls, paths: Sequence[str]) -> Self:
        """Walk through files and folders at once."""
        found = cls()
        for item in expand(paths):
            found.add(item)
        return found

    def add(self, item: SourceFile | NotAdded) -> None:
        """Keep one file.

        Raises:
            FieldpostError: the temporary file cannot be written.
        """
        try:
            self._lines.write(json.dumps(_values_of(item)).encode() + b"\n")
        except OSError as error:
            raise FieldpostError(code_of_os_error(error), str(error.strerror)) from error

    def pieces(self) -> Iterator[list[dict[str, Any]]]:
        """Return all files as plain values, in the order they were found, some hundred at a time."""
        self._lines.seek(0)
        while piece := [json.loads(line) for line in islice(self._lines, PIECE)]:
            yield piece

    def close(self) -> None:
        """Forget the files."""
        self._finalizer()


def items_of(piece: Iterable[dict[str, Any]]) -> list[SourceFile | NotAdded]:
    """Return the files of a piece.

    Raises:
        KeyError, TypeError, ValueError: another version of Fieldpost made the piece.
    """
    return [_item_of(values) for values in piece]


def _values_of(item: SourceFile | NotAdded) -> dict[str, Any]:
    values: dict[str, Any] = {"source": item.source, "path": item.path}
    if isinstance(item, NotAdded):
        return values | {"code": item.code, "detail": item.detail}
    return values | {"size": item.size, "mtime_ns": item.mtime_ns, "identity": item.identity}


def _item_of(values: dict[str, Any]) -> SourceFile | NotAdded:
    source, path = str(values["source"]), str(values["path"])
    if "code" in values:
        return NotAdded(source, path, code=known(values["code"]), detail=str(values["detail"]))
    return SourceFile(
        source, path, size=int(values["size"]), mtime_ns=int(values["mtime_ns"]), identity=str(values["identity"])
    )
