# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The rows of the list: pages, changes, files that linger, and few signals for many changes."""

from collections.abc import Iterable
from random import Random

import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from pytestqt.qtbot import QtBot

from fieldpost_desktop.engine.journal.browse import FileQuery, Group, SortOrder
from fieldpost_desktop.engine.model.events import FileChanged, OverallStatus
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.ui.transfers.model import CHANGE, LINGER_S, TransfersModel
from fieldpost_desktop.ui.transfers.ordering import runs
from fieldpost_desktop.ui.transfers.row_texts import Column
from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from support.gui.transfers import START_NS, HandWorker, Shelf, file_row, model_of, told

Role = Qt.ItemDataRole
TOP = QModelIndex()
S = FileState


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def worker(qtbot: QtBot) -> HandWorker:  # noqa: ARG001 - Qt must be up
    return HandWorker()


def files(model: TransfersModel) -> list[int]:
    return [model.change(row).row.id for row in range(model.rowCount())]


def read_all(model: TransfersModel) -> None:
    while model.canFetchMore(TOP):
        model.fetchMore(TOP)


def tell(shelf: Shelf, model: TransfersModel, *changes: FileChanged) -> None:
    """As it happens: the journal first, then the event."""
    shelf.put(*(change.row for change in changes))
    model.take(changes)


class Watch:
    """What the view is told."""

    def __init__(self, model: TransfersModel) -> None:
        self.changed: list[tuple[int, int, int, int, list[int]]] = []
        self.inserted: list[tuple[int, int]] = []
        self.removed: list[tuple[int, int]] = []
        self.arranged = self.reset = 0
        model.dataChanged.connect(self._changed)
        model.rowsInserted.connect(lambda _, first, last: self.inserted.append((first, last)))
        model.rowsRemoved.connect(lambda _, first, last: self.removed.append((first, last)))
        model.layoutChanged.connect(self._arranged)
        model.modelReset.connect(self._reset)

    def _changed(self, top: QModelIndex, bottom: QModelIndex, roles: Iterable[int]) -> None:
        self.changed.append((top.row(), bottom.row(), top.column(), bottom.column(), list(roles)))

    def _arranged(self) -> None:
        self.arranged += 1

    def _reset(self) -> None:
        self.reset += 1


# pages


def test_the_list_is_read_a_page_at_a_time(shelf: Shelf, worker: HandWorker) -> None:
    shelf.put(*(file_row(number, S.CONFIRMED) for number in range(1, 501)))
    model = model_of(shelf, worker)
    assert files(model) == list(range(500, 300, -1))
    assert model.canFetchMore(TOP)
    read_all(model)
    assert files(model) == list(range(500, 0, -1))
    assert all(query.most == 200 for query in shelf.asked)


def test_nothing_is_skipped_when_files_leave_the_list_between_two_pages(shelf: Shelf, worker: HandWorker) -> None:
    shelf.put(*(file_row(number, S.SENDING) for number in range(1, 501)))
    model = model_of(shelf, worker, FileQuery(Group.IN_PROGRESS))
    tell(shelf, model, *(told(number, S.CONFIRMED) for number in range(450, 500)))
    shelf.put(*(file_row(number, S.CONFIRMED) for number in range(440, 450)))  # not told of yet
    read_all(model)
    assert set(range(1, 440)) <= set(files(model))
    assert len(files(model)) == len(set(files(model)))


def test_a_page_that_holds_nothing_new_does_not_end_the_list(shelf: Shelf, worker: HandWorker) -> None:
    shelf.put(*(file_row(number, S.CONFIRMED) for number in range(1, 601)))
    model = model_of(shelf, worker)
    shelf.put(*(file_row(number, S.CONFIRMED) for number in range(601, 900)))  # a burst that was not told yet
    read_all(model)
    assert set(range(1, 601)) <= set(files(model))


def test_what_the_engine_told_while_a_page_was_read_wins(shelf: Shelf, worker: HandWorker) -> None:
    shelf.put(*(file_row(number, S.SENDING) for number in range(1, 4)))
    pages = worker
    model = model_of(shelf, worker)
    pages.held = True
    model.look_for(FileQuery(Group.IN_PROGRESS))
    model.take([told(2, S.CONFIRMED), told(9, S.SENDING, 7)])
    pages.release()
    assert files(model) == [9, 3, 1]
    assert model.change(0).acknowledged == 7


def test_how_far_a_file_is_outlives_the_pages(shelf: Shelf, worker: HandWorker) -> None:
    """The engine tells it once at its start; the journal's rows do not say it."""
    model = model_of(shelf, worker)
    tell(shelf, model, told(1, S.PAUSED, 14))
    model.reload()
    assert model.change(0).acknowledged == 14


def test_the_old_list_stays_until_the_new_one_has_come(shelf: Shelf, worker: HandWorker) -> None:
    shelf.put(file_row(1, S.CONFIRMED), file_row(2, S.QUEUED))
    model = model_of(shelf, worker)
    worker.held = True
    model.look_for(FileQuery(Group.CONFIRMED))
    assert files(model) == [2, 1]
    worker.release()
    assert files(model) == [1]


def test_only_the_last_of_two_quick_searches_is_shown(shelf: Shelf, worker: HandWorker) -> None:
    shelf.put(file_row(1, path="apple.txt"), file_row(2, path="pear.txt"))
    model = model_of(shelf, worker)
    worker.held = True
    model.look_for(FileQuery(text="apple"))
    model.look_for(FileQuery(text="pear"))
    worker.release()
    assert files(model) == [2]


def test_a_journal_that_cannot_be_read_is_told(shelf: Shelf, worker: HandWorker, qtbot: QtBot) -> None:
    shelf.error = FieldpostError(Code.JOURNAL_DAMAGED)
    model = model_of(shelf, worker)
    with qtbot.waitSignal(worker.unhandled_error) as told_of:
        model.reload()
    assert told_of.args is not None
    assert told_of.args[0].code is Code.JOURNAL_DAMAGED
    assert model.rowCount() == 0


# changes


def test_a_known_file_changes_in_place(shelf: Shelf, worker: HandWorker) -> None:
    shelf.put(*(file_row(number, S.SENDING) for number in range(1, 6)))
    model = model_of(shelf, worker)
    watch = Watch(model)
    tell(shelf, model, told(3, S.SENDING, 14))
    assert model.change(2).acknowledged == 14
    assert watch.changed == [(2, 2, Column.PROGRESS, Column.STATUS, [Role.DisplayRole, CHANGE])]
    assert not watch.inserted
    assert not watch.arranged


@pytest.mark.parametrize(
    ("order", "descending", "expected"),
    [
        (SortOrder.ADDED, True, [9, 4, 3, 2, 1]),
        (SortOrder.ADDED, False, [1, 2, 3, 4, 9]),
        (SortOrder.NAME, False, [2, 9, 1, 4, 3]),
        (SortOrder.NAME, True, [3, 4, 1, 9, 2]),
        (SortOrder.SIZE, False, [4, 9, 3, 2, 1]),
    ],
)
def test_a_new_file_is_put_where_the_journal_would_put_it(
    shelf: Shelf, worker: HandWorker, order: SortOrder, descending: bool, expected: list[int]
) -> None:
    names = {1: "Ödland.txt", 2: "alpha.txt", 3: "über.txt", 4: "ödland.txt"}
    shelf.put(*(file_row(number, path=name, size=5 - number) for number, name in names.items()))
    model = model_of(shelf, worker, FileQuery(order=order, descending=descending))
    watch = Watch(model)
    tell(shelf, model, told(9, path="Beta.txt", size=1))
    assert files(model) == expected
    assert watch.inserted == [(expected.index(9), expected.index(9))]
    model.reload()
    assert files(model) == expected


def test_a_file_that_does_not_fit_is_not_put_in(shelf: Shelf, worker: HandWorker) -> None:
    shelf.put(file_row(1, S.ATTENTION, path="apple.txt"))
    model = model_of(shelf, worker, FileQuery(Group.ATTENTION, text="APPLE"))
    tell(shelf, model, told(2, S.QUEUED, path="apple two.txt"), told(3, S.ATTENTION, path="pear.txt"))
    assert files(model) == [1]
    tell(shelf, model, told(4, S.ATTENTION, path="Apple four.txt"))
    assert files(model) == [4, 1]


def test_a_file_of_a_page_that_was_not_read_comes_with_its_page(shelf: Shelf, worker: HandWorker) -> None:
    shelf.put(*(file_row(number, S.SENDING) for number in range(1, 301)))
    model = model_of(shelf, worker)
    tell(shelf, model, told(5, S.CONFIRMED))
    assert 5 not in files(model)
    read_all(model)
    assert files(model) == list(range(300, 0, -1))


def test_files_that_vanished_leave_at_once(shelf: Shelf, worker: HandWorker) -> None:
    shelf.put(*(file_row(number, S.SETTLING) for number in range(1, 6)))
    model = model_of(shelf, worker)
    watch = Watch(model)
    model.drop([2, 3, 5, 77])
    assert files(model) == [4, 1]
    assert watch.removed == [(2, 3), (0, 0)]


def test_sorting_follows_changes_of_state_and_takes_the_selection_along(shelf: Shelf, worker: HandWorker) -> None:
    shelf.put(*(file_row(number, S.QUEUED) for number in range(1, 5)))
    model = model_of(shelf, worker, FileQuery(order=SortOrder.STATE, descending=False))
    chosen = QPersistentModelIndex(model.index(2, Column.FILE))
    watch = Watch(model)
    tell(shelf, model, told(3, S.ATTENTION, code=Code.FILE_GONE))
    assert files(model) == [3, 1, 2, 4]
    assert chosen.row() == 0
    assert watch.arranged == 1
    tell(shelf, model, told(4, S.QUEUED))
    assert watch.arranged == 1


# few signals


def test_many_changes_side_by_side_are_one_signal(shelf: Shelf, worker: HandWorker) -> None:
    shelf.put(*(file_row(number, S.SENDING) for number in range(1, 101)))
    model = model_of(shelf, worker)
    watch = Watch(model)
    order = list(range(21, 61))
    Random(7).shuffle(order)  # noqa: S311 - reproducible
    tell(shelf, model, *(told(number, S.SENDING, 3) for number in order))
    assert [change[:2] for change in watch.changed] == [(40, 79)]


def test_ten_thousand_rows_take_five_thousand_scattered_changes_with_one_signal(
    shelf: Shelf, worker: HandWorker
) -> None:
    shelf.put(*(file_row(number, S.SENDING) for number in range(1, 10_001)))
    model = model_of(shelf, worker)
    read_all(model)
    assert model.rowCount() == 10_000
    watch = Watch(model)
    tell(shelf, model, *(told(number, S.SENDING, 9) for number in range(2, 10_001, 2)))
    assert [change[:2] for change in watch.changed] == [(0, 9998)]
    assert (watch.inserted, watch.removed, watch.arranged, watch.reset) == ([], [], 0, 0)


def test_thousands_of_new_files_between_others_come_with_one_signal(shelf: Shelf, worker: HandWorker) -> None:
    shelf.put(*(file_row(number, path=f"{number * 2:05}.txt") for number in range(1, 101)))
    model = model_of(shelf, worker, FileQuery(order=SortOrder.NAME, descending=False))
    watch = Watch(model)
    tell(shelf, model, *(told(1000 + number, path=f"{number * 2 + 1:05}.txt") for number in range(100)))
    assert len(watch.inserted) == 1
    assert [model.change(row).row.path for row in range(200)] == [f"{number:05}.txt" for number in range(1, 201)]


def test_thousands_of_files_leave_with_one_signal(shelf: Shelf, worker: HandWorker) -> None:
    shelf.put(*(file_row(number, S.SENDING) for number in range(1, 201)))
    model = model_of(shelf, worker)
    watch = Watch(model)
    model.drop(range(1, 201, 2))
    assert len(watch.removed) == 1
    assert files(model) == list(range(200, 0, -2))


def test_ranges_are_found() -> None:
    assert list(runs([])) == []
    assert list(runs([0])) == [(0, 0)]
    assert list(runs([0, 1, 2, 5, 7, 8])) == [(0, 2), (5, 5), (7, 8)]


# lingering


def test_a_file_that_left_the_group_is_seen_for_ten_seconds_more(shelf: Shelf, worker: HandWorker) -> None:
    shelf.put(file_row(1, S.SENT), file_row(2, S.SENDING))
    model = model_of(shelf, worker, FileQuery(Group.IN_PROGRESS))
    tell(shelf, model, told(1, S.CONFIRMED))
    shelf.clock.advance(LINGER_S - 1)
    model.sweep()
    assert files(model) == [2, 1]
    assert model.change(1).row.state is S.CONFIRMED
    shelf.clock.advance(1)
    model.sweep()
    assert files(model) == [2]


def test_a_file_that_came_back_meanwhile_stays(shelf: Shelf, worker: HandWorker) -> None:
    shelf.put(file_row(1, S.SENDING))
    model = model_of(shelf, worker, FileQuery(Group.IN_PROGRESS))
    tell(shelf, model, told(1, S.ATTENTION, code=Code.FILE_GONE))
    tell(shelf, model, told(1, S.QUEUED))
    shelf.clock.advance(LINGER_S)
    model.sweep()
    assert files(model) == [1]


def test_lingering_files_have_one_timer_that_rests_without_them(shelf: Shelf, worker: HandWorker) -> None:
    shelf.put(*(file_row(number, S.SENT) for number in range(1, 51)))
    model = model_of(shelf, worker, FileQuery(Group.IN_PROGRESS))
    assert not model._sweeping.isActive()
    tell(shelf, model, *(told(number, S.CONFIRMED) for number in range(1, 51)))
    assert model._sweeping.isActive()
    shelf.clock.advance(LINGER_S)
    model.sweep()
    assert model.rowCount() == 0
    assert not model._sweeping.isActive()


# words


def test_each_column_says_what_it_is_called(shelf: Shelf, worker: HandWorker) -> None:
    model = model_of(shelf, worker)
    titles = [model.headerData(column, Qt.Orientation.Horizontal) for column in Column]
    assert titles == ["File", "Size", "Progress", "Status", "Added", "From"]


def test_the_cells_say_how_the_file_is(shelf: Shelf, worker: HandWorker) -> None:
    model = model_of(shelf, worker)
    model.texts.folders = {3: "Camera"}
    shelf.clock.advance(60)
    tell(shelf, model, told(1, S.SENDING, 14, path="plans/house.pdf", folder=3))
    cells = {column: model.index(0, column).data() for column in Column}
    assert cells[Column.FILE] == "house.pdf"
    assert cells[Column.SIZE] == "54.5 MB"
    assert cells[Column.PROGRESS] == "26 %"
    assert cells[Column.STATUS].startswith("Sending 14 of 52 part")
    assert cells[Column.FROM] == "Camera"
    tell(shelf, model, told(2, S.QUEUED))
    assert model.index(0, Column.FROM).data() == "Dropped"


def test_only_the_first_cell_is_read_aloud_and_it_says_everything(shelf: Shelf, worker: HandWorker) -> None:
    shelf.put(file_row(1, S.ATTENTION, path="lost.xlsx", code=Code.FILE_GONE))
    model = model_of(shelf, worker)
    words = model.index(0, Column.FILE).data(Role.AccessibleTextRole)
    for piece in ("lost.xlsx", model.index(0, Column.STATUS).data(), "54.5 MB", "Dropped"):
        assert piece in words
    assert "Locate" in model.index(0, Column.FILE).data(Role.AccessibleDescriptionRole)
    for column in set(Column) - {Column.FILE}:
        assert model.index(0, column).data(Role.AccessibleTextRole) is None


def test_progress_never_says_hundred_before_all_is_sent(shelf: Shelf, worker: HandWorker) -> None:
    shelf.put(file_row(1, S.SENDING))
    model = model_of(shelf, worker)
    model.take([FileChanged(file_row(1, S.SENDING), 999, 1000)])
    assert model.index(0, Column.PROGRESS).data() == "99 %"


def test_a_time_that_is_hardly_believable_is_not_told(shelf: Shelf, worker: HandWorker) -> None:
    """Three times the time at the best speed is no guess any more; nor is one in the first ten seconds."""
    model = model_of(shelf, worker)

    def sentence(rate: float, started_s: float) -> str:
        started_ns = shelf.clock.now_ns() - round(started_s * NS_PER_S)
        tell(shelf, model, FileChanged(file_row(1, S.SENDING, started_ns=started_ns), 2, 52, rate))
        return str(model.index(0, Column.STATUS).data())

    assert "left" not in sentence(3_000_000, 9)
    assert "left" in sentence(3_000_000, 11)
    assert "left" in sentence(1_100_000, 20)
    assert "left" not in sentence(900_000, 30)
    assert "kB/s" in sentence(900_000, 30)


def test_files_that_wait_say_so_as_soon_as_everything_is_held_up(shelf: Shelf, worker: HandWorker) -> None:
    shelf.put(file_row(1, S.QUEUED), file_row(2, S.CONFIRMED))
    model = model_of(shelf, worker)
    watch = Watch(model)
    hold = Hold(HoldKind.OFFLINE, Code.NO_CONNECTION, until_ns=START_NS + 80 * NS_PER_S, attempt=2)
    model.take_status(OverallStatus(hold=hold))
    assert "1 min 20 s" in model.index(1, Column.STATUS).data()
    assert len(watch.changed) == 1
    model.take_status(OverallStatus(hold=hold, bytes_left=5))
    assert len(watch.changed) == 1


def test_a_large_file_on_a_metered_network_offers_to_be_sent_anyway(shelf: Shelf, worker: HandWorker) -> None:
    shelf.put(file_row(1, S.QUEUED, size=1_000), file_row(2, S.QUEUED, size=90_000_000))
    model = model_of(shelf, worker)
    model.take_status(OverallStatus(metered_limit=5_000_000))
    assert model.texts.action(model.change(0)) == "send_anyway"
    assert model.texts.action(model.change(1)) == "pause"


def test_a_second_later_only_running_times_in_sight_are_told(shelf: Shelf, worker: HandWorker) -> None:
    retrying = {"code": Code.FILE_IN_USE, "next_try_ns": START_NS + 80 * NS_PER_S, "attempt": 1}
    shelf.put(*(file_row(number, S.RETRYING, **retrying) for number in (1, 2, 3, 8)), file_row(5, S.CONFIRMED))
    model = model_of(shelf, worker)
    watch = Watch(model)
    shelf.clock.advance(1)
    model.count_down(1, 3)
    assert [change[:4] for change in watch.changed] == [(2, 3, Column.STATUS, Column.STATUS)]
    assert "1 min 19 s" in model.index(2, Column.STATUS).data()
