# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The rounds of the service: batches, publishing, maintenance, free space, replies, notices; and the drain at its end.

One thread does everything but the batches, publishing and HTTP. Between rounds it waits for whichever comes
first: a signal, a finished batch or group of files, or a quarter of a second.
"""

import logging
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from fieldpost_receiver.config.receiver_toml import ReceiverConfig
from fieldpost_receiver.jobs.files.batches import FilesBatches
from fieldpost_receiver.jobs.files.job import FilesJob
from fieldpost_receiver.kafka.status_sender import StatusSender
from fieldpost_receiver.runtime.files_topic import FilesTopic
from fieldpost_receiver.runtime.free_space import FreeSpace
from fieldpost_receiver.runtime.job_supervisor import JobSupervisor
from fieldpost_receiver.runtime.systemd import ServiceManager
from fieldpost_receiver.runtime.topic_guard import TopicGuard
from fieldpost_shared.clock import NS_PER_S, Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.protocol.status import Notice, ReceiverState, Status

_LOG: Final = logging.getLogger(__name__)
_ROUND_S: Final = 0.25
_MAINTENANCE_S: Final = 1.0
_DRAIN_S: Final = 30.0
_LAST_REPLIES_S: Final = 10.0


@dataclass(slots=True, kw_only=True)
class ServiceLoop:
    """Runs until `stopping` is set, or (once) until nothing is left to do. `wake` begins the next round early."""

    config: ReceiverConfig
    clock: Clock
    manager: ServiceManager
    wake: threading.Event
    stopping: threading.Event
    once: bool
    job: FilesJob
    batches: FilesBatches
    supervisor: JobSupervisor
    sender: StatusSender
    topic: FilesTopic
    guard: TopicGuard
    space: FreeSpace
    _next_maintenance: float = field(default=0.0, init=False)
    _next_notice: float = field(default=0.0, init=False)

    def run(self) -> None:
        """Make rounds, then drain.

        Raises:
            FieldpostError: a failure that ends the receiver.
        """
        self._update_space()
        while not self.stopping.is_set() and not (self.once and self._finished()):
            self._round()
            self.wake.wait(_ROUND_S)
            self.wake.clear()  # a signal that comes just now has set `stopping` before
        self._drain()

    def _round(self) -> None:
        now = self.clock.monotonic()
        with self.space.waiting_for_space():
            self.supervisor.step(now)
        self._notify_manager(now)
        with self.space.waiting_for_space():
            self.job.publishers.step()
            if now >= self._next_maintenance:
                self._next_maintenance = now + _MAINTENANCE_S
                self.job.maintenance.step()
        state_changed = self._update_space()
        with self.space.waiting_for_space():
            self.sender.send_unconfirmed(self.job.replies.take_unconfirmed())
            self.sender.step()
        if state_changed or now >= self._next_notice:
            self._next_notice = now + self.config.receiver.notice_every
            self._look_at_topic_and_report()

    def _look_at_topic_and_report(self) -> None:
        ends = self.topic.ends()
        if self.topic.broker_answers:
            self.guard.check()
        self.sender.notice(self._notice())
        self.job.ledger_metrics.measure(
            ends,
            state=self.space.state,
            free_bytes=self.job.staged.free_bytes(),
        )
        self.manager.status(self.job.ledger_metrics.summary(self.space.notice))

    def _notify_manager(self, now: float) -> None:
        if self.supervisor.ready:
            self.manager.ready(f"reading {self.config.kafka.files_topic}")
        if self.manager.watchdog_due(now) and self.supervisor.is_healthy(now):
            self.manager.notify_watchdog(now)

    def _update_space(self) -> bool:
        """Read the free space; log and return a change of state."""
        changed = self.space.update()
        if changed:
            is_ok = self.space.state is ReceiverState.OK
            text = "There is enough free space again." if is_ok else self.space.notice
            _LOG.info("%s", text, extra={"code": None if is_ok else Code.RECEIVER_FULL})
        return changed

    def _finished(self) -> bool:
        """Return whether a run with --once has nothing left to do."""
        return self.batches.finished and self.job.idle and self.sender.idle

    def _drain(self) -> None:
        """Finish the running batch, plan no new one, send the replies that wait, and notify senders."""
        self.manager.stopping("finishing the running batch and the last replies")
        self.space.stopping = True
        self.space.update()
        self.batches.drain(_DRAIN_S, self._wait)
        self.sender.notice(self._notice())
        with self.space.waiting_for_space():
            self.sender.finish(_LAST_REPLIES_S, self._wait)
            self.job.reading.resume()
        _LOG.info("stopped")

    def _wait(self, seconds: float) -> None:
        self.clock.wait(threading.Event(), seconds)

    def _notice(self) -> Status:
        at = datetime.fromtimestamp(self.clock.now_ns() / NS_PER_S, UTC)
        notice = Notice(self.space.state, self.space.notice, self.job.reading.processed())
        return Status(None, self.config.receiver.name, at, notice)
