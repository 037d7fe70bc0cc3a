# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devkafka.certificates import Authority
from fieldpost_desktop.engine.profile import profile_file
from fieldpost_desktop.engine.profile.profile_file import Limits, Profile
from fieldpost_desktop.engine.profile.settings import EngineSettings, MeteredPolicy, Schedule
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError, SettingsError
from fieldpost_shared.ids import is_client_name
from fieldpost_shared.kafka import clients
from fieldpost_shared.kafka.security import SaslMechanism, SecurityProtocol
from fieldpost_shared.secret import Secret

LEAST = {"version": 1, "id": "acme-north", "name": "Head office", "bootstrap_servers": "kafka.example:9092"}
PLANTED = "hunter2-Qx7"


@pytest.fixture(scope="module")
def ca_pem(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("ca") / "ca.pem"
    Authority.create().write_certificate(path)
    return path.read_text(encoding="ascii")


def parsed(**more: object) -> Profile:
    return profile_file.parse(json.dumps(LEAST | more))


def refused(text: str) -> FieldpostError:
    with pytest.raises(FieldpostError) as raised:
        profile_file.parse(text)
    return raised.value


def problem(**more: object) -> str:
    error = refused(json.dumps(LEAST | more))
    assert error.code is Code.PROFILE_UNREADABLE
    return error.detail


# what is in it


def test_four_keys_make_a_profile() -> None:
    assert parsed() == Profile(id="acme-north", name="Head office", bootstrap_servers="kafka.example:9092")


def test_every_key_is_understood(ca_pem: str) -> None:
    profile = parsed(
        files_topic="acme.files",
        status_topic="acme.status",
        security_protocol="SASL_SSL",
        sasl_mechanism="PLAIN",
        sasl_username="van-7",
        ca_pem=ca_pem,
        client="van-{host}",
        receivers=["central", "archive"],
        limits={
            "max_file_size": "4GB",
            "allow_delete": True,
            "receipt_late_hours": 2,
            "receipt_absent_hours": 48,
        },
        settings={"bandwidth_limit": "2MB/s", "schedule": "20:00-06:00", "metered": "nothing", "keep_awake": False},
        locked=["metered", "schedule"],
    )
    assert profile == Profile(
        id="acme-north",
        name="Head office",
        bootstrap_servers="kafka.example:9092",
        files_topic="acme.files",
        status_topic="acme.status",
        security_protocol=SecurityProtocol.SASL_SSL,
        sasl_mechanism=SaslMechanism.PLAIN,
        sasl_username="van-7",
        ca_pem=ca_pem,
        client="van-{host}",
        receivers=("central", "archive"),
        limits=Limits(4_000_000_000, allow_delete=True, receipt_late_hours=2, receipt_absent_hours=48),
        settings=EngineSettings(2_000_000, Schedule(1200, 360), MeteredPolicy.NOTHING, keep_awake=False),
        locked=frozenset({"metered", "schedule"}),
    )
    assert profile_file.parse(profile_file.dump(profile)) == profile


names = st.from_regex(r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,20}\Z")
any_profile = st.builds(
    Profile,
    id=names,
    name=st.text(st.characters(categories=["L", "N", "P"]), min_size=1, max_size=20),
    bootstrap_servers=st.lists(names.map(str.lower), min_size=1, max_size=3, unique=True).map(
        lambda hosts: ",".join(f"{host}:9092" for host in hosts)
    ),
    security_protocol=st.sampled_from([SecurityProtocol.SASL_SSL, SecurityProtocol.SASL_PLAINTEXT]),
    sasl_mechanism=st.sampled_from([SaslMechanism.PLAIN, SaslMechanism.SCRAM_SHA_256]),
    sasl_username=names,
    client=st.sampled_from(["{user}", "{host}", "van"]) | names,
    receivers=st.lists(names, max_size=3, unique=True).map(tuple),
    limits=st.builds(
        Limits, st.none() | st.integers(1, 2**63 - 1), st.booleans(), st.integers(1, 10), st.integers(10, 8000)
    ),
    settings=st.builds(
        EngineSettings,
        st.none() | st.integers(1000, 10**12),
        st.none() | st.integers(0, 1438).map(lambda start: Schedule(start, start + 1)),
        st.sampled_from(MeteredPolicy),
        st.booleans(),
    ),
    locked=st.sets(st.sampled_from(["metered", "keep_awake"])).map(frozenset),
)


@given(any_profile)
def test_every_profile_comes_back_from_its_text(profile: Profile) -> None:
    text = profile_file.dump(profile)
    assert profile_file.parse(text) == profile
    assert profile_file.parse(json.dumps(json.loads(text))).fingerprint == profile.fingerprint


def test_the_fingerprint_can_be_read_out_and_changes_with_every_change() -> None:
    one, other = parsed(), parsed(receivers=["central"])
    assert len(one.fingerprint) == 19
    assert one.fingerprint.replace(" ", "").isalnum()
    assert one.fingerprint != other.fingerprint


# what is refused


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"bootstrap_server": "x:1"}, "bootstrap_server: is unknown, did you mean bootstrap_servers?"),
        ({"zzz": 1}, "zzz: is unknown; known are version, id, name, "),
        ({"a b": 1}, "'a b': is unknown"),
        ({"limits": {"max_size": 1}}, "limits.max_size: is unknown, did you mean max_file_size?"),
        ({"settings": {"meterd": "all"}}, "settings.meterd: is unknown, did you mean metered?"),
        ({"version": "1"}, "version: must be a whole number from 1 to 1, not '1'"),
        ({"version": True}, "version: must be a whole number"),
        ({"version": 0}, "version: must be a whole number"),
        ({"version": None}, "version: is missing"),
        ({"id": None}, "id: is missing"),
        ({"id": "a b"}, "id: 'a b' is not 1 to 64 letters"),
        ({"name": 5}, "name: must be text in quotes, not 5"),
        ({"name": ["x"]}, "name: must be text in quotes, not a list"),
        ({"name": {"x": 1}}, "name: must be text in quotes, not an object"),
        ({"name": " "}, "name: ' ' is not a name"),
        ({"name": "x" * 101}, "name: "),
        ({"name": "a\nb"}, "name: 'a\\nb' is not a name"),
        ({"name": "\ud800"}, "name: '\\ud800' is not a name"),
        ({"bootstrap_servers": ""}, "bootstrap_servers: is missing; write host:port"),
        ({"bootstrap_servers": "kafka"}, "bootstrap_servers: 'kafka' is not host:port"),
        ({"bootstrap_servers": ["a:1"]}, "bootstrap_servers: must be text in quotes"),
        ({"files_topic": "a b"}, "files_topic: 'a b' cannot be a topic"),
        ({"files_topic": "x", "status_topic": "x"}, "status_topic: 'x' is the files_topic"),
        ({"security_protocol": "SSl"}, "security_protocol: 'SSl' is unknown, did you mean SSL?"),
        ({"sasl_mechanism": "SCRAM"}, "sasl_mechanism: 'SCRAM' is unknown"),
        ({"sasl_mechanism": "OAUTHBEARER"}, "sasl_mechanism: OAUTHBEARER cannot be used here; allowed are SCRAM"),
        ({"sasl_username": "x"}, "sasl_username: is given, but security_protocol PLAINTEXT has no sign-in"),
        ({"ca_pem": "x"}, "ca_pem: is given, but security_protocol PLAINTEXT has no TLS"),
        ({"security_protocol": "SSL", "ca_pem": "x"}, "ca_pem: holds no certificate in PEM form"),
        ({"client": "{name}"}, "client: '{name}' is not a name, or a rule like {user}-{host}"),
        ({"client": ""}, "client: '' is not a name"),
        ({"client": "{user"}, "client: "),
        ({"client": "x" * 201}, "client: "),
        ({"receivers": "central"}, "receivers: must be a list of texts in quotes, not 'central'"),
        ({"receivers": [5]}, "receivers: must be a list of texts"),
        ({"receivers": ["a", "a"]}, "receivers: names one twice"),
        ({"receivers": ["a b"]}, "receivers: 'a b' cannot be the name of a receiver"),
        ({"limits": 5}, "limits: must be an object in { }, not 5"),
        ({"limits": {"max_file_size": "big"}}, "limits.max_file_size: 'big' is not a size like"),
        ({"limits": {"allow_delete": "yes"}}, "limits.allow_delete: must be true or false, not 'yes'"),
        ({"limits": {"receipt_late_hours": 2.5}}, "limits.receipt_late_hours: must be a whole number"),
        ({"limits": {"receipt_late_hours": 30}}, "limits.receipt_absent_hours: must not come before"),
        ({"limits": {"receipt_late_hours": None}}, "limits.receipt_late_hours: is missing"),
        ({"settings": {"schedule": "night"}}, "settings.schedule: 'night' is neither always nor hours"),
        ({"locked": ["colour"]}, "locked: 'colour' is not a setting"),
        ({"locked": ["meterd"]}, "did you mean metered?"),
    ],
)
def test_a_wrong_profile_says_which_key_and_what_is_allowed(more: dict[str, Any], said: str) -> None:
    assert said in problem(**more)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is not JSON (line 1, column 1)"),
        ("{", "it is not JSON"),
        ("[]", "it does not begin with {"),
        ('{"version": 1, "version": 1}', "'version' is there twice"),
        ('{"limits": {"a": 1, "a": 1}}', "'a' is there twice"),
        ('{"version": NaN}', "NaN is not JSON"),
        ('{"version": ' + "1" * 5000 + "}", "a number that is too long"),
        ("[" * 100_000, "nested too deeply"),
        ('{"name": "' + "x" * 1_048_576 + '"}', "larger than 1 MiB"),
        ('{"name": "' + "ü" * 600_000 + '"}', "larger than 1 MiB"),
    ],
)
def test_a_text_that_is_no_profile_is_refused(text: str, said: str) -> None:
    error = refused(text)
    assert error.code is Code.PROFILE_UNREADABLE
    assert said in error.detail


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(
        st.sampled_from([*profile_file._KEYS, *profile_file._LIMIT_KEYS, "metered"]) | st.text(), json_values
    )
)
def test_whatever_the_keys_and_values_only_the_profiles_own_errors_come_out(found: dict[str, object]) -> None:
    for text in (json.dumps(found), json.dumps({**LEAST, **found})):
        try:
            profile_file.parse(text)
        except FieldpostError as error:
            assert error.code in {Code.PROFILE_UNREADABLE, Code.PROFILE_TOO_NEW}  # noqa: PT017 - it may also succeed


@given(st.text())
def test_whatever_the_text_only_the_profiles_own_errors_come_out(text: str) -> None:
    assert refused(text).code is Code.PROFILE_UNREADABLE


def test_a_newer_profile_asks_for_a_newer_fieldpost_whatever_else_it_holds() -> None:
    error = refused(json.dumps({"version": 2, "brokers": {"new": "things"}}))
    assert error.code is Code.PROFILE_TOO_NEW
    assert "version 2; known here: 1" in error.detail


def test_a_signed_profile_is_not_taken_without_a_check_of_its_signature() -> None:
    assert refused(json.dumps(LEAST | {"signature": "x"})).code is Code.PROFILE_TOO_NEW


@pytest.mark.parametrize(
    "key",
    [
        "password",
        "sasl_password",
        "sasl.password",
        "SASL-Password",
        "sasl_password_file",
        "client_secret",
        "access_token",
        "ssl_key_location",
        "key_pem",
        "private_key",
        "sasl.jaas.config",
        "passphrase",
        "apiKey",
    ],
)
def test_a_secret_in_a_profile_is_refused_and_never_repeated(key: str) -> None:
    for found in ({key: PLANTED}, {"limits": {key: PLANTED}}, {"settings": {key: {"inner": PLANTED}}}):
        said = problem(**found)
        assert "never belong in a settings file" in said
        assert key in said
        assert PLANTED not in said


@pytest.mark.parametrize(
    "found",
    [
        {"ca_pem": f"-----BEGIN EC PRIVATE KEY-----\n{PLANTED}\n-----END EC PRIVATE KEY-----"},
        {"bootstrap_servers": f"user:{PLANTED}@kafka.example:9092"},
        {"name": {"inner": PLANTED}},
        {"receivers": {"inner": PLANTED}},
        {"colour": PLANTED},
    ],
)
def test_a_secret_in_another_place_is_not_repeated_either(found: dict[str, Any]) -> None:
    assert PLANTED not in problem(**found)


# files


def test_a_profile_is_read_from_its_file_also_when_notepad_wrote_it(tmp_path: Path) -> None:
    path = tmp_path / "acme.fieldpost"
    path.write_text(json.dumps(LEAST, indent=2).replace("\n", "\r\n"), encoding="utf-8-sig", newline="")
    assert profile_file.load(path) == parsed()


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"\xff\xfe{\x00", "it is not UTF-8 text"), (b" " * 2_000_000, "larger than 1 MiB"), (None, "No such file")],
)
def test_a_file_that_is_no_profile_is_refused(tmp_path: Path, content: bytes | None, said: str) -> None:
    path = tmp_path / "acme.fieldpost"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(FieldpostError, match=said) as raised:
        profile_file.load(path)
    assert raised.value.code is Code.PROFILE_UNREADABLE


# who sends


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        ("{user}-{host}", "Jurgen-VAN-7"),
        ("{host}", "VAN-7"),
        ("depot 4", "depot-4"),
        ("{user}{user}", "JurgenJurgen"),
    ],
)
def test_the_client_name_follows_the_rule(rule: str, name: str) -> None:
    assert parsed(client=rule).client_name("Jürgen", "VAN 7") == name


@given(st.text(), st.text())
def test_whatever_user_and_host_are_called_the_client_name_is_allowed(user: str, host: str) -> None:
    assert is_client_name(parsed().client_name(user, host))


def test_a_user_name_with_a_placeholder_in_it_is_not_filled_in_again() -> None:
    assert parsed(client="{user}").client_name("{host}", "secret") == "host"


def test_this_computer_has_a_user_and_a_host(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(profile_file.this_user_and_host())

    def no_user() -> str:
        raise OSError("No username set in the environment")

    monkeypatch.setattr("getpass.getuser", no_user)
    monkeypatch.setattr("platform.node", lambda: "")
    assert profile_file.this_user_and_host() == ("user", "host")


# without a profile


def test_servers_alone_make_a_profile_that_is_the_same_each_time() -> None:
    profile = profile_file.adhoc("127.0.0.1:9092", "van-7")
    assert profile == profile_file.adhoc("127.0.0.1:9092", "van-7")
    assert profile.id != profile_file.adhoc("127.0.0.1:9093", "van-7").id
    assert profile.client_name("x", "y") == "van-7"
    assert profile_file.parse(profile_file.dump(profile)) == profile


@pytest.mark.parametrize(
    ("servers", "client", "said"), [("nohost", "van-7", "bootstrap_servers: "), ("h:1", "{x}", "client: ")]
)
def test_wrong_servers_or_names_on_the_command_line_are_named(servers: str, client: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        profile_file.adhoc(servers, client)


# what Kafka gets


def test_the_kafka_settings_are_the_profiles_with_the_password(ca_pem: str) -> None:
    profile = parsed(security_protocol="SASL_SSL", sasl_username="van-7", ca_pem=ca_pem)
    assert profile.needs_password
    config = clients.admin(profile_file.kafka_settings(profile, Secret(PLANTED)))
    assert config["bootstrap.servers"] == "kafka.example:9092"
    assert (config["sasl.username"], config["sasl.password"]) == ("van-7", PLANTED)
    assert config["ssl.ca.pem"] == ca_pem


def test_a_password_that_is_not_needed_is_not_handed_on() -> None:
    assert not parsed().needs_password
    assert profile_file.kafka_settings(parsed(), Secret(PLANTED)).security.password is None
    assert not parsed(security_protocol="SASL_SSL", sasl_mechanism="GSSAPI").needs_password


def test_a_user_name_that_a_person_typed_can_be_put_into_the_profile() -> None:
    profile = replace(parsed(security_protocol="SASL_PLAINTEXT"), sasl_username="van-7")
    assert profile_file.parse(profile_file.dump(profile)).sasl_username == "van-7"


def test_a_setting_that_kafka_refuses_is_named_by_its_key() -> None:
    with pytest.raises(SettingsError) as raised:
        profile_file.kafka_settings(replace(parsed(), files_topic="a b"))
    assert raised.value.key == "files_topic"
