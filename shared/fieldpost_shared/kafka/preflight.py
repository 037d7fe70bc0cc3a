# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What is looked at before a client is made: sign-in complete, named files there, the library able to do it.

librdkafka would notice too, but name its own option and not the user's key, or only fail to connect.
"""

import functools
import ssl
import sys
from pathlib import Path
from typing import Final

from confluent_kafka import KafkaException, Producer

from fieldpost_shared.errors import SettingsError
from fieldpost_shared.kafka.security import KEYS, SaslMechanism, Security
from fieldpost_shared.kafka.settings import KafkaSettings

# The wheels differ: that for Linux lacks Kerberos (no libsasl2), that for Windows has it from the system (SSPI).
_FEATURES: Final = {
    SaslMechanism.PLAIN: "sasl_plain",
    SaslMechanism.SCRAM_SHA_256: "sasl_scram",
    SaslMechanism.SCRAM_SHA_512: "sasl_scram",
    SaslMechanism.OAUTHBEARER: "oidc",
    SaslMechanism.GSSAPI: "sasl_gssapi",
}
_NO_KEYTAB: Final = ("kerberos_principal", "kerberos_keytab")  # Windows signs in as the logged-on user


def preflight(settings: KafkaSettings) -> None:
    """Refuse settings that cannot work on this machine. Reads the certificate files, connects to nothing.

    Raises:
        SettingsError: naming the key as the user wrote it.
    """
    security = settings.security
    for key in security.missing():
        raise SettingsError(key, f"is missing; sasl_mechanism {security.mechanism} needs it")
    if security.protocol.sasl:
        _check_mechanism(security)
    for field in ("certificate_location", "key_location", "kerberos_keytab"):
        path = getattr(security, field)
        if path:
            _check_readable(KEYS[field], path)
    _check_authorities(security)


@functools.cache
def supports(feature: str) -> bool:
    """Whether this build of librdkafka has a feature of its `builtin.features` list."""
    try:
        # Asking for a feature is how the library answers; a producer that sends nothing is closed when dropped.
        Producer({"builtin.features": feature, "log_level": 0})
    except KafkaException:
        return False
    return True


def _check_mechanism(security: Security) -> None:
    if not supports(_FEATURES[security.mechanism]):
        able = ", ".join(mechanism for mechanism, feature in _FEATURES.items() if supports(feature))
        raise SettingsError(
            "sasl_mechanism", f"{security.mechanism} is not built into the Kafka library here; it has {able}"
        )
    if sys.platform == "win32":
        for field in _NO_KEYTAB:
            if security.given(field):
                raise SettingsError(KEYS[field], "is given, but Windows signs in as the user who is logged on")


def _check_readable(key: str, path: str) -> None:
    try:
        with Path(path).open("rb") as file:
            file.read(1)
    except OSError as error:
        raise SettingsError(key, f"{path}: cannot be read: {error.strerror}") from error


def _check_authorities(security: Security) -> None:
    """The CA is parsed here: a wrong one is the commonest mistake, and later it only says `no connection`."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if security.ca_location:
        key = KEYS["ca_location"]
        _check_readable(key, security.ca_location)
        try:
            context.load_verify_locations(cafile=security.ca_location)
        except ssl.SSLError:
            raise SettingsError(key, f"{security.ca_location}: holds no certificate in PEM form") from None
    if security.ca_pem:
        try:
            # Only remarks around a certificate can hold other characters, and Python takes none here.
            context.load_verify_locations(cadata=security.ca_pem.encode("ascii", "ignore").decode())
        except ssl.SSLError:
            raise SettingsError(KEYS["ca_pem"], "holds no certificate in PEM form") from None
