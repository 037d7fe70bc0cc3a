# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import ipaddress
from enum import StrEnum

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fieldpost_shared.errors import SettingsError
from fieldpost_shared.kafka import values


class Colour(StrEnum):
    RED = "RED"
    DARK_BLUE = "DARK-BLUE"


def problem_of(text: str) -> str:
    with pytest.raises(SettingsError) as caught:
        values.servers("bootstrap_servers", text)
    assert caught.value.key == "bootstrap_servers"
    return caught.value.problem


@pytest.mark.parametrize(
    ("text", "servers"),
    [
        ("kafka:9092", ("kafka:9092",)),
        ("127.0.0.1:1", ("127.0.0.1:1",)),
        (" a.example:9092 ,\tb_1.example:65535\n", ("a.example:9092", "b_1.example:65535")),
        ("[::1]:9092", ("[::1]:9092",)),
        ("[2001:DB8:0::1]:09092", ("[2001:db8::1]:9092",)),
        ("Kafka.Example:9092", ("kafka.example:9092",)),
    ],
)
def test_a_server_list_is_understood_in_its_order(text: str, servers: tuple[str, ...]) -> None:
    assert values.servers("bootstrap_servers", text) == servers


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is empty"),
        ("  ", "is empty"),
        ("a:1,,b:2", "entry 2 is empty"),
        ("a:1,", "entry 2 is empty"),
        ("kafka", "'kafka' is not host:port"),
        ("[::1:9092", "is not host:port"),
        ("::1]:9092", "is not host:port"),
        ("kafka:", "no port from 1 to 65535"),
        ("kafka:0", "no port from 1 to 65535"),
        ("kafka:65536", "no port from 1 to 65535"),
        ("kafka:9o92", "no port from 1 to 65535"),
        ("kafka:\N{FULLWIDTH DIGIT NINE}", "no port from 1 to 65535"),
        ("::1:9092", "stands in brackets"),
        ("SSL://kafka:9092", "stands in brackets"),
        (":9092", "host name that no server can have"),
        ("ka fka:9092", "host name that no server can have"),
        ("k\N{LATIN SMALL LETTER A WITH DIAERESIS}fka:9092", "host name that no server can have"),
        ("a" * 254 + ":9092", "host name that no server can have"),
        ("[]:9092", "no IPv6 address"),
        ("[1.2.3.4]:9092", "no IPv6 address"),
        ("[fe80::1%eth0]:9092", "no IPv6 address"),
        ("a:1,b:2,A:01", "names a:1 twice"),
        ("[::1]:1,[0:0::1]:1", "names [::1]:1 twice"),
    ],
)
def test_a_wrong_server_list_says_which_entry_and_why(text: str, problem: str) -> None:
    assert problem in problem_of(text)


def test_a_list_of_more_than_a_hundred_servers_is_refused() -> None:
    hundred = [f"h{number}:1" for number in range(values.MAX_SERVERS)]
    assert len(values.servers("bootstrap_servers", ",".join(hundred))) == 100
    assert "lists 101 servers" in problem_of(",".join([*hundred, "one-more:1"]))


@given(st.text())
@example("[::1]:1")
def test_every_text_is_a_server_list_or_a_settings_error(text: str) -> None:
    try:
        servers = values.servers("bootstrap_servers", text)
    except SettingsError:
        assert len(problem_of(text)) < 1000
    else:
        assert values.servers("bootstrap_servers", ",".join(servers)) == servers


HOSTS = st.from_regex(r"[a-z0-9][a-z0-9.-]{0,20}", fullmatch=True) | st.ip_addresses(v=4).map(str)
SERVERS = st.builds(lambda host, port: f"{host}:{port}", HOSTS, st.integers(1, 65535)) | st.builds(
    lambda address, port: f"[{ipaddress.IPv6Address(int(address))}]:{port}",
    st.ip_addresses(v=6),
    st.integers(1, 65535),
)


@given(st.lists(SERVERS, min_size=1, max_size=20, unique=True))
def test_a_right_server_list_comes_back_unchanged(servers: list[str]) -> None:
    assert values.servers("bootstrap_servers", " , ".join(servers)) == tuple(servers)


@pytest.mark.parametrize("name", ["fieldpost.files", "a", "A-1_b.c", "...", "x" * 249])
def test_a_name_that_kafka_takes_is_a_topic(name: str) -> None:
    values.topic("files_topic", name)


@pytest.mark.parametrize("name", ["", ".", "..", "a b", "a/b", "a\n", "x" * 250, "\N{LATIN SMALL LETTER E WITH ACUTE}"])
def test_a_name_that_kafka_refuses_is_no_topic(name: str) -> None:
    with pytest.raises(SettingsError, match="cannot be a topic") as caught:
        values.topic("status_topic", name)
    assert caught.value.key == "status_topic"


@pytest.mark.parametrize("name", ["", "a b", "a\n", "x" * 101])
def test_a_client_id_that_quotas_cannot_name_is_refused(name: str) -> None:
    values.client_id("client_id", "laptop-7.field")
    with pytest.raises(SettingsError, match="cannot be a client id"):
        values.client_id("client_id", name)


@pytest.mark.parametrize("value", ["with\0nul", "with\nnewline", "half \ud800", "\x1b[31m"])
def test_a_text_with_unseen_characters_is_refused(value: str) -> None:
    values.text("sasl_username", "J\N{LATIN SMALL LETTER U WITH DIAERESIS}rgen O'Neil")
    with pytest.raises(SettingsError, match="cannot be printed") as caught:
        values.text("sasl_username", value)
    assert caught.value.detail.isprintable()


def test_a_pem_may_have_lines_but_no_other_control_characters() -> None:
    values.text("ca_pem", "-----BEGIN\r\nabc\n", lines=True)
    with pytest.raises(SettingsError, match="cannot be printed"):
        values.text("ca_pem", "-----BEGIN\r\n\0", lines=True)


@pytest.mark.parametrize(
    ("value", "nearest"),
    [("red", ", did you mean RED?"), ("dark_blue", ", did you mean DARK-BLUE?"), ("violet", "")],
)
def test_an_unknown_choice_names_the_nearest_and_all_known(value: str, nearest: str) -> None:
    assert values.choice("colour", "DARK-BLUE", Colour) is Colour.DARK_BLUE
    with pytest.raises(SettingsError) as caught:
        values.choice("colour", value, Colour)
    assert caught.value.problem == f"'{value}' is unknown{nearest}; known are RED, DARK-BLUE"


def test_a_very_long_wrong_value_is_not_repeated_in_full() -> None:
    with pytest.raises(SettingsError) as caught:
        values.choice("colour", "x" * 100_000, Colour)
    assert len(caught.value.problem) < 200
