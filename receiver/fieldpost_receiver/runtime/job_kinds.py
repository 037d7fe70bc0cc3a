# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The kinds of job that this receiver can run."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from fieldpost_receiver.config.settings import JobConfig, JobKind
from fieldpost_receiver.jobs.files.ingest import spark_task
from fieldpost_receiver.jobs.files.running_job import open_files_job
from fieldpost_receiver.jobs.job import Job, JobServices


@dataclass(frozen=True, slots=True)
class Kind:
    """How a kind of job is opened and scheduled."""

    open: Callable[[JobConfig, JobServices], Job]
    task_module: str  # what Spark's workers load before the first batch
    comes_first: bool  # people wait for its batches


KINDS: Final[Mapping[JobKind, Kind]] = MappingProxyType(
    {JobKind.FILES: Kind(open=open_files_job, task_module=spark_task.__name__, comes_first=True)}
)
