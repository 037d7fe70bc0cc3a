# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The engine's lifecycle in the app: opened when all that it needs is there, recovered when it dies.

One call at a time opens or closes it.
"""

import logging
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final, TypeVar

from fieldpost_desktop.app.assembly import EngineSpec, find_profile
from fieldpost_desktop.app.condition import Condition
from fieldpost_desktop.app.environment import AppEnvironment
from fieldpost_desktop.engine.commands import Commands
from fieldpost_desktop.engine.engine import Engine
from fieldpost_desktop.engine.journal.browse import Browser
from fieldpost_desktop.engine.journal.rescue import rescue
from fieldpost_desktop.engine.journal.store import failure_of
from fieldpost_desktop.engine.model.events import Listener, OverallChanged, OverallState, OverallStatus
from fieldpost_desktop.engine.profile.profile_file import Profile
from fieldpost_desktop.engine.runtime.lock import DataFolderLock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.secret import Secret

_LOG: Final = logging.getLogger(__name__)
_DISK_FULL_S: Final = 60.0  # until it is tried whether there is room again
ANSWER_S: Final = 30.0  # a command waits for a step of the core, which takes milliseconds; a full disk may take more
T = TypeVar("T")


class Lifecycle:
    """Opens, watches, recovers and closes the engine, with the lock of its data folder."""

    def __init__(self, environment: AppEnvironment, listener: Listener) -> None:
        self._environment = environment
        self._listener = listener
        self.paths = environment.paths
        self.clock = environment.clock
        self._lock = DataFolderLock(environment.paths.lock)
        self._browser = Browser(environment.paths.journal)
        self._opening = threading.RLock()
        self._engine: Engine | None = None
        self._password: Secret | None = None  # only where the keyring fails: gone with this process
        self.profile: Profile | None = None
        self.condition = Condition.NOT_SET_UP
        self.error: FieldpostError | None = None
        self._next_try: float | None = None
        self._journal_damage: FieldpostError | None = None  # the list was damaged, and a new one was begun

    # lifecycle

    def start(self) -> Condition:
        """Open the engine, if all that it needs is there; may be called again when something changed."""
        with self._opening:
            if self._engine is not None and self._engine.alive:
                return self.condition
            self._stop_engine()
            self.error = self._next_try = None
            try:
                self.condition = self._open_or_rescue()
            except (FieldpostError, sqlite3.Error) as failure:
                error = self.error = failure_of(failure) if isinstance(failure, sqlite3.Error) else failure
                missing = error.code in {Code.NOT_SET_UP, Code.KEYRING_FAILED} and self.profile is not None
                self.condition = Condition.NEEDS_PASSWORD if missing else Condition.FAILED
                self._lock.release()
                self._plan_next_try()
                _LOG.info("the engine was not started: %s", error)
            self._report_condition()
            return self.condition

    def close(self) -> None:
        """Stop within seconds; the journal has everything."""
        with self._opening:
            self._stop_engine()
            self._lock.release()

    @property
    def is_healthy(self) -> bool:
        """False if the engine died, or may be started again; never blocks."""
        engine = self._engine
        if engine is None:
            return self._next_try is None or self.clock.monotonic() < self._next_try
        return engine.failure is None and engine.alive

    def recover(self) -> None:
        """Clear up after an engine that died; start it again where a full disk had ended it."""
        with self._opening:
            engine = self._engine
            if self.is_healthy:
                return
            if engine is not None:
                self._clean_up_after(engine)
            else:
                self.start()

    def _plan_next_try(self) -> None:
        """Plan the next try after a full disk, which may have room again; every other failure waits for a person."""
        is_full = self.error is not None and self.error.code is Code.LOCAL_DISK_FULL
        self._next_try = self.clock.monotonic() + _DISK_FULL_S if is_full else None

    def _clean_up_after(self, engine: Engine) -> None:
        failure = engine.failure
        if isinstance(failure, sqlite3.Error):
            self.error = failure_of(failure)
        else:
            self.error = FieldpostError(Code.UNEXPECTED, repr(failure))
        self.condition = Condition.FAILED
        self._stop_engine()
        if self.error.code is Code.JOURNAL_DAMAGED:
            self._set_journal_aside(self.error)
            self.start()
            return
        self._lock.release()
        self._plan_next_try()
        self._report_condition()

    def _open_or_rescue(self) -> Condition:
        """Open the engine; begin a new journal where the old one is damaged, so that sending goes on."""
        try:
            return self._try_to_open()
        except FieldpostError as error:
            if error.code is not Code.JOURNAL_DAMAGED or not self._lock.held:
                raise
            self._set_journal_aside(error)
            return self._try_to_open()

    def _set_journal_aside(self, error: FieldpostError) -> None:
        try:
            aside = rescue(self.paths.journal, self.clock.now_ns())
        except OSError as problem:
            error.add_note(f"it could not be set aside: {problem.strerror}")
            raise error from problem
        _LOG.warning("the journal was damaged (%s); it lies as %s now", error.detail, aside.name)
        self._journal_damage = error

    def _try_to_open(self) -> Condition:
        self.profile = find_profile(self._environment.options, self._environment.environ, self.paths)
        if self.profile is None:
            return Condition.NOT_SET_UP
        self.paths.make()
        if not self._lock.acquire():
            return Condition.ELSEWHERE
        engine = self._environment.open_engine(self.spec_for(self.profile))
        engine.listen(self._listener)
        try:
            engine.start()
        except sqlite3.Error:
            engine.stop()
            raise
        self._engine = engine
        return Condition.RUNNING

    def _stop_engine(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.stop()

    def _report_condition(self) -> None:
        """Tell the listener the overall status, because no engine runs that would tell it."""
        if self.condition is Condition.RUNNING:
            return
        elsewhere = self.condition is Condition.ELSEWHERE
        state = OverallState.WAITING if elsewhere else OverallState.NOT_SET_UP
        self._listener(OverallChanged(OverallStatus(state)))

    def spec_for(self, profile: Profile, password: Secret | None = None) -> EngineSpec:
        """Return what opens an engine for this profile."""
        return EngineSpec(
            paths=self.paths,
            profile=profile,
            vault=self._environment.vault,
            clock=self.clock,
            environ=self._environment.environ,
            ask_password=lambda _name: password or self._password,
            redact=self._environment.redactor.add,
            network=self._environment.network,
        )

    @property
    def office(self) -> str:
        """What people call the other end; empty while the app is not set up."""
        return "" if self.profile is None else self.profile.name

    @property
    def client(self) -> str:
        """The name that this computer sends under; empty while the app is not set up."""
        return "" if self.profile is None else self.spec_for(self.profile).client

    def take_journal_damage(self) -> FieldpostError | None:
        """Return once why the list was begun anew; None if it was not, or if it was told already."""
        damage, self._journal_damage = self._journal_damage, None
        return damage

    # the engine

    @property
    def engine(self) -> Engine:
        """The running engine.

        Raises:
            FieldpostError: there is none.
        """
        with self._opening:  # while it starts, callers wait
            if self._engine is None:
                raise self.error or FieldpostError(Code.NOT_SET_UP)
            return self._engine

    def do(self, command: Callable[[Commands], T]) -> Future[T]:
        """Have a command carried out; never blocks."""
        engine = self._engine
        if engine is not None:
            return engine.do(command)
        future: Future[T] = Future()
        future.set_exception(self.error or FieldpostError(Code.NOT_SET_UP))
        return future
