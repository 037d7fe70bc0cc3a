# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A files job as the service runs it: batches; between them publishing, maintenance, free space, replies, notices."""

import errno
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from fieldpost_receiver.config.settings import JobConfig
from fieldpost_receiver.jobs.files.batch_runner import BatchRunner, Offsets
from fieldpost_receiver.jobs.files.free_space import FreeSpace, StateDisk
from fieldpost_receiver.jobs.files.job import FilesJob
from fieldpost_receiver.jobs.files.job_dir import JobDir
from fieldpost_receiver.jobs.files.ownership_tags import bind_topic, ledger_id
from fieldpost_receiver.jobs.files.topic_guard import TopicGuard
from fieldpost_receiver.jobs.job import BatchFailure, JobServices
from fieldpost_receiver.kafka.access import check_access
from fieldpost_receiver.kafka.broker import Broker
from fieldpost_receiver.kafka.cluster_watch import ClusterWatch
from fieldpost_receiver.kafka.status_sender import StatusSender
from fieldpost_receiver.spark.shared_session import RunsTasks
from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.protocol.status import Notice, ReceiverState, Status

_LOG: Final = logging.getLogger(__name__)
_ROUND_S: Final = 0.25
_QUIET_ROUND_S: Final = 5.0  # nothing is under way: only free space and notices are looked at
_MAINTENANCE_S: Final = 1.0
_LAST_REPLIES_S: Final = 10.0
_SILENCE_S: Final = 60.0  # without an answer from the brokers
_LEDGER_FAILURE: Final = "a batch could not use it; see the log"


@dataclass(frozen=True, slots=True)
class FilesTopic:
    """The files topic of one job, as the cluster's watch sees it."""

    watch: ClusterWatch
    name: str

    def marks(self) -> Offsets | None:
        """Return the end offsets as they were lately."""
        return self.watch.marks(self.name)

    def firsts(self) -> Offsets | None:
        """Ask for the first offsets."""
        return self.watch.firsts(self.name)

    def ends(self) -> Offsets | None:
        """Ask for the end offsets as they are now."""
        return self.watch.ends(self.name)


def open_files_job(config: JobConfig, services: JobServices) -> "RunningFilesJob":
    """Open ledger and folders, and check that this account may use the topics.

    Raises:
        FieldpostError: the ledger is damaged or another topic's, the destination cannot be used, or a permission lacks.
    """
    folder = JobDir.of(config)
    folder.check_ledger()
    topic = FilesTopic(services.cluster.watch, config.kafka.files_topic)
    files = FilesJob.open(
        config,
        ledger=folder.ledger,
        ledger_copy=folder.ledger_copy,
        metrics=services.metrics,
        clock=services.clock,
        crash=services.crash,
        ends_of_topic=topic.ends,
        wake=services.wake,
    )
    try:
        bind_topic(files.store, check_access(Broker(config.kafka, services.clock), config.kafka))
        folder.remove_old_checkpoint()
        running = RunningFilesJob(files, topic, services)
    except BaseException:
        files.close()
        raise
    services.cluster.watch.add(topic.name)
    return running


class RunningFilesJob:
    """One files job that is open; see `jobs.job.Job`."""

    def __init__(self, files: FilesJob, topic: FilesTopic, services: JobServices) -> None:
        config = files.config
        self._files = files
        self._topic = topic
        self._cluster = services.cluster
        self._clock = services.clock
        self._once = services.once
        self._owner = ledger_id(files.store)
        self._batches = BatchRunner(files, topic, clock=services.clock, once=services.once)
        self._space = FreeSpace(
            reading=files.reading,
            staged=files.staged,
            admission=files.admission,
            state_disk=StateDisk.of(config.receiver.state_dir, config.receiver.min_free_space),
        )
        self._sender = StatusSender(services.cluster.producer, config.kafka.status_topic, files.outbox, services.crash)
        self._guard = TopicGuard(services.cluster.watch, config.kafka, store=files.store, clock=services.clock)
        self._next_maintenance = 0.0
        self._next_notice = 0.0
        self._is_quiet = False
        self._summary = ""
        self._update_space()

    @property
    def reading(self) -> str:
        """The topic, for the log."""
        return self._topic.name

    def due(self) -> bool:
        """Return whether there is something to read, and room for it."""
        return self._space.state not in {ReceiverState.PAUSED, ReceiverState.STOPPING} and self._batches.due()

    def run_batch(self, spark: RunsTasks, *, stopping: Callable[[], bool]) -> None:
        """Run one batch; see `BatchRunner`."""
        self._is_quiet = False
        self._batches.run_batch(spark, stopping=stopping)

    def judge(self, failure: BatchFailure) -> None:
        """Wait for space on a full disk, end the job on another fault of a disk, else let it try again.

        Raises:
            FieldpostError: STORAGE_FAILED or LEDGER_DAMAGED.
        """
        cause = failure.cause
        if cause is not None and cause.code is Code.LEDGER_DAMAGED:
            raise FieldpostError(cause.code, _LEDGER_FAILURE)
        if cause is not None and cause.code is Code.RECEIVER_FULL and cause.errno == errno.ENOSPC:
            self._space.ran_out()
        elif cause is not None and cause.code in {Code.RECEIVER_FULL, Code.STORAGE_FAILED}:  # also a quota's limit
            raise FieldpostError(Code.STORAGE_FAILED, f"a task could not write: {cause.detail}")
        else:
            self._space.try_state_disk()  # Spark may have failed to write its temporary files

    def step(self, now: float) -> float:
        """Publish what is sealed, maintain, look at the free space, send replies and notices."""
        with self._space.waiting_for_space():
            self._files.publishers.step()
            if now >= self._next_maintenance:
                self._next_maintenance = now + _MAINTENANCE_S
                self._files.maintenance.step()
                self._is_quiet = self._files.quiet
        state_changed = self._update_space()
        with self._space.waiting_for_space():
            self._sender.send_unconfirmed(self._files.replies.take_unconfirmed())
            self._sender.step()
        if state_changed or now >= self._next_notice:
            self._next_notice = now + self._files.config.receiver.notice_every
            self._look_at_topic_and_report()
        self._cluster.groups.put(
            self._files.config.name,
            topic=self._topic.name,
            owner=self._owner,
            processed=self._batches.processed,
        )
        quiet = self._is_quiet and self._sender.idle and self._space.state is ReceiverState.OK
        return min(_QUIET_ROUND_S, max(0.0, self._next_notice - now)) if quiet else _ROUND_S

    @property
    def waits(self) -> bool:
        """Whether nothing is read: the disk is full, and the next batch would fail again."""
        return self._space.state is ReceiverState.PAUSED and not self._once

    @property
    def reasons(self) -> list[str]:
        """Why no files arrive now; nothing if they do."""
        found = [self._space.notice] if self._space.state is not ReceiverState.OK else []
        seconds, failure = self._topic.watch.silence(self._topic.name)
        if failure is not None and seconds >= _SILENCE_S:
            found.append(f"the brokers have told nothing for {seconds:.0f} s: {failure}")
        return [*found, waits] if (waits := self._batches.waiting_for_tasks) else found

    @property
    def summary(self) -> str:
        """How many files are under way and published, and the notice, at the last report; asks no disk."""
        return self._summary

    @property
    def finished(self) -> bool:
        """Whether a run with --once has nothing left to do."""
        return self._batches.finished and self._files.idle and self._sender.idle

    def stop_reading(self) -> None:
        """Note that the receiver is being stopped."""
        self._space.stopping = True
        with self._space.waiting_for_space():
            self._space.update()

    def finish(self) -> None:
        """Notify senders, and send the replies that wait."""
        self._sender.notice(self._notice())
        with self._space.waiting_for_space():
            self._sender.finish(_LAST_REPLIES_S, self._wait)
            self._files.reading.resume()

    def close(self) -> None:
        """Close the publishers first, because they use everything else."""
        self._topic.watch.remove(self._topic.name)
        self._files.close()

    def _look_at_topic_and_report(self) -> None:
        _, failure = self._topic.watch.silence(self._topic.name)
        if failure is None or failure.code is Code.NO_TOPIC:
            self._guard.check()
        self._sender.notice(self._notice())
        self._files.ledger_metrics.measure(
            self._topic.marks(),
            state=self._space.state,
            free_bytes=self._files.staged.free_bytes(),
        )
        self._summary = self._files.ledger_metrics.summary(self._space.notice)

    def _update_space(self) -> bool:
        """Read the free space; log and return a change of state."""
        changed = self._space.update()
        if changed:
            is_ok = self._space.state is ReceiverState.OK
            text = "There is enough free space again." if is_ok else self._space.notice
            _LOG.info("%s", text, extra={"code": None if is_ok else Code.RECEIVER_FULL})
        return changed

    def _wait(self, seconds: float) -> None:
        self._clock.wait(threading.Event(), seconds)

    def _notice(self) -> Status:
        at = datetime.fromtimestamp(self._clock.now_ns() / NS_PER_S, UTC)
        notice = Notice(self._space.state, self._space.notice, self._batches.processed)
        return Status(None, self._files.config.receiver.name, at, notice)
