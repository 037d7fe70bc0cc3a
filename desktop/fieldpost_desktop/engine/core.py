# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The engine's core: everything that happens, in steps on one thread, with the journal as its only memory."""

import logging
import queue
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, Protocol

from fieldpost_desktop.engine.commands import Commands
from fieldpost_desktop.engine.inbox_commands import InboxCommands
from fieldpost_desktop.engine.journal.files import Files
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.link.network import NetworkPort
from fieldpost_desktop.engine.link.transport import Connector
from fieldpost_desktop.engine.model.events import Event, FileChanged, OfficeHeard, OverallChanged, OverallStatus
from fieldpost_desktop.engine.model.file_row import FileId, FileRow
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.model.overall_status import overall
from fieldpost_desktop.engine.model.states import OPEN, FileState
from fieldpost_desktop.engine.profile.settings import EngineSettings
from fieldpost_desktop.engine.receipts.apply import StatusBatch, StatusHandler
from fieldpost_desktop.engine.receipts.ask import ReceiptRequests
from fieldpost_desktop.engine.runtime import retry
from fieldpost_desktop.engine.runtime.context import EngineContext
from fieldpost_desktop.engine.runtime.failure_policy import FailurePolicy
from fieldpost_desktop.engine.runtime.holds import Holds
from fieldpost_desktop.engine.runtime.keep_awake import KeepAwake, NoKeepAwake, WakeLock
from fieldpost_desktop.engine.runtime.worker_threads import Workers
from fieldpost_desktop.engine.sending.link_keeper import LinkKeeper
from fieldpost_desktop.engine.sending.sender import Sender
from fieldpost_desktop.engine.watching.clean_up_worker import CleanUpWorker
from fieldpost_shared.chunks import DEFAULT_CHUNK_SIZE, status_partition
from fieldpost_shared.clock import NS_PER_S, Clock
from fieldpost_shared.crash_points import CrashPoints, NoCrashPoints
from fieldpost_shared.ids import ClientName

_LOG: Final = logging.getLogger(__name__)
_DRAIN_S: Final = 5.0  # what is in flight after that is given up
_TELL_S: Final = 0.25
_ASLEEP_NS: Final = 60 * NS_PER_S
_AWAKE_S: Final = 10.0
_AWAKE_JITTER_S: Final = 5.0
_INBOX_S: Final = 1.0


class StatusSource(Protocol):
    """Reads the status topic on a thread of its own."""

    listening: bool

    def start(self) -> None:
        """Begin."""

    def stop(self) -> None:
        """End."""


MakeStatusSource = Callable[[dict[int, int], Callable[[StatusBatch], None]], StatusSource]


@dataclass(frozen=True, slots=True)
class Config:
    """What the profile decides."""

    client: ClientName
    receivers: Sequence[str] = ()
    max_file_size: int | None = None
    late_h: float = 4.0
    absent_h: float = 24.0
    may_delete: bool = False  # confirmed files of watched folders
    chunk_size: int = DEFAULT_CHUNK_SIZE
    settings: EngineSettings = field(default_factory=EngineSettings)


@dataclass(frozen=True, slots=True)
class Ports:
    """The outside world; each has a twin for tests."""

    clock: Clock
    connector: Connector
    status_source: MakeStatusSource
    network: NetworkPort
    workers: Workers
    random: Random = field(default_factory=Random)
    crash: CrashPoints = field(default_factory=NoCrashPoints)
    wake: Callable[[], None] = lambda: None  # another thread has something for the core
    keep_awake: KeepAwake = field(default_factory=NoKeepAwake)


class Core:
    """`step` does a little of everything and never blocks; `tell` gets the events."""

    def __init__(self, store: Store, config: Config, ports: Ports, tell: Callable[[Event], None]) -> None:
        self._ports = ports
        self._config = config
        self._tell = tell
        self._dirty: dict[FileId, FileRow] = {}
        self.holds = Holds(ports.clock, ports.network)
        self.files = Files(store)
        self._context = EngineContext(
            store=store,
            files=self.files,
            clock=ports.clock,
            random=ports.random,
            workers=ports.workers,
            holds=self.holds,
            crash=ports.crash,
            client=config.client,
            chunk_size=config.chunk_size,
            max_file_size=config.max_file_size,
            changed=self.changed,
        )
        failure_policy = FailurePolicy(self._context)
        self.sender = Sender(self._context, failure_policy)
        self.keeper = LinkKeeper(self._context, self.sender, ports.connector, ports.network)
        self.status_handler = StatusHandler(self._context, failure_policy, self.sender, config.receivers)
        self._receipt_requests = ReceiptRequests(
            self._context, self.status_handler, self.sender, late_h=config.late_h, absent_h=config.absent_h
        )
        self.commands = Commands(self._context, self.sender, self.keeper)
        self._orders = InboxCommands(self._context, self.commands)
        self._clean_up = CleanUpWorker(self._context, lambda: config.may_delete)
        self._wake_lock = WakeLock(ports.keep_awake, ports.clock)
        self._status: queue.SimpleQueue[StatusBatch] = queue.SimpleQueue()
        self._reader: StatusSource | None = None
        self._draining_until: float | None = None
        self._drained = False
        self._told = 0.0
        self._overall: OverallStatus | None = None  # the one that was told last
        self._confirmed_before: int | None = None
        self._next_inbox = 0.0
        self._last_tick_ns = ports.clock.now_ns()
        self.use(config.settings)

    def recover(self) -> None:
        """At start: what was being sent waits for its turn, first in line; a pause goes on.

        Files that are half sent are told of, so that they are shown at the part where they are.
        """
        for row in self.files.in_state(FileState.SENDING):
            self.files.change(row, FileState.QUEUED, urgent=1)
        self._bring_tries_near()
        self._receipt_requests.forget_moments(beyond_s=retry.ASK_LONGEST_S)
        for row in self.files.begun():
            self.changed(row)
        self.commands.remember_pause()

    def use(self, settings: EngineSettings) -> None:
        """Follow other settings from now on."""
        self.holds.settings = settings
        self.sender.outgoing.bucket.limit(self._ports.clock.monotonic(), settings.bandwidth_limit)

    def changed(self, row: FileRow) -> None:
        """A file changed; told after the commit, the newest value only."""
        self._dirty[row.id] = row

    def deliver(self, batch: StatusBatch) -> None:
        """Status messages, from the reader's thread; a receipt should not wait until the core looks around."""
        self._status.put(batch)
        self._ports.wake()

    def look_into_inbox(self) -> None:
        """Do not wait for the next second."""
        self._next_inbox = 0.0

    def take_inbox(self) -> bool:
        """Carry out what other processes left in the inbox, and nothing else; tells whether there is more to do."""
        self._orders.take()
        return self._orders.busy

    def rest_s(self, most: float) -> float:
        """How long nothing needs to be done, as far as can be told. What is past is under way: a desk wakes us."""
        times = [hold.until_ns for hold in self.holds.all() if hold.until_ns is not None]
        next_try_ns = self.files.next_try_ns()
        times += [] if next_try_ns is None else [next_try_ns]
        now_ns = self._ports.clock.now_ns()
        return min(
            (moment - now_ns) / NS_PER_S for moment in [*times, now_ns + round(most * NS_PER_S)] if moment > now_ns
        )

    @property
    def working(self) -> bool:
        """Whether the next step has something to do at once."""
        return self.sender.busy or self._orders.busy or not self._status.empty()

    def step(self, wait_s: float = 0.0) -> None:
        """A little of everything."""
        self._notice_sleep()
        self._read_inbox()
        self._take_status()
        self.keeper.step()
        self._read_status_topic()
        self._requeue_due()
        hold = self.holds.blocks() is not None
        self._drain(hold=hold)
        self.sender.step(hold=hold, wait_s=wait_s)
        self._receipt_requests.step(listening=self._reader is not None and self._reader.listening)
        self._clean_up.step()
        self._wake_lock.step(sending=self.sender.busy, wanted=self.holds.settings.keep_awake)
        self._tell_all()

    def close(self) -> None:
        """Let go of broker and files; the journal has everything."""
        if self._reader is not None:
            self._reader.stop()
        self.sender.stop_reading()
        self.sender.step(hold=True)
        self.sender.lose_link()
        self._wake_lock.end()

    def overall(self) -> OverallStatus:
        """How everything is."""
        limit = self.holds.metered_limit()
        counts = self.files.counts()
        return overall(
            counts,
            hold=self.holds.worst(),
            set_up=True,
            rate=self.sender.outgoing.rate(),
            acknowledged=self.sender.acknowledged_bytes(),
            next_try_ns=self.files.next_try_ns(),
            pausing=self._draining_until is not None,
            metered_limit=limit,
            metered=(0, 0) if limit is None else self.files.larger_waiting(limit),
            office_silent=self._receipt_requests.office_silent,
            done=self._done(counts),
        )

    def _done(self, counts: Mapping[FileState, tuple[int, int]]) -> int:
        """How many files were confirmed since there was last nothing to do: the 3 of "3 of 8 files"."""
        confirmed, _ = counts.get(FileState.CONFIRMED, (0, 0))
        if self._confirmed_before is None or not OPEN & counts.keys():
            self._confirmed_before = confirmed
        return confirmed - self._confirmed_before

    def _notice_sleep(self) -> None:
        """A gap in the ticks: the lid was closed. Nothing is tried before the network had time to come back."""
        now_ns = self._ports.clock.now_ns()
        gap_ns, self._last_tick_ns = now_ns - self._last_tick_ns, now_ns
        waking = self.holds.get(HoldKind.WAKING)
        if gap_ns > _ASLEEP_NS:
            rest_s = _AWAKE_S + self._ports.random.uniform(0, _AWAKE_JITTER_S)
            self.holds.put(Hold(HoldKind.WAKING, until_ns=now_ns + round(rest_s * NS_PER_S)))
            self.sender.lose_link()
        elif gap_ns < 0:
            self.holds.lift(HoldKind.WAKING)  # its end was told by the clock that was wrong
            self._bring_tries_near()
            self._receipt_requests.forget_moments()
            self.keeper.try_now()
        elif waking is not None and now_ns >= (waking.until_ns or 0):
            self.holds.lift(HoldKind.WAKING)
            self.keeper.try_now()

    def _bring_tries_near(self) -> None:
        """A clock that was wrong, or was set back, must not keep a file for years."""
        now_ns = self._ports.clock.now_ns()
        for row in self.files.in_state(FileState.RETRYING):
            near_ns = retry.clamp_ns(row.next_try_ns or now_ns, now_ns)
            if near_ns != row.next_try_ns:
                self.files.change(row, row.state, next_try_ns=near_ns)

    def _read_inbox(self) -> None:
        now = self._ports.clock.monotonic()
        if now >= self._next_inbox or self._orders.busy:
            self._next_inbox = now + _INBOX_S
            self._orders.take()

    def _take_status(self) -> None:
        while not self._status.empty():
            before = dict(self.status_handler.heard)
            self.status_handler.apply(self._status.get())
            for name, heard in self.status_handler.heard.items():
                known = before.get(name)
                if known is None or known.state is not heard.state:
                    self._tell(OfficeHeard(name, heard.state, heard.text))

    def _read_status_topic(self) -> None:
        """From the first connection on; the very first time from its end, fixed before anything is sent."""
        stopped = self.holds.get(HoldKind.STOP_ALL) is not None
        if self._reader is not None:
            if stopped:  # no hammering with a password that is refused
                self._reader.stop()
                self._reader = None
            return
        link = self.sender.outgoing.link
        if link is None or stopped:
            return
        if not self.files.positions():
            mine = status_partition(self._config.client, link.facts.status_partitions)
            self.files.set_position(mine, link.facts.status_end)
        self._reader = self._ports.status_source(self.files.positions(), self.deliver)
        self._reader.start()

    def _requeue_due(self) -> None:
        """Retries whose moment has come; a wrong clock must not keep them for ever."""
        now_ns = self._ports.clock.now_ns()
        for row in self.files.due(now_ns):
            self.changed(self.files.change(row, FileState.QUEUED, urgent=1, next_try_ns=None))
            self.sender.requery()

    def _drain(self, *, hold: bool) -> None:
        """A hold begins: take back what has not left, wait a little for the rest, then let go of it."""
        if not hold:
            self._draining_until, self._drained = None, False
            return
        if self._drained:
            return
        now = self._ports.clock.monotonic()
        if self._draining_until is None:
            self._draining_until = now + _DRAIN_S
            self.sender.stop_reading()
        elif self.sender.outgoing.window.in_flight and now >= self._draining_until:
            self.keeper.abandon()
        if not self.sender.outgoing.window.in_flight:
            self.sender.put_all_back()
            self._draining_until, self._drained = None, True

    def _tell_all(self) -> None:
        dirty, self._dirty = self._dirty, {}
        for row in dirty.values():
            acknowledged, parts = self.sender.progress(row)
            arrived = self.status_handler.arrived.get(row.id, 0)
            self._tell(FileChanged(row, acknowledged, parts, self.sender.outgoing.rate(), arrived))
        now = self._ports.clock.monotonic()
        if now - self._told >= _TELL_S or dirty:
            self._told = now
            self._tell_overall()

    def _tell_overall(self) -> None:
        status = self.overall()
        if not status.counts.get(FileState.QUEUED) and not status.counts.get(FileState.SENDING):
            self.holds.send_now = False
        if status != self._overall:
            self._overall = status
            self._tell(OverallChanged(status))
