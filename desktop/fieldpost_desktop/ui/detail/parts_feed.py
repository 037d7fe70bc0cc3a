# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Fetches how far the parts of a file are, while they are seen: twice a second, and one question at a time."""

from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.model.parts_map import PartsMap
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_shared.errors import FieldpostError

EVERY_MS: Final = 500


class PartsFeed(QObject):
    """Asks the engine's core; without an engine there are no parts."""

    came = Signal(object)  # PartsMap, or None

    def __init__(self, instance: AppInstance, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._instance = instance
        self._worker = worker
        self._file: int | None = None
        self._asked = False
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self.ask)

    def follow(self, file: int | None, *, moving: bool) -> None:
        """Tell of this file from now on; of one that stands still, once."""
        news = file != self._file or moving != self._timer.isActive()
        self._file = file
        if file is None or not moving:
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()
        if news:
            self.ask()

    def ask(self) -> None:
        """Ask now, unless an answer is still to come."""
        file = self._file
        if file is None or self._asked:
            return
        self._asked = True
        self._worker.follow(
            self._instance.do(lambda commands: commands.parts(file)),
            lambda parts: self._answered(file, parts),
            lambda error: self._refused(file, error),
            owner=self,
        )

    def _answered(self, file: int, parts: PartsMap | None) -> None:
        self._asked = False
        if file == self._file:
            self.came.emit(parts)
        else:
            self.ask()

    def _refused(self, file: int, _error: FieldpostError) -> None:
        """Show no parts; the window says elsewhere why there is no engine."""
        self._answered(file, None)
