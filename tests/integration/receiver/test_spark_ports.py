# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What a stranger on the receiver's machine gets from the ports that Spark opens: no call without a token."""

import hashlib
import os
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil  # type: ignore[import-untyped]  # it ships no types
import pytest

from devkafka.cluster import Cluster
from support.brokers import StartBroker, Topics
from support.processes.receiver import Receiver

pytestmark = pytest.mark.timeout(int(os.environ.get("RECEIVER_TIMEOUT", "240")))


@pytest.fixture
def topics(module_broker: StartBroker, request: pytest.FixtureRequest) -> Iterator[Topics]:
    cluster: Cluster = module_broker()
    mark = hashlib.sha256(request.node.name.encode()).hexdigest()[:8]
    pair = Topics(cluster, f"files-{mark}", f"status-{mark}", 1)
    cluster.create_topic(pair.files, 1)
    cluster.create_topic(pair.status, 1)
    yield pair
    cluster.delete_topic(pair.files, pair.status)


def listening(receiver: Receiver) -> set[int]:
    """The ports of the driver, its JVM and its workers."""
    found = set()
    for member in receiver.family():
        with suppress(psutil.NoSuchProcess):  # a worker that just ended
            connections = member.net_connections("tcp")
            found |= {one.laddr.port for one in connections if one.status == psutil.CONN_LISTEN}
    return found


def command_lines(receiver: Receiver) -> list[str]:
    found = []
    for member in receiver.family():
        with suppress(psutil.NoSuchProcess):
            found += member.cmdline()
    return found


def called(port: int) -> bool:
    """Whether py4j's own protocol is answered there without the token: a method is called, its result comes back."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=2) as stranger:
        stranger.sendall(b"c\nz:java.lang.System\ncurrentTimeMillis\ne\n")
        return stranger.recv(3).startswith(b"!y")
    return False


def test_a_stranger_without_the_token_calls_nothing_on_any_port_of_spark(topics: Topics, tmp_path: Path) -> None:
    with Receiver(topics, tmp_path / "office") as receiver:
        ports = listening(receiver)
        assert ports
        assert [port for port in ports if called(port)] == []
        arguments = command_lines(receiver)
        assert any("spark.authenticate=true" in part for part in arguments)
        assert not any("secret" in part for part in arguments)
        assert receiver.stop() == 0
