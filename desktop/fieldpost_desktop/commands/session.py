# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""This process at a data folder. One process runs the engine; another hands over and follows.

When the first ends, the next takes over, so that each process gets the receipts it waits for.
"""

import sqlite3
import threading
from types import TracebackType
from typing import Any, Final, Self

from fieldpost_desktop.app import target as targets
from fieldpost_desktop.app.assembly import EngineSpec, carry_out_offline, open_engine
from fieldpost_desktop.app.hold_report import reported_hold
from fieldpost_desktop.engine.engine import Engine
from fieldpost_desktop.engine.journal.inbox import Inbox, hand_over
from fieldpost_desktop.engine.journal.store import Store, failure_of, reading
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.runtime.lock import DataFolderLock
from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError, SettingsError

_TAKE_OVER_S: Final = 0.5  # how often it is seen whether the other process has ended
_APPEAR_S: Final = 10.0  # for the journal of a process that has just taken the lock
_TAKEN_UP_S: Final = 10.0  # an engine looks every second
_LOOK_S: Final = 0.1


class Session:
    """Used in a `with` statement: opened in either role, and closed in good order."""

    def __init__(self, spec: EngineSpec) -> None:
        self._spec = spec
        self._clock = spec.clock
        self._lock = DataFolderLock(spec.paths.lock)
        self._engine: Engine | None = None
        self._next_try = 0.0

    def __enter__(self) -> Self:
        if self._lock.acquire():
            try:
                self._engine = open_engine(self._spec)
            except FieldpostError:
                self._lock.release()
                raise
        else:
            check_running_engine(self._spec)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._engine is not None:
            self._engine.stop()
        self._lock.release()

    @property
    def runs_engine(self) -> bool:
        """Whether the engine runs in this process."""
        return self._engine is not None

    def order(self, order: dict[str, Any]) -> None:
        """Leave an order in the inbox; on disk when this returns."""
        hand_over(self._spec.paths.journal, order, self._clock.now_ns())

    def start(self) -> None:
        """Let the engine begin, if it is ours."""
        if self._engine is not None:
            self._engine.start()

    def supervise(self) -> None:
        """Notice that our engine died, or that the other process ended; call it often.

        Raises:
            FieldpostError: why ours died; what `open_engine` raises when taking over.
        """
        if self._engine is not None:
            if self._engine.failure is not None or not self._engine.alive:
                raise _engine_error(self._engine)
            return
        if self._clock.monotonic() >= self._next_try:
            self._next_try = self._clock.monotonic() + _TAKE_OVER_S
            if self._lock.acquire():
                self._engine = open_engine(self._spec)
                self._engine.start()

    def hold(self, store: Store) -> Hold | None:
        """Return why nothing is being sent, as the engine reports it, ours or another's; without a code: connecting."""
        pinned = reported_hold(store, self._lock.holder())
        if pinned is None and self._engine is not None and not self._engine.connected:
            return Hold(HoldKind.OFFLINE)
        return pinned


def _engine_error(engine: Engine) -> FieldpostError:
    """Return why it died: the disk below the journal, or something unexpected."""
    if isinstance(engine.failure, sqlite3.Error):
        return failure_of(engine.failure)
    return FieldpostError(Code.UNEXPECTED, f"the engine stopped: {engine.failure!r}")


def leave_order(order: dict[str, Any], paths: Paths, clock: Clock, spec: EngineSpec | None = None) -> bool:
    """Have an order carried out at once, or handed to the engine that runs in another process; tells whether one does.

    Raises:
        FieldpostError: the spec has another target than the journal; nothing was left then.
    """
    with DataFolderLock(paths.lock) as lock:
        if lock.held:
            carry_out_offline(paths, clock, order=order, spec=spec)
            return False
    if spec is not None:
        check_running_engine(spec)
    hand_over(paths.journal, order, clock.now_ns())
    return True


def await_order(mark: str, paths: Paths, clock: Clock) -> bool:
    """Wait until the engine has taken an order up; if it ended instead, carry it out here. False: neither yet."""
    deadline = clock.monotonic() + _TAKEN_UP_S
    with reading(paths.journal) as store:
        while Inbox(store).has("mark", mark):
            if clock.monotonic() > deadline:
                return False
            with DataFolderLock(paths.lock) as lock:
                if lock.held:
                    carry_out_offline(paths, clock)
            clock.wait(threading.Event(), _LOOK_S)
    return True


def engine_runs(paths: Paths) -> bool:
    """Return whether a process runs the engine of this data folder now."""
    with DataFolderLock(paths.lock) as lock:
        return not lock.held


def check_running_engine(spec: EngineSpec) -> None:
    """Check that the process that runs the engine has our target, because it sends our files.

    Raises:
        FieldpostError: it has another one, or makes no journal.
    """
    clock, paths = spec.clock, spec.paths
    deadline = clock.monotonic() + _APPEAR_S
    while (target := _bound_target(paths)) is None:
        if clock.monotonic() > deadline:
            raise FieldpostError(Code.UNEXPECTED, "another process holds the data folder and has no journal")
        clock.wait(threading.Event(), _LOOK_S)
    if not target.is_same(spec.target):
        raise SettingsError(
            "data_dir",
            f"another Fieldpost is running on {paths.data_dir} and sends to {target}, "
            f"not to {spec.target}; end it, or give another folder with --data-dir",
        )


def _bound_target(paths: Paths) -> targets.Target | None:
    try:
        with reading(paths.journal) as store:
            return targets.bound(store)
    except sqlite3.OperationalError:  # not there yet, or without tables
        return None
