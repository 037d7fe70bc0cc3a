# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The sections of receiver.toml: their keys, and how their texts become settings."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from fieldpost_receiver.config import values as kind
from fieldpost_receiver.config.settings import (
    DAY_S,
    MIB,
    ConflictPolicy,
    HttpSettings,
    LogLevel,
    ReceiverSettings,
    SparkSettings,
)
from fieldpost_receiver.config.values import Kind
from fieldpost_shared import quantities
from fieldpost_shared.errors import SettingsError
from fieldpost_shared.kafka import values
from fieldpost_shared.kafka.settings import SETTING_KEYS, KafkaSettings
from fieldpost_shared.protocol.limits import MAX_SIZE
from fieldpost_shared.secret import Secret

RECEIVER: Final[Mapping[str, Kind]] = {
    "name": Kind(kind.name),
    "state_dir": Kind(kind.folder),
    "destination": Kind(kind.folder),
    "layout": Kind(kind.layout),
    "on_conflict": kind.choice(ConflictPolicy),
    "min_free_space": kind.size(0),
    "max_file_size": kind.size(1),
    "expire_incomplete_after": kind.duration(1.0),
    "keep_finished": kind.duration(DAY_S),
    "file_mode": kind.mode(0o600),
    "directory_mode": kind.mode(0o700),
    "group": Kind(kind.group),
    "max_open_transfers": kind.whole(1, 10_000_000),
    "max_open_transfers_per_client": kind.whole(1, 10_000_000),
    "max_open_bytes": kind.size_or_derived(),
    "max_open_bytes_per_client": kind.size_or_derived(),
    "publishers": kind.whole(1, 64),
    "notice_every": kind.duration(1.0, 3600.0),
    "log_level": kind.choice(LogLevel),
}
SPARK: Final[Mapping[str, Kind]] = {
    "master": Kind(kind.master),
    "max_batch_bytes": kind.size(MIB),
    "max_batch_rows": kind.whole(1, 10_000_000),
    "trigger": kind.duration(0.1, 3600.0),  # a trigger of 12 ms on an idle topic takes 15 % of a core
    "driver_memory": kind.size(512 * MIB),  # Spark itself does not start with less than 450 MiB
    "executor_memory": kind.size(512 * MIB),
    "java_options": Kind(kind.java_options),
    "secret_file": Kind(kind.text),
}
HTTP: Final[Mapping[str, Kind]] = {"listen": Kind(kind.listen, kind.address_text)}
# A limit that is not given follows from the largest file, so that raising that one is enough.
_LARGEST_FILES: Final = MappingProxyType({"max_open_bytes": 8, "max_open_bytes_per_client": 2})
# All settings. Both ends read Kafka's keys the same way, so the shared package parses them.
SECTIONS: Final[Mapping[str, Mapping[str, object]]] = MappingProxyType(
    {"receiver": RECEIVER, "kafka": SETTING_KEYS, "spark": SPARK, "http": HTTP}
)
_KAFKA_FILES: Final = frozenset(
    key for key in SETTING_KEYS if key.endswith(("_file", "_location")) or key == "sasl_kerberos_keytab"
)

Texts = dict[str, dict[str, object]]  # by section and key, as they were given


def receiver_settings(given: Mapping[str, object], base: Path) -> ReceiverSettings:
    """Parse [receiver]; relative folders begin at `base`.

    Raises:
        SettingsError: a wrong setting as `receiver.key`; so do the others, each with its section.
    """
    parsed = _parsed("receiver", RECEIVER, given)
    found = ReceiverSettings(**parsed)
    derived: dict[str, Any] = {
        key: min(files * found.max_file_size, MAX_SIZE) for key, files in _LARGEST_FILES.items() if not parsed.get(key)
    }
    # Absolute, because Spark's workers have their own working folder; `base / absolute` is that path itself.
    found = replace(found, state_dir=base / found.state_dir, destination=base / found.destination, **derived)
    _check_folders(found)
    for key in _LARGEST_FILES:
        if getattr(found, key) < found.max_file_size:
            shown = quantities.size_text(getattr(found, key))
            raise SettingsError(f"receiver.{key}", f"{shown} is less than max_file_size: such a file could never come")
    return found


def spark_settings(given: Mapping[str, object], base: Path) -> tuple[SparkSettings, Secret | None]:
    """Parse [spark]; also return the secret of its file."""
    found = SparkSettings(**_parsed("spark", SPARK, given))
    if not found.secret_file:
        return found, None
    if found.master == "yarn":
        problem = "is not used with yarn, where Spark makes the secret: leave it out, see the operations guide"
        raise SettingsError("spark.secret_file", problem)
    found = replace(found, secret_file=str(base / found.secret_file))
    return found, Secret.from_file(found.secret_file, key="spark.secret_file")


def http_settings(given: Mapping[str, object]) -> HttpSettings:
    """Parse [http]."""
    return HttpSettings(**_parsed("http", HTTP, given))


def kafka_settings(given: Mapping[str, object], base: Path) -> tuple[KafkaSettings, Mapping[str, str]]:
    """Parse [kafka]; also return its texts, which hold no secret."""
    try:
        absolute = {
            key: str(base / value) if isinstance(value, str) and value and key in _KAFKA_FILES else value
            for key, value in given.items()
        }
        kafka = KafkaSettings.parse(absolute)
    except SettingsError as error:
        raise SettingsError(f"kafka.{error.key}", error.problem) from error
    return kafka, MappingProxyType({key: str(value) for key, value in absolute.items() if value})


def _parsed(section: str, kinds: Mapping[str, Kind], given: Mapping[str, object]) -> dict[str, Any]:
    return {key: kinds[key].read(f"{section}.{key}", value) for key, value in given.items()}


def _check_folders(receiver: ReceiverSettings) -> None:
    """Check that neither folder lies in the other: people work in the destination and could remove the ledger."""
    state, destination = receiver.state_dir.resolve(), receiver.destination.resolve()
    shown = values.shown(str(receiver.state_dir))
    if state == destination:
        raise SettingsError("receiver.state_dir", f"{shown} is the destination; use another folder")
    if state.is_relative_to(destination):
        raise SettingsError("receiver.state_dir", f"{shown} lies inside the destination; use a folder outside")
    if destination.is_relative_to(state):
        raise SettingsError("receiver.state_dir", f"{shown} holds the destination; use a folder apart from it")
