# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The receiver as a service: composition, signals, HTTP, exit codes. The work itself is in `service_loop`."""

import logging
import os
import signal
import threading
from contextlib import ExitStack
from types import FrameType
from typing import Final

from fieldpost_receiver.config.receiver_toml import ReceiverConfig
from fieldpost_receiver.jobs.files.batches import FilesBatches
from fieldpost_receiver.jobs.files.job import FilesJob
from fieldpost_receiver.kafka.access import check_access
from fieldpost_receiver.kafka.broker import Broker
from fieldpost_receiver.kafka.status_sender import StatusSender
from fieldpost_receiver.runtime.exit_codes import STOPPED, exit_of
from fieldpost_receiver.runtime.files_topic import FilesTopic
from fieldpost_receiver.runtime.free_space import FreeSpace, StateDisk
from fieldpost_receiver.runtime.instance_lock import locked
from fieldpost_receiver.runtime.job_supervisor import JobSupervisor
from fieldpost_receiver.runtime.ownership_tags import bind_topic
from fieldpost_receiver.runtime.service_loop import ServiceLoop
from fieldpost_receiver.runtime.state_dir import StateDir
from fieldpost_receiver.runtime.systemd import ServiceManager
from fieldpost_receiver.runtime.topic_guard import TopicGuard
from fieldpost_receiver.telemetry.health import HttpServer
from fieldpost_shared.clock import Clock
from fieldpost_shared.crash_points import CrashPoints
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.protocol.status import ReceiverState

_LOG: Final = logging.getLogger(__name__)


class Service:
    """`run` returns the exit code. A second signal ends the process at once; both are safe at any moment."""

    def __init__(self, config: ReceiverConfig, *, clock: Clock, crash: CrashPoints, manager: ServiceManager) -> None:
        self._config = config
        self._clock = clock
        self._crash = crash
        self._manager = manager
        self._state = StateDir.of(config)
        self._wake = threading.Event()
        self._stopping = threading.Event()

    def run(self, *, once: bool) -> int:
        """Serve until a signal comes, or (once) until everything that is there now is published and answered."""
        try:
            with ExitStack() as stack:
                topic = FilesTopic(self._config.kafka, self._clock)
                stack.callback(topic.close)
                stack.enter_context(locked(self._state.root))
                self._serve(stack, topic, once=once)
        except FieldpostError as error:
            _LOG.error("%s", error, extra={"code": error.code})
            return exit_of(error)
        return STOPPED

    def _serve(self, stack: ExitStack, topic: FilesTopic, *, once: bool) -> None:
        config, kafka = self._config, self._config.kafka
        job = self._open_job(stack, topic)
        broker = Broker(kafka, self._clock)
        bind_topic(job.store, check_access(broker, kafka))
        self._state.remove_old_checkpoint()
        self._handle_signals(stack)
        batches = FilesBatches(
            job,
            topic,
            scratch=self._state.spark_scratch,
            state_dir=self._state.root,
            clock=self._clock,
            once=once,
        )
        stack.callback(batches.close)
        space = FreeSpace(
            reading=job.reading,
            staged=job.staged,
            admission=job.admission,
            state_disk=StateDisk.of(self._state.root, config.receiver.min_free_space),
        )
        supervisor = JobSupervisor(job, batches, space, once=once)
        self._serve_http(stack, job, supervisor, space)
        ServiceLoop(
            config=config,
            clock=self._clock,
            manager=self._manager,
            wake=self._wake,
            stopping=self._stopping,
            once=once,
            job=job,
            batches=batches,
            supervisor=supervisor,
            sender=StatusSender(kafka, job.outbox, self._crash),
            topic=topic,
            guard=TopicGuard(broker, kafka, store=job.store, clock=self._clock),
            space=space,
        ).run()

    def _open_job(self, stack: ExitStack, topic: FilesTopic) -> FilesJob:
        self._state.check_ledger()
        job = FilesJob.open(
            self._config,
            ledger=self._state.ledger,
            ledger_copy=self._state.ledger_copy,
            clock=self._clock,
            crash=self._crash,
            ends_of_topic=topic.ends,
            wake=self._wake.set,
        )
        stack.callback(job.close)
        return job

    def _serve_http(self, stack: ExitStack, job: FilesJob, supervisor: JobSupervisor, space: FreeSpace) -> None:
        listen = self._config.http.listen
        if listen is None:
            return

        def ready() -> tuple[bool, list[str]]:
            reasons = supervisor.reasons
            if space.state is not ReceiverState.OK:
                reasons.append(space.notice)
            return not reasons, reasons

        stack.enter_context(HttpServer(listen, ready=ready, page=job.metrics.page, clock=self._clock))

    def _handle_signals(self, stack: ExitStack) -> None:
        def stop(_number: int, _frame: FrameType | None) -> None:
            if self._stopping.is_set():
                os._exit(STOPPED)  # everything that matters is on disk
            self._stopping.set()
            self._wake.set()

        for number in (signal.SIGTERM, signal.SIGINT):
            before = signal.signal(number, stop)
            stack.callback(signal.signal, number, before)
