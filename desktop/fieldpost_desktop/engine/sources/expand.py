# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What is in dropped files and folders, and under which names the files travel."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from fieldpost_desktop.engine.model import failure_details
from fieldpost_desktop.engine.model.file_row import SourceFile
from fieldpost_desktop.engine.model.folder_rules import FolderRules
from fieldpost_desktop.engine.sources.file_probe import as_text, code_of_os_error, file_version, is_hidden, is_link
from fieldpost_desktop.engine.sources.filter import FileFilter
from fieldpost_shared import names
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import NameRefused

_DROPPED_FILES: Final = FileFilter(FolderRules())  # unfinished and hidden files inside a dropped folder stay behind


@dataclass(frozen=True, slots=True)
class NotAdded:
    """Something that cannot be sent as it is; it gets a row that says why."""

    source: str
    path: str
    code: Code
    detail: str


def expand(dropped: Sequence[str]) -> Iterator[SourceFile | NotAdded]:
    """Return every file, one at a time: a file under its name, a folder as `<folder>/<path in it>`."""
    for path in dropped:
        absolute = os.path.abspath(path)  # noqa: PTH100 - resolve() would follow links
        if os.path.isdir(absolute) and not os.path.islink(absolute):  # noqa: PTH112, PTH114 - texts, as scandir gives
            yield from _folder(absolute)
        else:
            yield _file(absolute, (PurePath(absolute).name,))


def _folder(root: str) -> Iterator[SourceFile | NotAdded]:
    """Return the files of a folder, without recursion, because folders may be deep."""
    pending: list[tuple[str, tuple[str, ...]]] = [(root, (PurePath(root).name,))]
    while pending:
        folder, segments = pending.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            yield NotAdded(
                as_text(folder), as_text("/".join(segments)), code=code_of_os_error(error), detail=str(error.strerror)
            )
            continue
        for entry in entries:
            below = (*segments, entry.name)
            try:
                found = entry.stat(follow_symlinks=False)
            except OSError:  # gone since the folder was read, or its drive is: the probe below says which
                yield _file(entry.path, below)
                continue
            if entry.is_dir(follow_symlinks=False):
                if not is_link(found) and not is_hidden(entry.name, found):
                    pending.append((entry.path, below))
            elif entry.is_file(follow_symlinks=False) and _DROPPED_FILES.takes(entry.name, "/".join(below[1:]), found):
                yield _file(entry.path, below)


def _file(source: str, segments: tuple[str, ...]) -> SourceFile | NotAdded:
    shown = as_text("/".join(segments))
    try:
        path = names.from_source(segments)
        seen = file_version(source)
    except NameRefused as error:
        return NotAdded(
            as_text(source), shown, code=Code.NAME_REFUSED, detail=failure_details.name_problem(error.detail)
        )
    except OSError as error:
        return NotAdded(as_text(source), shown, code=code_of_os_error(error), detail=str(error.strerror))
    return SourceFile(source, path, size=seen.size, mtime_ns=seen.mtime_ns, identity=seen.identity)
