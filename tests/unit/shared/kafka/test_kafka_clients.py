# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import datetime as dt
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, KafkaException, Message, Producer, TopicPartition
from confluent_kafka.admin import AdminClient
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from fieldpost_shared.codes import Code
from fieldpost_shared.errors import SettingsError
from fieldpost_shared.kafka import clients, preflight
from fieldpost_shared.kafka.failures import code_of, reason_of
from fieldpost_shared.kafka.security import SaslMechanism, Security, SecurityProtocol
from fieldpost_shared.kafka.settings import KafkaSettings
from fieldpost_shared.secret import Secret

NOBODY = "127.0.0.1:1"  # a port where nothing listens
LIMIT = 1_048_588  # a broker's default
KINDS = ("uploader_producer", "status_producer", "task_consumer", "status_consumer", "admin")
WAYS = (
    "PLAINTEXT",
    "SSL system",
    "SSL file",
    "SSL pem",
    "SSL mutual files",
    "SSL mutual pem",
    *(f"{protocol} {mechanism}" for protocol in ("SASL_PLAINTEXT", "SASL_SSL") for mechanism in SaslMechanism),
)


class Identity(NamedTuple):
    """A throw-away certificate that is its own CA, as files and as texts."""

    certificate: Path
    key: Path
    passphrase: Secret


@pytest.fixture(scope="module")
def identity(tmp_path_factory: pytest.TempPathFactory) -> Identity:
    folder = tmp_path_factory.mktemp("identity")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "throw-away")])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now)
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    paths = Identity(folder / "cert.pem", folder / "key.pem", Secret("opens the key"))
    paths.certificate.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    paths.key.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(paths.passphrase.reveal().encode()),
        )
    )
    return paths


def security(way: str, identity: Identity) -> Security:
    certificate, key = str(identity.certificate), str(identity.key)
    protocol, _, rest = way.partition(" ")
    match rest:
        case "" | "system":
            return Security(protocol=SecurityProtocol(protocol))
        case "file":
            return Security(protocol=SecurityProtocol.SSL, ca_location=certificate)
        case "pem":
            return Security(protocol=SecurityProtocol.SSL, ca_pem=identity.certificate.read_text())
        case "mutual files":
            return Security(
                protocol=SecurityProtocol.SSL,
                certificate_location=certificate,
                key_location=key,
                key_password=identity.passphrase,
            )
        case "mutual pem":
            return Security(
                protocol=SecurityProtocol.SSL,
                certificate_pem=identity.certificate.read_text(),
                key_pem=Secret(identity.key.read_text()),
                key_password=identity.passphrase,
            )
        case _:
            return signing_in(SecurityProtocol(protocol), SaslMechanism(rest))


def signing_in(protocol: SecurityProtocol, mechanism: SaslMechanism) -> Security:
    match mechanism:
        case SaslMechanism.GSSAPI:
            return Security(protocol=protocol, mechanism=mechanism, kerberos_service_name="kafka")
        case SaslMechanism.OAUTHBEARER:
            return Security(
                protocol=protocol,
                mechanism=mechanism,
                oauth_token_url=f"http://{NOBODY}/token",
                oauth_client_id="me",
                oauth_client_secret=Secret("hunter22"),
                oauth_scope="files",
            )
        case _:
            return Security(protocol=protocol, mechanism=mechanism, username="me", password=Secret("hunter22"))


def config(kind: str, security: Security | None = None) -> clients.Config:
    settings = KafkaSettings(bootstrap_servers=NOBODY, client_id="me", security=security or Security())
    if kind == "uploader_producer":
        return clients.uploader_producer(settings, message_limit=LIMIT)
    make: Callable[[KafkaSettings], clients.Config] = getattr(clients, kind)
    return make(settings)


def build(kind: str, options: clients.Config) -> None:
    """Make the real client and close it again."""
    quiet: clients.Config = {**options, "log_level": 0}
    if kind.endswith("consumer"):
        Consumer(quiet).close()
    elif kind.endswith("producer"):
        Producer(quiet)
    else:
        AdminClient(quiet)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_library_accepts_every_client_with_every_security(kind: str, way: str, identity: Identity) -> None:
    given = security(way, identity)
    if given.mechanism is SaslMechanism.GSSAPI and given.protocol.sasl and not preflight.supports("sasl_gssapi"):
        with pytest.raises(SettingsError, match="GSSAPI is not built into"):
            config(kind, given)
        return
    build(kind, config(kind, given))


@pytest.mark.parametrize("kind", KINDS)
def test_every_client_names_its_servers_itself_and_how_to_sign_in(kind: str) -> None:
    options = config(kind, signing_in(SecurityProtocol.SASL_SSL, SaslMechanism.SCRAM_SHA_256))
    expected = {
        "bootstrap.servers": NOBODY,
        "client.id": "me",
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "SCRAM-SHA-256",
        "sasl.username": "me",
        "sasl.password": "hunter22",
    }
    assert options | expected == options


@pytest.mark.parametrize("kind", KINDS)
def test_a_client_without_tls_and_sign_in_is_told_nothing_about_them(kind: str) -> None:
    assert not [name for name in config(kind) if name.startswith(("ssl.", "sasl."))]


@pytest.mark.parametrize("kind", ["uploader_producer", "status_producer"])
def test_a_producer_loses_and_doubles_nothing_and_does_not_give_up(kind: str) -> None:
    expected = {"enable.idempotence": True, "acks": "all", "message.timeout.ms": 0, "allow.auto.create.topics": False}
    assert config(kind) | expected == config(kind)


@pytest.mark.parametrize("kind", ["task_consumer", "status_consumer"])
def test_a_consumer_commits_nothing_and_checks_everything(kind: str) -> None:
    expected = {
        "enable.auto.commit": False,
        "isolation.level": "read_committed",
        "check.crcs": True,
        "enable.partition.eof": True,
    }
    assert config(kind) | expected == config(kind)


def test_offsets_are_committed_under_the_groups_name_and_only_when_told() -> None:
    settings = KafkaSettings(bootstrap_servers="broker:9092")
    options = clients.group_committer(settings, "connect-files")
    assert (options["group.id"], options["enable.auto.commit"]) == ("connect-files", False)
    Consumer(options).close()


def test_a_loss_surfaces_in_a_task_and_never_silences_the_status() -> None:
    assert config("task_consumer")["auto.offset.reset"] == "error"
    assert config("status_consumer")["auto.offset.reset"] == "earliest"


def test_a_task_never_waits_a_second_for_its_small_queue() -> None:
    options = config("task_consumer")
    assert 1 <= float(options["fetch.queue.backoff.ms"]) <= 10
    assert float(options["queued.max.messages.kbytes"]) * 1024 <= 16 * 1024 * 1024


def uploader(limit: int) -> Producer:
    settings = KafkaSettings(bootstrap_servers=NOBODY)
    return Producer({**clients.uploader_producer(settings, message_limit=limit), "log_level": 0})


def test_a_part_above_the_servers_limit_is_refused_before_it_travels() -> None:
    producer = uploader(100_000)
    with pytest.raises(KafkaException) as caught:
        producer.produce("files", b"x" * 100_000)
    reason = reason_of(caught.value)
    assert reason is not None
    assert code_of(reason) is Code.MESSAGE_TOO_LARGE
    producer.produce("files", b"x" * 99_000)
    producer.purge()
    assert producer.flush(5) == 0


@pytest.mark.parametrize("limit", [0, 1000, 2_147_483_647])
def test_the_library_takes_any_limit_that_a_server_can_have(limit: int) -> None:
    producer = uploader(limit)
    producer.produce("files", b"x")
    producer.purge()
    assert producer.flush(5) == 0


def test_the_whole_window_fits_into_the_producers_queue() -> None:
    producer = uploader(LIMIT)
    part = b"x" * 983_040
    for _ in range(clients.WINDOW_BYTES // len(part) + 1):
        producer.produce("files", part)  # a full queue would raise BufferError
    producer.purge()
    assert producer.flush(5) == 0


class MockCluster(NamedTuple):
    """librdkafka's own cluster inside the process, and where it listens."""

    owner: AdminClient
    settings: KafkaSettings


@pytest.fixture(scope="module")
def cluster() -> MockCluster:
    owner = AdminClient({"test.mock.num.brokers": 1, "log_level": 0})
    (broker,) = owner.list_topics(timeout=10).brokers.values()
    return MockCluster(owner, KafkaSettings(bootstrap_servers=f"{broker.host}:{broker.port}"))


def delivered(producer: Producer, topic: str, value: bytes, key: bytes) -> Message:
    reports: list[tuple[KafkaError | None, Message]] = []
    producer.produce(topic, value, key, on_delivery=lambda error, message: reports.append((error, message)))
    assert producer.flush(10) == 0
    ((error, message),) = reports
    assert error is None
    return message


def making_topics(options: clients.Config) -> Producer:
    # The mock cluster makes a topic when somebody asks for it, which our clients never do.
    return Producer({**options, "allow.auto.create.topics": True})


def test_a_status_goes_to_the_partition_that_its_sender_reads(cluster: MockCluster) -> None:
    producer = making_topics(clients.status_producer(cluster.settings))
    count = len(producer.list_topics("status", timeout=10).topics["status"].partitions)
    assert count > 1
    for name in (b"anna", b"ben", b"chris", b"dora"):
        message = delivered(producer, "status", b"{}", name)
        assert message.partition() == zlib.crc32(name) % count


def test_a_task_reads_what_the_uploader_sent_and_sees_the_end(cluster: MockCluster) -> None:
    producer = making_topics(clients.uploader_producer(cluster.settings, message_limit=LIMIT))
    sent = delivered(producer, "files", b"part" * 200_000, b"transfer")
    partition = sent.partition()
    assert partition is not None
    consumer = Consumer(clients.task_consumer(cluster.settings))
    try:
        consumer.assign([TopicPartition("files", partition, OFFSET_BEGINNING)])
        (message,) = consumer.consume(1, timeout=10)
        (end,) = consumer.consume(1, timeout=10)
    finally:
        consumer.close()
    assert message.error() is None
    assert message.value() == b"part" * 200_000
    problem = end.error()
    assert problem is not None
    assert problem.code() == KafkaError._PARTITION_EOF


def test_a_mistyped_topic_is_never_made(cluster: MockCluster) -> None:
    producer = Producer(clients.uploader_producer(cluster.settings, message_limit=LIMIT))
    error = producer.list_topics("fieldpost.flies", timeout=10).topics["fieldpost.flies"].error
    assert error is not None
    assert code_of(error) is Code.NO_TOPIC
