# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Cleans up confirmed files: each stays, moves to `Sent/YYYY-MM`, or is deleted.

1. Only a confirmed file, and only if it still is what was confirmed.
2. Move or delete it; links are not followed, and nothing leaves the watched folder.
3. Journal it. After a crash between 2 and 3 the file is not there, which then is no error.
"""

import os
import stat
from collections.abc import Callable
from concurrent.futures import Future
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import Final

from fieldpost_desktop.engine.journal.files import Files
from fieldpost_desktop.engine.journal.folders import Folder, Folders
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.folder_rules import After
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.runtime import failure_policy
from fieldpost_desktop.engine.runtime.context import EngineContext
from fieldpost_desktop.engine.runtime.worker_threads import WorkerRole
from fieldpost_desktop.engine.sources.file_probe import code_of_os_error, file_version, is_link
from fieldpost_shared import names
from fieldpost_shared.clock import NS_PER_S, Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.crash_points import CrashPoints
from fieldpost_shared.errors import FieldpostError

MOST_TRIES: Final = 3
AWAY_S: Final = 60  # a folder that is not there is not tried more often
BATCH: Final = 100
_EVERY_S: Final = 2.0
MOST_TWINS: Final = 10_000  # files of one name in one month


class CleanUpOutcome(StrEnum):
    """What was done about a confirmed file."""

    KEPT = "kept"  # as the rules say
    MOVED = "moved"
    DELETED = "deleted"
    GONE = "gone"  # moved by a person, or by Fieldpost before a crash
    CHANGED = "changed"  # it is another version now, which is sent on its own
    AWAY = "away"  # the whole folder is not there: later


def clean_up(row: FileRow, folder: Folder, *, may_delete: bool) -> CleanUpOutcome:
    """Do with a confirmed file what the folder's rules say.

    Raises:
        FieldpostError: with CLEAN_UP_FAILED; the file stays where it is.
    """
    if row.state is not FileState.CONFIRMED:
        raise ValueError(f"file {row.id} is {row.state}, and nothing is moved before the receipt")
    after = folder.rules.after
    if after is After.KEEP or (after is After.DELETE and not may_delete):
        return CleanUpOutcome.KEPT
    try:
        return _clean_up(row, folder, after)
    except OSError as error:
        if not Path(folder.path).is_dir():
            return CleanUpOutcome.AWAY
        if code_of_os_error(error) is Code.FILE_GONE:
            return CleanUpOutcome.GONE
        raise FieldpostError(Code.CLEAN_UP_FAILED, os.strerror(error.errno or 0)) from None


def _clean_up(row: FileRow, folder: Folder, after: After) -> CleanUpOutcome:
    relative = _relative(row, folder)
    now = file_version(row.source)
    if (now.size, now.mtime_ns) != (row.size, row.mtime_ns):
        return CleanUpOutcome.CHANGED
    if after is After.DELETE:
        Path(row.source).unlink()
        return CleanUpOutcome.DELETED
    month = datetime.fromtimestamp((row.ended_ns or row.added_ns) // NS_PER_S, tz=UTC).astimezone().strftime("%Y-%m")
    target = _make_folders(Path(folder.path), [folder.rules.move_to, month, *relative.parts[:-1]])
    Path(row.source).rename(_free_name(target, relative.name))
    return CleanUpOutcome.MOVED


def _relative(row: FileRow, folder: Folder) -> Path:
    """Return the path below the folder, every folder of it a real one.

    Raises:
        FieldpostError: it leads out of the folder.
    """
    source, root = Path(row.source), Path(folder.path)
    if not source.is_relative_to(root) or ".." in source.parts:
        raise FieldpostError(Code.CLEAN_UP_FAILED, "it does not lie in the watched folder")
    relative = source.relative_to(root)
    for above in list(relative.parents)[:-1]:
        _must_be_real(root / above)
    return relative


def _make_folders(root: Path, segments: list[str]) -> Path:
    folder = root
    for segment in segments:
        folder /= segment
        folder.mkdir(exist_ok=True)
        _must_be_real(folder)
    return folder


def _must_be_real(folder: Path) -> None:
    found = folder.lstat()
    if is_link(found) or not stat.S_ISDIR(found.st_mode):
        raise FieldpostError(Code.CLEAN_UP_FAILED, f"{folder.name} is a link")


def _free_name(target: Path, name: str) -> Path:
    """Return a free name: nothing is ever replaced, and two of one name lie side by side."""
    if not os.path.lexists(target / name):
        return target / name
    for number in range(2, MOST_TWINS + 1):
        twin = target / names.numbered(name, number)
        if not os.path.lexists(twin):
            return twin
    raise FieldpostError(Code.CLEAN_UP_FAILED, f"there are {MOST_TWINS} files of this name")


class CleanUp:
    """Cleans up the files that are due. `may_delete` asks the profile each time."""

    def __init__(
        self, store: Store, clock: Clock, random: Random, crash: CrashPoints, may_delete: Callable[[], bool]
    ) -> None:
        self._files = Files(store)
        self._folders = Folders(store)
        self._clock = clock
        self._random = random
        self._crash = crash
        self._may_delete = may_delete

    def step(self) -> list[FileRow]:
        """Clean up some of the files that are due; return the rows that changed."""
        now_ns = self._clock.now_ns()
        return [self._one(self._files.get(file), now_ns) for file in self._folders.to_clean_up(now_ns, BATCH)]

    def _one(self, row: FileRow, now_ns: int) -> FileRow:
        folder = self._folders.get(row.folder) if row.folder is not None else None
        try:
            outcome = CleanUpOutcome.KEPT if folder is None else clean_up(row, folder, may_delete=self._may_delete())
        except FieldpostError as error:
            return self._failed(row, now_ns, error)
        if outcome is CleanUpOutcome.AWAY:
            return self._files.change(row, row.state, next_try_ns=now_ns + AWAY_S * NS_PER_S)
        self._crash.reach("after_move")
        left_alone = outcome in {CleanUpOutcome.KEPT, CleanUpOutcome.CHANGED}
        return self._files.change(row, row.state, clean_up="" if left_alone else "done", next_try_ns=None)

    def _failed(self, row: FileRow, now_ns: int, error: FieldpostError) -> FileRow:
        tries = row.clean_up_tries + 1
        over = tries >= MOST_TRIES
        return self._files.change(
            row,
            row.state,
            clean_up="failed" if over else "due",
            clean_up_tries=tries,
            next_try_ns=None
            if over
            else failure_policy.next_try_ns(now_ns, error.code, attempt=tries, random=self._random),
            code=error.code if over else row.code,
            detail=error.detail if over else row.detail,
        )


class CleanUpWorker:
    """Has files cleaned up by a worker, because moving may take long; checks every two seconds what is due."""

    def __init__(self, context: EngineContext, may_delete: Callable[[], bool]) -> None:
        self._context = context
        self._cleaning = CleanUp(
            context.store, context.clock, random=context.random, crash=context.crash, may_delete=may_delete
        )
        self._folders = Folders(context.store)
        self._under_way: Future[list[FileRow]] | None = None
        self._next = 0.0

    def step(self) -> None:
        """Begin a clean-up, or take one that is finished."""
        if self._under_way is not None:
            if self._under_way.done():
                finished, self._under_way = self._under_way, None
                for row in finished.result():
                    self._context.changed(row)
            return
        now = self._context.clock.monotonic()
        if now >= self._next:
            self._next = now + _EVERY_S
            if self._folders.to_clean_up(self._context.clock.now_ns(), 1):
                self._under_way = self._context.workers.submit(WorkerRole.CLEANING_UP, self._cleaning.step)
