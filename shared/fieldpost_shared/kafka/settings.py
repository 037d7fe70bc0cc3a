# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What a user sets about Kafka, the same for the receiver's TOML file and the sender's profile."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Self

from fieldpost_shared.errors import SettingsError
from fieldpost_shared.kafka import values
from fieldpost_shared.kafka.security import KEYS, SaslMechanism, Security, SecurityProtocol
from fieldpost_shared.secret import Secret

DEFAULT_FILES_TOPIC: Final = "fieldpost.files"
DEFAULT_STATUS_TOPIC: Final = "fieldpost.status"
DEFAULT_CLIENT_ID: Final = "fieldpost"

_OWN: Final = ("bootstrap_servers", "files_topic", "status_topic", "client_id")
# What `parse` understands; a loader of a settings file can tell its own keys from these.
SETTING_KEYS: Final[Mapping[str, None]] = MappingProxyType(
    dict.fromkeys(
        (*_OWN, "security_protocol", "sasl_mechanism", *(key for name, key in KEYS.items() if name != "key_pem"))
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Secrets:
    """Secrets that come from elsewhere than a file: the OS keyring, or a person."""

    password: Secret | None = None
    oauth_client_secret: Secret | None = None
    key_pem: Secret | None = None
    key_password: Secret | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KafkaSettings:
    """Where the brokers are, which topics are ours and how to sign in. Exists only if it makes sense."""

    bootstrap_servers: str
    files_topic: str = DEFAULT_FILES_TOPIC
    status_topic: str = DEFAULT_STATUS_TOPIC
    security: Security = field(default_factory=Security)
    client_id: str = DEFAULT_CLIENT_ID

    def __post_init__(self) -> None:
        values.servers("bootstrap_servers", self.bootstrap_servers)
        values.topic("files_topic", self.files_topic)
        values.topic("status_topic", self.status_topic)
        values.client_id("client_id", self.client_id)
        if self.files_topic == self.status_topic:
            raise SettingsError("status_topic", f"{values.shown(self.status_topic)} is the files_topic; use another")

    @property
    def servers(self) -> tuple[str, ...]:
        """The brokers to begin with, each as `host:port`."""
        return values.servers("bootstrap_servers", self.bootstrap_servers)

    @classmethod
    def parse(cls, settings: Mapping[str, object], secrets: Secrets | None = None) -> Self:
        """Build from texts as they stand in a file, or in the options of a Spark source; "" means: not given.

        Reads the files that hold secrets, and no others: `preflight` looks at the rest.

        Raises:
            SettingsError: naming the key as the user wrote it.
        """
        texts = _texts(settings)
        own = {key: texts[key] for key in _OWN if key in texts}
        if "bootstrap_servers" not in own:
            raise SettingsError("bootstrap_servers", "is missing; write host:port, several with commas between")
        return cls(security=_security(texts, secrets or Secrets()), **own)


def _texts(settings: Mapping[str, object]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for key, value in settings.items():
        if key not in SETTING_KEYS:
            raise SettingsError(key, f"is not a Kafka setting{values.nearest(key, SETTING_KEYS)}")
        if not isinstance(value, str):
            raise SettingsError(key, f"must be text in quotes, not {type(value).__name__}")
        if value:
            texts[key] = value
    return texts


def _security(texts: Mapping[str, str], secrets: Secrets) -> Security:
    default = Security()

    def text(name: str) -> str:
        return texts.get(KEYS[name], "")

    def secret(name: str, known: Secret | None) -> Secret | None:
        return _secret(KEYS[name], text(name), known)

    return Security(
        protocol=values.choice("security_protocol", texts.get("security_protocol", default.protocol), SecurityProtocol),
        mechanism=values.choice("sasl_mechanism", texts.get("sasl_mechanism", default.mechanism), SaslMechanism),
        username=text("username"),
        password=secret("password", secrets.password),
        oauth_token_url=text("oauth_token_url"),
        oauth_client_id=text("oauth_client_id"),
        oauth_client_secret=secret("oauth_client_secret", secrets.oauth_client_secret),
        oauth_scope=text("oauth_scope"),
        kerberos_service_name=text("kerberos_service_name"),
        kerberos_principal=text("kerberos_principal"),
        kerberos_keytab=text("kerberos_keytab"),
        ca_location=text("ca_location"),
        ca_pem=text("ca_pem"),
        certificate_location=text("certificate_location"),
        certificate_pem=text("certificate_pem"),
        key_location=text("key_location"),
        key_pem=secrets.key_pem,
        key_password=secret("key_password", secrets.key_password),
    )


def _secret(key: str, path: str, known: Secret | None) -> Secret | None:
    if not path:
        return known
    if known is not None:
        raise SettingsError(key, "is given, but the secret is already known from elsewhere; remove one")
    values.text(key, path)
    return Secret.from_file(path, key=key)
