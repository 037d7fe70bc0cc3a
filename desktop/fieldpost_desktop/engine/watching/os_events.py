# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Events of the operating system, which only say that something happened in a folder. The scan is the truth.

So a failure here goes into the log and nowhere else.
"""

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Final

from watchdog.events import (
    DirCreatedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver

from fieldpost_desktop.engine.journal.folders import FolderId
from fieldpost_desktop.engine.sources.file_probe import as_text

_log = logging.getLogger(__name__)
# Not opening and closing without writing: a scan itself would call for the next scan.
_TELLING: Final[list[type[FileSystemEvent]]] = [
    DirCreatedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileModifiedEvent,
    FileMovedEvent,
]


class OsEvents:
    """One observer for each folder that can be observed; `notice` is called from their threads."""

    def __init__(self, notice: Callable[[FolderId], None]) -> None:
        self._notice = notice
        self._observers: dict[FolderId, _FolderObserver] = {}
        # The next scan makes up for what it complains of: a queue that ran over, an event while closing.
        logging.getLogger("watchdog").setLevel(logging.CRITICAL)

    def observe(self, wanted: Mapping[FolderId, str]) -> None:
        """Observe these folders and no others."""
        for folder in [folder for folder, observer in self._observers.items() if wanted.get(folder) != observer.path]:
            self._observers.pop(folder).close()
        for folder, path in wanted.items():
            if folder not in self._observers:
                self._observers[folder] = _FolderObserver(folder, path, self._notice)

    def stop(self) -> None:
        """Observe nothing any more; do not wait for the observers to end."""
        self.observe({})


class _FolderObserver(FileSystemEventHandler):
    """Watches one folder. Opening and closing go through all its sub-folders, so both happen on its own thread."""

    def __init__(self, folder: FolderId, path: str, notice: Callable[[FolderId], None]) -> None:
        self.path = path
        self._folder = folder
        self._notice = notice
        self._closing = threading.Event()
        threading.Thread(target=self._observe, name=f"os-events-{folder}", daemon=True).start()

    def close(self) -> None:
        """Stop telling of events."""
        self._closing.set()

    def on_any_event(self, event: FileSystemEvent) -> None:  # noqa: ARG002 - what happened is for the scan to find out
        if not self._closing.is_set():
            self._notice(self._folder)

    def _observe(self) -> None:
        try:
            observer = Observer()
        except OSError as error:  # no more observers for this user
            self._go_without(error)
            return
        try:
            self._watch(observer)
        except OSError as error:
            self._go_without(error)
        finally:
            observer.stop()

    def _watch(self, observer: BaseObserver) -> None:
        observer.schedule(self, self.path, recursive=True, event_filter=_TELLING)
        observer.start()
        self._notice(self._folder)  # for what happened while it was being opened
        self._closing.wait()

    def _go_without(self, error: OSError) -> None:
        _log.info("no events of %s, scans only: %s", as_text(self.path), error.strerror)
