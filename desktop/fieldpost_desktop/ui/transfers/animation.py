# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What moves in the list by itself: countdowns and the stripes of files that wait. Only rows in sight move."""

from collections.abc import Callable, Iterator
from typing import Final

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QTableView

from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.ui.transfers.delegate import RowDelegate
from fieldpost_desktop.ui.transfers.model import TransfersModel
from fieldpost_desktop.ui.transfers.row_texts import Column
from fieldpost_shared.clock import NS_PER_S

_SECOND_MS: Final = 1_000
_STRIPES_MS: Final = 200
_STEP: Final = 2  # pixels
_LIVELY_NS: Final = 60 * NS_PER_S  # stripes move so long after the last part; then they stand, and cost nothing


class ListAnimation(QObject):
    """One timer for each kind of movement, none for a row."""

    def __init__(self, view: QTableView, model: TransfersModel, delegate: RowDelegate) -> None:
        super().__init__(view)
        self._view = view
        self._model = model
        self._delegate = delegate
        self.seconds = self._timer(_SECOND_MS, self.second_passed)
        self.stripes = self._timer(_STRIPES_MS, self._move_stripes)
        view.installEventFilter(self)
        model.dataChanged.connect(self._see_to_stripes)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        match event.type():
            case QEvent.Type.Show:
                self.seconds.start()
                QTimer.singleShot(0, self.second_passed)  # once it has its size
            case QEvent.Type.Hide:
                self.seconds.stop()
                self.stripes.stop()
        return super().eventFilter(watched, event)

    def seen(self) -> range:
        """Return the rows in sight; none while the window is hidden."""
        view, count = self._view, self._model.rowCount()
        if not view.isVisible() or view.window().isMinimized() or not count:
            return range(0)
        last = view.rowAt(view.viewport().height() - 1)
        return range(max(0, view.rowAt(0)), (last if last >= 0 else count - 1) + 1)

    def second_passed(self) -> None:
        """Move running times one second on."""
        seen = self.seen()
        if seen:
            self._model.count_down(seen.start, seen.stop - 1)
            self._see_to_stripes()

    def _timer(self, every_ms: int, call: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setInterval(every_ms)
        timer.timeout.connect(call)
        return timer

    def _lively(self) -> Iterator[int]:
        since_ns = self._model.texts.now_ns - _LIVELY_NS
        for row in self.seen():
            found = self._model.change(row).row
            if found.state is FileState.SENT and (found.sent_ns or 0) > since_ns:
                yield row

    def _see_to_stripes(self) -> None:
        if not self.stripes.isActive() and next(self._lively(), None) is not None:
            self.stripes.start()

    def _move_stripes(self) -> None:
        rows = list(self._lively())
        if not rows:
            self.stripes.stop()
        self._delegate.phase += _STEP
        for row in rows:
            self._view.viewport().update(self._view.visualRect(self._model.index(row, Column.PROGRESS)))
