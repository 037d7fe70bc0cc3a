# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The settings file that an organisation gives its people: `NAME.fieldpost`, JSON, without a secret.

`parse` and `load` return a profile or raise a FieldpostError that says which key is wrong; `dump` writes it again.
"""

import getpass
import hashlib
import json
import platform
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Final

from fieldpost_desktop.engine.profile import settings as engine_settings
from fieldpost_desktop.engine.profile.profile_json import MAX_BYTES, JsonObject, read_object, refuse
from fieldpost_desktop.engine.profile.settings import EngineSettings
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError, SettingsError
from fieldpost_shared.ids import ClientName, clean_client_name, is_client_name
from fieldpost_shared.kafka import values
from fieldpost_shared.kafka.preflight import preflight
from fieldpost_shared.kafka.security import SaslMechanism, Security, SecurityProtocol
from fieldpost_shared.kafka.settings import DEFAULT_FILES_TOPIC, DEFAULT_STATUS_TOPIC, KafkaSettings, Secrets
from fieldpost_shared.quantities import size_of
from fieldpost_shared.secret import Secret

VERSION: Final = 1
DEFAULT_CLIENT: Final = "{user}-{host}"

_MAX_NAME: Final = 100
_MAX_RULE: Final = 200
_MAX_RECEIVERS: Final = 100
_YEAR_H: Final = 366 * 24
_FINGERPRINT: Final = 16  # hex digits: short enough for the telephone, too long to be forged
_KAFKA: Final = (
    "bootstrap_servers",
    "files_topic",
    "status_topic",
    "security_protocol",
    "sasl_mechanism",
    "sasl_username",
    "ca_pem",
)
_MECHANISMS: Final = (
    SaslMechanism.SCRAM_SHA_512,
    SaslMechanism.SCRAM_SHA_256,
    SaslMechanism.PLAIN,
    SaslMechanism.GSSAPI,
)
_PLACEHOLDER: Final = re.compile(r"\{(?:user|host)\}")


@dataclass(frozen=True, slots=True)
class Limits:
    """What the organisation allows, and when a missing receipt is reported."""

    max_file_size: int | None = None  # bytes
    allow_delete: bool = False  # of a watched folder's files after their receipt
    receipt_late_hours: int = 4
    receipt_absent_hours: int = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Where to send and by which rules. The fields are the keys of the file, besides `version`."""

    id: str
    name: str  # of the office, as people call it
    bootstrap_servers: str
    files_topic: str = DEFAULT_FILES_TOPIC
    status_topic: str = DEFAULT_STATUS_TOPIC
    security_protocol: SecurityProtocol = SecurityProtocol.PLAINTEXT
    sasl_mechanism: SaslMechanism = SaslMechanism.SCRAM_SHA_512
    sasl_username: str = ""
    ca_pem: str = ""
    client: str = DEFAULT_CLIENT  # a name, or a rule with {user} and {host}
    receivers: tuple[str, ...] = ()  # whose receipt is required; none: any one
    limits: Limits = field(default_factory=Limits)
    settings: EngineSettings = field(default_factory=EngineSettings)
    locked: frozenset[str] = frozenset()  # settings that only the organisation changes

    @property
    def fingerprint(self) -> str:
        """Return a hash to compare by telephone before an import; white space in the file does not matter."""
        digest = hashlib.sha256(dump(self).encode()).hexdigest()[:_FINGERPRINT].upper()
        return " ".join(digest[at : at + 4] for at in range(0, _FINGERPRINT, 4))

    @property
    def needs_password(self) -> bool:
        """Return whether a person has to be asked for a password."""
        return self.security_protocol.sasl and self.sasl_mechanism is not SaslMechanism.GSSAPI

    def client_name(self, user: str, host: str) -> ClientName:
        """Return the name this computer sends under."""
        filled = {"{user}": user, "{host}": host}
        return clean_client_name(_PLACEHOLDER.sub(lambda found: filled[found[0]], self.client))


_KEYS: Final[Mapping[str, None]] = dict.fromkeys(("version", *(item.name for item in fields(Profile))))
_LIMIT_KEYS: Final[Mapping[str, None]] = dict.fromkeys(item.name for item in fields(Limits))


def parse(text: str) -> Profile:
    """Return the profile in a text.

    Raises:
        FieldpostError: PROFILE_UNREADABLE or PROFILE_TOO_NEW, and nothing else, whatever the text.
    """
    found = read_object(text)
    _check_version(found)
    found.check_keys(_KEYS)
    try:
        profile = Profile(
            id=found.text("id"),
            name=found.text("name"),
            bootstrap_servers=found.text("bootstrap_servers"),
            files_topic=found.text("files_topic", DEFAULT_FILES_TOPIC),
            status_topic=found.text("status_topic", DEFAULT_STATUS_TOPIC),
            security_protocol=_protocol(found),
            sasl_mechanism=_mechanism(found),
            sasl_username=found.text("sasl_username", ""),
            ca_pem=found.text("ca_pem", ""),
            client=found.text("client", DEFAULT_CLIENT),
            receivers=found.texts("receivers"),
            limits=_limits(found.inner("limits", _LIMIT_KEYS)),
            settings=_settings(found.inner("settings", engine_settings.NAMES)),
            locked=frozenset(found.texts("locked")),
        )
        _check(profile)
    except SettingsError as error:
        refuse(error.key, error.problem)
    return profile


def load(path: Path) -> Profile:
    """Return the profile in a file; raise what `parse` raises."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        refuse("", f"{path}: {error.strerror}")
    try:
        return parse(data.decode())
    except UnicodeDecodeError:
        refuse("", "it is not UTF-8 text")


def dump(profile: Profile) -> str:
    """Return the profile as the text of a file, without the defaults."""
    default = Profile(id="", name="", bootstrap_servers="")
    found: dict[str, object] = {"version": VERSION}
    for item in fields(Profile):
        value = getattr(profile, item.name)
        if value != getattr(default, item.name) or item.name in {"id", "name"}:
            found[item.name] = _plain(value)
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


def adhoc(bootstrap_servers: str, client: str = DEFAULT_CLIENT) -> Profile:
    """Return a profile for `fieldpost send --bootstrap-servers`: the default topics, and no security.

    Raises:
        SettingsError: naming what is wrong.
    """
    mark = hashlib.sha256(f"{bootstrap_servers} {DEFAULT_FILES_TOPIC} {DEFAULT_STATUS_TOPIC}".encode()).hexdigest()[:12]
    servers = values.servers("bootstrap_servers", bootstrap_servers)
    profile = Profile(id=f"adhoc-{mark}", name=servers[0], bootstrap_servers=bootstrap_servers, client=client)
    _check(profile)
    return profile


def kafka_settings(profile: Profile, password: Secret | None = None) -> KafkaSettings:
    """Return what the Kafka clients need to know.

    Raises:
        SettingsError: naming the profile's key.
    """
    given = {key: str(getattr(profile, key)) for key in _KAFKA}
    return KafkaSettings.parse(given, Secrets(password=password if profile.needs_password else None))


def this_user_and_host() -> tuple[str, str]:
    """Return what {user} and {host} stand for on this computer."""
    try:
        user = getpass.getuser()
    except (OSError, KeyError, ImportError):  # a service account without a name
        user = "user"
    return user, platform.node().partition(".")[0] or "host"


def _check_version(found: JsonObject) -> None:
    version = found.values.get("version")
    if isinstance(version, int) and version > VERSION:
        raise FieldpostError(Code.PROFILE_TOO_NEW, f"version {version}; known here: {VERSION}")
    if "signature" in found.values:  # reserved: never take a signed file without checking its signature
        raise FieldpostError(Code.PROFILE_TOO_NEW, "it is signed, and signatures cannot be checked here yet")
    found.number("version", 1, VERSION)


def _protocol(found: JsonObject) -> SecurityProtocol:
    given = found.text("security_protocol", SecurityProtocol.PLAINTEXT)
    return values.choice("security_protocol", given, SecurityProtocol)


def _mechanism(found: JsonObject) -> SaslMechanism:
    mechanism = values.choice(
        "sasl_mechanism", found.text("sasl_mechanism", SaslMechanism.SCRAM_SHA_512), SaslMechanism
    )
    if mechanism not in _MECHANISMS:
        refuse("sasl_mechanism", f"{mechanism} cannot be used here; allowed are {', '.join(_MECHANISMS)}")
    return mechanism


def _limits(found: JsonObject) -> Limits:
    size = found.values.get("max_file_size")
    return Limits(
        max_file_size=None if size is None else size_of(found.name("max_file_size"), size),
        allow_delete=found.flag("allow_delete", default=Limits().allow_delete),
        receipt_late_hours=found.number("receipt_late_hours", 1, _YEAR_H, Limits().receipt_late_hours),
        receipt_absent_hours=found.number("receipt_absent_hours", 1, _YEAR_H, Limits().receipt_absent_hours),
    )


def _settings(found: JsonObject) -> EngineSettings:
    try:
        return engine_settings.parse_all(found.values)
    except SettingsError as error:
        refuse(found.name(error.key), error.problem)


def _check(profile: Profile) -> None:
    """Check what makes sense only together, or cannot be seen from the type."""
    if not is_client_name(profile.id):
        raise SettingsError("id", f"{values.shown(profile.id)} is not 1 to 64 letters, digits, dots, '_' and '-'")
    if not profile.name.strip() or len(profile.name) > _MAX_NAME or not profile.name.isprintable():
        raise SettingsError("name", f"{values.shown(profile.name)} is not a name of 1 to {_MAX_NAME} characters")
    _check_client(profile.client)
    _check_receivers(profile.receivers)
    if profile.limits.receipt_absent_hours < profile.limits.receipt_late_hours:
        raise SettingsError("limits.receipt_absent_hours", "must not come before limits.receipt_late_hours")
    for name in sorted(profile.locked - engine_settings.NAMES.keys()):
        raise SettingsError(
            "locked", f"{values.shown(name)} is not a setting{values.nearest(name, engine_settings.NAMES)}"
        )
    _check_kafka(profile)


def _check_client(rule: str) -> None:
    rest = _PLACEHOLDER.sub("", rule)
    if not rule.strip() or len(rule) > _MAX_RULE or not rule.isprintable() or "{" in rest or "}" in rest:
        raise SettingsError("client", f"{values.shown(rule)} is not a name, or a rule like {DEFAULT_CLIENT}")


def _check_receivers(receivers: tuple[str, ...]) -> None:
    if len(receivers) > _MAX_RECEIVERS or len(set(receivers)) != len(receivers):
        raise SettingsError("receivers", f"names one twice, or more than {_MAX_RECEIVERS}")
    for name in receivers:
        if not is_client_name(name):
            raise SettingsError("receivers", f"{values.shown(name)} cannot be the name of a receiver")


def _check_kafka(profile: Profile) -> None:
    """Check the Kafka settings' own rules and the CA at the import, not only at the first connection."""
    if "@" in profile.bootstrap_servers:  # not repeated: a password may stand before it
        raise SettingsError("bootstrap_servers", "holds an @; write host:port, several with commas between")
    kafka_settings(profile)
    if profile.ca_pem:
        trust = Security(protocol=SecurityProtocol.SSL, ca_pem=profile.ca_pem)
        preflight(KafkaSettings(bootstrap_servers=profile.bootstrap_servers, security=trust))


def _plain(value: object) -> object:
    match value:
        case Limits():
            given = {item.name: getattr(value, item.name) for item in fields(Limits)}
            return {name: limit for name, limit in given.items() if limit != getattr(Limits(), name)}
        case EngineSettings():
            names = [name for name in engine_settings.NAMES if getattr(value, name) != getattr(EngineSettings(), name)]
            return {name: engine_settings.plain(name, value) for name in names}
        case frozenset() | tuple():
            return sorted(value) if isinstance(value, frozenset) else list(value)
        case _:
            return value
