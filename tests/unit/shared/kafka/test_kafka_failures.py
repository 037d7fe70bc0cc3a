# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import pytest
from confluent_kafka import KafkaError, KafkaException, Producer
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_shared.codes import CODES, Code
from fieldpost_shared.kafka.failures import code_of, reason_of, status_code_of, worst

NAMES = sorted(name for name in dir(KafkaError) if name.lstrip("_").isupper())
ERRORS = st.sampled_from(NAMES).map(lambda name: KafkaError(getattr(KafkaError, name)))


def error(name: str, *, retriable: bool = False) -> KafkaError:
    return KafkaError(getattr(KafkaError, name), retriable=retriable)


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("_TRANSPORT", "N1"),
        ("_ALL_BROKERS_DOWN", "N1"),
        ("_TIMED_OUT", "N1"),
        ("_RESOLVE", "N2"),
        ("_FATAL", "N4"),
        ("OUT_OF_ORDER_SEQUENCE_NUMBER", "N4"),
        ("_SSL", "T1"),
        ("_AUTHENTICATION", "A1"),
        ("SASL_AUTHENTICATION_FAILED", "A1"),
        ("TOPIC_AUTHORIZATION_FAILED", "A2"),
        ("CLUSTER_AUTHORIZATION_FAILED", "A2"),
        ("GROUP_AUTHORIZATION_FAILED", "A3"),
        ("MSG_SIZE_TOO_LARGE", "S1"),
        ("_MSG_TIMED_OUT", "S2"),
        ("REQUEST_TIMED_OUT", "S2"),
        ("NOT_ENOUGH_REPLICAS", "S2"),
        ("NOT_ENOUGH_REPLICAS_AFTER_APPEND", "S2"),
        ("_QUEUE_FULL", "S2"),
        ("UNKNOWN_TOPIC_OR_PART", "S3"),
        ("_UNKNOWN_TOPIC", "S3"),
        ("_INVALID_ARG", "P4"),
        ("UNKNOWN", "X1"),
    ],
)
def test_an_error_has_the_label_of_the_table(name: str, label: str) -> None:
    assert CODES[code_of(error(name))].label == label


@given(st.integers(-300, 300), st.booleans())
def test_every_error_has_a_code(number: int, retriable: bool) -> None:
    unknown = KafkaError(number, retriable=retriable)
    assert isinstance(code_of(unknown), Code)
    assert isinstance(status_code_of(unknown), Code)


def test_an_unknown_error_is_tried_again_only_if_it_may() -> None:
    assert code_of(error("POLICY_VIOLATION")) is Code.UNEXPECTED
    assert code_of(error("POLICY_VIOLATION", retriable=True)) is Code.SERVER_BUSY
    assert code_of(error("_AUTHENTICATION", retriable=True)) is Code.SIGN_IN_REFUSED


@pytest.mark.parametrize("name", ["TOPIC_AUTHORIZATION_FAILED", "GROUP_AUTHORIZATION_FAILED"])
def test_a_refusal_at_the_status_topic_does_not_say_that_sending_is_forbidden(name: str) -> None:
    assert status_code_of(error(name)) is Code.MAY_NOT_READ_STATUS


def test_other_errors_of_the_status_topic_mean_what_they_mean_elsewhere() -> None:
    assert status_code_of(error("_SSL")) is Code.NO_SECURE_CONNECTION


@pytest.mark.parametrize(
    ("names", "telling"),
    [
        (["_TRANSPORT"], "_TRANSPORT"),
        (["_TIMED_OUT", "_ALL_BROKERS_DOWN"], "_ALL_BROKERS_DOWN"),
        (["_AUTHENTICATION", "_ALL_BROKERS_DOWN", "_TRANSPORT", "_TIMED_OUT"], "_AUTHENTICATION"),
        (["_TRANSPORT", "_SSL", "_TRANSPORT"], "_SSL"),
        (["_RESOLVE", "_ALL_BROKERS_DOWN"], "_RESOLVE"),
        (["_AUTHENTICATION", "_RESOLVE"], "_AUTHENTICATION"),
        (["CLUSTER_AUTHORIZATION_FAILED", "_FATAL"], "CLUSTER_AUTHORIZATION_FAILED"),
        (["_TRANSPORT", "POLICY_VIOLATION"], "POLICY_VIOLATION"),
        (["_MSG_TIMED_OUT", "NOT_ENOUGH_REPLICAS"], "NOT_ENOUGH_REPLICAS"),
        (["MSG_SIZE_TOO_LARGE", "_TRANSPORT"], "MSG_SIZE_TOO_LARGE"),
    ],
)
def test_the_error_that_says_why_wins_over_those_that_only_say_that(names: list[str], telling: str) -> None:
    chosen = worst(error(name) for name in names)
    assert chosen is not None
    assert chosen.name() == telling
    assert worst(error(name) for name in reversed(names)) == chosen


def test_of_equally_telling_errors_the_newest_is_chosen() -> None:
    old, new = KafkaError(KafkaError._SSL, "old"), KafkaError(KafkaError._SSL, "new")
    chosen = worst([old, new])
    assert chosen is not None
    assert chosen.str() == "new"


@given(st.lists(ERRORS))
def test_the_chosen_error_is_one_of_those_given(errors: list[KafkaError]) -> None:
    chosen = worst(errors)
    assert (chosen is None) == (not errors)
    assert chosen is None or any(chosen is one for one in errors)


def test_the_reason_is_found_in_an_exception_and_in_what_hides_it() -> None:
    reason = error("CLUSTER_AUTHORIZATION_FAILED")
    hidden = SystemError("returned a result with an exception set")
    hidden.__cause__ = KafkaException(reason)
    assert reason_of(KafkaException(reason)) is reason
    assert reason_of(hidden) is reason


@pytest.mark.parametrize("other", [SystemError("x"), ValueError("x"), KafkaException(), KafkaException("text")])
def test_an_exception_without_a_kafka_error_has_no_reason(other: Exception) -> None:
    assert reason_of(other) is None


def test_a_server_that_nobody_runs_is_no_connection() -> None:
    errors: list[KafkaError] = []
    producer = Producer({"bootstrap.servers": "127.0.0.1:1", "log_level": 0, "error_cb": errors.append})
    with pytest.raises(KafkaException) as caught:
        producer.list_topics(timeout=0.5)
    producer.poll(0)
    said = reason_of(caught.value)
    assert said is not None
    assert {code_of(one) for one in [said, *errors]} == {Code.NO_CONNECTION}


def test_an_option_that_the_library_refuses_is_a_bad_setting() -> None:
    with pytest.raises(KafkaException) as caught:
        Producer({"security.protocol": "SSL", "ssl.key.pem": "no key", "log_level": 0})
    reason = reason_of(caught.value)
    assert reason is not None
    assert code_of(reason) is Code.BAD_SETTING
