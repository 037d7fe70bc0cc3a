# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""receiver.toml: the receiver's settings and their defaults, read and checked before anything starts.

Environment (`FIELDPOST_<SECTION>_<KEY>`) > file > default. packaging/receiver.toml explains every key.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from fieldpost_receiver.config import values as kind
from fieldpost_receiver.config.layout_template import Layout
from fieldpost_receiver.config.values import Address, Kind
from fieldpost_shared import quantities
from fieldpost_shared.errors import SettingsError
from fieldpost_shared.kafka import values
from fieldpost_shared.kafka.settings import SETTING_KEYS, KafkaSettings
from fieldpost_shared.protocol.limits import MAX_SIZE
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


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpSettings:
    """The server for health and metrics; None: there is none."""

    listen: Address | None = DEFAULT_LISTEN


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiverConfig:
    """The whole configuration, which exists only if it is valid.

    `kafka_options` are the texts that `kafka` was parsed from. They hold names of secret files, never a secret, so they
    may travel to Spark's workers; the `kafka` settings may not.
    """

    receiver: ReceiverSettings
    kafka: KafkaSettings
    kafka_options: Mapping[str, str]
    spark: SparkSettings
    http: HttpSettings

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """The secrets, which must not appear in any log."""
        security = self.kafka.security
        found = (security.password, security.oauth_client_secret, security.key_pem, security.key_password)
        return tuple(secret for secret in found if secret is not None)


_RECEIVER: Final[Mapping[str, Kind]] = {
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
_SPARK: Final[Mapping[str, Kind]] = {
    "master": Kind(kind.master),
    "max_batch_bytes": kind.size(MIB),
    "max_batch_rows": kind.whole(1, 10_000_000),
    "trigger": kind.duration(0.1, 3600.0),  # a trigger of 12 ms on an idle topic takes 15 % of a core
    "driver_memory": kind.size(512 * MIB),  # Spark itself does not start with less than 450 MiB
    "executor_memory": kind.size(512 * MIB),
    "java_options": Kind(kind.java_options),
}
_HTTP: Final[Mapping[str, Kind]] = {"listen": Kind(kind.listen, kind.address_text)}
# A limit that is not given follows from the largest file, so that raising that one is enough.
_LARGEST_FILES: Final = MappingProxyType({"max_open_bytes": 8, "max_open_bytes_per_client": 2})
# All settings. Both ends read Kafka's keys the same way, so the shared package parses them.
SECTIONS: Final[Mapping[str, Mapping[str, object]]] = MappingProxyType(
    {"receiver": _RECEIVER, "kafka": SETTING_KEYS, "spark": _SPARK, "http": _HTTP}
)
_KAFKA_FILES: Final = frozenset(
    key for key in SETTING_KEYS if key.endswith(("_file", "_location")) or key == "sasl_kerberos_keytab"
)

_Texts = dict[str, dict[str, object]]


def load(path: Path, environ: Mapping[str, str]) -> ReceiverConfig:
    """Read the file; the environment overrides it.

    Raises:
        SettingsError: the first wrong setting as `section.key`, its value, and what is allowed.
    """
    given = _from_file(path)
    overridden = dict(_from_environment(environ))
    for (section, key), (_, value) in overridden.items():
        given.setdefault(section, {})[key] = value
    try:
        return _build(given, path.parent.absolute())
    except SettingsError as error:
        section, _, key = error.key.partition(".")
        if (section, key) in overridden:  # otherwise a person would look for it in the file
            raise SettingsError(error.key, f"{error.problem} (set by {overridden[section, key][0]})") from error
        raise


def _from_file(path: Path) -> _Texts:
    try:
        with path.open("rb") as file:
            given = tomllib.load(file)
    except OSError as error:
        raise SettingsError("config", f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:  # no TOML, or no UTF-8
        raise SettingsError("config", f"{path}: is not TOML: {error}") from error
    for section, keys in given.items():
        if section not in SECTIONS:
            raise SettingsError(section, f"is not a section{values.nearest(section, SECTIONS)}")
        if not isinstance(keys, dict):
            raise SettingsError(section, f"must be a section, written as [{section}]")
        for key in keys:
            _known(section, key, f"{section}.{key}")
    return given


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


def _build(given: _Texts, base: Path) -> ReceiverConfig:
    receiver = _receiver(_parsed("receiver", _RECEIVER, given), base)
    spark = SparkSettings(**_parsed("spark", _SPARK, given))
    http = HttpSettings(**_parsed("http", _HTTP, given))
    kafka, options = _kafka(given.get("kafka", {}), base)
    return ReceiverConfig(receiver=receiver, kafka=kafka, kafka_options=options, spark=spark, http=http)


def _parsed(section: str, kinds: Mapping[str, Kind], given: _Texts) -> dict[str, Any]:
    return {key: kinds[key].read(f"{section}.{key}", value) for key, value in given.get(section, {}).items()}


def _receiver(parsed: Mapping[str, Any], base: Path) -> ReceiverSettings:
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


def _kafka(given: Mapping[str, object], base: Path) -> tuple[KafkaSettings, Mapping[str, str]]:
    try:
        absolute = {
            key: str(base / value) if isinstance(value, str) and value and key in _KAFKA_FILES else value
            for key, value in given.items()
        }
        kafka = KafkaSettings.parse(absolute)
    except SettingsError as error:
        raise SettingsError(f"kafka.{error.key}", error.problem) from error
    return kafka, MappingProxyType({key: str(value) for key, value in absolute.items() if value})


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


def describe(config: ReceiverConfig) -> list[tuple[str, str]]:
    """Return the effective configuration as `section.key` and text, in the order of the sample, without secrets."""
    rows = [(f"receiver.{key}", known.show(getattr(config.receiver, key))) for key, known in _RECEIVER.items()]
    rows += [(f"kafka.{key}", text) for key, text in _kafka_rows(config)]
    rows += [(f"spark.{key}", known.show(getattr(config.spark, key))) for key, known in _SPARK.items()]
    rows += [(f"http.{key}", known.show(getattr(config.http, key))) for key, known in _HTTP.items()]
    return rows


def _kafka_rows(config: ReceiverConfig) -> Iterator[tuple[str, str]]:
    kafka, options = config.kafka, config.kafka_options
    effective = {key: getattr(kafka, key) for key in SETTING_KEYS if hasattr(kafka, key)}
    effective |= {"security_protocol": kafka.security.protocol, "sasl_mechanism": kafka.security.mechanism}
    for key in SETTING_KEYS:
        text = str(effective.get(key, options.get(key, "")))
        if key.endswith("_pem"):
            text = text and "(in the file)"  # a page of base64 is of no use here
        yield key, text.partition("?")[0]  # the query of an address may hold a key
