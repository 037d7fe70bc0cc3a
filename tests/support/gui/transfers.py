# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Rows of the list without an engine: files by hand, a journal in memory, a worker that works when it is told."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar, cast

from PySide6.QtCore import QObject

from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.commands import Commands
from fieldpost_desktop.engine.journal.browse import FileQuery, SortOrder
from fieldpost_desktop.engine.model.events import FileChanged
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.watching.folder_kind import FolderView
from fieldpost_desktop.ui.threads.worker import Failed, Worker
from fieldpost_desktop.ui.transfers.model import TransfersModel
from fieldpost_desktop.ui.transfers.ordering import Ordering
from fieldpost_desktop.ui.transfers.paging import Pages
from fieldpost_desktop.ui.transfers.row_texts import RowTexts
from fieldpost_shared.clock import FakeClock
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.ids import TransferId
from support.gui import rows as made_rows

T = TypeVar("T")
OFFICE = "Head office"
START_NS = made_rows.NOW_NS
MIB = 1_048_576


def file_row(file: int, state: FileState = FileState.QUEUED, **columns: Any) -> FileRow:  # noqa: ANN401 - column values
    """A file as the journal would know it."""
    begun = state not in {FileState.SETTLING, FileState.QUEUED}
    path = columns.pop("path", f"report-{file:05}.pdf")
    made: dict[str, Any] = {
        "id": file,
        "source": f"/field/{path}",
        "path": path,
        "size": 52 * MIB,
        "transfer": TransferId(f"{file:032x}") if begun else None,
        "chunk_size": MIB if begun else 0,
        "added_ns": START_NS + file,
        "started_ns": START_NS if begun else None,
        "sent_ns": START_NS if state in {FileState.SENT, FileState.CONFIRMED} else None,
        "ended_ns": START_NS if state in {FileState.CONFIRMED, FileState.CANCELLED} else None,
    }
    return made_rows.file_row(state, **(made | columns))


def told(file: int, state: FileState = FileState.QUEUED, done: int = 0, **columns: Any) -> FileChanged:  # noqa: ANN401 - column values
    """A file as the engine would tell it."""
    row = file_row(file, state, **columns)
    rate = 3_100_000.0 if state is FileState.SENDING else None
    return FileChanged(row, done, row.plan.count if row.plan else 1, rate)


class HandWorker(Worker):
    """Works at once and in place; or, while it is held, when it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.held = False
        self.waiting: list[Callable[[], None]] = []

    def run(
        self,
        work: Callable[[], T],
        done: Callable[[T], None] | None = None,
        failed: Failed | None = None,
        *,
        owner: QObject | None = None,  # noqa: ARG002 - the worker's signature; no widget of these tests goes first
    ) -> None:
        def do() -> None:
            try:
                result = work()
            except FieldpostError as error:
                (failed or self.unhandled_error.emit)(error)
            else:
                if done is not None:
                    done(result)

        self.waiting.append(do)
        if not self.held:
            self.release()

    def release(self) -> None:
        """Do what waits."""
        waiting, self.waiting = self.waiting, []
        for do in waiting:
            do()


@dataclass
class Shelf:
    """Stands for an app instance: a journal that a test writes, commands that it reads."""

    rows: dict[int, FileRow] = field(default_factory=dict)
    clock: FakeClock = field(default_factory=FakeClock)
    office: str = OFFICE
    asked: list[FileQuery] = field(default_factory=list)
    given: list[tuple[Any, ...]] = field(default_factory=list)
    error: FieldpostError | None = None

    def put(self, *rows: FileRow) -> None:
        self.rows.update((row.id, row) for row in rows)

    def page(self, query: FileQuery) -> list[FileRow]:
        """By SQL's way, not by the model's: sort all, then cut."""
        self.asked.append(query)
        if self.error is not None:
            raise self.error
        keys: dict[SortOrder, Callable[[FileRow], Any]] = {
            SortOrder.ADDED: lambda row: row.id,
            SortOrder.NAME: lambda row: (row.path.casefold(), row.id),
            SortOrder.SIZE: lambda row: (row.size, row.id),
            SortOrder.STATE: lambda row: (list(FileState).index(row.state), row.id),
        }
        ordering = Ordering(query)
        fitting = [row for row in self.rows.values() if ordering.fits(row)]
        fitting.sort(key=keys[query.order], reverse=query.descending)
        return fitting[query.start : query.start + query.most]

    def export(self, out: Path, query: FileQuery) -> int:
        rows = self.page(replace(query, most=len(self.rows)))
        out.write_text("\n".join(row.path for row in rows))
        return len(rows)

    def folders(self) -> list[FolderView]:
        return []

    def do(self, command: Callable[[Commands], T]) -> "Future[T]":
        future: Future[T] = Future()
        future.set_result(command(cast("Commands", _Listener(self.given))))
        return future

    @property
    def instance(self) -> AppInstance:
        return cast("AppInstance", self)


class _Listener:
    """Writes down every verb."""

    def __init__(self, given: list[tuple[Any, ...]]) -> None:
        self._given = given

    def __getattr__(self, verb: str) -> Callable[..., None]:
        return lambda *arguments: self._given.append((verb, *arguments))


def model_of(shelf: Shelf, worker: HandWorker, query: FileQuery | None = None) -> TransfersModel:
    """The list's model on a shelf, filled."""
    pages = Pages(shelf.page, worker)
    model = TransfersModel(pages, RowTexts(shelf.instance), shelf.clock)
    pages.setParent(model)
    model.look_for(query or FileQuery())
    return model
