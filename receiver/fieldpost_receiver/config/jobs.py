# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The jobs of receiver.toml: `[jobs.NAME]` tables, or the one files job that the sections themselves describe.

A table names its kind (`"connector.class"`) and those keys of [receiver] and [kafka] in which the job differs.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from fieldpost_receiver.config.sections import RECEIVER, Texts, kafka_settings, receiver_settings
from fieldpost_receiver.config.settings import JobConfig, JobKind, SparkSettings
from fieldpost_shared.errors import SettingsError
from fieldpost_shared.kafka import values
from fieldpost_shared.kafka.settings import SETTING_KEYS

FILES_JOB: Final = "files"  # the name of the job that a file without tables means, as every file of 0.1 does
KIND_KEY: Final = "connector.class"
_OF_THE_SERVICE: Final = frozenset({"state_dir", "log_level"})
_JOB_KEYS: Final = frozenset({KIND_KEY, *RECEIVER, *SETTING_KEYS}) - _OF_THE_SERVICE
# A slash, a backslash or a percent sign could not be asked for in an HTTP path.
_FORBIDDEN: Final = re.compile(r"[/\\%\x00-\x1f\x7f-\x9f]")
_MAX_NAME_BYTES: Final = 200  # it names a folder, and with a prefix a consumer group


def job_configs(given: Texts, tables: Texts, spark: SparkSettings, base: Path) -> tuple[JobConfig, ...]:
    """Return all jobs.

    Raises:
        SettingsError: the first wrong setting as `jobs.NAME.key`, or as `section.key` if it is a shared one.
    """
    if not tables:
        return (_job(FILES_JOB, JobKind.FILES, given, {}, spark=spark, base=base),)
    jobs = []
    for name, table in tables.items():
        _check_name(name)
        jobs.append(_job(name, _kind(name, table), given, table, spark=spark, base=base))
    _check_apart(jobs)
    return tuple(jobs)


def _check_name(name: str) -> None:
    usable = name.strip() == name != "" and name.isprintable() and name[0] != "." and not _FORBIDDEN.search(name)
    if not usable or len(name.encode()) > _MAX_NAME_BYTES:
        problem = (
            "is not a name for a job: it begins with no dot or space, has no slash, backslash, percent sign or"
            f" invisible character, and at most {_MAX_NAME_BYTES} bytes"
        )
        raise SettingsError(f"jobs.{values.shown(name)}", problem)


def _kind(name: str, table: Mapping[str, object]) -> JobKind:
    key, known = f"jobs.{name}.{KIND_KEY}", [str(kind) for kind in JobKind]
    given = table.get(KIND_KEY)
    if given is None:
        raise SettingsError(key, f'is missing; write "{KIND_KEY}" = "{JobKind.FILES}"')
    if given not in known:
        raise SettingsError(key, f"{values.shown(str(given))} is not a kind of job; known: {', '.join(known)}")
    return JobKind(given)


def _job(
    name: str, kind: JobKind, given: Texts, table: Mapping[str, object], *, spark: SparkSettings, base: Path
) -> JobConfig:
    own = tuple(key for key in table if key != KIND_KEY)
    for key in own:
        _check_key(name, key)
    try:
        receiver = receiver_settings(given.get("receiver", {}) | _part(table, RECEIVER), base)
        kafka, options = kafka_settings(given.get("kafka", {}) | _part(table, SETTING_KEYS), base)
    except SettingsError as error:
        _, _, key = error.key.partition(".")
        if key == "state_dir" and "destination" in table:
            key = "destination"  # which lies where it must not
        if key in table:
            raise SettingsError(f"jobs.{name}.{key}", error.problem) from error
        if table:
            raise SettingsError(error.key, f"{error.problem} (for job {name})") from error
        raise
    return JobConfig(name=name, kind=kind, receiver=receiver, kafka=kafka, kafka_options=options, spark=spark, own=own)


def _part(table: Mapping[str, object], keys: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in table.items() if key in keys}


def _check_key(name: str, key: str) -> None:
    if key in _OF_THE_SERVICE:
        raise SettingsError(f"jobs.{name}.{key}", "is the same for all jobs; set it in [receiver]")
    if key not in _JOB_KEYS:  # its value is not repeated, because it may be a password
        raise SettingsError(f"jobs.{name}.{key}", f"is not a setting of a job{values.nearest(key, _JOB_KEYS)}")


def _check_apart(jobs: Sequence[JobConfig]) -> None:
    """Check that no two jobs write in one folder, or answer the senders of one topic under one name."""
    for job, other in _pairs(jobs):
        here, there = job.receiver.destination.resolve(), other.receiver.destination.resolve()
        if here.is_relative_to(there) or there.is_relative_to(here):
            raise SettingsError(
                f"jobs.{job.name}.destination",
                f"{values.shown(str(job.receiver.destination))} and the destination of job {other.name} lie in one"
                " another; give each job a folder of its own",
            )
        if job.receiver.name == other.receiver.name and topic_of(job) == topic_of(other):
            raise SettingsError(
                f"jobs.{job.name}.name",
                f"{values.shown(job.receiver.name)} is also the name of job {other.name}, which reads the same topic:"
                " senders could not tell their receipts apart; give each a name of its own",
            )


def topic_of(job: JobConfig) -> tuple[frozenset[str], str]:
    """Return what tells whether two jobs read the same topic."""
    return frozenset(job.kafka.servers), job.kafka.files_topic


def _pairs(jobs: Sequence[JobConfig]) -> Iterator[tuple[JobConfig, JobConfig]]:
    for number, job in enumerate(jobs):
        for earlier in jobs[:number]:
            yield job, earlier
