# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The receiver's settings and their defaults, as values that exist only if they are valid."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

from fieldpost_receiver.config.layout_template import Layout
from fieldpost_receiver.config.values import Address
from fieldpost_shared.kafka.settings import KafkaSettings
from fieldpost_shared.secret import Secret

MIB: Final = 1024**2
GIB: Final = 1024**3
TIB: Final = 1024**4
DAY_S: Final = 86_400.0
DEFAULT_LISTEN: Final = Address("127.0.0.1", 9464)


class ConflictPolicy(StrEnum):
    """What happens to a file whose name is taken by another content."""

    KEEP_BOTH = "keep-both"
    REPLACE = "replace"
    REJECT = "reject"


class LogLevel(StrEnum):
    """The least severe records that are logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiverSettings:
    """Settings of the receiver itself. Sizes are bytes, durations seconds, folders absolute."""

    name: str = "central"
    state_dir: Path = Path("/var/lib/fieldpost")
    destination: Path = Path("/srv/fieldpost")
    layout: Layout = field(default_factory=Layout)
    on_conflict: ConflictPolicy = ConflictPolicy.KEEP_BOTH
    min_free_space: int = 2 * GIB
    max_file_size: int = TIB
    expire_incomplete_after: float = 14 * DAY_S
    keep_finished: float = 400 * DAY_S
    file_mode: int = 0o640
    directory_mode: int = 0o750
    group: str = ""
    max_open_transfers: int = 10_000
    max_open_transfers_per_client: int = 1_000
    max_open_bytes: int = 8 * TIB
    max_open_bytes_per_client: int = 2 * TIB
    publishers: int = 2
    notice_every: float = 60.0
    log_level: LogLevel = LogLevel.INFO


@dataclass(frozen=True, slots=True, kw_only=True)
class SparkSettings:
    """Where Spark runs and how large its batches are."""

    master: str = "local[*]"
    max_batch_bytes: int = 512 * MIB
    max_batch_rows: int = 50_000
    trigger: float = 0.25
    driver_memory: int = 512 * MIB
    executor_memory: int = GIB
    java_options: str = ""
    secret_file: str = ""

    @property
    def on_cluster(self) -> bool:
        """Whether tasks run in executors of a cluster and not in this process's own JVM."""
        return not self.master.startswith("local")


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpSettings:
    """The server for health and metrics; None: there is none."""

    listen: Address | None = DEFAULT_LISTEN


class JobKind(StrEnum):
    """What a job does with its topic: its `connector.class`."""

    FILES = "files"  # puts chunked files together, publishes and confirms them


@dataclass(frozen=True, slots=True, kw_only=True)
class JobConfig:
    """All settings of one job: its own, those of the service for the rest.

    `kafka_options` are the texts that `kafka` was parsed from. They hold names of secret files, never a secret, so they
    may travel to Spark's workers; the `kafka` settings may not.
    """

    name: str
    kind: JobKind
    receiver: ReceiverSettings
    kafka: KafkaSettings
    kafka_options: Mapping[str, str]
    spark: SparkSettings
    own: tuple[str, ...] = ()  # the keys that its own table sets

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """The secrets, which must not appear in any log."""
        security = self.kafka.security
        found = (security.password, security.oauth_client_secret, security.key_pem, security.key_password)
        return tuple(secret for secret in found if secret is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiverConfig:
    """The whole configuration. `receiver` holds what the service needs itself, and what its jobs share."""

    receiver: ReceiverSettings
    spark: SparkSettings
    http: HttpSettings
    jobs: tuple[JobConfig, ...]
    spark_secret: Secret | None = None  # what `spark.secret_file` held at the start

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """The secrets of all jobs and of Spark, which must not appear in any log."""
        found = tuple(secret for job in self.jobs for secret in job.secrets)
        return found if self.spark_secret is None else (*found, self.spark_secret)
