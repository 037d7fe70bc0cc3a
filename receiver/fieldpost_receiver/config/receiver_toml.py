# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""receiver.toml, read and checked before anything starts.

Environment (`FIELDPOST_<SECTION>_<KEY>`) > file > default. packaging/receiver.toml explains every key.
"""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from fieldpost_receiver.config.jobs import job_configs
from fieldpost_receiver.config.sections import (
    HTTP,
    RECEIVER,
    SECTIONS,
    SPARK,
    Texts,
    http_settings,
    receiver_settings,
    spark_settings,
)
from fieldpost_receiver.config.settings import JobConfig, ReceiverConfig
from fieldpost_shared.errors import SettingsError
from fieldpost_shared.kafka import values
from fieldpost_shared.kafka.settings import SETTING_KEYS

_JOBS: Final = "jobs"


def load(path: Path, environ: Mapping[str, str]) -> ReceiverConfig:
    """Read the file; the environment overrides it.

    Raises:
        SettingsError: the first wrong setting as `section.key`, its value, and what is allowed.
    """
    given, jobs = _from_file(path)
    overridden = dict(_from_environment(environ))
    for (section, key), (_, value) in overridden.items():
        given.setdefault(section, {})[key] = value
    try:
        return _build(given, jobs, path.parent.absolute())
    except SettingsError as error:
        section, _, key = error.key.partition(".")
        if (section, key) in overridden:  # otherwise a person would look for it in the file
            raise SettingsError(error.key, f"{error.problem} (set by {overridden[section, key][0]})") from error
        raise


def _from_file(path: Path) -> tuple[Texts, Texts]:
    """Return the sections, and the tables of jobs."""
    try:
        with path.open("rb") as file:
            given = tomllib.load(file)
    except OSError as error:
        raise SettingsError("config", f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:  # no TOML, or no UTF-8
        raise SettingsError("config", f"{path}: is not TOML: {error}") from error
    jobs = _tables(given.pop(_JOBS, {}))
    for section, keys in given.items():
        if section not in SECTIONS:
            raise SettingsError(section, f"is not a section{values.nearest(section, [*SECTIONS, _JOBS])}")
        if not isinstance(keys, dict):
            raise SettingsError(section, f"must be a section, written as [{section}]")
        for key in keys:
            _known(section, key, f"{section}.{key}")
    return given, jobs


def _tables(jobs: object) -> Texts:
    if not isinstance(jobs, dict):
        raise SettingsError(_JOBS, "must be tables, each written as [jobs.NAME]")
    for name, table in jobs.items():
        if not isinstance(table, dict):
            raise SettingsError(f"{_JOBS}.{name}", f"must be a table, written as [jobs.{name}]")
    return jobs


def _from_environment(environ: Mapping[str, str]) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Yield section and key, then variable and value. An empty variable counts as not set, as in the uploader."""
    for variable, value in sorted(environ.items()):
        for section in SECTIONS:
            prefix = f"FIELDPOST_{section.upper()}_"
            if value and variable.startswith(prefix):
                key = variable.removeprefix(prefix).lower()
                _known(section, key, variable)
                yield (section, key), (variable, value)


def _known(section: str, key: str, called: str) -> None:
    known = SECTIONS[section]
    if key not in known:  # its value is not repeated, because it may be a password
        raise SettingsError(called, f"is not a setting of [{section}]{values.nearest(key, known)}")


def _build(given: Texts, jobs: Texts, base: Path) -> ReceiverConfig:
    receiver = receiver_settings(given.get("receiver", {}), base)
    spark, secret = spark_settings(given.get("spark", {}), base)
    http = http_settings(given.get("http", {}))
    configs = job_configs(given, jobs, spark, base)
    return ReceiverConfig(receiver=receiver, spark=spark, http=http, jobs=configs, spark_secret=secret)


def describe(config: ReceiverConfig) -> list[tuple[str, str]]:
    """Return the effective configuration as `section.key` and text, in the order of the sample, without secrets."""
    rows = [(f"receiver.{key}", known.show(getattr(config.receiver, key))) for key, known in RECEIVER.items()]
    rows += [(f"kafka.{key}", text) for key, text in _shared_kafka(config)]
    rows += [(f"spark.{key}", known.show(getattr(config.spark, key))) for key, known in SPARK.items()]
    rows += [(f"http.{key}", known.show(getattr(config.http, key))) for key, known in HTTP.items()]
    return [*rows, *(row for job in config.jobs for row in _own_rows(job))]


def _shared_kafka(config: ReceiverConfig) -> Iterator[tuple[str, str]]:
    """Yield the keys that not every job sets for itself."""
    for key in SETTING_KEYS:
        job = next((job for job in config.jobs if key not in job.own), None)
        if job is not None:
            yield key, _kafka_text(job, key)


def _own_rows(job: JobConfig) -> Iterator[tuple[str, str]]:
    for key in job.own:
        text = RECEIVER[key].show(getattr(job.receiver, key)) if key in RECEIVER else _kafka_text(job, key)
        yield f"jobs.{job.name}.{key}", text


def _kafka_text(job: JobConfig, key: str) -> str:
    kafka = job.kafka
    effective: dict[str, Any] = {
        "security_protocol": kafka.security.protocol,
        "sasl_mechanism": kafka.security.mechanism,
    }
    found = effective.get(key, getattr(kafka, key, job.kafka_options.get(key, "")))
    if key.endswith("_pem"):
        return "(in the file)" if found else ""  # a page of base64 is of no use here
    return str(found).partition("?")[0]  # the query of an address may hold a key
