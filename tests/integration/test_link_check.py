# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The connection test against real brokers, with each thing that can be wrong."""

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AclOperation  # type: ignore[attr-defined]  # re-exported without saying so

from devkafka.certificates import Authority
from devkafka.roles import Role
from fieldpost_desktop.engine.link.check.check import TITLES, Outcome, Step, StepResult, check
from fieldpost_shared.chunks import status_partition
from fieldpost_shared.clock import FakeClock, SystemClock
from fieldpost_shared.codes import CODES, Code
from fieldpost_shared.ids import ClientName, TransferId
from fieldpost_shared.kafka.security import Security, SecurityProtocol
from fieldpost_shared.kafka.settings import KafkaSettings
from fieldpost_shared.protocol.status import Notice, Phase, Progress, ReceiverState, Status, encode_status
from fieldpost_shared.secret import Secret
from support.brokers import StartBroker, Topics

CLIENT = ClientName("van-7")
SHORT = 3.0  # seconds that a step may take where it is going to take all of them


def plain(topics: Topics) -> KafkaSettings:
    return KafkaSettings(
        bootstrap_servers=topics.bootstrap_servers, files_topic=topics.files, status_topic=topics.status
    )


def secure(topics: Topics, user: str = "uploader") -> KafkaSettings:
    given = topics.cluster.security
    return KafkaSettings(
        bootstrap_servers=given.bootstrap_servers,
        files_topic=topics.files,
        status_topic=topics.status,
        security=Security(
            protocol=SecurityProtocol.SASL_SSL,
            username=user,
            password=Secret(given.passwords[user]),
            ca_pem=given.ca_path.read_text(encoding="ascii"),
        ),
    )


def but(settings: KafkaSettings, **security: object) -> KafkaSettings:
    return replace(settings, security=replace(settings.security, **security))  # type: ignore[arg-type]  # fields of Security


def say(topics: Topics, *said: Status, partition: int | None = None) -> None:
    """As the receiver: into the partition of our client."""
    if partition is None:
        partition = status_partition(CLIENT, topics.partitions)
    producer = Producer({"bootstrap.servers": topics.bootstrap_servers})
    for status in said:
        key, value = encode_status(status)
        producer.produce(topics.status, key=key, value=value, partition=partition)
    assert producer.flush(20) == 0


def notice(seconds_ago: float = 5, state: ReceiverState = ReceiverState.OK, receiver: str = "central") -> Status:
    return Status(None, receiver, datetime.now(UTC) - timedelta(seconds=seconds_ago), Notice(state, "", {}))


def progress(number: int) -> Status:
    event = Progress(TransferId(f"{number:032x}"), 1, 2, Phase.RECEIVING)
    return Status(CLIENT, "central", datetime.now(UTC), event)


def run(settings: KafkaSettings, receivers: Sequence[str] = (), seconds: float = 10.0) -> list[StepResult]:
    results = list(check(settings, CLIENT, tuple(receivers), SystemClock(), seconds))
    assert [result.step for result in results] == list(Step)
    assert all(result.seconds <= seconds + 1 for result in results)
    return results


def failure(results: list[StepResult]) -> StepResult:
    """The one step that failed; nothing was tried after it."""
    (failed,) = [result for result in results if result.outcome is Outcome.FAILED]
    after = results[results.index(failed) + 1 :]
    assert all(result.outcome is Outcome.SKIPPED for result in after)
    assert failed.code is not None
    assert CODES[failed.code].words.format(office="the office", detail=failed.detail)
    return failed


def outcome(results: list[StepResult], step: Step) -> tuple[Outcome, str]:
    found = next(result for result in results if result.step is step)
    return found.outcome, found.detail


# everything is fine


def test_every_step_succeeds_on_a_secure_broker_with_a_live_office(secure_topics: Topics) -> None:
    say(secure_topics, notice())
    results = run(secure(secure_topics), ["central"])
    assert [result.outcome for result in results] == [Outcome.OK] * len(Step)
    assert outcome(results, Step.FIND)[1] == "127.0.0.1"
    assert outcome(results, Step.SECURE)[1].startswith("TLSv1")
    assert outcome(results, Step.SIGN_IN)[1] == "uploader"
    assert outcome(results, Step.LIMIT)[1] == "1048588 bytes"
    assert outcome(results, Step.OFFICE)[1].startswith("central, ")
    assert set(TITLES) == set(Step)


def test_what_these_settings_do_not_need_is_skipped(topics: Topics) -> None:
    say(topics, notice())
    results = run(plain(topics))
    assert outcome(results, Step.SECURE) == (Outcome.SKIPPED, "not needed here")
    assert outcome(results, Step.SIGN_IN) == (Outcome.SKIPPED, "not needed here")
    assert {result.outcome for result in results} == {Outcome.OK, Outcome.SKIPPED}


def test_nothing_is_sent_to_the_files_topic(topics: Topics) -> None:
    say(topics, notice())
    run(plain(topics))
    assert written_to(topics) == 0


def written_to(topics: Topics) -> int:
    with closing(Consumer({"bootstrap.servers": topics.bootstrap_servers, "group.id": "x"})) as consumer:
        bounds = [consumer.get_watermark_offsets(TopicPartition(topics.files, p), timeout=10) for p in range(4)]
    return sum(high for _, high in bounds)


# the way to the server


def test_a_name_that_nobody_knows_is_not_found(topics: Topics) -> None:
    failed = failure(run(replace(plain(topics), bootstrap_servers="name.invalid:9092")))
    assert (failed.step, failed.code) == (Step.FIND, Code.SERVER_NOT_FOUND)
    assert failed.detail.startswith("name.invalid:9092: ")


def test_one_server_of_several_is_enough(topics: Topics) -> None:
    say(topics, notice())
    servers = f"name.invalid:9092,127.0.0.1:{closed_port()},{topics.bootstrap_servers}"
    results = run(replace(plain(topics), bootstrap_servers=servers))
    assert outcome(results, Step.REACH) == (Outcome.OK, topics.bootstrap_servers)
    assert outcome(results, Step.OFFICE)[0] is Outcome.OK


def test_a_port_where_nobody_listens_is_not_reached() -> None:
    address = f"127.0.0.1:{closed_port()}"
    failed = failure(run(KafkaSettings(bootstrap_servers=address)))
    assert (failed.step, failed.code) == (Step.REACH, Code.NO_CONNECTION)
    assert failed.detail == f"{address}: Connection refused"


def test_a_lookup_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()
    monkeypatch.setattr("socket.getaddrinfo", lambda *_args, **_more: over.wait(60) and [])
    clock = FakeClock()  # a wait for something that does not come moves it on
    first, *_ = check(KafkaSettings(bootstrap_servers="kafka.example:9092"), CLIENT, (), clock)
    over.set()
    assert (first.step, first.code, first.detail) == (Step.FIND, Code.SERVER_NOT_FOUND, "no answer in 10 s")
    assert clock.monotonic() == pytest.approx(10.5)


def test_a_server_that_takes_the_connection_and_says_nothing_is_given_up() -> None:
    with silent_server() as address:
        failed = failure(run(KafkaSettings(bootstrap_servers=address), seconds=SHORT))
        assert (failed.step, failed.code) == (Step.WRITE, Code.NO_CONNECTION)
        trusting = KafkaSettings(bootstrap_servers=address, security=Security(protocol=SecurityProtocol.SSL))
        failed = failure(run(trusting, seconds=SHORT))
    assert (failed.step, failed.code) == (Step.SECURE, Code.NO_SECURE_CONNECTION)
    assert failed.detail == f"{address}: no answer"


# the secure connection


def test_a_server_of_another_ca_is_not_trusted(secure_topics: Topics, tmp_path: Path) -> None:
    Authority.create("Somebody else").write_certificate(tmp_path / "ca.pem")
    other = (tmp_path / "ca.pem").read_text(encoding="ascii")
    failed = failure(run(but(secure(secure_topics), ca_pem=other)))
    assert (failed.step, failed.code) == (Step.SECURE, Code.NO_SECURE_CONNECTION)
    assert failed.detail.endswith(": self-signed certificate in certificate chain")


def test_without_a_ca_the_systems_own_are_asked(secure_topics: Topics) -> None:
    failed = failure(run(but(secure(secure_topics), ca_pem="")))
    assert (failed.step, failed.code) == (Step.SECURE, Code.NO_SECURE_CONNECTION)


def test_the_ca_may_lie_in_a_file(secure_topics: Topics) -> None:
    say(secure_topics, notice())
    path = str(secure_topics.cluster.security.ca_path)
    results = run(but(secure(secure_topics), ca_pem="", ca_location=path))
    assert {result.outcome for result in results} == {Outcome.OK}


def test_a_certificate_of_another_name_is_not_taken(secure_topics: Topics, monkeypatch: pytest.MonkeyPatch) -> None:
    real = socket.getaddrinfo

    def lookup(host: str, *more: int, **types: int) -> object:
        return real("127.0.0.1" if host == "kafka.example" else host, *more, **types)

    monkeypatch.setattr("socket.getaddrinfo", lookup)
    settings = secure(secure_topics)
    named = settings.bootstrap_servers.replace("127.0.0.1", "kafka.example")
    failed = failure(run(replace(settings, bootstrap_servers=named)))
    assert (failed.step, failed.code) == (Step.SECURE, Code.NO_SECURE_CONNECTION)
    assert "not valid for 'kafka.example'" in failed.detail


def test_plain_text_to_a_port_for_tls_names_the_setting(secure_topics: Topics) -> None:
    settings = secure(secure_topics)
    failed = failure(run(replace(settings, security=Security())))
    assert (failed.step, failed.code) == (Step.WRITE, Code.BAD_SETTING)
    assert failed.detail == "security_protocol: PLAINTEXT is set, but the server wants TLS; use SSL or SASL_SSL"
    failed = failure(run(but(settings, protocol=SecurityProtocol.SASL_PLAINTEXT, ca_pem="")))
    assert (failed.step, failed.code) == (Step.SIGN_IN, Code.BAD_SETTING)
    assert failed.detail.endswith("use SASL_SSL")


def test_tls_to_a_port_for_plain_text_is_no_secure_connection(topics: Topics) -> None:
    failed = failure(run(replace(plain(topics), security=Security(protocol=SecurityProtocol.SSL))))
    assert (failed.step, failed.code) == (Step.SECURE, Code.NO_SECURE_CONNECTION)


# signing in


def test_a_wrong_password_is_refused_at_once(secure_topics: Topics) -> None:
    failed = failure(run(but(secure(secure_topics), password=Secret("hunter2-Qx7"))))
    assert (failed.step, failed.code) == (Step.SIGN_IN, Code.SIGN_IN_REFUSED)
    assert failed.seconds < 5
    assert "hunter2" not in failed.detail


def test_a_user_that_nobody_knows_is_refused(secure_topics: Topics) -> None:
    failed = failure(run(but(secure(secure_topics), username="nobody")))
    assert (failed.step, failed.code) == (Step.SIGN_IN, Code.SIGN_IN_REFUSED)


def test_without_a_password_nobody_is_asked(secure_topics: Topics) -> None:
    failed = failure(run(but(secure(secure_topics), password=None)))
    assert (failed.step, failed.code) == (Step.SIGN_IN, Code.SIGN_IN_REFUSED)
    assert failed.detail == "no user name or password was given"


# rights and topics


def test_an_account_without_rights_may_not_send(secure_topics: Topics) -> None:
    failed = failure(run(secure(secure_topics, "stranger")))
    assert (failed.step, failed.code) == (Step.WRITE, Code.MAY_NOT_SEND)


def test_an_account_that_may_look_but_not_write_may_not_send(secure_topics: Topics) -> None:
    secure_topics.cluster.allow("stranger", secure_topics.files, AclOperation.DESCRIBE, AclOperation.DESCRIBE_CONFIGS)
    try:
        failed = failure(run(secure(secure_topics, "stranger")))
    finally:
        secure_topics.cluster.revoke("stranger")
    assert (failed.step, failed.code) == (Step.WRITE, Code.MAY_NOT_SEND)
    assert failed.detail == f"{secure_topics.files}: no right to write"


def test_a_topic_that_is_not_there_is_named(topics: Topics) -> None:
    failed = failure(run(replace(plain(topics), files_topic="absent")))
    assert (failed.step, failed.code) == (Step.WRITE, Code.NO_TOPIC)
    assert failed.detail.startswith("absent: ")


def test_a_limit_that_may_not_be_read_is_taken_for_granted(secure_topics: Topics) -> None:
    cluster = secure_topics.cluster
    say(secure_topics, notice())
    cluster.allow("stranger", secure_topics.files, AclOperation.WRITE)
    cluster.allow("stranger", secure_topics.status, AclOperation.READ)
    try:
        results = run(secure(secure_topics, "stranger"))
    finally:
        cluster.revoke("stranger")
    assert outcome(results, Step.LIMIT) == (
        Outcome.OK,
        "1048588 bytes, taken for granted: this account may not read it",
    )
    assert outcome(results, Step.OFFICE)[0] is Outcome.OK


def test_a_topic_that_takes_only_tiny_messages_is_of_no_use(topics: Topics) -> None:
    topics.cluster.alter_config(topics.files, {"max.message.bytes": "20000"})
    failed = failure(run(plain(topics)))
    assert (failed.step, failed.code) == (Step.LIMIT, Code.LIMIT_TOO_SMALL)


# the office


def test_an_office_that_was_never_heard_is_told(topics: Topics) -> None:
    failed = failure(run(plain(topics)))
    assert (failed.step, failed.code) == (Step.OFFICE, Code.RECEIPT_ABSENT)
    assert failed.detail == "as long as the server can tell"


def test_an_office_last_heard_ten_minutes_ago_is_told(topics: Topics) -> None:
    say(topics, notice(3600), notice(600))
    failed = failure(run(plain(topics)))
    assert (failed.step, failed.code, failed.detail) == (Step.OFFICE, Code.RECEIPT_ABSENT, "10 min (central)")


def test_an_office_that_has_said_good_bye_does_not_count(topics: Topics) -> None:
    say(topics, notice(), notice(4, ReceiverState.STOPPING))
    failed = failure(run(plain(topics)))
    assert failed.code is Code.RECEIPT_ABSENT
    assert failed.detail.endswith("s (central has stopped)")


def test_an_office_that_is_short_of_space_was_heard(topics: Topics) -> None:
    say(topics, notice(state=ReceiverState.LOW_SPACE))
    assert outcome(run(plain(topics)), Step.OFFICE)[1].endswith("ago (low_space)")


def test_a_clock_that_is_behind_is_told(topics: Topics) -> None:
    say(topics, notice(-3600))
    said = outcome(run(plain(topics)), Step.OFFICE)
    assert said == (Outcome.OK, "central, 0 s ago; this computer's clock is 60 min behind")


def test_every_receiver_that_is_required_must_be_heard(topics: Topics) -> None:
    say(topics, notice(), notice(7200, receiver="archive"))
    assert outcome(run(plain(topics)), Step.OFFICE)[0] is Outcome.OK
    assert outcome(run(plain(topics), ["central"]), Step.OFFICE)[0] is Outcome.OK
    assert failure(run(plain(topics), ["central", "archive"])).detail == "2 h (archive)"
    assert failure(run(plain(topics), ["third"])).detail == "as long as the server can tell (third)"


def test_a_notice_is_found_behind_the_receipts_of_a_busy_day(topics: Topics) -> None:
    partition = status_partition(CLIENT, topics.partitions)
    say(topics, notice(), *map(progress, range(700)))
    unreadable = Producer({"bootstrap.servers": topics.bootstrap_servers})
    unreadable.produce(topics.status, value=b"not ours", partition=partition)
    assert unreadable.flush(20) == 0
    assert outcome(run(plain(topics)), Step.OFFICE)[0] is Outcome.OK


def test_a_notice_in_another_partition_is_not_for_us(topics: Topics) -> None:
    say(topics, notice(), partition=(status_partition(CLIENT, topics.partitions) + 1) % topics.partitions)
    assert failure(run(plain(topics))).step is Step.OFFICE


def test_a_status_topic_that_is_not_there_is_named(topics: Topics) -> None:
    failed = failure(run(replace(plain(topics), status_topic="absent")))
    assert (failed.step, failed.code) == (Step.OFFICE, Code.NO_TOPIC)


@pytest.mark.parametrize("rights", [(), (AclOperation.DESCRIBE,)])
def test_an_account_that_may_not_read_confirmations_is_told(
    secure_topics: Topics, rights: tuple[AclOperation, ...]
) -> None:
    cluster = secure_topics.cluster
    cluster.grant("stranger", Role.UPLOADER, files=secure_topics.files, status="another")
    if rights:
        cluster.allow("stranger", secure_topics.status, *rights)
    try:
        failed = failure(run(secure(secure_topics, "stranger")))
    finally:
        cluster.revoke("stranger")
    assert (failed.step, failed.code) == (Step.OFFICE, Code.MAY_NOT_READ_STATUS)


# the broker goes away in the middle


def test_a_broker_that_stops_answering_ends_the_test_in_time(own_broker: StartBroker) -> None:
    topics = Topics(own_broker(), "files", "status", 1)  # the shared one needs a while after it was frozen
    for topic in (topics.files, topics.status):
        topics.cluster.create_topic(topic)
    say(topics, notice())
    steps = check(plain(topics), CLIENT, (), SystemClock(), SHORT)
    for result in steps:
        if result.step is Step.LIMIT:
            assert result.outcome is Outcome.OK
            break
    topics.cluster.pause()
    try:
        (office,) = steps
    finally:
        topics.cluster.resume()
    assert (office.outcome, office.code) == (Outcome.FAILED, Code.NO_CONNECTION)
    assert office.seconds < SHORT + 1


def closed_port() -> int:
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@contextmanager
def silent_server() -> Iterator[str]:
    """Takes connections, and that is all."""
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(50)
        yield f"127.0.0.1:{listener.getsockname()[1]}"
