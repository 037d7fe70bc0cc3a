# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A cluster of one or three nodes on loopback, in a given folder.

with Cluster(folder, nodes=3) as cluster:
    cluster.create_topic("fieldpost.files", partitions=8)
    cluster.kill(2)
"""

import base64
import time
import uuid
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from devkafka.administration import Administration
from devkafka.certificates import SHORT, Authority
from devkafka.errors import DevKafkaError, PortTaken
from devkafka.jars import PROJECT, ensure_jars
from devkafka.node import START_S, STOP_S, Node
from devkafka.ports import free_ports
from devkafka.properties import CLIENT, INTERNAL, Listener, NodeSpec, Protection
from devkafka.security import USERS, Security, new_passwords, store_passwords, wait_for_sign_in

_TRIES: Final = 3  # with other ports each time
_COUNTS: Final = (1, 3)


class Cluster(Administration):
    """Nodes are numbered from 1, as in Kafka's own metadata. Close it, or use it in a `with` statement.

    The plaintext listener is always there; a secure cluster has a SASL_SSL listener besides. `port` is the port of
    the first node's listener for clients, `settings` are further lines of server.properties. Each of the `doors` is
    one more listener for clients (SASL_SSL on a secure cluster), behind a proxy that the caller starts: see `door`.
    `java_options` are further ones for its JVMs.
    """

    def __init__(
        self,
        directory: Path,
        *,
        nodes: int = 1,
        secure: bool = False,
        port: int | None = None,
        users: Sequence[str] = USERS,
        settings: Mapping[str, str] | None = None,
        doors: Sequence[str] = (),
        java_options: Sequence[str] = (),
        root: Path = PROJECT,
    ) -> None:
        if nodes not in _COUNTS:
            raise DevKafkaError(f"A local cluster has 1 or 3 nodes, not {nodes}.")
        self.directory = directory.resolve()
        self.nodes: dict[int, Node] = {}
        self._count = nodes
        self._port = port
        self._settings = dict(settings or {})
        self._doors = tuple(doors)
        self._java_options = java_options
        self._root = root
        self._authority = Authority.create() if secure else None
        self._passwords = new_passwords(users) if secure else {}
        self._security: Security | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def bootstrap_servers(self) -> str:
        return ",".join(node.address for node in self.nodes.values())

    @property
    def security(self) -> Security:
        """How clients reach the SASL_SSL listener."""
        if self._security is None:
            raise DevKafkaError("This cluster is not a secure one, or was not started.")
        return self._security

    def door(self, name: str, node: int = 1) -> Listener:
        """A listener behind a proxy: it forwards from `advertised_port`, which clients are told, to `port`."""
        return self.nodes[node].spec.listener(name)

    def libs(self) -> Path:
        return ensure_jars(self._root)

    def start(self) -> None:
        """Start all nodes and wait until they answer; with other ports if one was taken in between."""
        self.directory.mkdir(parents=True, exist_ok=True)
        for tries_left in reversed(range(_TRIES)):
            try:
                self._start_nodes()
                break
            except PortTaken:
                self.close()
                if not tries_left:
                    raise
            except BaseException:  # Ctrl-C too: nobody else knows of the nodes yet
                self.close()
                raise

    def close(self, *, gently: bool = False) -> None:
        """End all nodes, by kill -9 unless told otherwise: Kafka survives that, and it takes no time."""
        nodes = self.nodes.values()
        if gently:
            for node in nodes:
                node.terminate()  # all first, so that they stop side by side
            deadline = time.monotonic() + STOP_S
            for node in nodes:
                node.stop(deadline - time.monotonic())  # the last of three may wait in vain for a majority
        for node in nodes:
            node.kill()

    def kill(self, node: int = 1) -> None:
        """End a node by kill -9."""
        self.nodes[node].kill()

    def stop(self, node: int = 1) -> None:
        """Stop one node in good order."""
        self.nodes[node].stop()

    def restart(self, node: int = 1) -> None:
        """Start a node again on its data and ports, whether it runs or not; returns when it answers."""
        self.nodes[node].restart()

    def pause(self, node: int = 1) -> None:
        """Freeze a node: its connections stay open and silent."""
        self.nodes[node].pause()

    def resume(self, node: int = 1) -> None:
        self.nodes[node].resume()

    def pid(self, node: int = 1) -> int:
        return self.nodes[node].pid

    def set_password(self, user: str, password: str) -> None:
        """Change or add a user's SCRAM password; connections that are signed in go on."""
        security = self.security
        store_passwords(self.admin(), {user: password})
        security.passwords[user] = password
        self._wait_for_sign_in(user)

    def renew_certificates(self, valid: timedelta = SHORT) -> None:
        """New server certificates, expired ones on request. A node shows its own after a restart."""
        if self._authority is None:
            raise DevKafkaError("This cluster is not a secure one.")
        for node in self.nodes.values():
            self._authority.write_server(node.spec.keystore, valid)

    def _start_nodes(self) -> None:
        libs = self.libs()
        cluster_id = self._cluster_id()
        self.nodes = {spec.node_id: Node(spec, libs, self._java_options) for spec in self._specs()}
        deadline = time.monotonic() + START_S
        for node in self.nodes.values():
            node.prepare(cluster_id)
        if self._authority is not None:
            self._authority.write_certificate(self._ca_path)
            self.renew_certificates()
        for node in self.nodes.values():
            node.launch()
        for node in self.nodes.values():
            node.wait_ready(deadline)
        self._open_to_users()

    def _open_to_users(self) -> None:
        if self._authority is None:
            return
        addresses = [node.spec.listener(CLIENT).address for node in self.nodes.values()]
        self._security = Security(self._ca_path, ",".join(addresses), self._passwords)
        store_passwords(self.admin(), self._passwords)
        self._wait_for_sign_in(list(self._passwords)[-1])  # they arrive together

    def _wait_for_sign_in(self, user: str) -> None:
        wait_for_sign_in(self.security, user, self.security.bootstrap_servers.split(","))

    def _specs(self) -> list[NodeSpec]:
        """New ports for every node; the first one has the port that was asked for."""
        secure = self._authority is not None
        names = [CLIENT, INTERNAL] if secure else [INTERNAL]
        ports = iter(free_ports(self._count * (len(names) + 2 * len(self._doors) + 1)))
        voters = {number: next(ports) for number in range(1, self._count + 1)}
        outside = Protection.SASL_SSL if secure else Protection.PLAINTEXT
        specs = []
        for number in voters:
            listeners = [Listener(name, next(ports), _protection(name)) for name in names]
            if number == 1 and self._port is not None:
                listeners[0] = Listener(names[0], self._port, _protection(names[0]))
            listeners += [Listener(name, next(ports), outside, next(ports)) for name in self._doors]
            specs.append(self._spec(number, listeners, voters))
        return specs

    def _spec(self, number: int, listeners: Sequence[Listener], voters: Mapping[int, int]) -> NodeSpec:
        return NodeSpec(
            node_id=number,
            home=self._home(number),
            listeners=tuple(listeners),
            voters=voters,
            users=self._passwords,
            settings=self._settings,
        )

    def _cluster_id(self) -> str:
        """The id that the folder already has from an earlier run, else a new one."""
        formatted = sorted(self.directory.glob("node-*/data/meta.properties"))
        if not formatted:
            return base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        if len(formatted) != self._count:
            raise DevKafkaError(f"{self.directory} holds a cluster of {len(formatted)} nodes, not {self._count}.")
        lines = formatted[0].read_text(encoding="utf-8").splitlines()
        return dict(line.split("=", 1) for line in lines if "=" in line)["cluster.id"]

    def _home(self, number: int) -> Path:
        return self.directory / f"node-{number}"

    @property
    def _ca_path(self) -> Path:
        return self.directory / "ca.pem"


def _protection(listener: str) -> Protection:
    return Protection.SASL_SSL if listener == CLIENT else Protection.PLAINTEXT
