# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The function that Spark runs in a worker. It gets paths of files, never secrets."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fieldpost_receiver.jobs.files.ingest import task
from fieldpost_receiver.jobs.files.ingest.partition_reader import Range
from fieldpost_receiver.jobs.files.ingest.rows import pack_rows
from fieldpost_receiver.spark.task_failure import marking_failures
from fieldpost_receiver.storage.destinations import storage_at
from fieldpost_shared.clock import SystemClock
from fieldpost_shared.crash_points import NoCrashPoints
from fieldpost_shared.kafka.settings import KafkaSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchWork:
    """What all tasks of a batch share; travels pickled."""

    kafka: dict[str, str]  # the texts of receiver.toml: names of secret files, never a secret
    destination: str
    token: str  # of the batch, for the tasks' lock

    def __call__(self, shares: Iterable[Sequence[Range]]) -> Iterator[bytes]:
        """Yield the rows of the shares' ranges, in pieces, when their bytes are on disk and the lock is released."""
        for ranges in shares:
            with marking_failures(), storage_at(self.destination).open_writer(self.token) as staging:
                settings = KafkaSettings.parse(self.kafka)
                rows = list(task.run(settings, ranges, staging, NoCrashPoints(), SystemClock()))
            yield from pack_rows(rows)
