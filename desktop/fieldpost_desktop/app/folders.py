# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The watched folders, as the window asks about them and changes them."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from fieldpost_desktop.app.lifecycle import ANSWER_S, Lifecycle
from fieldpost_desktop.engine.journal.folders import Folder, FolderId, Folders
from fieldpost_desktop.engine.model.folder_rules import FolderRules
from fieldpost_desktop.engine.watching.folder_kind import FolderPreview, FolderView, folder_views, preview_folder

T = TypeVar("T")


class FolderOperations(Lifecycle):
    """Reads and changes watched folders; a change is in the journal when its method returns."""

    def folders(self) -> list[FolderView]:
        """Return all watched folders, with what waits in each."""
        return folder_views(Folders(self.engine.store))

    def preview_folder(self, path: str) -> FolderPreview:
        """Return what lies in a folder already, if it may be watched.

        Raises:
            FolderRefused: it may not.
        """
        watched = [view.folder.path for view in self.folders()]
        return preview_folder(Path(path), watched, self.paths.data_dir)

    def add_folder(self, path: str, rules: FolderRules) -> None:
        """Watch it from now on."""
        self._change_folders(lambda folders: folders.add(path, rules, self.clock.now_ns()))

    def change_folder(self, folder: FolderId, rules: FolderRules) -> None:
        """Watch it by other rules."""
        self._change_folders(lambda folders: folders.change_rules(folders.known(folder), rules))

    def enable_folder(self, folder: FolderId, *, enabled: bool) -> None:
        """Watch again, or stop watching for a while."""
        self._change_folders(lambda folders: folders.enable(folder, enabled=enabled))

    def remove_folder(self, folder: FolderId) -> None:
        """Forget it; its queued files go on."""
        self._change_folders(lambda folders: folders.remove(folder))

    def scan_folder(self, folder: FolderId) -> None:
        """Look at it now."""
        self.engine.watcher.scan_now(folder)

    def _change_folders(self, change: Callable[[Folders], Folder | None]) -> None:
        """Change the journal on the core's thread, which writes it; then the watcher scans what is new."""
        engine = self.engine
        changed = self.do(lambda _commands: change(Folders(engine.store))).result(ANSWER_S)
        if changed is not None:
            engine.watcher.scan_now(changed.id)
