# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The engine as others see it: start and stop, commands from any thread, events to listeners.

Threads: the core (decides), the workers (all that may block), the status reader, the watcher. Only the core and the
watcher write the journal, one at a time.
"""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Final, TypeVar
from uuid import uuid4

from fieldpost_desktop.engine.commands import Commands
from fieldpost_desktop.engine.core import Core
from fieldpost_desktop.engine.journal.inbox import hand_over_files
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.events import Event, Listener, OverallStatus
from fieldpost_desktop.engine.ports import Config, Ports
from fieldpost_desktop.engine.profile.settings import EngineSettings
from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_desktop.engine.sources.dropped_files import DroppedFiles
from fieldpost_desktop.engine.watching.watcher import Watcher

_LOG: Final = logging.getLogger(__name__)
_BUSY_S: Final = 0.02  # while chunks are being read or acknowledged
_IDLE_S: Final = 1.0  # a file that another process hands over is seen within this time
_STOP_S: Final = 10.0
T = TypeVar("T")


class Engine:
    """One for each data folder, whose lock the caller holds."""

    def __init__(
        self, paths: Paths, store: Store, config: Config, make_ports: Callable[[Callable[[], None]], Ports]
    ) -> None:
        self._paths = paths
        self.store = store
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._listeners: list[Listener] = []
        self._calls: SimpleQueue[Callable[[], None]] = SimpleQueue()
        ports = make_ports(self._wake.set)
        self._ports = ports
        self.core = Core(store, config, ports=ports, tell=self._tell)
        self.watcher = Watcher(store, ports.clock, wake=self._files_queued, listener=self._tell)
        self._thread = threading.Thread(target=self._run, name="fieldpost-core", daemon=True)
        self._failure: BaseException | None = None

    # life

    def start(self) -> None:
        """Begin where the last engine stopped."""
        self.core.recover()
        self._thread.start()
        self.watcher.start()

    def stop(self) -> None:
        """Stop within seconds; everything that matters is in the journal."""
        self.watcher.stop()
        self._stopping.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(_STOP_S)
        self._ports.workers.close()
        self.store.close()

    @property
    def alive(self) -> bool:
        """Return whether the core runs."""
        return self._thread.is_alive()

    @property
    def failure(self) -> BaseException | None:
        """Return why the core or the watcher ended without being stopped."""
        return self._failure or self.watcher.failure

    @property
    def connected(self) -> bool:
        """Return whether there is a link to the broker."""
        return self.core.sender.link is not None

    # commands

    def listen(self, listener: Listener) -> None:
        """Call this for every event, on the core's or the watcher's thread: it must be quick and never raise."""
        self._listeners.append(listener)

    def do(self, command: Callable[[Commands], T]) -> Future[T]:
        """Have a command carried out by the core."""
        future: Future[T] = Future()

        def carry_out() -> None:
            try:
                future.set_result(command(self.core.commands))
            except Exception as error:  # noqa: BLE001 - the caller gets it from the future
                future.set_exception(error)

        self._calls.put(carry_out)
        self._wake.set()
        return future

    def add(self, found: DroppedFiles) -> str:
        """Queue files, which are on disk when this returns; return the batch to follow them by."""
        batch = uuid4().hex
        hand_over_files(self._paths.journal, found.pieces(), batch=batch, now_ns=self._ports.clock.now_ns())
        self.core.look_into_inbox()
        self._wake.set()
        return batch

    def use(self, settings: EngineSettings) -> None:
        """Follow other settings from now on."""
        self.do(lambda _commands: self.core.use(settings))

    def overall(self) -> Future[OverallStatus]:
        """Return the overall status, from the core's thread."""
        return self.do(lambda _commands: self.core.overall())

    # the core's thread

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                self._round()
            self.core.close()
        except BaseException as error:
            self._failure = error
            _LOG.exception("the engine stopped unexpectedly")
            raise

    def _round(self) -> None:
        with suppress(Empty):
            while True:
                self._calls.get_nowait()()
        waiting = self.core.sender.blocked_by_window
        self.core.step(wait_s=_BUSY_S if waiting else 0.0)
        if not waiting:
            self._wake.wait(_BUSY_S if self.core.working else self.core.rest_s(_IDLE_S))
        self._wake.clear()

    def _files_queued(self) -> None:
        """Have files that the watcher queued looked up."""
        self._calls.put(self.core.sender.requery)
        self._wake.set()

    def _tell(self, event: Event) -> None:
        for listener in self._listeners:
            listener(event)
