# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""From the engine's threads to the GUI thread: events are gathered as they come and told four times a second.

Of each file only the newest value is kept: however fast the engine is, a tick costs what the screen can show.
"""

import threading
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from fieldpost_desktop.engine.model.events import (
    Event,
    FileChanged,
    FileDropped,
    OfficeHeard,
    OverallChanged,
    OverallState,
    OverallStatus,
)
from fieldpost_desktop.engine.model.hold import Hold, HoldKind

TICK_MS: Final = 250
_STARTING: Final = OverallStatus(OverallState.WAITING, hold=Hold(HoldKind.OFFLINE))  # "Connecting…", not a green tick


class Bridge(QObject):
    """The engine's listener (it is called), and the signals of the window."""

    # Not Signal(list): Qt would copy each value, 2 ms for 5,000 files.
    files_changed = Signal(object)  # a list of FileChanged
    files_dropped = Signal(object)  # a list of file numbers
    overall_changed = Signal(object)  # OverallStatus
    office_heard = Signal(object)  # OfficeHeard

    def __init__(self, parent: QObject | None = None) -> None:
        # Owned by Qt: the last to let go of it may be another thread, where it must not be destroyed.
        super().__init__(parent or QCoreApplication.instance())
        self._lock = threading.Lock()
        self._changed: dict[int, FileChanged] = {}
        self._dropped: dict[int, None] = {}
        self._overall: OverallStatus | None = None
        self._heard: dict[str, OfficeHeard] = {}
        self.overall = _STARTING  # the newest that was told
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self.drain)
        self._timer.start()

    def __call__(self, event: Event) -> None:
        """Take an event on the engine's threads: quickly, and without raising."""
        with self._lock:
            match event:
                case FileChanged():
                    self._dropped.pop(event.row.id, None)
                    self._changed[event.row.id] = event
                case FileDropped():
                    self._changed.pop(event.file, None)
                    self._dropped[event.file] = None
                case OverallChanged():
                    self._overall = event.status
                case OfficeHeard():
                    self._heard[event.receiver] = event

    def stop(self) -> None:
        """Tell nothing any more."""
        self._timer.stop()

    def drain(self) -> None:
        """Tell what has come since the last time: files first, so that a sentence about them finds them changed."""
        with self._lock:
            changed, self._changed = self._changed, {}
            dropped, self._dropped = self._dropped, {}
            overall, self._overall = self._overall, None
            heard, self._heard = self._heard, {}
        if dropped:
            self.files_dropped.emit(list(dropped))
        if changed:
            self.files_changed.emit(list(changed.values()))
        for one in heard.values():
            self.office_heard.emit(one)
        if overall is not None:
            self.overall = overall
            self.overall_changed.emit(overall)
