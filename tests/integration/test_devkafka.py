# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The local Kafka that the demo and all other broker tests stand on."""

import os
import signal
import socket
import ssl
import stat
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import psutil  # type: ignore[import-untyped]  # it ships no types
import pytest
from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, KafkaException, Message, Producer, TopicPartition
from confluent_kafka.admin import (  # type: ignore[attr-defined]  # re-exported without saying so
    AdminClient,
    ConfigResource,
    ResourceType,
)

from devkafka import cluster as cluster_module
from devkafka.certificates import EXPIRED
from devkafka.cluster import Cluster
from devkafka.errors import JarsFailed, ToolMissing
from devkafka.guarded import Guarded
from devkafka.jars import ensure_jars
from devkafka.java import _java
from devkafka.ports import HOST, free_ports, is_free
from devkafka.properties import Listener, NodeSpec, Protection, server_properties
from support.brokers import StartBroker, Topics
from support.waiting import wait_until

READY_S: Final = 10.0
GONE_S: Final = 5.0

Config = Mapping[str, Any]


# Clients


def plain(cluster: Cluster) -> dict[str, Any]:
    return {"bootstrap.servers": cluster.bootstrap_servers}


def send(config: Config, topic: str, values: list[bytes], seconds: float = 30.0) -> list[KafkaError | None]:
    """Send all to partition 0 and return what the broker said to each."""
    answers: list[KafkaError | None] = []

    def delivered(error: KafkaError | None, _: Message) -> None:
        answers.append(error)

    producer = Producer({**config, "acks": "all", "enable.idempotence": True, "log_level": 0})
    for value in values:
        producer.produce(topic, value, partition=0, on_delivery=delivered)
    assert producer.flush(seconds) == 0, f"{len(answers)} of {len(values)} answered in {seconds} s"
    return answers


def read(config: Config, topic: str, count: int, start: int = OFFSET_BEGINNING, seconds: float = 30.0) -> list[bytes]:
    """So many values of partition 0, without a consumer group."""
    consumer = Consumer({**config, "group.id": "none", "enable.auto.commit": False, "log_level": 0})
    values: list[bytes] = []
    try:
        consumer.assign([TopicPartition(topic, 0, start)])

        def enough() -> bool:
            messages = [message for message in consumer.consume(count, timeout=0.2) if not message.error()]
            values.extend(message.value() or b"" for message in messages)
            return len(values) >= count

        wait_until(enough, seconds, f"{count} messages of {topic}")
    finally:
        consumer.close()
    return values


def refusal(config: Config) -> KafkaError:
    """Why the broker or we refuse the connection."""
    errors: list[KafkaError] = []
    producer = Producer({**config, "log_level": 0, "error_cb": errors.append})
    telling = (KafkaError._AUTHENTICATION, KafkaError._SSL)

    def told() -> KafkaError | None:
        producer.poll(0.05)
        return next((error for error in errors if error.code() in telling), None)

    found = wait_until(told, 10, "the connection to be refused")
    assert found is not None
    return found


def numbered(count: int) -> list[bytes]:
    return [f"message {number}".encode() for number in range(count)]


@pytest.fixture(scope="module")
def own_secure_broker(module_broker: StartBroker) -> Cluster:
    """For tests that disturb or change their broker, but do not mind each other."""
    return module_broker(secure=True)


# One node


def test_a_client_reads_back_what_it_sent(topics: Topics) -> None:
    config = plain(topics.cluster)
    assert send(config, topics.files, numbered(100)) == [None] * 100
    assert read(config, topics.files, 100) == numbered(100)


@pytest.mark.parametrize("topics", [3], indirect=True)
def test_a_test_gets_topics_of_its_own_with_the_partitions_it_asked_for(topics: Topics) -> None:
    assert len(topics.cluster.partitions(topics.files)) == topics.partitions == 3
    assert read_watermarks(topics) == [(0, 0)] * 3


def read_watermarks(topics: Topics) -> list[tuple[int, int]]:
    consumer = Consumer({**plain(topics.cluster), "group.id": "none"})
    try:
        return [
            consumer.get_watermark_offsets(TopicPartition(topics.files, partition), timeout=10)
            for partition in range(topics.partitions)
        ]
    finally:
        consumer.close()


def test_a_test_that_uses_the_broker_is_marked(request: pytest.FixtureRequest, topics: Topics) -> None:
    assert request.node.get_closest_marker("broker") is not None
    assert topics.files != topics.status


def test_topics_grow_and_change_while_the_broker_runs(topics: Topics) -> None:
    cluster = topics.cluster
    cluster.grow(topics.files, 6)
    assert sorted(cluster.partitions(topics.files)) == [0, 1, 2, 3, 4, 5]

    cluster.alter_config(topics.files, {"max.message.bytes": "2000"})
    [refused] = send(plain(cluster), topics.files, [os.urandom(3000)])
    assert refused is not None
    assert refused.code() == KafkaError.MSG_SIZE_TOO_LARGE

    send(plain(cluster), topics.files, numbered(10))
    cluster.delete_records(topics.files, 0, before=7)
    assert read_watermarks(topics)[0] == (7, 10)


def test_a_quota_slows_one_client_down(topics: Topics) -> None:
    topics.cluster.set_quota("slow-client", 20_000)
    throttled: list[object] = []
    config = {**plain(topics.cluster), "client.id": "slow-client", "throttle_cb": throttled.append, "linger.ms": 0}
    producer = Producer(config)

    def slowed() -> bool:
        producer.produce(topics.files, os.urandom(50_000))
        producer.poll(0.1)
        return bool(throttled)

    wait_until(slowed, 20, "the broker to throttle the client")
    producer.purge()
    producer.flush(1)
    topics.cluster.set_quota("slow-client", None)


def test_a_killed_node_comes_back_with_its_data_on_the_same_port(own_broker: StartBroker) -> None:
    begin = time.monotonic()
    cluster = own_broker()
    assert time.monotonic() - begin < READY_S
    cluster.create_topic("kept")
    address, pid = cluster.bootstrap_servers, cluster.pid()
    send(plain(cluster), "kept", numbered(50))

    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not cluster.nodes[1].running, GONE_S, "the node to be gone")
    cluster.restart()

    assert cluster.bootstrap_servers == address
    assert cluster.pid() != pid
    assert read(plain(cluster), "kept", 50) == numbered(50)


def test_a_paused_node_is_silent_until_it_is_resumed(own_secure_broker: Cluster) -> None:
    admin = own_secure_broker.admin()
    own_secure_broker.pause()
    with pytest.raises(KafkaException):
        admin.list_topics(timeout=0.5)
    own_secure_broker.resume()
    assert admin.list_topics(timeout=10).brokers


def test_a_port_that_was_taken_in_between_is_replaced(own_broker: StartBroker, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server((HOST, 0)) as stranger:
        taken = stranger.getsockname()[1]
        answers = iter([[taken, *free_ports(1)], free_ports(2)])
        monkeypatch.setattr(cluster_module, "free_ports", lambda _: next(answers))
        cluster = own_broker()
    assert str(taken) not in cluster.bootstrap_servers
    cluster.create_topic("works")


# Three nodes


def test_three_nodes_survive_the_loss_of_one(own_broker: StartBroker) -> None:
    cluster = own_broker(nodes=3)
    cluster.create_topic("copied")
    assert send(plain(cluster), "copied", numbered(10)) == [None] * 10

    leader = cluster.partitions("copied")[0].leader
    cluster.kill(leader)
    assert send(plain(cluster), "copied", numbered(10)) == [None] * 10
    assert cluster.partitions("copied")[0].leader != leader

    cluster.restart(leader)
    cluster.wait_in_sync("copied")
    assert read(plain(cluster), "copied", 20) == numbered(10) * 2


# SASL_SSL


@pytest.mark.parametrize("mechanism", ["SCRAM-SHA-256", "SCRAM-SHA-512", "PLAIN"])
def test_good_credentials_are_let_in(secure_broker: Cluster, mechanism: str) -> None:
    config = secure_broker.security.client_config("uploader", mechanism)
    assert AdminClient(config).list_topics(timeout=10).brokers


def test_a_wrong_password_is_refused(secure_broker: Cluster) -> None:
    config = secure_broker.security.client_config("uploader") | {"sasl.password": "guessed"}
    assert refusal(config).code() == KafkaError._AUTHENTICATION


def test_a_broker_that_our_ca_did_not_sign_is_refused(secure_broker: Cluster) -> None:
    config = secure_broker.security.client_config("uploader")
    del config["ssl.ca.location"]
    assert refusal(config).code() == KafkaError._SSL


def test_a_changed_password_counts_at_once(own_secure_broker: Cluster) -> None:
    old = own_secure_broker.security.client_config("receiver")
    own_secure_broker.set_password("receiver", "another one")
    assert refusal(old).code() == KafkaError._AUTHENTICATION


def test_a_broker_can_show_an_expired_certificate(own_secure_broker: Cluster) -> None:
    own_secure_broker.renew_certificates(EXPIRED)
    own_secure_broker.restart()
    security = own_secure_broker.security
    assert refusal(security.client_config("uploader")).code() == KafkaError._SSL

    # the Kafka client does not say why, so we look for ourselves
    context = ssl.create_default_context(cafile=security.ca_path)
    host, port = security.bootstrap_servers.split(":")
    with (
        socket.create_connection((host, int(port)), timeout=10) as connection,
        pytest.raises(ssl.SSLCertVerificationError, match="expired"),
    ):
        context.wrap_socket(connection, server_hostname=host)


def test_a_user_without_rights_can_neither_write_nor_read(secure_topics: Topics) -> None:
    stranger = secure_topics.cluster.security.client_config("stranger")
    metadata = AdminClient(stranger).list_topics(secure_topics.files, timeout=10)
    error = metadata.topics[secure_topics.files].error
    assert error is not None
    assert error.code() == KafkaError.TOPIC_AUTHORIZATION_FAILED
    assert secure_topics.files not in AdminClient(stranger).list_topics(timeout=10).topics


def test_an_uploader_has_the_rights_it_needs_and_no_more(secure_topics: Topics) -> None:
    cluster, files, status = secure_topics.cluster, secure_topics.files, secure_topics.status
    uploader = cluster.security.client_config("uploader")
    send(plain(cluster), status, numbered(5))

    assert send(uploader, files, numbered(5)) == [None] * 5
    assert described(uploader, files)["max.message.bytes"].value == "1048588"
    assert read(uploader, status, 5, start=0) == numbered(5)

    with pytest.raises(KafkaException, match="TOPIC_AUTHORIZATION_FAILED"):
        described(uploader, status)
    [refused] = send({**uploader, "enable.idempotence": False}, status, [b"forged"])
    assert refused is not None
    assert refused.code() == KafkaError.TOPIC_AUTHORIZATION_FAILED


def test_a_receiver_has_the_rights_it_needs(secure_topics: Topics) -> None:
    cluster, files, status = secure_topics.cluster, secure_topics.files, secure_topics.status
    receiver = cluster.security.client_config("receiver")
    send(plain(cluster), files, numbered(5))
    assert read(receiver, files, 5, start=0) == numbered(5)
    assert send(receiver, status, numbered(5)) == [None] * 5
    assert "retention.ms" in described(receiver, files)


def described(config: Config, topic: str) -> dict[str, Any]:
    admin = AdminClient(dict(config))
    [answer] = admin.describe_configs([ConfigResource(ResourceType.TOPIC, topic)]).values()
    found: dict[str, Any] = answer.result(10)
    return found


def test_secrets_lie_in_files_of_their_owner_only(secure_broker: Cluster) -> None:
    secure_broker.security.write_client_file("uploader", secure_broker.directory / "uploader.properties")
    passwords = secure_broker.security.passwords.values()
    paths = [path for pattern in ("*.p*", "node-*/*.p*") for path in secure_broker.directory.glob(pattern)]
    texts = {path: path.read_text() for path in paths}
    secret = [path for path, text in texts.items() if "PRIVATE KEY" in text or any(word in text for word in passwords)]
    assert {path.name for path in secret} == {"uploader.properties", "server.properties", "server.pem"}
    assert {stat.S_IMODE(path.stat().st_mode) for path in secret} == {0o600}
    assert not any(word in repr(secure_broker.security) for word in passwords)


# Nothing stays behind


def gone(pids: list[int]) -> bool:
    return not any(map(alive, pids))


def alive(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


PARENT = """
import sys, time
from pathlib import Path
from devkafka.cluster import Cluster
with Cluster(Path(sys.argv[1])) as cluster:
    print(cluster.pid(), flush=True)
    time.sleep(600)
"""


@pytest.mark.broker
def test_no_node_outlives_a_killed_parent(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT, tmp_path], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        node = int(parent.stdout.readline())
        family = [child.pid for child in psutil.Process(parent.pid).children(recursive=True)]
        assert node in family
        parent.kill()
    wait_until(lambda: gone(family), GONE_S, "the node and its guard to be gone")


FORKING_PARENT = """
import os, sys, time
from pathlib import Path
from devkafka.guarded import Guarded
command = Guarded(["sleep", "600"], Path(sys.argv[1]))
child = os.fork()  # inherits the pipe to the guard
if child:
    print(command.pid, child, flush=True)
time.sleep(600)
"""


def test_no_command_outlives_a_killed_parent_whose_forked_child_lives_on(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FORKING_PARENT, str(tmp_path / "output")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        guarded, forked = map(int, parent.stdout.readline().split())
        parent.kill()
    try:
        wait_until(lambda: gone([guarded]), GONE_S, "the guarded command to be gone")
        assert not gone([forked])
    finally:
        os.kill(forked, signal.SIGKILL)


def test_a_guarded_command_dies_even_if_its_guard_was_killed(tmp_path: Path) -> None:
    command = Guarded(["sleep", "600"], tmp_path / "output")
    psutil.Process(command.pid).parent().kill()
    command.kill()
    wait_until(lambda: gone([command.pid]), GONE_S, "the command to be gone")


# The command line


@pytest.mark.broker
def test_run_says_how_to_reach_the_broker_and_leaves_nothing_when_told_to_stop(tmp_path: Path) -> None:
    [port] = free_ports(1)
    command = [sys.executable, "-m", "devkafka", "run", "--secure", "--port", str(port)]
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as run:
        assert run.stdout is not None
        said = "".join(iter(run.stdout.readline, "Ctrl-C stops it.\n"))
        family = [child.pid for child in psutil.Process(run.pid).children(recursive=True)]
        assert f"SASL_SSL                {HOST}:{port}" in said

        [uploader] = tmp_path.glob("devkafka-*/uploader.properties")
        assert str(uploader) in said
        config: dict[str, Any] = dict(line.split("=", 1) for line in uploader.read_text().splitlines())
        assert config["sasl.password"] not in said
        topics = AdminClient(config).list_topics(timeout=10).topics
        assert {name: len(topic.partitions) for name, topic in topics.items()} == {
            "fieldpost.files": 8,
            "fieldpost.status": 8,
        }

        run.send_signal(signal.SIGTERM)
        assert "Stopped." in run.stdout.read()
    assert run.returncode == 0
    assert gone(family)
    assert list(tmp_path.iterdir()) == []


def devkafka(*arguments: str, **environment: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "devkafka", *arguments]
    run = subprocess.run(command, capture_output=True, text=True, env=os.environ | environment, timeout=60, check=False)
    return run.returncode, run.stderr


def test_run_refuses_a_port_that_is_in_use_in_one_sentence() -> None:
    with socket.create_server((HOST, 0)) as stranger:
        port = stranger.getsockname()[1]
        status, said = devkafka("run", "--port", str(port))
    assert (status, said) == (1, f"devkafka: Port {port} is in use. Choose another with --port.\n")


def test_run_without_java_says_what_to_install(tmp_path: Path) -> None:
    status, said = devkafka("run", PATH=str(tmp_path), JAVA_HOME="")
    assert status == 1
    assert "Traceback" not in said
    assert "Java 17 or newer" in said or "Maven" in said


# Java, Maven, ports and settings


def write_script(path: Path, *lines: str) -> None:
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    path.chmod(0o755)


@pytest.fixture
def fresh_java(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Look for Java anew, on PATH only."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    _java.cache_clear()
    yield
    _java.cache_clear()


def test_a_failing_maven_is_tried_again_and_its_last_words_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_script(tmp_path / "mvn", f"echo again >> {tmp_path}/tries", "echo the registry is closed", "exit 1")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with pytest.raises(JarsFailed, match="the registry is closed"):
        ensure_jars(tmp_path)
    assert (tmp_path / "tries").read_text() == "again\nagain\n"
    assert not list(tmp_path.rglob("arriving-*"))


@pytest.mark.usefixtures("fresh_java")
def test_an_old_java_is_refused_with_both_versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_script(tmp_path / "java", """echo 'openjdk version "11.0.2" 2019-01-15' >&2""")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with pytest.raises(ToolMissing, match="version 11, Kafka needs 17"):
        _java()


def test_ports_are_free_different_and_below_those_of_outgoing_connections() -> None:
    ports = free_ports(20)
    assert len(set(ports)) == 20
    assert all(is_free(port) for port in ports)
    assert 20_000 <= min(ports) <= max(ports) < 30_000


def test_a_listener_behind_a_proxy_tells_clients_the_port_of_the_proxy(tmp_path: Path) -> None:
    listeners = (Listener("INTERNAL", 20_001), Listener("PROXIED", 20_002, Protection.SASL_SSL, advertised_port=20_003))
    spec = NodeSpec(node_id=1, home=tmp_path / "Büro", listeners=listeners, voters={1: 20_004})
    lines = dict(line.split("=", 1) for line in server_properties(spec).splitlines())
    assert lines["listeners"].startswith(f"INTERNAL://{HOST}:20001,PROXIED://{HOST}:20002,")
    assert lines["advertised.listeners"] == f"INTERNAL://{HOST}:20001,PROXIED://{HOST}:20003"
    assert lines["listener.name.proxied.ssl.keystore.type"] == "PEM"
    assert lines["log.dirs"].endswith(r"/B\u00fcro/data")


def test_a_cluster_id_that_begins_with_a_dash_does_not_stop_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Cluster, "_cluster_id", lambda _self: "-AAAAAAAAAAAAAAAAAAAAQ")
    with Cluster(tmp_path) as cluster:
        assert cluster.bootstrap_servers
