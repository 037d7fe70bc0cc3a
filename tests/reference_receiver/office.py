# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The office as a thread: reads, answers, and gives notices until it is stopped."""

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from fieldpost_shared.clock import Clock, SystemClock
from reference_receiver.answers import Answers
from reference_receiver.desk import Desk, Rules
from reference_receiver.observations import Observations, Published
from reference_receiver.reading import FilesReader
from reference_receiver.shelf import Shelf
from reference_receiver.switches import State, Switches

_START_S: Final = 30.0
_STOP_S: Final = 30.0
_LOOK_S: Final = 1.0  # how often partitions are counted
_IDLE_S: Final = 0.05


class OfficeTrouble(AssertionError):
    """The office did not get where the test wanted it; says how far it came."""


class Office:
    """A receiver for tests; use it in a `with` statement.

    Attributes:
        switches: what a test can make it do wrong.
        seen: what it saw, did and found wrong.
    """

    def __init__(
        self,
        bootstrap_servers: str,
        files_topic: str,
        status_topic: str,
        folder: Path,
        name: str = "central",
        *,
        conf: Mapping[str, Any] | None = None,
        notice_seconds: float = 1.0,
        rules: Rules | None = None,
        on_published: Callable[[Published], None] = lambda _published: None,
        clock: Clock | None = None,
    ) -> None:
        """Open nothing yet. `conf` are further settings of the Kafka clients, for example to sign in."""
        self.folder = folder
        self.switches = Switches()
        self.seen = Observations()
        self._clock = clock or SystemClock()
        self._notice_seconds = notice_seconds
        self._noticed: tuple[float, State] | None = None
        self._looked = 0.0
        clients = {"bootstrap.servers": bootstrap_servers, "client.id": name, "log_level": 0, **(conf or {})}
        self._reader = FilesReader(clients, files_topic, self.seen)
        self._answers = Answers(clients, status_topic, self.switches, self.seen, name=name, clock=self._clock)
        shelf = Shelf(folder)
        self._desk = Desk(self._reader, shelf, self._answers, self.switches, self.seen, rules or Rules(), on_published)
        self._ready, self._stopping = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"office {name}", daemon=True)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Return when all partitions are assigned."""
        self._thread.start()
        if not self._ready.wait(_START_S):
            self.stop()
            raise OfficeTrouble(f"the office found no topics in {_START_S:g} s: {self.seen.kafka_errors()[-3:]}")

    def stop(self) -> None:
        """Say that it stops, and stop."""
        self._stopping.set()
        self._thread.join(_STOP_S)
        if self._thread.is_alive():
            raise OfficeTrouble(f"the office did not stop in {_STOP_S:g} s")

    @property
    def violations(self) -> list[str]:
        """Everything that a sender of ours must never do, in words; empty if all is well."""
        return self._desk.violations()

    def processed(self) -> dict[int, int]:
        """The offset that is read next, by partition of the files topic."""
        return dict(self._reader.processed)

    def arrived(self) -> dict[str, str]:
        """The SHA-256 of each published file, by its path below the folder: `client/path`."""
        return {published.path: published.sha256 for published in self.seen.published()}

    def wait_for(self, count: int, seconds: float = 30.0) -> dict[str, str]:
        """Wait until so many different files are published, and return them as `arrived` does.

        Raises:
            OfficeTrouble: that did not happen in time, or the office died.
        """
        deadline = self._clock.monotonic() + seconds
        with self.seen.changed:
            while len(arrived := self.arrived()) < count:
                left = deadline - self._clock.monotonic()
                if left <= 0 or not self._thread.is_alive():
                    raise OfficeTrouble(f"waited for {count} files; {self._how_far(len(arrived))}")
                self.seen.changed.wait(min(left, _LOOK_S))
        return arrived

    def _how_far(self, arrived: int) -> str:
        transfers = list(self._desk.transfers.values())
        waiting = [f"{len(each.have)} of {each.count} chunks" for each in transfers if each.answer is None]
        rejected = [each.answer["code"] for each in transfers if each.answer and "code" in each.answer]
        alive = "" if self._thread.is_alive() else "the office is not running; "
        found = f"{arrived} arrived, open: {waiting}, rejected: {rejected}, violations: {self.violations}"
        return f"{alive}{found}, processed: {self.processed()}, Kafka: {self.seen.kafka_errors()[-3:]}"

    def _run(self) -> None:
        try:
            while not (self._reader.look_for_growth() and self._answers.look_for_growth()):
                if self._clock.wait(self._stopping, _IDLE_S):
                    return
            self._tend()
            self._ready.set()
            while not self._stopping.is_set():
                self._step()
            self._answers.notice("stopping", self._reader.processed)
        finally:
            self._answers.close()
            self._reader.close()

    def _step(self) -> None:
        if self.switches.state is State.PAUSED:
            self._clock.wait(self._stopping, _IDLE_S)
        else:
            for raw in self._reader.read():
                self._desk.handle(raw)
            self._desk.settle()
        self._tend()

    def _tend(self) -> None:
        """What has its time: callbacks, delayed receipts, growth of the topics, notices."""
        self._answers.serve()
        now, state = self._clock.monotonic(), self.switches.state
        if now - self._looked >= _LOOK_S:
            self._looked = now
            self._reader.look_for_growth()
            self._answers.look_for_growth()
        if self._noticed is None or self._noticed[1] is not state or now - self._noticed[0] >= self._notice_seconds:
            self._noticed = (now, state)
            self._answers.notice(state, self._reader.processed)
