# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""How a client proves who it is and whom it trusts: what can be set, and what fits together."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

from fieldpost_shared.errors import SettingsError
from fieldpost_shared.kafka import values
from fieldpost_shared.secret import Secret


class SecurityProtocol(StrEnum):
    """What the connection itself does."""

    PLAINTEXT = "PLAINTEXT"
    SSL = "SSL"
    SASL_PLAINTEXT = "SASL_PLAINTEXT"
    SASL_SSL = "SASL_SSL"

    @property
    def tls(self) -> bool:
        """Whether the connection is encrypted."""
        return self in {SecurityProtocol.SSL, SecurityProtocol.SASL_SSL}

    @property
    def sasl(self) -> bool:
        """Whether the client signs in."""
        return self in {SecurityProtocol.SASL_PLAINTEXT, SecurityProtocol.SASL_SSL}


class SaslMechanism(StrEnum):
    """How the client signs in."""

    PLAIN = "PLAIN"
    SCRAM_SHA_256 = "SCRAM-SHA-256"
    SCRAM_SHA_512 = "SCRAM-SHA-512"
    OAUTHBEARER = "OAUTHBEARER"
    GSSAPI = "GSSAPI"


@dataclass(frozen=True, slots=True)
class Security:
    """What was set, checked for sense. An empty text or None means: not given.

    What a person types later (see `missing`) may be absent; a client is made only when it is there.
    """

    protocol: SecurityProtocol = SecurityProtocol.PLAINTEXT
    mechanism: SaslMechanism = SaslMechanism.SCRAM_SHA_512  # without effect while the protocol has no sign-in
    username: str = ""
    password: Secret | None = None
    oauth_token_url: str = ""
    oauth_client_id: str = ""
    oauth_client_secret: Secret | None = None
    oauth_scope: str = ""
    kerberos_service_name: str = ""
    kerberos_principal: str = ""
    kerberos_keytab: str = ""
    ca_location: str = ""
    ca_pem: str = ""
    certificate_location: str = ""
    certificate_pem: str = ""
    key_location: str = ""
    key_pem: Secret | None = None
    key_password: Secret | None = None

    def __post_init__(self) -> None:
        for field, key in KEYS.items():
            value = getattr(self, field)
            if isinstance(value, str):
                values.text(key, value, lines=field in _PEM)
        _check_sasl(self)
        _check_tls(self)
        _check_token_url(self.oauth_token_url)
        _check_kerberos(self)

    def given(self, field: str) -> bool:
        """Whether that field was set."""
        return bool(getattr(self, field))

    def missing(self) -> tuple[str, ...]:
        """The keys of what signing in still needs: a person is asked for these, or a file is to be named."""
        if not self.protocol.sasl:
            return ()
        return tuple(KEYS[field] for field in _NEEDED[self.mechanism] if not self.given(field))


# Each field and the key that a user writes for it. A secret's key names the file that holds it; only a private key
# as PEM has no such key, since ssl_key_location is its file.
KEYS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "username": "sasl_username",
        "password": "sasl_password_file",
        "oauth_token_url": "sasl_oauth_token_url",
        "oauth_client_id": "sasl_oauth_client_id",
        "oauth_client_secret": "sasl_oauth_client_secret_file",
        "oauth_scope": "sasl_oauth_scope",
        "kerberos_service_name": "sasl_kerberos_service_name",
        "kerberos_principal": "sasl_kerberos_principal",
        "kerberos_keytab": "sasl_kerberos_keytab",
        "ca_location": "ssl_ca_location",
        "ca_pem": "ca_pem",
        "certificate_location": "ssl_certificate_location",
        "certificate_pem": "certificate_pem",
        "key_location": "ssl_key_location",
        "key_pem": "ssl_key_pem",
        "key_password": "ssl_key_password_file",
    }
)

_PEM: Final = frozenset({"ca_pem", "certificate_pem"})
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
_TLS_FIELDS: Final = (
    "ca_location",
    "ca_pem",
    "certificate_location",
    "certificate_pem",
    "key_location",
    "key_pem",
    "key_password",
)
_SASL_FIELDS: Final = tuple(field for field in KEYS if field not in _TLS_FIELDS)
_NAME_AND_PASSWORD: Final = ("username", "password")
_NEEDED: Final[Mapping[SaslMechanism, tuple[str, ...]]] = MappingProxyType(
    {
        SaslMechanism.PLAIN: _NAME_AND_PASSWORD,
        SaslMechanism.SCRAM_SHA_256: _NAME_AND_PASSWORD,
        SaslMechanism.SCRAM_SHA_512: _NAME_AND_PASSWORD,
        SaslMechanism.OAUTHBEARER: ("oauth_token_url", "oauth_client_id", "oauth_client_secret"),
        SaslMechanism.GSSAPI: (),  # without a keytab the ticket of the logged-on user serves
    }
)
_OPTIONAL: Final[Mapping[SaslMechanism, tuple[str, ...]]] = MappingProxyType(
    {
        SaslMechanism.OAUTHBEARER: ("oauth_scope",),
        SaslMechanism.GSSAPI: ("kerberos_service_name", "kerberos_principal", "kerberos_keytab"),
    }
)
# librdkafka writes principal and keytab into a command line (kinit) that it gives to the shell, so a settings
# file from elsewhere must not be able to put a command into them.
_PRINCIPAL: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/@-]{0,254}", re.ASCII)
_KEYTAB: Final = re.compile(r"/[A-Za-z0-9._/@+= -]{1,1023}", re.ASCII)


def _check_sasl(security: Security) -> None:
    if not security.protocol.sasl:
        _refuse(security, _SASL_FIELDS, f"security_protocol {security.protocol} has no sign-in; use SASL_SSL")
        return
    used = _NEEDED[security.mechanism] + _OPTIONAL.get(security.mechanism, ())
    others = tuple(field for field in _SASL_FIELDS if field not in used)
    names = ", ".join(KEYS[field] for field in used)
    _refuse(security, others, f"sasl_mechanism {security.mechanism} uses only {names}")


def _check_tls(security: Security) -> None:
    if not security.protocol.tls:
        why = f"security_protocol {security.protocol} has no TLS, so it would be ignored; use SSL or SASL_SSL"
        _refuse(security, _TLS_FIELDS, why)
    for one, other in (
        ("ca_location", "ca_pem"),
        ("certificate_location", "certificate_pem"),
        ("key_location", "key_pem"),
    ):
        if security.given(one) and security.given(other):
            raise SettingsError(KEYS[one], f"is given together with {KEYS[other]}; give only one of them")
    key = security.given("key_location") or security.given("key_pem")
    certificate = security.given("certificate_location") or security.given("certificate_pem")
    if key and not certificate:
        raise SettingsError("ssl_certificate_location", "is missing; a private key is of use with its certificate only")
    if certificate and not key:
        raise SettingsError("ssl_key_location", "is missing; a certificate is of use with its private key only")
    if not key:
        _refuse(security, ("key_password",), "there is no private key that it could open")


def _refuse(security: Security, fields: tuple[str, ...], why: str) -> None:
    for field in fields:
        if security.given(field):
            raise SettingsError(KEYS[field], f"is given, but {why}")


def _check_token_url(url: str) -> None:
    if not url:
        return
    key = KEYS["oauth_token_url"]
    try:
        parts = urlsplit(url)
    except ValueError:  # brackets that hold no address
        parts = urlsplit("")
    if "@" in parts.netloc:  # not repeated here: it may hold a password
        raise SettingsError(key, "holds a user name or password; use sasl_oauth_client_secret_file")
    if not parts.hostname:
        raise SettingsError(key, f"{values.shown(url)} is not an address like https://host/token")
    if parts.scheme != "https" and (parts.scheme != "http" or parts.hostname not in _LOOPBACK):
        raise SettingsError(key, f"{values.shown(url)} must begin with https://, since the client secret goes there")


def _check_kerberos(security: Security) -> None:
    principal, keytab = security.kerberos_principal, security.kerberos_keytab
    for field in ("kerberos_service_name", "kerberos_principal"):
        value = getattr(security, field)
        if value and not _PRINCIPAL.fullmatch(value):
            raise SettingsError(KEYS[field], f"{values.shown(value)} is not a name like fieldpost/host@REALM")
    if keytab and not _KEYTAB.fullmatch(keytab):
        raise SettingsError(
            KEYS["kerberos_keytab"],
            f"{values.shown(keytab)} must be a full path of letters, digits, spaces and . _ / @ + = -",
        )
    if keytab and not principal:
        raise SettingsError(KEYS["kerberos_principal"], "is missing; a keytab needs the name to sign in with")
