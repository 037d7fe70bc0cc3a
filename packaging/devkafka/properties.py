# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The text of a node's server.properties and log4j2.properties, from a typed description."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

from devkafka.ports import HOST

INTERNAL: Final = "INTERNAL"  # plaintext on loopback: other nodes, our own administration, plaintext clients
CLIENT: Final = "CLIENT"  # SASL_SSL, of a secure cluster
CONTROLLER: Final = "CONTROLLER"

LOG4J: Final = """\
rootLogger.level=info
rootLogger.appenderRef.f.ref=F
appender.f.type=File
appender.f.name=F
appender.f.fileName=${sys:kafka.logs.dir}/broker.log
appender.f.layout.type=PatternLayout
appender.f.layout.pattern=%d{ISO8601} %p %m (%c)%n
"""


class Protection(StrEnum):
    """How a listener is protected, in Kafka's words."""

    PLAINTEXT = "PLAINTEXT"
    SASL_SSL = "SASL_SSL"


@dataclass(frozen=True, slots=True)
class Listener:
    """A port that clients reach. Behind a proxy they are told the proxy's port instead."""

    name: str
    port: int
    protection: Protection = Protection.PLAINTEXT
    advertised_port: int | None = None

    @property
    def address(self) -> str:
        """Where clients connect to."""
        return f"{HOST}:{self.advertised_port or self.port}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeSpec:
    """All that tells one node from another. One of the listeners is INTERNAL."""

    node_id: int
    home: Path
    listeners: tuple[Listener, ...]
    voters: Mapping[int, int]  # controller port of every node of the cluster
    users: Mapping[str, str] = field(default_factory=dict, repr=False)  # passwords for the mechanism PLAIN
    settings: Mapping[str, str] = field(default_factory=dict)  # overrides anything below

    def listener(self, name: str) -> Listener:
        return next(listener for listener in self.listeners if listener.name == name)

    @property
    def keystore(self) -> Path:
        """Key and certificates of the SASL_SSL listeners."""
        return self.home / "server.pem"


def server_properties(spec: NodeSpec) -> str:
    """The whole file; later groups override earlier ones."""
    values = _addresses(spec) | _sizes(len(spec.voters)) | _security(spec) | dict(spec.settings)
    return "".join(f"{key}={_escaped(value)}\n" for key, value in values.items())


def _addresses(spec: NodeSpec) -> dict[str, str]:
    bound = [f"{item.name}://{HOST}:{item.port}" for item in spec.listeners]
    protections = [f"{item.name}:{item.protection}" for item in spec.listeners]
    return {
        "process.roles": "broker,controller",
        "node.id": str(spec.node_id),
        "controller.quorum.voters": ",".join(f"{node}@{HOST}:{port}" for node, port in spec.voters.items()),
        "controller.listener.names": CONTROLLER,
        "listeners": ",".join([*bound, f"{CONTROLLER}://{HOST}:{spec.voters[spec.node_id]}"]),
        "advertised.listeners": ",".join(f"{item.name}://{item.address}" for item in spec.listeners),
        "listener.security.protocol.map": ",".join([*protections, f"{CONTROLLER}:{Protection.PLAINTEXT}"]),
        "inter.broker.listener.name": INTERNAL,
        "log.dirs": str(spec.home / "data"),
    }


def _sizes(nodes: int) -> dict[str, str]:
    """As many copies as there are nodes, one of which may be lost; small and quick otherwise."""
    in_sync = str(max(1, nodes - 1))
    return {
        "auto.create.topics.enable": "false",
        "default.replication.factor": str(nodes),
        "min.insync.replicas": in_sync,
        "offsets.topic.replication.factor": str(nodes),
        "offsets.topic.num.partitions": "4",  # 50 by default: the first consumer group would wait for them
        "transaction.state.log.replication.factor": str(nodes),
        "transaction.state.log.min.isr": in_sync,
        "transaction.state.log.num.partitions": "4",
        "group.initial.rebalance.delay.ms": "0",
        "log.cleaner.dedupe.buffer.size": "8388608",  # 128 MB of heap by default
        # after a kill -9 the node is let in again when its old session has ended: 3 s instead of 9
        "broker.session.timeout.ms": "3000",
        "broker.heartbeat.interval.ms": "500",
    }


def _security(spec: NodeSpec) -> dict[str, str]:
    secure = [listener for listener in spec.listeners if listener.protection is Protection.SASL_SSL]
    if not secure:
        return {}
    values = {
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users": "User:ANONYMOUS",  # whoever comes through the plaintext listeners, which are on loopback only
    }
    for listener in secure:
        values |= _sasl_ssl(f"listener.name.{listener.name.lower()}.", spec)
    return values


def _sasl_ssl(prefix: str, spec: NodeSpec) -> dict[str, str]:
    scram = "org.apache.kafka.common.security.scram.ScramLoginModule required;"
    users = "".join(f' user_{name}="{password}"' for name, password in spec.users.items())
    return {
        f"{prefix}sasl.enabled.mechanisms": "SCRAM-SHA-256,SCRAM-SHA-512,PLAIN",
        f"{prefix}scram-sha-256.sasl.jaas.config": scram,
        f"{prefix}scram-sha-512.sasl.jaas.config": scram,
        f"{prefix}plain.sasl.jaas.config": f"org.apache.kafka.common.security.plain.PlainLoginModule required{users};",
        f"{prefix}ssl.keystore.type": "PEM",
        f"{prefix}ssl.keystore.location": str(spec.keystore),
    }


def _escaped(value: str) -> str:
    """A value as Java reads it back: such files are Latin-1, and a backslash begins an escape."""
    doubled = value.replace("\\", "\\\\")
    units = doubled.encode("utf-16-be")
    codes = [int.from_bytes(units[i : i + 2], "big") for i in range(0, len(units), 2)]
    return "".join(chr(code) if 32 <= code < 127 else f"\\u{code:04x}" for code in codes)  # noqa: PLR2004 - printable ASCII
