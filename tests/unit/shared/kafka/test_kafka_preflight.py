# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from fieldpost_shared.errors import SettingsError
from fieldpost_shared.kafka import clients, preflight
from fieldpost_shared.kafka.security import SaslMechanism, Security, SecurityProtocol
from fieldpost_shared.kafka.settings import KafkaSettings
from fieldpost_shared.secret import Secret

SECRET = Secret("hunter22")


def settings(**fields: Any) -> KafkaSettings:  # noqa: ANN401 - any field of Security
    return KafkaSettings(bootstrap_servers="127.0.0.1:1", security=Security(**fields))


def kerberos(**fields: Any) -> KafkaSettings:  # noqa: ANN401 - any field of Security
    return settings(protocol=SecurityProtocol.SASL_PLAINTEXT, mechanism=SaslMechanism.GSSAPI, **fields)


def refused(given: KafkaSettings) -> SettingsError:
    with pytest.raises(SettingsError) as caught:
        clients.admin(given)  # no client is configured past a failed look
    assert "hunter22" not in str(caught.value)
    return caught.value


@pytest.fixture
def able(monkeypatch: pytest.MonkeyPatch) -> None:
    """As with a build of the library that has everything, Kerberos too."""
    monkeypatch.setattr(preflight, "supports", lambda _feature: True)


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        ({}, "sasl_username"),
        ({"username": "u"}, "sasl_password_file"),
        ({"mechanism": SaslMechanism.OAUTHBEARER}, "sasl_oauth_token_url"),
    ],
)
def test_an_unfinished_sign_in_makes_no_client(fields: dict[str, Any], key: str) -> None:
    error = refused(settings(protocol=SecurityProtocol.SASL_SSL, **fields))
    assert error.key == key
    assert "is missing; sasl_mechanism" in error.problem


def test_the_library_answers_which_features_it_has() -> None:
    assert preflight.supports("ssl")
    assert preflight.supports("sasl_scram")
    assert preflight.supports("oidc")
    assert not preflight.supports("no_such_feature")


NAME_AND_PASSWORD = {"username": "u", "password": SECRET}
TOKEN = {"oauth_token_url": "https://login.example/token", "oauth_client_id": "c", "oauth_client_secret": SECRET}


@pytest.mark.parametrize(
    ("mechanism", "fields"),
    [
        (SaslMechanism.SCRAM_SHA_256, NAME_AND_PASSWORD),
        (SaslMechanism.SCRAM_SHA_512, NAME_AND_PASSWORD),
        (SaslMechanism.OAUTHBEARER, TOKEN),
        (SaslMechanism.GSSAPI, {}),
    ],
)
def test_a_mechanism_that_the_library_lacks_is_refused(
    mechanism: SaslMechanism, fields: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preflight, "supports", lambda feature: feature == "sasl_plain")
    error = refused(settings(protocol=SecurityProtocol.SASL_SSL, mechanism=mechanism, **fields))
    assert error.key == "sasl_mechanism"
    assert error.problem == f"{mechanism} is not built into the Kafka library here; it has PLAIN"


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        ({"ca_location": "/no/such"}, "ssl_ca_location"),
        ({"ca_location": os.sep}, "ssl_ca_location"),
        ({"certificate_location": "/no/such", "key_location": __file__}, "ssl_certificate_location"),
        ({"certificate_location": __file__, "key_location": "/no/such"}, "ssl_key_location"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(fields: dict[str, str], key: str) -> None:
    error = refused(settings(protocol=SecurityProtocol.SSL, **fields))
    assert error.key == key
    assert ": cannot be read: " in error.problem
    assert any(path in error.problem for path in fields.values())


@pytest.mark.usefixtures("able")
def test_a_keytab_that_is_not_there_is_named() -> None:
    error = refused(kerberos(kerberos_principal="p", kerberos_keytab="/no/such"))
    assert error.key == "sasl_kerberos_keytab"


@pytest.mark.parametrize(
    "content", ["", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"]
)
def test_a_ca_that_is_no_certificate_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "ca.pem"
    path.write_text(content)
    error = refused(settings(protocol=SecurityProtocol.SSL, ca_location=str(path)))
    assert (error.key, error.problem) == ("ssl_ca_location", f"{path}: holds no certificate in PEM form")


@pytest.mark.parametrize(
    "content", ["no certificate", "gr\N{LATIN SMALL LETTER U WITH DIAERESIS}n", "-----BEGIN CERTIFICATE-----\n"]
)
def test_a_ca_text_that_is_no_certificate_is_refused(content: str) -> None:
    error = refused(settings(protocol=SecurityProtocol.SSL, ca_pem=content))
    assert (error.key, error.problem) == ("ca_pem", "holds no certificate in PEM form")


@pytest.mark.usefixtures("able")
def test_without_a_keytab_no_shell_command_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    options = clients.admin(kerberos(kerberos_service_name="broker"))
    assert options["sasl.kerberos.service.name"] == "broker"
    assert options["sasl.kerberos.min.time.before.relogin"] == 0


@pytest.mark.usefixtures("able")
def test_with_a_keytab_the_ticket_is_renewed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    keytab = tmp_path / "fieldpost.keytab"
    keytab.write_bytes(b"\x05\x02")
    options = clients.admin(kerberos(kerberos_principal="fieldpost@REALM", kerberos_keytab=str(keytab)))
    assert options["sasl.kerberos.principal"] == "fieldpost@REALM"
    assert options["sasl.kerberos.keytab"] == str(keytab)
    assert "sasl.kerberos.min.time.before.relogin" not in options


@pytest.mark.usefixtures("able")
def test_windows_signs_in_as_who_is_logged_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    options = clients.admin(kerberos())
    assert options["sasl.mechanism"] == "GSSAPI"
    assert not [name for name in options if name.startswith("sasl.kerberos.")]
    error = refused(kerberos(kerberos_principal="p"))
    assert error.key == "sasl_kerberos_principal"
    assert "logged on" in error.problem
