# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The checks of a Spark cluster: its secret, and whether executors see the locks of this machine."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final

from fieldpost_receiver.commands.findings import Finding, failed, passed, warning
from fieldpost_receiver.commands.job_choice import suffix_of
from fieldpost_receiver.config.settings import JobConfig, ReceiverConfig, SparkSettings
from fieldpost_receiver.runtime.exit_codes import CONFIGURATION, STORAGE, exit_of
from fieldpost_receiver.spark.executor_trial import Executors, ExecutorsSilent, open_executors
from fieldpost_receiver.spark.run_batch import BatchFailed
from fieldpost_receiver.storage.destinations import storage_of
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_receiver.storage.port import LockSeen, LockTrial, TriesLock
from fieldpost_shared.errors import FieldpostError

_SECRET: Final = "spark secret"  # noqa: S105 - the name of a check
_LOCK: Final = "tasks' lock"
_EXECUTORS_S: Final = 60.0
_SHARED: Final = "Mount the destination on every machine from one file system whose flock counts on all of them."
_INSTALL: Final = "Install the same Python environment at the same path on every machine of the cluster."
_REACH: Final = "Check spark.master, spark.secret_file and the network."
_CORES: Final = "Start its workers; if a running receiver has all cores, stop it and check again."


def check_cluster(config: ReceiverConfig) -> Iterator[Finding]:
    """Check what only a cluster needs; nothing on one machine."""
    if config.spark.on_cluster:
        yield _secret(config.spark)
        for job in config.jobs:
            yield _lock(job).about(suffix_of(config, job))


def _secret(spark: SparkSettings) -> Finding:
    if spark.secret_file:
        return passed(_SECRET, f"Spark's connections ask for the secret in {spark.secret_file}")
    advice = (
        "Unless spark-defaults.conf does so already, set spark.authenticate to true there: Spark makes the secret."
        if spark.master == "yarn"
        else "Start master and workers with a secret and name its file in spark.secret_file."
    )
    return warning(_SECRET, f"connections to {spark.master} are not authenticated by this receiver", advice)


def _lock(job: JobConfig) -> Finding:
    """Hold a lock here and let executors look at it, then release it and let them look again."""
    storage = storage_of(job.receiver)
    if not isinstance(storage, TriesLock):
        return passed(_LOCK, "this destination needs none")
    trial = storage.lock_trial()
    try:
        with trial.held():
            pass  # the session below takes seconds: a destination that cannot be used is told before
        with open_executors(job.spark) as executors:
            return _seen(trial, executors, str(job.receiver.destination))
    except ExecutorsSilent:
        return warning(_LOCK, f"no executor of {job.spark.master} took a task in {_EXECUTORS_S:.0f} s", _CORES)
    except BatchFailed as error:
        return failed(_LOCK, f"a task failed on an executor: {_last_line(str(error))}", _INSTALL, CONFIGURATION)
    except FieldpostError as error:
        exit_code = exit_of(error)
        return failed(_LOCK, error.detail or error.code, _SHARED if exit_code == STORAGE else _REACH, exit_code)
    finally:
        with suppress(StorageError):
            trial.remove()


def _seen(trial: LockTrial, executors: Executors, destination: str) -> Finding:
    with trial.held():
        while_held = executors.ask(trial.look, seconds=_EXECUTORS_S)
    after = executors.ask(trial.look, seconds=_EXECUTORS_S)
    if absent := _machines(while_held, LockSeen.ABSENT):
        return failed(_LOCK, f"{destination} on {absent} is not the one of this machine", _SHARED, STORAGE)
    if blind := _machines(while_held, LockSeen.FREE):
        detail = f"a lock in {destination} is not seen on {blind}: tasks could write into finished files"
        return failed(_LOCK, detail, _SHARED, STORAGE)
    if stuck := _machines(after, LockSeen.HELD):
        return failed(_LOCK, f"a released lock in {destination} still counts on {stuck}", _SHARED, STORAGE)
    return passed(_LOCK, f"a lock in {destination} counts for executors on {', '.join(sorted(while_held))}")


def _machines(answers: Mapping[str, set[str]], seen: LockSeen) -> str:
    return ", ".join(sorted(machine for machine, found in answers.items() if seen in found))


def _last_line(text: str) -> str:
    """Return the line of Spark's text that names the Python error."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    named = [line for line in lines if "Error: " in line and not line.startswith("at ")]
    return (named or lines or [""])[-1][:300]
