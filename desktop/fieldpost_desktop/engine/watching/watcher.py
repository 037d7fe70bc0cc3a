# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The scanner thread: which folder is looked at when.

Every folder is scanned in its rhythm. A hint brings the next scan forward, and a waiting file has the waiting ones
looked at when it may be ready. The folders are read from the journal each time, so that changes need no message.
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

SHORTEST_GAP_S: Final = 1.0  # between two looks at a folder, however many hints come
SCANNING_SHARE: Final = 10  # hints may keep the scanner busy for a tenth of the time, not more
LONGEST_WAIT_S: Final = 5.0  # then the journal is asked for new folders
STOP_S: Final = 1.0

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Plan:
    """When a folder is looked at; all on the monotonic clock."""

    rhythm: ScanPolicy
    scan_at: float
    settle_at: float = inf
    hint_from: float = -inf  # a hint does not bring the scan before this


class Watcher:
    """Looks after all watched folders. `wake` is called when files were queued."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        wake: Callable[[], None],
        listener: Listener = lambda _: None,
        *,
        probe: WriteProbe = deny_writers_probe,
        rhythm: Callable[[str], ScanPolicy] = scan_policy_of,
    ) -> None:
        self._clock = clock
        self._wake = wake
        self._rhythm = rhythm
        self._folders = Folders(store)
        self._stopping = threading.Event()
        self._scanner = Scanner(store, clock, probe, listener, self._stopping.is_set)
        self._plans: dict[FolderId, _Plan] = {}
        self._lock = threading.Lock()
        self._hinted: set[FolderId] = set()
        self._urgent: set[FolderId] = set()
        self._kick = threading.Event()
        self._hints: OsEvents | None = None
        self._thread = threading.Thread(target=self._run, name="scanner", daemon=True)
        self.failure: Exception | None = None  # why the thread ended, if nobody stopped it

    # from any thread

    def start(self) -> None:
        """Begin to watch, on a thread of its own and with the system's events."""
        self._hints = OsEvents(self.hint)
        self._thread.start()

    def stop(self) -> bool:
        """End within a second, also in the middle of a scan; False if a drive does not answer."""
        self._stopping.set()
        self._kick.set()
        if self._hints is not None:
            self._hints.stop()
        if self._thread.ident is not None:
            self._thread.join(STOP_S)
        return not self._thread.is_alive()

    def hint(self, folder: FolderId) -> None:
        """Something happened in a folder."""
        with self._lock:
            if folder in self._hinted:
                return  # a thousand events make one scan
            self._hinted.add(folder)
        self._kick.set()

    def scan_now(self, folder: FolderId) -> None:
        """Scan a folder as the next thing: it was added, changed, or a person asked."""
        with self._lock:
            self._urgent.add(folder)
        self._kick.set()

    # on the scanner thread; tests call `step` themselves

    def step(self) -> float:
        """Do what is due; tells in how many seconds something is due again."""
        watched = [folder for folder in self._folders.all() if folder.enabled]
        self._plan(watched)
        for folder in watched:
            if not self._stopping.is_set():
                self._look_at(folder, self._plans[folder.id])
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
            self._hinted &= known
            hinted = set(self._hinted)
        for folder in watched:
            plan = self._plans.setdefault(folder.id, _Plan(self._rhythm(folder.path), now))
            if folder.id in urgent:
                plan.scan_at = now
            elif folder.id in hinted:
                plan.scan_at = min(plan.scan_at, max(now, plan.hint_from))
        if self._hints is not None and not self._stopping.is_set():
            self._hints.observe({folder.id: folder.path for folder in watched if self._is_observed(folder)})

    def _is_observed(self, folder: Folder) -> bool:
        """Not while it is gone: what observed it then sees nothing when it is back."""
        return self._plans[folder.id].rhythm.observed and folder.code is not Code.FOLDER_GONE

    def _look_at(self, folder: Folder, plan: _Plan) -> None:
        began = self._clock.monotonic()
        if plan.scan_at <= began:
            self._scan(folder, plan, began)
        elif plan.settle_at <= began:
            self._plan_settling(plan, self._scanner.settle(folder, plan.rhythm.settle_s))

    def _scan(self, folder: Folder, plan: _Plan, began: float) -> None:
        with self._lock:
            self._hinted.discard(folder.id)  # what happens from now on may be missed by this scan
        plan.rhythm = self._rhythm(folder.path)
        outcome = self._scanner.scan(folder, plan.rhythm.settle_s)
        ended = self._clock.monotonic()
        plan.hint_from = ended + max(SHORTEST_GAP_S, SCANNING_SHARE * (ended - began))
        plan.scan_at = ended + plan.rhythm.scan_s
        self._plan_settling(plan, outcome)

    def _plan_settling(self, plan: _Plan, outcome: ScanResult) -> None:
        plan.settle_at = inf
        if outcome.ripe_ns is not None:
            wait_s = (outcome.ripe_ns - self._clock.now_ns()) / NS_PER_S
            plan.settle_at = self._clock.monotonic() + max(SHORTEST_GAP_S, wait_s)
        if outcome.queued:
            self._wake()
