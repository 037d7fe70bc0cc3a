# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The engine's core: decides everything, in steps on one thread, with the journal as its only memory."""

import queue
from collections.abc import Callable
from typing import Final

from fieldpost_desktop.engine.commands import Commands
from fieldpost_desktop.engine.drain import Drain
from fieldpost_desktop.engine.event_feed import EventFeed
from fieldpost_desktop.engine.inbox_commands import InboxCommands
from fieldpost_desktop.engine.journal.files import Files
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.events import Event, OfficeHeard, OverallStatus
from fieldpost_desktop.engine.model.file_row import FileId, FileRow
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.ports import Config, Ports, StatusSource
from fieldpost_desktop.engine.profile.settings import EngineSettings
from fieldpost_desktop.engine.receipts.apply import StatusBatch, StatusHandler
from fieldpost_desktop.engine.receipts.ask import ReceiptRequests
from fieldpost_desktop.engine.runtime import retry
from fieldpost_desktop.engine.runtime.context import EngineContext
from fieldpost_desktop.engine.runtime.failure_policy import FailurePolicy
from fieldpost_desktop.engine.runtime.holds import Holds
from fieldpost_desktop.engine.runtime.keep_awake import WakeLock
from fieldpost_desktop.engine.sending.link_keeper import LinkKeeper
from fieldpost_desktop.engine.sending.sender import Sender
from fieldpost_desktop.engine.watching.clean_up import CleanUpWorker
from fieldpost_shared.chunks import status_partition
from fieldpost_shared.clock import NS_PER_S

_ASLEEP_NS: Final = 60 * NS_PER_S
_AWAKE_S: Final = 10.0
_AWAKE_JITTER_S: Final = 5.0
_INBOX_S: Final = 1.0


class Core:
    """`step` does a little of everything and never blocks; `tell` gets the events."""

    def __init__(self, store: Store, config: Config, ports: Ports, tell: Callable[[Event], None]) -> None:
        self._ports = ports
        self._client = config.client
        self._tell = tell
        self._changed: dict[FileId, FileRow] = {}
        self.holds = Holds(ports.clock, ports.network)
        self.files = Files(store)
        context = self._context(store, config)
        failure_policy = FailurePolicy(context)
        self.sender = Sender(context, failure_policy)
        self._keeper = LinkKeeper(context, self.sender, connector=ports.connector, network=ports.network)
        self._status_handler = StatusHandler(context, failure_policy, sender=self.sender, required=config.receivers)
        self._receipt_requests = ReceiptRequests(
            context, self._status_handler, self.sender, late_h=config.late_h, absent_h=config.absent_h
        )
        self.commands = Commands(context, self.sender, self._keeper)
        self._inbox_commands = InboxCommands(context, self.commands)
        self._clean_up = CleanUpWorker(context, lambda: config.may_delete)
        self._wake_lock = WakeLock(ports.keep_awake, ports.clock)
        self._drain = Drain(self.sender, self._keeper, ports.clock)
        self._events = EventFeed(
            context,
            self.sender,
            self._status_handler,
            receipt_requests=self._receipt_requests,
            drain=self._drain,
            tell=tell,
        )
        self._status: queue.SimpleQueue[StatusBatch] = queue.SimpleQueue()
        self._reader: StatusSource | None = None
        self._next_inbox = 0.0
        self._last_step_ns = ports.clock.now_ns()
        self.use(config.settings)

    def _context(self, store: Store, config: Config) -> EngineContext:
        return EngineContext(
            store=store,
            files=self.files,
            clock=self._ports.clock,
            random=self._ports.random,
            workers=self._ports.workers,
            holds=self.holds,
            crash=self._ports.crash,
            client=config.client,
            chunk_size=config.chunk_size,
            max_file_size=config.max_file_size,
            changed=self.changed,
        )

    def recover(self) -> None:
        """Queue what was being sent when the engine ended, first in line, and resume a pause.

        Files that are half sent are told of, so that they are shown at the chunk where they are.
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
        self.sender.limit_bandwidth(settings.bandwidth_limit)

    def changed(self, row: FileRow) -> None:
        """Note that a file changed; told after the commit, the newest value only."""
        self._changed[row.id] = row

    def deliver(self, batch: StatusBatch) -> None:
        """Take status messages from the reader's thread, and wake the core: a receipt should not wait."""
        self._status.put(batch)
        self._ports.wake()

    def look_into_inbox(self) -> None:
        """Read the inbox at the next step instead of the next second."""
        self._next_inbox = 0.0

    def take_inbox(self) -> bool:
        """Carry out what waits in the inbox, and nothing else; return whether there is more to do."""
        self._inbox_commands.take()
        return self._inbox_commands.busy

    def rest_s(self, most: float) -> float:
        """Return how long nothing needs to be done. A moment that has passed is under way: a worker wakes the core."""
        times = [hold.until_ns for hold in self.holds.all() if hold.until_ns is not None]
        next_try_ns = self.files.next_try_ns()
        times += [] if next_try_ns is None else [next_try_ns]
        now_ns = self._ports.clock.now_ns()
        return min(
            (moment - now_ns) / NS_PER_S for moment in [*times, now_ns + round(most * NS_PER_S)] if moment > now_ns
        )

    @property
    def working(self) -> bool:
        """Return whether the next step has something to do at once."""
        return self.sender.busy or self._inbox_commands.busy or not self._status.empty()

    def step(self, wait_s: float = 0.0) -> None:
        """Do a little of everything."""
        self._notice_sleep()
        self._read_inbox()
        self._take_status()
        self._keeper.step()
        self._read_status_topic()
        self._requeue_due()
        hold = self.holds.blocks() is not None
        self._drain.step(hold=hold)
        self.sender.step(hold=hold, wait_s=wait_s)
        self._receipt_requests.step(listening=self._reader is not None and self._reader.listening)
        self._clean_up.step()
        self._wake_lock.step(sending=self.sender.busy, wanted=self.holds.settings.keep_awake)
        changed, self._changed = self._changed, {}
        self._events.tell(changed)

    def close(self) -> None:
        """Release broker and files; the journal has everything."""
        if self._reader is not None:
            self._reader.stop()
        self.sender.stop_reading()
        self.sender.step(hold=True)
        self.sender.lose_link()
        self._wake_lock.end()

    def overall(self) -> OverallStatus:
        """Return the overall status."""
        return self._events.overall()

    def _notice_sleep(self) -> None:
        """Wait after a gap between steps: the lid was closed, and the network needs time to come back."""
        now_ns = self._ports.clock.now_ns()
        gap_ns, self._last_step_ns = now_ns - self._last_step_ns, now_ns
        waking = self.holds.get(HoldKind.WAKING)
        if gap_ns > _ASLEEP_NS:
            rest_s = _AWAKE_S + self._ports.random.uniform(0, _AWAKE_JITTER_S)
            self.holds.put(Hold(HoldKind.WAKING, until_ns=now_ns + round(rest_s * NS_PER_S)))
            self.sender.lose_link()
        elif gap_ns < 0:
            self.holds.lift(HoldKind.WAKING)  # its end was told by the clock that was wrong
            self._bring_tries_near()
            self._receipt_requests.forget_moments()
            self._keeper.try_now()
        elif waking is not None and now_ns >= (waking.until_ns or 0):
            self.holds.lift(HoldKind.WAKING)
            self._keeper.try_now()

    def _bring_tries_near(self) -> None:
        """Clamp the stored moments of tries: a clock that was wrong must not delay a file for years."""
        now_ns = self._ports.clock.now_ns()
        for row in self.files.in_state(FileState.RETRYING):
            near_ns = retry.clamp_ns(row.next_try_ns or now_ns, now_ns)
            if near_ns != row.next_try_ns:
                self.files.change(row, row.state, next_try_ns=near_ns)

    def _read_inbox(self) -> None:
        now = self._ports.clock.monotonic()
        if now >= self._next_inbox or self._inbox_commands.busy:
            self._next_inbox = now + _INBOX_S
            self._inbox_commands.take()

    def _take_status(self) -> None:
        while not self._status.empty():
            for receiver, notice in self._status_handler.apply(self._status.get()):
                self._tell(OfficeHeard(receiver, notice.state, notice.text))

    def _read_status_topic(self) -> None:
        """Read it from the first connection on; the very first time from its end, fixed before anything is sent."""
        stopped = self.holds.get(HoldKind.STOP_ALL) is not None
        if self._reader is not None:
            if stopped:  # a password that is refused must not be tried over and over
                self._reader.stop()
                self._reader = None
            return
        facts = self.sender.link_facts
        if facts is None or stopped:
            return
        if not self.files.positions():
            mine = status_partition(self._client, facts.status_partitions)
            self.files.set_position(mine, facts.status_end)
        self._reader = self._ports.status_source(self.files.positions(), self.deliver)
        self._reader.start()

    def _requeue_due(self) -> None:
        """Queue files whose next try has come."""
        for row in self.files.due(self._ports.clock.now_ns()):
            self.changed(self.files.change(row, FileState.QUEUED, urgent=1, next_try_ns=None))
            self.sender.requery()
