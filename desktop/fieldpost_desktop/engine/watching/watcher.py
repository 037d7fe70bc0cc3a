# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The scanner thread: which folder is scanned when.

Every folder is scanned by its scan policy. An event of the system brings the next scan forward, and waiting files are
checked when the first may be ready. The folders are read from the journal each time, so that changes need no message.
"""

import logging
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Final

from fieldpost_desktop.engine.journal.folders import Folder, FolderId, Folders
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.events import Listener
from fieldpost_desktop.engine.sources.file_probe import deny_writers_probe
from fieldpost_desktop.engine.watching.folder_kind import ScanPolicy, scan_policy_of
from fieldpost_desktop.engine.watching.os_events import OsEvents
from fieldpost_desktop.engine.watching.scan import Scanner, ScanResult
from fieldpost_desktop.engine.watching.settle import WriteProbe
from fieldpost_shared.clock import NS_PER_S, Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

SHORTEST_GAP_S: Final = 1.0  # between two scans of a folder, however many events come
SCANNING_SHARE: Final = 10  # events may keep the scanner busy for a tenth of the time, not more
LONGEST_WAIT_S: Final = 5.0  # then the journal is read for new folders
STOP_S: Final = 1.0

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Plan:
    """When a folder is scanned; all on the monotonic clock."""

    scan_policy: ScanPolicy
    scan_at: float
    settle_at: float = inf
    events_from: float = -inf  # events do not bring the scan before this


class Watcher:
    """Scans all watched folders. `wake` is called when files were queued."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        wake: Callable[[], None],
        listener: Listener = lambda _: None,
        *,
        probe: WriteProbe = deny_writers_probe,
        scan_policy: Callable[[str], ScanPolicy] = scan_policy_of,
    ) -> None:
        self._clock = clock
        self._wake = wake
        self._scan_policy = scan_policy
        self._folders = Folders(store)
        self._stopping = threading.Event()
        self._scanner = Scanner(store, clock, probe=probe, listener=listener, stopping=self._stopping.is_set)
        self._plans: dict[FolderId, _Plan] = {}
        self._lock = threading.Lock()
        self._with_events: set[FolderId] = set()
        self._urgent: set[FolderId] = set()
        self._kick = threading.Event()
        self._os_events: OsEvents | None = None
        self._thread = threading.Thread(target=self._run, name="scanner", daemon=True)
        self.failure: Exception | None = None  # why the thread ended without being stopped

    # from any thread

    def start(self) -> None:
        """Begin to watch, on a thread of its own and with the system's events."""
        self._os_events = OsEvents(self.notice_event)
        self._thread.start()

    def stop(self) -> bool:
        """Stop within a second, also in the middle of a scan; return False if a drive does not answer."""
        self._stopping.set()
        self._kick.set()
        if self._os_events is not None:
            self._os_events.stop()
        if self._thread.ident is not None:
            self._thread.join(STOP_S)
        return not self._thread.is_alive()

    def notice_event(self, folder: FolderId) -> None:
        """Bring the next scan of a folder forward, because something happened in it."""
        with self._lock:
            if folder in self._with_events:
                return  # a thousand events make one scan
            self._with_events.add(folder)
        self._kick.set()

    def scan_now(self, folder: FolderId) -> None:
        """Scan a folder next: it was added, changed, or a person asked."""
        with self._lock:
            self._urgent.add(folder)
        self._kick.set()

    # on the scanner thread; tests call `step` themselves

    def step(self) -> float:
        """Do what is due; return in how many seconds something is due again."""
        watched = [folder for folder in self._folders.all() if folder.enabled]
        self._plan(watched)
        for folder in watched:
            if not self._stopping.is_set():
                self._scan_if_due(folder, self._plans[folder.id])
        next_at = min((min(plan.scan_at, plan.settle_at) for plan in self._plans.values()), default=inf)
        return max(0.0, min(LONGEST_WAIT_S, next_at - self._clock.monotonic()))

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                self._clock.wait(self._kick, self.step())
                self._kick.clear()
        except (sqlite3.Error, FieldpostError) as error:
            if not self._stopping.is_set():  # else the journal was closed under a drive that did not answer in time
                self.failure = error
                _log.exception("folders are not watched any more")
                self._wake()

    def _plan(self, watched: list[Folder]) -> None:
        now = self._clock.monotonic()
        known = {folder.id for folder in watched}
        self._plans = {folder: plan for folder, plan in self._plans.items() if folder in known}
        with self._lock:
            urgent, self._urgent = self._urgent, set()
            self._with_events &= known
            with_events = set(self._with_events)
        for folder in watched:
            plan = self._plans.setdefault(folder.id, _Plan(self._scan_policy(folder.path), now))
            if folder.id in urgent:
                plan.scan_at = now
            elif folder.id in with_events:
                plan.scan_at = min(plan.scan_at, max(now, plan.events_from))
        if self._os_events is not None and not self._stopping.is_set():
            self._os_events.observe({folder.id: folder.path for folder in watched if self._is_observed(folder)})

    def _is_observed(self, folder: Folder) -> bool:
        """Return whether events are wanted; not of a folder that is gone, since its observer would stay blind."""
        return self._plans[folder.id].scan_policy.observed and folder.code is not Code.FOLDER_GONE

    def _scan_if_due(self, folder: Folder, plan: _Plan) -> None:
        began = self._clock.monotonic()
        if plan.scan_at <= began:
            self._scan(folder, plan, began)
        elif plan.settle_at <= began:
            self._plan_settling(plan, self._scanner.settle(folder, plan.scan_policy.settle_s))

    def _scan(self, folder: Folder, plan: _Plan, began: float) -> None:
        with self._lock:
            self._with_events.discard(folder.id)  # what happens from now on may be missed by this scan
        plan.scan_policy = self._scan_policy(folder.path)
        result = self._scanner.scan(folder, plan.scan_policy.settle_s)
        ended = self._clock.monotonic()
        plan.events_from = ended + max(SHORTEST_GAP_S, SCANNING_SHARE * (ended - began))
        plan.scan_at = ended + plan.scan_policy.scan_s
        self._plan_settling(plan, result)

    def _plan_settling(self, plan: _Plan, result: ScanResult) -> None:
        plan.settle_at = inf
        if result.ready_ns is not None:
            wait_s = (result.ready_ns - self._clock.now_ns()) / NS_PER_S
            plan.settle_at = self._clock.monotonic() + max(SHORTEST_GAP_S, wait_s)
        if result.queued:
            self._wake()
