# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import dataclasses
import pickle
from pathlib import Path
from typing import Any

import pytest

from fieldpost_shared.errors import SettingsError
from fieldpost_shared.kafka.security import KEYS, SaslMechanism, Security, SecurityProtocol
from fieldpost_shared.kafka.settings import SETTING_KEYS, KafkaSettings, Secrets
from fieldpost_shared.secret import Secret

SECRET = Secret("hunter22")
PLAINTEXT, SSL = SecurityProtocol.PLAINTEXT, SecurityProtocol.SSL
SASL_PLAINTEXT, SASL_SSL = SecurityProtocol.SASL_PLAINTEXT, SecurityProtocol.SASL_SSL
PLAIN, SCRAM = SaslMechanism.PLAIN, SaslMechanism.SCRAM_SHA_512
OAUTH, GSSAPI = SaslMechanism.OAUTHBEARER, SaslMechanism.GSSAPI
URL = "https://login.example/token"


def refused(**fields: Any) -> SettingsError:  # noqa: ANN401 - any field of Security
    with pytest.raises(SettingsError) as caught:
        Security(**fields)
    assert "hunter22" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"mechanism": SCRAM},  # the sample file names a mechanism although its protocol has no sign-in
        {"protocol": SSL},
        {"protocol": SSL, "ca_location": "/ca.pem"},
        {"protocol": SSL, "ca_pem": "-----BEGIN\n"},
        {"protocol": SSL, "certificate_location": "/c.pem", "key_location": "/k.pem", "key_password": SECRET},
        {"protocol": SSL, "certificate_pem": "x", "key_pem": SECRET},
        {"protocol": SASL_PLAINTEXT, "mechanism": PLAIN, "username": "u", "password": SECRET},
        {"protocol": SASL_SSL, "mechanism": SCRAM, "username": "u", "password": SECRET, "ca_pem": "x"},
        {"protocol": SASL_SSL, "mechanism": OAUTH, "oauth_token_url": URL, "oauth_scope": "s"},
        {"protocol": SASL_SSL, "mechanism": OAUTH, "oauth_token_url": "http://[::1]:8080/token"},
        {"protocol": SASL_SSL, "mechanism": GSSAPI},
        {
            "protocol": SASL_SSL,
            "mechanism": GSSAPI,
            "kerberos_service_name": "kafka",
            "kerberos_principal": "fieldpost/host.example@REALM",
            "kerberos_keytab": "/etc/fieldpost/field post.keytab",
        },
    ],
)
def test_what_fits_together_is_accepted(fields: dict[str, Any]) -> None:
    assert dataclasses.replace(Security(**fields)) == Security(**fields)


@pytest.mark.parametrize("protocol", [PLAINTEXT, SSL])
@pytest.mark.parametrize("field", [field for field, key in KEYS.items() if key.startswith("sasl_")])
def test_a_sign_in_without_a_protocol_for_it_is_refused(protocol: SecurityProtocol, field: str) -> None:
    secret = field in {"password", "oauth_client_secret"}
    error = refused(protocol=protocol, **{field: SECRET if secret else "x"})
    assert error.key == KEYS[field]
    assert error.problem == f"is given, but security_protocol {protocol} has no sign-in; use SASL_SSL"


@pytest.mark.parametrize("protocol", [PLAINTEXT, SASL_PLAINTEXT])
@pytest.mark.parametrize("field", [field for field, key in KEYS.items() if not key.startswith("sasl_")])
def test_tls_options_that_would_be_ignored_are_refused(protocol: SecurityProtocol, field: str) -> None:
    error = refused(protocol=protocol, **{field: SECRET if field in {"key_pem", "key_password"} else "x"})
    assert error.key == KEYS[field]
    assert f"security_protocol {protocol} has no TLS" in error.problem


@pytest.mark.parametrize(
    ("mechanism", "field", "value"),
    [
        (OAUTH, "password", SECRET),
        (OAUTH, "username", "u"),
        (OAUTH, "kerberos_principal", "p"),
        (GSSAPI, "password", SECRET),
        (GSSAPI, "oauth_token_url", URL),
        (SCRAM, "oauth_client_secret", SECRET),
        (PLAIN, "oauth_scope", "s"),
        (PLAIN, "kerberos_keytab", "/k"),
    ],
)
def test_what_the_mechanism_does_not_use_is_refused(mechanism: SaslMechanism, field: str, value: str | Secret) -> None:
    error = refused(protocol=SASL_SSL, mechanism=mechanism, **{field: value})
    assert error.key == KEYS[field]
    assert f"is given, but sasl_mechanism {mechanism} uses only sasl_" in error.problem


@pytest.mark.parametrize(
    ("fields", "key", "problem"),
    [
        ({"ca_location": "/a", "ca_pem": "x"}, "ssl_ca_location", "together with ca_pem"),
        (
            {"certificate_location": "/a", "certificate_pem": "x", "key_location": "/k"},
            "ssl_certificate_location",
            "together with certificate_pem",
        ),
        (
            {"certificate_pem": "x", "key_location": "/k", "key_pem": SECRET},
            "ssl_key_location",
            "together with ssl_key_pem",
        ),
        ({"key_location": "/k"}, "ssl_certificate_location", "is missing"),
        ({"key_pem": SECRET}, "ssl_certificate_location", "is missing"),
        ({"certificate_pem": "x"}, "ssl_key_location", "is missing"),
        ({"certificate_location": "/c"}, "ssl_key_location", "is missing"),
        ({"key_password": SECRET}, "ssl_key_password_file", "no private key"),
    ],
)
def test_certificates_and_keys_come_once_and_in_pairs(fields: dict[str, Any], key: str, problem: str) -> None:
    error = refused(protocol=SSL, **fields)
    assert error.key == key
    assert problem in error.problem


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("http://login.example/token", "must begin with https://"),
        ("ftp://127.0.0.1/token", "must begin with https://"),
        ("login.example/token", "is not an address"),
        ("https:///token", "is not an address"),
        ("https://[::1/token", "is not an address"),
        ("https://me:pw-8813@login.example/token", "holds a user name or password"),
    ],
)
def test_a_token_address_that_would_leak_or_fail_is_refused(url: str, problem: str) -> None:
    error = refused(protocol=SASL_SSL, mechanism=OAUTH, oauth_token_url=url)
    assert error.key == "sasl_oauth_token_url"
    assert problem in error.problem
    assert "pw-8813" not in str(error)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("kerberos_principal", "x; rm -rf ~"),
        ("kerberos_principal", "$(id)"),
        ("kerberos_principal", "-option"),
        ("kerberos_service_name", "kafka|sh"),
        ("kerberos_keytab", '/k" ; id "'),
        ("kerberos_keytab", "/k`id`"),
        ("kerberos_keytab", "relative.keytab"),
    ],
)
def test_kerberos_names_cannot_carry_a_shell_command(field: str, value: str) -> None:
    error = refused(protocol=SASL_SSL, mechanism=GSSAPI, **{"kerberos_principal": "p", field: value})
    assert error.key == KEYS[field]


def test_a_keytab_needs_a_principal() -> None:
    error = refused(protocol=SASL_SSL, mechanism=GSSAPI, kerberos_keytab="/k")
    assert error.key == "sasl_kerberos_principal"


def test_an_unprintable_user_name_is_refused() -> None:
    assert refused(protocol=SASL_SSL, username="u\0x").key == "sasl_username"


@pytest.mark.parametrize(
    ("fields", "missing"),
    [
        ({}, ()),
        ({"protocol": SSL}, ()),
        ({"protocol": SASL_SSL}, ("sasl_username", "sasl_password_file")),
        ({"protocol": SASL_SSL, "mechanism": PLAIN, "username": "u"}, ("sasl_password_file",)),
        ({"protocol": SASL_SSL, "username": "u", "password": SECRET}, ()),
        (
            {"protocol": SASL_SSL, "mechanism": OAUTH, "oauth_client_id": "c"},
            ("sasl_oauth_token_url", "sasl_oauth_client_secret_file"),
        ),
        ({"protocol": SASL_SSL, "mechanism": GSSAPI}, ()),
    ],
)
def test_what_signing_in_still_needs_is_listed(fields: dict[str, Any], missing: tuple[str, ...]) -> None:
    assert Security(**fields).missing() == missing


def test_the_sample_receiver_file_is_understood() -> None:
    settings = KafkaSettings.parse(
        {
            "bootstrap_servers": "127.0.0.1:9092",
            "files_topic": "fieldpost.files",
            "status_topic": "fieldpost.status",
            "security_protocol": "PLAINTEXT",
            "sasl_mechanism": "SCRAM-SHA-512",
            "sasl_username": "",
            "sasl_password_file": "",
            "ssl_ca_location": "",
        }
    )
    assert settings == KafkaSettings(bootstrap_servers="127.0.0.1:9092")
    assert settings.servers == ("127.0.0.1:9092",)


def test_every_setting_arrives_in_its_place(tmp_path: Path) -> None:
    for name in ("pw", "kpw"):
        (tmp_path / name).write_text(f"secret {name}\n")
    texts = {
        "bootstrap_servers": "b:1",
        "files_topic": "f",
        "status_topic": "s",
        "client_id": "c",
        "security_protocol": "SASL_SSL",
        "sasl_mechanism": "PLAIN",
        "sasl_username": "u",
        "sasl_password_file": str(tmp_path / "pw"),
        "ssl_ca_location": "/ca",
        "ssl_certificate_location": "/cert",
        "ssl_key_location": "/key",
        "ssl_key_password_file": str(tmp_path / "kpw"),
    }
    assert KafkaSettings.parse(texts) == KafkaSettings(
        bootstrap_servers="b:1",
        files_topic="f",
        status_topic="s",
        client_id="c",
        security=Security(
            protocol=SASL_SSL,
            mechanism=PLAIN,
            username="u",
            password=Secret("secret pw"),
            ca_location="/ca",
            certificate_location="/cert",
            key_location="/key",
            key_password=Secret("secret kpw"),
        ),
    )


def test_secrets_from_the_keyring_arrive_in_their_places() -> None:
    texts = {"bootstrap_servers": "b:1", "security_protocol": "SASL_SSL", "ca_pem": "a", "certificate_pem": "c"}
    secrets = Secrets(password=SECRET, key_pem=Secret("key"), key_password=Secret("opens"))
    security = KafkaSettings.parse(texts | {"sasl_username": "u"}, secrets).security
    assert (security.password, security.key_pem, security.key_password) == (SECRET, Secret("key"), Secret("opens"))
    assert (security.ca_pem, security.certificate_pem) == ("a", "c")
    oauth = KafkaSettings.parse(
        {
            "bootstrap_servers": "b:1",
            "security_protocol": "SASL_SSL",
            "sasl_mechanism": "OAUTHBEARER",
            "sasl_oauth_token_url": URL,
            "sasl_oauth_client_id": "id",
            "sasl_oauth_scope": "scope",
        },
        Secrets(oauth_client_secret=SECRET),
    ).security
    assert (oauth.oauth_token_url, oauth.oauth_client_id, oauth.oauth_scope) == (URL, "id", "scope")
    assert oauth.missing() == ()


def test_settings_with_a_secret_print_without_it_and_do_not_pickle() -> None:
    texts = {"bootstrap_servers": "b:1", "security_protocol": "SASL_SSL", "sasl_username": "u"}
    settings = KafkaSettings.parse(texts, Secrets(password=SECRET))
    assert "hunter22" not in repr(settings)
    with pytest.raises(TypeError, match="never pickled"):
        pickle.dumps(settings)


@pytest.mark.parametrize(
    ("change", "key", "problem"),
    [
        ({"bootstrap_servers": ""}, "bootstrap_servers", "is missing"),
        ({"bootstrap_servers": "b"}, "bootstrap_servers", "'b' is not host:port"),
        ({"files_topic": "a b"}, "files_topic", "cannot be a topic"),
        ({"status_topic": ".."}, "status_topic", "cannot be a topic"),
        ({"status_topic": "fieldpost.files"}, "status_topic", "'fieldpost.files' is the files_topic"),
        ({"client_id": "a b"}, "client_id", "cannot be a client id"),
        ({"security_protocol": "sasl-ssl"}, "security_protocol", "did you mean SASL_SSL?"),
        ({"sasl_mechanism": "SCRAM-SHA512"}, "sasl_mechanism", "did you mean SCRAM-SHA-512?"),
        ({"sasl_user": "u"}, "sasl_user", "did you mean sasl_username?"),
        ({"ssl_key_pem": "-----BEGIN"}, "ssl_key_pem", "is not a Kafka setting"),
        ({"files_topic": 7}, "files_topic", "must be text in quotes, not int"),
        ({"sasl_username": "u"}, "sasl_username", "has no sign-in"),
        ({"sasl_password_file": "/no/such"}, "sasl_password_file", "/no/such: cannot be read"),
        ({"sasl_password_file": "/a\0b"}, "sasl_password_file", "cannot be printed"),
    ],
)
def test_a_wrong_setting_is_named_as_the_user_wrote_it(change: dict[str, object], key: str, problem: str) -> None:
    with pytest.raises(SettingsError) as caught:
        KafkaSettings.parse({"bootstrap_servers": "b:1"} | change)
    assert caught.value.key == key
    assert problem in caught.value.problem


def test_a_password_from_two_places_is_refused() -> None:
    with pytest.raises(SettingsError, match="already known") as caught:
        KafkaSettings.parse({"bootstrap_servers": "b:1", "sasl_password_file": "/pw"}, Secrets(password=SECRET))
    assert caught.value.key == "sasl_password_file"


def test_every_field_has_a_key_and_no_key_takes_a_secret_itself() -> None:
    fields = {field.name for field in dataclasses.fields(Security)} - {"protocol", "mechanism"}
    assert fields == set(KEYS)
    for field in ("password", "oauth_client_secret", "key_password"):
        assert KEYS[field].endswith("_file")
    assert "ssl_key_pem" not in SETTING_KEYS
