# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Carry targets from the job store to the running jobs, and what became of them back into the store."""

import logging
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Final

from fieldpost_receiver.config.jobs import FILES_JOB
from fieldpost_receiver.config.settings import JobConfig
from fieldpost_receiver.jobs.files.job_dir import JobDir
from fieldpost_receiver.runtime.job_runner import JobRunner
from fieldpost_receiver.runtime.job_store import JobStore, StoredJob, Target
from fieldpost_receiver.runtime.state_dir import StateDir
from fieldpost_shared.clock import Clock
from fieldpost_shared.errors import FieldpostError

_LOG: Final = logging.getLogger(__name__)
FORGOTTEN: Final = (
    "the state folder holds the ledger of a job named files, which receiver.toml does not name: it does not run;"
    ' to go on with it, add [jobs.files] with "connector.class" = "files"'
)


class JobStates:
    """Used by the service's thread only."""

    def __init__(self, store: JobStore, state: StateDir, clock: Clock) -> None:
        self._store = store
        self._state = state
        self._clock = clock
        self._version = -1
        self._known: Mapping[str, StoredJob] = {}
        self._written: dict[str, tuple[str, str]] = {}

    def take_over(self, jobs: Sequence[JobConfig]) -> dict[str, Target]:
        """Put the jobs of the configuration into the store; return what each shall do."""
        known = self._store.jobs()
        for job in jobs:
            if job.name not in known or known[job.name].kind != job.kind:
                self._store.add(job.name, job.kind)
        self._known = self._store.jobs()
        for name in sorted(self._known.keys() - {job.name for job in jobs}):
            _LOG.warning("job %s is not in receiver.toml any more: it does not run; its state is kept", name)
        if FILES_JOB not in self._known and JobDir(self._state.root).ledger.exists():
            _LOG.warning("%s", FORGOTTEN)
        return {job.name: self._known[job.name].target for job in jobs}

    def exchange(self, runners: Sequence[JobRunner]) -> None:
        """Tell the jobs what was asked of them since the last time, and note their states."""
        version = self._store.version()
        if version != self._version:
            self._version, before, self._known = version, self._known, self._store.jobs()
            for runner in runners:
                self._tell(runner, before.get(runner.name), self._known.get(runner.name))
        for runner in runners:
            detail = runner.detail
            if self._written.get(runner.name) != (runner.state, detail):
                self._note(runner, detail)

    def _tell(self, runner: JobRunner, before: StoredJob | None, now: StoredJob | None) -> None:
        if now is None:
            return
        if now.target is not runner.target:
            _LOG.info("job %s shall be %s", runner.name, now.target)
            runner.set_target(now.target)
        if before is not None and now.restarts > before.restarts:
            _LOG.info("job %s is started again", runner.name)
            runner.restart()

    def _note(self, runner: JobRunner, detail: str) -> None:
        state = runner.state
        try:
            self._store.set_state(runner.name, state, detail=detail, now_ns=self._clock.now_ns())
        except (FieldpostError, sqlite3.Error) as error:  # it only informs
            _LOG.debug("the state of job %s was not noted: %s", runner.name, error)
        else:
            self._written[runner.name] = (state, detail)
