# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""From files that a person chose, dropped or opened to files in the queue."""

from collections.abc import Sequence
from contextlib import closing

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.sources.dropped_files import DroppedFiles
from fieldpost_desktop.ui.dialogs.send_question import SendQuestion
from fieldpost_desktop.ui.threads.worker import Worker


class AddFiles(QObject):
    """Counts first, asks when it is much, then has the instance queue what was found."""

    def __init__(self, instance: AppInstance, worker: Worker, window: QWidget) -> None:
        super().__init__(window)
        self._instance = instance
        self._worker = worker
        self._window = window

    def choose(self) -> None:
        """Let a person choose files."""
        paths, _ = QFileDialog.getOpenFileNames(self._window, self.tr("Add files"))
        self.add(paths)

    def add(self, paths: Sequence[str]) -> None:
        """Send these; folders with all that is in them."""
        if not paths:
            return
        question = SendQuestion(self._instance, self._worker, paths, self._window)
        question.accepted.connect(lambda: self._queue(question.found))
        question.finished.connect(question.deleteLater)
        question.begin()

    def _queue(self, found: DroppedFiles) -> None:
        def queue() -> None:
            with closing(found):
                self._instance.add(found)

        self._worker.run(queue)
