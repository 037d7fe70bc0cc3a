# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The files job of a configuration, opened as the service opens it, but without Spark and Kafka."""

from collections.abc import Callable, Mapping

from fieldpost_receiver.config.settings import JobConfig
from fieldpost_receiver.jobs.files.free_space import FreeSpace, StateDisk
from fieldpost_receiver.jobs.files.job import FilesJob
from fieldpost_receiver.jobs.files.job_dir import JobDir
from fieldpost_shared.clock import Clock
from fieldpost_shared.crash_points import CrashPoints, NoCrashPoints


def open_files_job(
    config: JobConfig,
    clock: Clock,
    crash: CrashPoints | None = None,
    ends_of_topic: Callable[[], Mapping[int, int] | None] = lambda: None,
) -> FilesJob:
    state = JobDir.of(config)
    return FilesJob.open(
        config,
        ledger=state.ledger,
        ledger_copy=state.ledger_copy,
        clock=clock,
        crash=crash or NoCrashPoints(),
        ends_of_topic=ends_of_topic,
    )


def free_space_of(job: FilesJob) -> FreeSpace:
    receiver = job.config.receiver
    state_disk = StateDisk.of(receiver.state_dir, receiver.min_free_space)
    return FreeSpace(reading=job.reading, staged=job.staged, admission=job.admission, state_disk=state_disk)
