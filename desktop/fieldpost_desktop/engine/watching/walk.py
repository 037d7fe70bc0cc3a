# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Walks through a watched folder, one entry at a time: memory holds the open levels, not the tree."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from fieldpost_desktop.engine.model import failure_details
from fieldpost_desktop.engine.sources.file_probe import as_text, code_of_os_error
from fieldpost_desktop.engine.sources.filter import FileFilter
from fieldpost_shared.codes import Code

DEEPEST: Final = 200  # folders in folders; each keeps one handle open, and systems give about 1,000
MOST_SHOWN: Final = 3  # folders that a person is shown; the rest is a number


class Candidate(NamedTuple):
    """A file that the rules take."""

    path: str
    relative: str  # below the watched folder, with `/`
    size: int
    mtime_ns: int
    changed_ns: int  # when it came to be here, or was last touched in any levels


@dataclass(slots=True)
class UnreadableFolders:
    """Folders that could not be read, so that nothing can be said about what is in them."""

    count: int = 0
    shown: list[str] = field(default_factory=list)

    def add(self, relative: str, error: OSError) -> None:
        """Count a folder; one that has just been deleted is left out."""
        if code_of_os_error(error) is Code.FILE_GONE:
            return
        self.count += 1
        if self.count <= MOST_SHOWN:
            self.shown.append(f"{as_text(relative)} ({os.strerror(error.errno or 0)})")

    def detail(self) -> str:
        """Return which folders they are, as a row's detail."""
        return failure_details.unreadable_folders(self.shown, self.count - len(self.shown))


class _Level(NamedTuple):
    relative: str  # with a `/` at its end, unless it is the watched folder itself
    entries: "os._ScandirIterator[str]"


def walk(root: str, file_filter: FileFilter, unreadable: UnreadableFolders) -> Iterator[Candidate]:
    """Return every file that the filter takes.

    Raises:
        OSError: the folder itself cannot be read.
    """
    levels = [_Level("", os.scandir(root))]
    try:
        while levels:
            level = levels[-1]
            entry = _next(level, unreadable)
            if entry is None:
                levels.pop().entries.close()
                continue
            try:
                if entry.is_dir(follow_symlinks=False):
                    _go_down(levels, entry, file_filter)
                elif (candidate := _candidate(level, entry, file_filter)) is not None:
                    yield candidate
            except OSError as error:
                unreadable.add(level.relative + entry.name, error)
    finally:
        for level in levels:
            level.entries.close()


def _next(level: _Level, unreadable: UnreadableFolders) -> "os.DirEntry[str] | None":
    try:
        return next(level.entries, None)
    except OSError as error:
        if not level.relative:
            raise
        unreadable.add(level.relative, error)
        return None


def _go_down(levels: list[_Level], entry: "os.DirEntry[str]", file_filter: FileFilter) -> None:
    relative = levels[-1].relative + entry.name
    if not file_filter.enters(entry.name, relative, entry.stat(follow_symlinks=False)):
        return
    if len(levels) > DEEPEST:
        raise OSError(0, "too deep", entry.path)
    levels.append(_Level(relative + "/", os.scandir(entry.path)))


def _candidate(level: _Level, entry: "os.DirEntry[str]", file_filter: FileFilter) -> Candidate | None:
    if not entry.is_file(follow_symlinks=False):
        return None
    found = entry.stat(follow_symlinks=False)
    relative = level.relative + entry.name
    if not file_filter.takes(entry.name, relative, found):
        return None
    return Candidate(
        entry.path,
        relative,
        size=found.st_size,
        mtime_ns=found.st_mtime_ns,
        changed_ns=max(found.st_mtime_ns, found.st_ctime_ns),
    )
