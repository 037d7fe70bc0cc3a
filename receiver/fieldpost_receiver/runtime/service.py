# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The receiver as a service of jobs: composition, signals, HTTP, the service manager, exit codes."""

import logging
import os
import signal
import threading
from contextlib import ExitStack
from types import FrameType
from typing import Final

from fieldpost_receiver.config.settings import ReceiverConfig
from fieldpost_receiver.kafka.clusters import Clusters
from fieldpost_receiver.runtime.exit_codes import STOPPED, exit_of, gravest
from fieldpost_receiver.runtime.instance_lock import locked
from fieldpost_receiver.runtime.job_kinds import KINDS
from fieldpost_receiver.runtime.job_runner import JobRunner, Shared
from fieldpost_receiver.runtime.job_states import JobStates
from fieldpost_receiver.runtime.job_store import JobState, JobStore, Target
from fieldpost_receiver.runtime.scheduler import Scheduler
from fieldpost_receiver.runtime.state_dir import StateDir
from fieldpost_receiver.runtime.systemd import ServiceManager
from fieldpost_receiver.spark.session import slots_of
from fieldpost_receiver.spark.shared_session import SharedSession
from fieldpost_receiver.telemetry.health import HttpServer
from fieldpost_receiver.telemetry.metrics import Metrics
from fieldpost_shared.clock import Clock
from fieldpost_shared.crash_points import CrashPoints
from fieldpost_shared.errors import FieldpostError

_LOG: Final = logging.getLogger(__name__)
_ROUND_S: Final = 1.0
_SUMMARY_S: Final = 10.0
_HANGS_S: Final = 60.0  # a round of a job takes some requests of 5 to 10 s at most
_DRAIN_S: Final = 70.0  # of a job: its batch 30 s, cancelling 10 s, last replies 10 s, closing; the unit allows 90


class Service:
    """`run` returns the exit code. A second signal ends the process at once; both are safe at any moment."""

    def __init__(self, config: ReceiverConfig, *, clock: Clock, crash: CrashPoints, manager: ServiceManager) -> None:
        self._config = config
        self._clock = clock
        self._crash = crash
        self._manager = manager
        self._state = StateDir.of(config)
        self._metrics = Metrics(config.receiver.name)
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._spark_failure: FieldpostError | None = None
        self._next_summary = 0.0

    def run(self, *, once: bool) -> int:
        """Serve until a signal comes, no job can run, or (once) everything that is there now is done."""
        try:
            with ExitStack() as stack:
                stack.enter_context(locked(self._state.root))
                store = JobStore.open(self._state.job_store)
                stack.callback(store.close)
                return self._serve(stack, store, once=once)
        except FieldpostError as error:
            _LOG.error("%s", error, extra={"code": error.code})
            return exit_of(error)

    def _serve(self, stack: ExitStack, store: JobStore, *, once: bool) -> int:
        self._handle_signals(stack)
        spark = self._open_spark(stack)
        shared = self._open_shared(stack, spark, once=once)
        states = JobStates(store, self._state, self._clock)
        targets = states.take_over(self._config.jobs)
        runners = [JobRunner(job, shared, targets[job.name]) for job in self._config.jobs]
        stack.callback(self._stop, runners)
        self._serve_http(stack, runners)
        for runner in runners:
            runner.start()
        try:
            while not self._stopping.is_set() and not self._nothing_runs(runners, once=once):
                states.exchange(runners)
                self._notify_manager(runners, spark)
                self._check_spark(spark)
                self._wake.wait(_ROUND_S)
                self._wake.clear()  # a signal that comes just now has set `stopping` before
            down = [runner for runner in runners if runner.is_down]  # before they are stopped
            self._stop(runners)
        finally:
            states.exchange(runners)
        if self._stopping.is_set():
            return STOPPED
        return gravest(exit_of(runner.error) for runner in down if runner.error is not None)

    def _open_spark(self, stack: ExitStack) -> SharedSession:
        kinds = {job.kind for job in self._config.jobs}
        spark = SharedSession(
            self._config.spark,
            state_dir=self._state.root,
            scratch=self._state.spark_scratch,
            modules=sorted(KINDS[kind].task_module for kind in kinds),
        )
        stack.callback(spark.close)
        return spark

    def _open_shared(self, stack: ExitStack, spark: SharedSession, *, once: bool) -> Shared:
        scheduler = Scheduler(slots_of(self._config.spark))
        clusters = Clusters(self._clock, every=self._config.spark.trigger, moved=scheduler.wake)
        stack.callback(clusters.close)
        stack.callback(scheduler.stop)
        scheduler.start()
        return Shared(
            spark=spark,
            scheduler=scheduler,
            clusters=clusters,
            metrics=self._metrics,
            clock=self._clock,
            crash=self._crash,
            once=once,
            names_jobs=len(self._config.jobs) > 1,
            changed=self._wake.set,
            spark_gone=self._note_spark_failure,
        )

    def _serve_http(self, stack: ExitStack, runners: list[JobRunner]) -> None:
        listen = self._config.http.listen
        if listen is None:
            return

        def ready() -> tuple[bool, list[str]]:
            reasons = [
                f"{runner.name}: {reason}" if len(runners) > 1 else reason
                for runner in runners
                for reason in runner.reasons
            ]
            return not reasons, reasons

        stack.enter_context(HttpServer(listen, ready=ready, page=self._metrics.page, clock=self._clock))

    def _nothing_runs(self, runners: list[JobRunner], *, once: bool) -> bool:
        """Return whether no job that should run can, or (once) all have ended. Several try again by themselves."""
        wanted = [runner for runner in runners if runner.target is Target.RUNNING]
        if once and all(runner.ended for runner in wanted):
            return True
        if len(runners) == 1:
            return bool(wanted) and wanted[0].is_down  # the service manager starts it again, or tells a person
        return bool(wanted) and all(runner.state is JobState.FAILED for runner in wanted)

    def _notify_manager(self, runners: list[JobRunner], spark: SharedSession) -> None:
        now = self._clock.monotonic()
        if all(runner.is_ready for runner in runners):
            self._manager.ready("reading " + ", ".join(runner.config.kafka.files_topic for runner in runners))
        if now >= self._next_summary:
            self._next_summary = now + _SUMMARY_S
            self._manager.status(_summary(runners))
        if self._manager.is_ready and self._manager.watchdog_due(now) and self._is_healthy(runners, spark, now):
            self._manager.notify_watchdog(now)

    def _is_healthy(self, runners: list[JobRunner], spark: SharedSession, now: float) -> bool:
        """Return whether Spark answers, if it runs, and not every job hangs.

        The duration of a batch does not count: a slow one would be interrupted and repeated for ever.
        """
        serving = [runner for runner in runners if runner.is_serving]
        if serving and all(now - runner.last_round > _HANGS_S for runner in serving):
            return False
        return not spark.is_open or spark.answers

    def _check_spark(self, spark: SharedSession) -> None:
        if self._spark_failure is not None:
            raise self._spark_failure
        spark.check()

    def _note_spark_failure(self, error: FieldpostError) -> None:
        self._spark_failure = error
        self._wake.set()

    def _stop(self, runners: list[JobRunner]) -> None:
        """Stop all jobs side by side."""
        running = [runner for runner in runners if not runner.ended]
        if running:
            self._manager.stopping("finishing the running batches and the last replies")
        for runner in running:
            runner.stop()
        deadline = self._clock.monotonic() + _DRAIN_S
        for runner in running:
            runner.join(max(0.0, deadline - self._clock.monotonic()))

    def _handle_signals(self, stack: ExitStack) -> None:
        def stop(_number: int, _frame: FrameType | None) -> None:
            if self._stopping.is_set():
                os._exit(STOPPED)  # everything that matters is on disk
            self._stopping.set()
            self._wake.set()

        for number in (signal.SIGTERM, signal.SIGINT):
            before = signal.signal(number, stop)
            stack.callback(signal.signal, number, before)


def _summary(runners: list[JobRunner]) -> str:
    if len(runners) == 1:
        return runners[0].summary
    return " ".join(f"{runner.name}: {runner.summary}" for runner in runners)
