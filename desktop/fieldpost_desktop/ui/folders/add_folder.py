# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""From a folder that a person chose or dropped to a watched one.

1. Look at it, off the GUI thread: may it be watched, what is in it already.
2. Ask for its rules.
3. Watch it; where it takes the place of one that is gone, that one is forgotten.
"""

from collections import deque
from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.journal.folders import Folder
from fieldpost_desktop.engine.model.folder_rules import FolderRules
from fieldpost_desktop.engine.watching.folder_kind import FolderPreview
from fieldpost_desktop.ui.folders.rules_dialog import AddFolderDialog
from fieldpost_desktop.ui.text import wording
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_shared.errors import FieldpostError


class AddFolder(QObject):
    """Takes folders one after the other."""

    busy = Signal(str)  # the folder that is being looked at; empty: none any more
    refused = Signal(str)  # why not, for a person; empty: a new beginning
    added = Signal()

    def __init__(self, instance: AppInstance, worker: Worker, window: QWidget) -> None:
        super().__init__(window)
        self._instance = instance
        self._worker = worker
        self._window = window
        self._waiting: deque[str] = deque()
        self._replaced: Folder | None = None
        self._reasons: list[str] = []

    def choose(self, replaced: Folder | None = None) -> None:
        """Let a person choose a folder; one that is gone may be replaced by it."""
        dialog = QFileDialog(self._window, self.tr("Choose a folder to watch"))
        dialog.setObjectName("choose_folder")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(lambda path: self.offer([path], replaced))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def offer(self, paths: Sequence[str], replaced: Folder | None = None) -> None:
        """Offer to watch these."""
        self._reasons = []
        self._replaced = replaced
        self.refused.emit("")
        self._waiting = deque(paths)
        self._go_on()

    def _go_on(self) -> None:
        if not self._waiting:
            self.busy.emit("")
            return
        path = self._waiting.popleft()
        self.busy.emit(path)
        self._worker.run(lambda: self._instance.preview_folder(path), self._ask, self._refuse)

    def _ask(self, look: FolderPreview) -> None:
        self.busy.emit("")
        profile, replaced = self._instance.profile, self._replaced
        dialog = AddFolderDialog(
            look,
            FolderRules() if replaced is None else replaced.rules,
            may_delete=profile is not None and profile.limits.allow_delete,
            parent=self._window,
        )
        dialog.setObjectName("add_folder")
        dialog.chosen.connect(lambda rules: self._add(look.path, rules))
        dialog.rejected.connect(self._go_on)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _add(self, path: str, rules: FolderRules) -> None:
        replaced, self._replaced = self._replaced, None

        def work() -> None:
            self._instance.add_folder(path, rules)
            if replaced is not None:
                self._instance.remove_folder(replaced.id)

        self._worker.run(work, self._done, self._refuse)

    def _done(self, _nothing: None) -> None:
        self.added.emit()
        self._go_on()

    def _refuse(self, error: FieldpostError) -> None:
        self._reasons.append(wording.error_sentence(error, self._instance.office))
        self.refused.emit(" ".join(self._reasons))
        self._go_on()
