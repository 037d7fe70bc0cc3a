# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`jobs list`, `pause`, `resume`, `stop`, `restart`: see what jobs do, and say what they shall do."""

import argparse
from contextlib import closing
from dataclasses import replace
from typing import Final

from fieldpost_receiver.commands.job_choice import job_named, names_of
from fieldpost_receiver.commands.output import print_json, print_line, utc_text
from fieldpost_receiver.config.settings import ReceiverConfig
from fieldpost_receiver.runtime.exit_codes import STOPPED
from fieldpost_receiver.runtime.instance_lock import is_locked
from fieldpost_receiver.runtime.job_store import JobState, JobStore, StoredJob, Target
from fieldpost_receiver.runtime.state_dir import StateDir
from fieldpost_shared.saying import safe

_NOT_RUNNING: Final = "NOT RUNNING"
_NOT_CONFIGURED: Final = "NOT CONFIGURED"
_LATER: Final = "The receiver does not run now; this counts when it is started."


def list_jobs(config: ReceiverConfig, options: argparse.Namespace) -> int:
    """show what each job shall do, what it does, and why"""  # noqa: D403, D415 - stands in the list of commands
    state = StateDir.of(config)
    is_running = is_locked(state.root)
    known = _stored(config)
    if options.json:
        print_json([_as_data(known[name], is_running=is_running) for name in sorted(known)])
        return STOPPED
    print_line(f"{'NAME':<20} {'KIND':<8} {'SHALL BE':<8} {'IS':<14} SINCE")
    for name in sorted(known):
        for line in _lines(known[name], is_running=is_running):
            print_line(line)
    return STOPPED


def list_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `jobs list`."""
    parser.add_argument("--json", action="store_true", help="one JSON list, for programs")


def pause(config: ReceiverConfig, options: argparse.Namespace) -> int:
    """begin no more batches; what is complete is still published and confirmed"""  # noqa: D403, D415 - in the list
    return _set_target(config, options.name, Target.PAUSED, "is paused when its running batch has ended")


def resume(config: ReceiverConfig, options: argparse.Namespace) -> int:
    """let a job that was paused or stopped go on where it was"""  # noqa: D403, D415 - in the list
    known = _stored(config).get(options.name)
    has_failed = known is not None and known.state == JobState.FAILED
    words = f"failed; mend the cause, then: jobs restart {options.name}" if has_failed else "goes on"
    return _set_target(config, options.name, Target.RUNNING, words)


def stop(config: ReceiverConfig, options: argparse.Namespace) -> int:
    """end the running batch, send the last replies, and close the job; its state is kept"""  # noqa: D403, D415
    return _set_target(config, options.name, Target.STOPPED, "is stopped when its running batch has ended")


def restart(config: ReceiverConfig, options: argparse.Namespace) -> int:
    """open a job again that failed, or that runs; changes of receiver.toml need a start of the service"""  # noqa: D403, D415
    job = job_named(config, options.name)
    with closing(_open(config)) as store:
        store.restart(job.name)
        is_stopped = store.jobs()[job.name].target is Target.STOPPED
    words = f"is stopped; it runs again after: jobs resume {job.name}" if is_stopped else "is started again"
    print_line(f"{safe(job.name)} {words}.")
    _tell_if_later(config)
    return STOPPED


def name_options(parser: argparse.ArgumentParser) -> None:
    """Add the job's name."""
    parser.add_argument("name", metavar="NAME", help="the job")


def _set_target(config: ReceiverConfig, name: str, target: Target, words: str) -> int:
    job = job_named(config, name)
    with closing(_open(config)) as store:
        store.set_target(job.name, target)
    print_line(f"{safe(job.name)} {words}.")
    _tell_if_later(config)
    return STOPPED


def _tell_if_later(config: ReceiverConfig) -> None:
    if not is_locked(StateDir.of(config).root):
        print_line(_LATER)


def _open(config: ReceiverConfig) -> JobStore:
    """Open the store; put the jobs into it that the service has not seen yet."""
    store = JobStore.open(StateDir.of(config).job_store)
    for job in config.jobs:
        store.add(job.name, job.kind)
    return store


def _stored(config: ReceiverConfig) -> dict[str, StoredJob]:
    """Return what the store knows, without making one."""
    path = StateDir.of(config).job_store
    known: dict[str, StoredJob] = {}
    if path.exists():
        with closing(JobStore.open(path)) as store:
            known = store.jobs()
    names = names_of(config)
    for name, old in known.items():
        if name not in names:
            known[name] = replace(old, state=_NOT_CONFIGURED, detail="receiver.toml does not name it")
    for job in config.jobs:
        new = StoredJob(job.name, job.kind, Target.RUNNING, restarts=0, state="", detail="", since_ns=0)
        known.setdefault(job.name, new)
    return known


def _as_data(job: StoredJob, *, is_running: bool) -> dict[str, object]:
    return {
        "name": job.name,
        "kind": job.kind,
        "target": job.target,
        "state": _state(job, is_running=is_running),
        "since": utc_text(job.since_ns) if job.since_ns else None,
        "detail": job.detail,
    }


def _lines(job: StoredJob, *, is_running: bool) -> list[str]:
    state = _state(job, is_running=is_running)
    since = utc_text(job.since_ns) if job.since_ns else "-"
    lines = [f"{safe(job.name):<20} {job.kind:<8} {job.target:<8} {state:<14} {since}"]
    return [*lines, f"  {safe(job.detail)}"] if job.detail else lines


def _state(job: StoredJob, *, is_running: bool) -> str:
    """Return what the job does; what a service that was killed wrote last is not true any more."""
    kept = {JobState.FAILED, JobState.FINISHED, _NOT_CONFIGURED}
    return job.state if job.state and (is_running or job.state in kept) else _NOT_RUNNING
