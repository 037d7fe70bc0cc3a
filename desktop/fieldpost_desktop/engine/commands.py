# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The commands of a person. They run on the core thread, and each is safe to give twice."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.file_row import FileId, FileRow, SourceFile
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.model.parts_map import PartsMap
from fieldpost_desktop.engine.model.states import OPEN, FileState
from fieldpost_desktop.engine.runtime.context import EngineContext
from fieldpost_desktop.engine.sending.link_keeper import LinkKeeper
from fieldpost_desktop.engine.sending.sender import Sender
from fieldpost_desktop.engine.sources.expand import NotAdded
from fieldpost_desktop.engine.sources.file_probe import FileVersion
from fieldpost_shared import names
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

_PAUSED: Final = "paused_until_ns"  # in the journal's meta: "" for no end
_CAN_GO_ON: Final = frozenset(  # what stopped these lies on this computer: the receiver still knows the transfer
    {
        Code.FILE_GONE,
        Code.FILE_UNREADABLE,
        Code.BLOCKED_BY_ANTIVIRUS,
        Code.FILE_IN_USE,
        Code.DRIVE_GONE,
        Code.ONLINE_ONLY,
        Code.LOCAL_DISK_FULL,
    }
)
_NEEDS_ANOTHER_NAME: Final = frozenset({Code.NAME_REFUSED, Code.NAME_TAKEN})


class Commands:
    """The verbs of window, tray and command line."""

    def __init__(self, context: EngineContext, sender: Sender, keeper: LinkKeeper) -> None:
        self._context = context
        self._sender = sender
        self._keeper = keeper

    # the queue

    def add(self, items: Sequence[SourceFile | NotAdded], batch: str) -> list[FileRow]:
        """Queue what was dropped; what cannot be sent gets a row that says why."""
        with self._context.store.transaction():
            rows = [self._add_one(item, batch) for item in items]
        for row in rows:
            self._context.changed(row)
        self._context.crash.reach("after_queue_row")
        return rows  # last in line: files that are looked up already come before them

    def _add_one(self, item: SourceFile | NotAdded, batch: str) -> FileRow:
        files, now_ns = self._context.files, self._context.clock.now_ns()
        if isinstance(item, NotAdded):
            row = files.add(
                SourceFile(item.source, item.path, size=0, mtime_ns=0, identity=""),
                FileState.ATTENTION,
                now_ns=now_ns,
                batch=batch,
            )
            return files.change(row, FileState.ATTENTION, code=item.code, detail=item.detail)
        try:
            self._context.check_size(item.size)
        except FieldpostError as error:
            row = files.add(item, FileState.ATTENTION, now_ns=now_ns, batch=batch)
            return files.change(row, FileState.ATTENTION, code=error.code, detail=error.detail)
        return files.add(item, FileState.QUEUED, now_ns=now_ns, batch=batch)

    def retry(self, files: Iterable[FileId] | None = None) -> int:
        """Try again now: the given files, or all that wait for another try or for a person."""
        rows = self._chosen(files, (FileState.RETRYING, FileState.ATTENTION))
        self._keeper.try_now()
        self._context.holds.lift(HoldKind.STOP_ALL)
        return sum(self._retry_one(row) for row in rows)

    def _retry_one(self, row: FileRow) -> bool:
        if row.state is FileState.RETRYING:
            self._change(row, FileState.QUEUED, next_try_ns=None, urgent=1)
        elif row.code in _NEEDS_ANOTHER_NAME:
            return False
        elif row.transfer is None or row.code in _CAN_GO_ON:
            self._change(row, FileState.QUEUED, code="", detail="", attempt=0, resends=0, urgent=1)
        else:
            self._begin_anew(row)
        return True

    def cancel(self, files: Iterable[FileId]) -> int:
        """Give files up; the receiver is told to forget what it has of them."""
        rows = self._chosen(files, OPEN)
        for row in rows:
            self._sender.release(row.id)
            row = self._context.files.cancel(self._context.files.get(row.id), self._context.clock.now_ns())  # noqa: PLW2901 - the row as it is now
            self._context.changed(row)
        return len(rows)

    def pause(self, files: Iterable[FileId]) -> int:
        """Hold single files back."""
        rows = self._chosen(files, (FileState.QUEUED, FileState.SENDING, FileState.RETRYING))
        for row in rows:
            self._sender.release(row.id)
            self._change(self._context.files.get(row.id), FileState.PAUSED, next_try_ns=None)
        return len(rows)

    def resume(self, files: Iterable[FileId]) -> int:
        """Let single files go on, first in line."""
        rows = self._chosen(files, (FileState.PAUSED,))
        for row in rows:
            self._change(row, FileState.QUEUED, urgent=1)
        return len(rows)

    def send_again(self, file: FileId) -> FileId:
        """Send a cancelled file, or one that needed attention, as a new transfer; return the row to follow.

        A confirmed one stays what it is and gets a row beside it: whether the file is still there, and the same, is
        found out when it is read.
        """
        row = self._context.files.get(file)
        if row.state in {FileState.CANCELLED, FileState.ATTENTION}:
            self._begin_anew(row)
        elif row.state is FileState.CONFIRMED:
            again = SourceFile(
                row.source, row.path, size=row.size, mtime_ns=row.mtime_ns, identity=row.identity, folder=row.folder
            )
            return self.add([again], "")[0].id
        return file

    def send_anyway(self, file: FileId) -> None:
        """Send a file in spite of a metered connection."""
        row = self._context.files.get(file)
        self._change(row, row.state, anyway=1, urgent=1)

    def locate(self, file: FileId, source: str, seen: FileVersion) -> None:
        """Take a file from its new path; the same bytes go on where they were, others begin anew."""
        row = self._context.files.get(file)
        if row.state is not FileState.ATTENTION:
            return
        columns: dict[str, Any] = {"source": source, "identity": seen.identity, "code": "", "detail": "", "urgent": 1}
        if (seen.size, seen.mtime_ns) == (row.size, row.mtime_ns):
            self._change(row, FileState.QUEUED, **columns)
        else:
            self._begin_anew(row, size=seen.size, mtime_ns=seen.mtime_ns, **columns)

    def rename(self, file: FileId, path: str) -> None:
        """Send it under another name.

        Raises:
            NameRefused: that name does not do either.
        """
        row = self._context.files.get(file)
        new = names.from_source(path.split("/"))
        if row.state is FileState.ATTENTION:
            self._begin_anew(row, path=new)

    # everything

    def pause_all(self, until_ns: int | None = None) -> None:
        """Stop sending, for good or until a moment; survives a restart."""
        self._context.store.set_meta(_PAUSED, "" if until_ns is None else str(until_ns))
        self._context.holds.put(Hold(HoldKind.PAUSED, until_ns=until_ns))

    def resume_all(self) -> None:
        """Send again."""
        self._context.store.forget_meta(_PAUSED)
        self._context.holds.lift(HoldKind.PAUSED)

    def remember_pause(self) -> None:
        """Resume a pause from before the start that was not ended."""
        hold = remembered_pause(self._context.store)
        if hold is not None:
            self._context.holds.put(hold)

    def send_now(self) -> None:
        """Send outside of the set hours until the queue is empty, and do not wait for the next try."""
        self._context.holds.send_now = True
        self._keeper.try_now()

    def try_now(self) -> None:
        """Try again at once all that waits for its next try: the network is back, or a person asked."""
        self._keeper.try_now()
        for row in self._chosen(None, (FileState.RETRYING,)):
            self._retry_one(row)

    # asking

    def parts(self, file: FileId) -> PartsMap | None:
        """Return how far each chunk of a file is, as the window draws it; None if the file is gone."""
        row = self._context.files.find(file)
        return None if row is None else self._sender.parts(row)

    # in common

    def _chosen(self, files: Iterable[FileId] | None, states: Iterable[FileState]) -> list[FileRow]:
        wanted = frozenset(states)
        if files is None:
            return [row for state in sorted(wanted) for row in self._context.files.in_state(state)]
        return [row for file in files if (row := self._context.files.find(file)) is not None and row.state in wanted]

    def _change(self, row: FileRow, state: FileState, **columns: Any) -> None:  # noqa: ANN401 - column values
        self._context.changed(self._context.files.change(row, state, **columns))
        self._sender.requery()

    def _begin_anew(self, row: FileRow, **columns: Any) -> None:  # noqa: ANN401 - column values
        fresh: dict[str, Any] = {"code": "", "detail": "", "attempt": 0, "resends": 0, "urgent": 1}
        self._context.changed(self._context.files.begin_anew(row, FileState.QUEUED, **(fresh | columns)))
        self._sender.requery()


def remembered_pause(store: Store) -> Hold | None:
    """Return the pause that goes on when the engine starts, if there is one."""
    found = store.meta(_PAUSED)
    return None if found is None else Hold(HoldKind.PAUSED, until_ns=int(found) if found else None)
