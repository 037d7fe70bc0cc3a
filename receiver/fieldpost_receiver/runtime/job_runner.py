# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""One job in its own thread: opened, supervised, paused, stopped, and opened again when it could not go on.

Whatever happens to it, the other jobs go on. Only Spark's own end (UNEXPECTED) ends all of them.
"""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from fieldpost_receiver.config.settings import JobConfig
from fieldpost_receiver.jobs.job import Job, JobServices
from fieldpost_receiver.kafka.clusters import Clusters
from fieldpost_receiver.runtime.batch_turns import BatchTurns
from fieldpost_receiver.runtime.exit_codes import CONFIGURATION, exit_of
from fieldpost_receiver.runtime.job_kinds import KINDS
from fieldpost_receiver.runtime.job_store import JobState, Target
from fieldpost_receiver.runtime.retry_pause import RetryPause
from fieldpost_receiver.runtime.scheduler import Scheduler
from fieldpost_receiver.spark.shared_session import SharedSession
from fieldpost_receiver.telemetry.logs import job_name
from fieldpost_receiver.telemetry.metrics import JobMetrics, Metrics, QueryState
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.crash_points import CrashPoints
from fieldpost_shared.errors import FieldpostError

_LOG: Final = logging.getLogger(__name__)
_DRAIN_S: Final = 30.0
_CANCELLED_S: Final = 10.0  # for a batch that was cancelled
_LOOK_S: Final = 0.1
_METRIC: Final = {
    JobState.STARTING: QueryState.STARTING,
    JobState.RUNNING: QueryState.RUNNING,
    JobState.RESTARTING: QueryState.RESTARTING,
    JobState.PAUSED: QueryState.PAUSED,
    JobState.STOPPED: QueryState.STOPPED,
    JobState.FINISHED: QueryState.STOPPED,
    JobState.FAILED: QueryState.FAILED,
}
_STEADY_S: Final = 300.0  # so long open, and earlier failures do not count any more
_MOST_BUGS: Final = 10  # unknown errors in a row, after which a person has to look


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """What all jobs of the service share."""

    spark: SharedSession
    scheduler: Scheduler
    clusters: Clusters
    metrics: Metrics
    clock: Clock
    crash: CrashPoints
    once: bool
    names_jobs: bool  # there are several: log lines and reasons name theirs
    changed: Callable[[], None]  # a job's state is another one
    spark_gone: Callable[[FieldpostError], None]  # which ends all jobs


class JobRunner:
    """`start`, `set_target`, `stop` and the properties are for the service's thread."""

    def __init__(self, config: JobConfig, shared: Shared, target: Target) -> None:
        self.config = config
        self.target = target
        self.state = JobState.STARTING
        self.error: FieldpostError | None = None  # why it does not run
        self.last_round = 0.0
        self._shared = shared
        self._metrics = JobMetrics(shared.metrics, config.name)
        self._job: Job | None = None
        self._turns: BatchTurns | None = None
        self._pause = RetryPause(shortest=1.0, longest=300.0)
        self._bugs = 0
        self._opened_at = 0.0
        self._wake = threading.Event()
        self._stopping = False
        self._restart = False
        self._thread = threading.Thread(target=self._run, name=f"job-{config.name}", daemon=True)

    @property
    def name(self) -> str:
        """The job's name."""
        return self.config.name

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def set_target(self, target: Target) -> None:
        """Say what the job shall do from now on."""
        self.target = target
        self._wake.set()

    def restart(self) -> None:
        """Open a failed job again, or close and open one that runs."""
        self._restart = True
        self._wake.set()

    def stop(self) -> None:
        """Let the running batch end, send the last replies, close. `join` waits for it."""
        self._stopping = True
        self._wake.set()

    def join(self, seconds: float) -> None:
        """Wait for the job's end."""
        if self._thread.is_alive():
            self._thread.join(seconds)

    @property
    def ended(self) -> bool:
        """Whether nothing more comes of it."""
        return not self._thread.is_alive()

    @property
    def is_down(self) -> bool:
        """Whether it should run and cannot."""
        return self.state in {JobState.FAILED, JobState.RESTARTING}

    @property
    def is_serving(self) -> bool:
        """Whether it is open, and makes rounds."""
        return self._job is not None

    @property
    def is_ready(self) -> bool:
        """Whether it reads, or there is a known reason why it does not."""
        job, turns = self._job, self._turns
        if self.state in {JobState.STARTING, JobState.RUNNING}:
            return turns is not None and job is not None and (turns.has_begun or job.waits)
        return True

    @property
    def reasons(self) -> list[str]:
        """Why nothing arrives although it should; nothing if it does, or if the job shall not run."""
        job, turns = self._job, self._turns
        if self.target is not Target.RUNNING or self.state is JobState.FINISHED:
            return []
        if job is None or turns is None:
            return [f"it could not go on: {self.error}" if self.error is not None else "no batches run"]
        if turns.failure:
            return [f"the last batch failed: {turns.failure}", *job.reasons]
        return job.reasons if turns.has_begun or job.waits else ["no batches run", *job.reasons]

    @property
    def detail(self) -> str:
        """Why it does not run, or what its last batch failed with; "" if all is well."""
        turns = self._turns
        if turns is not None:
            return f"the last batch failed: {turns.failure}" if turns.failure else ""
        return str(self.error) if self.error is not None else ""

    @property
    def summary(self) -> str:
        """One line for people."""
        job = self._job
        return job.summary if job is not None else f"{self.state}"

    # in the job's thread

    def _run(self) -> None:
        if self._shared.names_jobs:
            job_name.set(self.name)
        while not self._stopping:
            if self.target is Target.STOPPED:
                self.error = None
                self._set_state(JobState.STOPPED)
                self._wait(None)
                continue
            if self._restart:
                self._restart = False
                self._forget_failures()  # a person has mended something
            self._run_opened()
            if self._shared.once and (self.is_down or self.state is JobState.FINISHED):
                return
            if self.state is JobState.FAILED:
                self._wait_for_person()

    def _run_opened(self) -> None:
        """Open the job and serve it until it ends, is stopped, or cannot go on."""
        try:
            self._set_state(JobState.STARTING)
            job, turns = self._open()
            try:
                self._serve(job, turns)
            finally:
                self._close(job, turns)
        except FieldpostError as error:
            self._fail(error)
        except Exception as error:  # noqa: BLE001 - other jobs must go on
            _LOG.exception("the job failed for an unknown reason")
            self._bugs += 1
            self._fail(FieldpostError(Code.UNEXPECTED, f"{type(error).__name__}: {error}"[:500]))

    def _open(self) -> tuple[Job, BatchTurns]:
        shared, config = self._shared, self.config
        kind = KINDS[config.kind]
        services = JobServices(
            cluster=shared.clusters.of(config.kafka, config.kafka_options),
            metrics=self._metrics,
            clock=shared.clock,
            crash=shared.crash,
            wake=self._wake.set,
            once=shared.once,
        )
        job = kind.open(config, services)
        turns = BatchTurns(
            job,
            name=config.name,
            log_name=config.name if shared.names_jobs else "",
            comes_first=kind.comes_first,
            spark=shared.spark,
            metrics=self._metrics,
            clock=shared.clock,
            wake=self._wake.set,
            spark_gone=shared.spark_gone,
        )
        turns.is_paused = self.target is Target.PAUSED
        self._job, self._turns = job, turns
        self._opened_at = shared.clock.monotonic()
        shared.scheduler.add(turns)
        return job, turns

    def _serve(self, job: Job, turns: BatchTurns) -> None:
        while not (self._stopping or self._restart or self.target is Target.STOPPED):
            now = self.last_round = self._shared.clock.monotonic()
            pause = turns.step(now)
            seconds = job.step(now)
            self._note_state(turns)
            if self._shared.once and job.finished:
                self._set_state(JobState.FINISHED)
                break
            if pause is not None:
                seconds = min(seconds, max(pause, _LOOK_S))
                self._shared.scheduler.wake()
            self._wait(seconds)
        self._drain(job, turns)

    def _note_state(self, turns: BatchTurns) -> None:
        was_paused, turns.is_paused = turns.is_paused, self.target is Target.PAUSED
        if was_paused and not turns.is_paused:
            self._shared.scheduler.wake()
        if turns.is_paused:
            if not self._shared.scheduler.is_running(self.name):
                self._set_state(JobState.PAUSED)
        elif turns.has_begun and self.state is not JobState.RUNNING:
            self._set_state(JobState.RUNNING)
            if turns.failure:
                self._metrics.query(QueryState.RESTARTING)
        if turns.has_succeeded:
            self.error = None
            if self.last_round - self._opened_at >= _STEADY_S:
                self._forget_failures()

    def _forget_failures(self) -> None:
        self._pause.reset()
        self._bugs = 0

    def _drain(self, job: Job, turns: BatchTurns) -> None:
        """Begin no batch, let the running one finish or cancel it after a while, send the last replies."""
        turns.is_stopping = True
        self._shared.scheduler.remove(self.name)
        job.stop_reading()
        if not self._batch_ends(_DRAIN_S):
            self._shared.spark.cancel_tasks(job=self.name)
            self._batch_ends(_CANCELLED_S)
        job.finish()
        _LOG.info("stopped")

    def _batch_ends(self, seconds: float) -> bool:
        """Wait until no batch of this job runs; return whether that is so."""
        deadline = self._shared.clock.monotonic() + seconds
        while self._shared.scheduler.is_running(self.name):
            if self._shared.clock.monotonic() >= deadline:
                return False
            self._shared.clock.wait(threading.Event(), _LOOK_S)
        return True

    def _close(self, job: Job, turns: BatchTurns) -> None:
        """Close the job when no batch of it runs; one that cannot be ended keeps its parts open."""
        turns.is_stopping = True
        self._shared.scheduler.remove(self.name)
        self._job = self._turns = None
        if not self._batch_ends(0.0):
            self._shared.spark.cancel_tasks(job=self.name)
        if self._batch_ends(_CANCELLED_S):
            job.close()

    def _fail(self, error: FieldpostError) -> None:
        """Wait for a person, or try again after a pause."""
        self.error = error
        _LOG.error("%s", error, extra={"code": error.code})
        if exit_of(error) == CONFIGURATION or self._bugs >= _MOST_BUGS:
            self._set_state(JobState.FAILED)
            return
        self._set_state(JobState.RESTARTING)
        self._metrics.restarted()
        if self._shared.once:
            return
        deadline = self._shared.clock.monotonic() + self._pause.next()
        while not self._stopping and not self._restart and self.target is not Target.STOPPED:
            left = deadline - self._shared.clock.monotonic()
            if left <= 0:
                return
            self._wait(left)

    def _wait_for_person(self) -> None:
        while not (self._stopping or self._restart or self.target is Target.STOPPED):
            self._wait(None)

    def _wait(self, seconds: float | None) -> None:
        self._wake.wait(seconds)
        self._wake.clear()  # what is set just now was seen before: targets are set first

    def _set_state(self, state: JobState) -> None:
        if state is not self.state:
            self.state = state
            self._metrics.query(_METRIC[state])
            self._shared.changed()
