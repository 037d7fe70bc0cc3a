# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Fieldpost as it is used: the engine in one process, the real receiver in others, a broker between them."""

import uuid
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.leftovers import clear
from bench.measuring import Run, watched
from bench.worker import Worker
from devkafka.cluster import Cluster
from devkafka.roles import Role
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.chunks import DEFAULT_CHUNK_SIZE
from support.brokers import Topics
from support.processes.receiver import Receiver, secure_kafka

PARTITIONS: Final = 8


@dataclass(frozen=True, slots=True)
class Line:
    """A pair of topics, and how both ends reach them."""

    topics: Topics
    folder: Path
    secure: bool = False

    def kafka(self, end: Role) -> dict[str, str]:
        own = {"files_topic": self.topics.files, "status_topic": self.topics.status}
        if self.secure:
            return own | secure_kafka(self.topics, self.folder / "secrets", end)
        return own | {"bootstrap_servers": self.topics.bootstrap_servers}


@contextmanager
def line(
    cluster: Cluster, folder: Path, *, partitions: int = PARTITIONS, secure: bool = False, limit: int = 0
) -> Iterator[Line]:
    """For one measurement; what lies in the topic afterwards is thrown away. `limit`: bytes of a message."""
    name = uuid.uuid4().hex[:6]
    topics = Topics(cluster, f"files-{name}", f"status-{name}", partitions)
    cluster.create_topic(topics.files, partitions, {"max.message.bytes": str(limit)} if limit else {})
    cluster.create_topic(topics.status, partitions)
    if secure:
        for role in (Role.UPLOADER, Role.RECEIVER):
            topics.grant(role)
    try:
        yield Line(topics, folder, secure)
    finally:
        cluster.delete_topic(topics.files, topics.status)


def receiver_on(way: Line) -> Receiver:
    """As it is shipped and prepared; `with` starts it."""
    return Receiver(way.topics, way.folder / "office", kafka=way.kafka(Role.RECEIVER))


@dataclass(slots=True)
class Fieldpost:
    """Both ends, running."""

    receiver: Receiver
    senders: list[Worker]

    def send(self, paths: Sequence[Path], size: int, files: int = 1) -> Run:
        """From the drop to the last receipt."""
        kinds = {"engine": [sender.pid for sender in self.senders], "receiver": [self.pid]}
        with watched(kinds, size, files) as done:
            for sender in self.senders:
                order = {"paths": [str(path) for path in paths], "files": files // len(self.senders)}
                sender.begin(**order, until=FileState.CONFIRMED)
            for sender in self.senders:
                sender.result()
        self.forget()
        return done[0]

    def forget(self) -> None:
        """Make room: what arrived was verified by the receiver, and is of no more use here."""
        for path in self.receiver.destination.iterdir():
            if path.name != ".fieldpost":
                clear(path)

    @property
    def pid(self) -> int:
        """Of the receiver."""
        assert self.receiver.process is not None
        return self.receiver.process.pid


def sender_on(way: Line, client: str = "van-7", chunk_size: int = DEFAULT_CHUNK_SIZE) -> Worker:
    folder = str(way.folder / client)
    return Worker("sender", folder=folder, client=client, kafka=way.kafka(Role.UPLOADER), chunk_size=chunk_size)


@contextmanager
def fieldpost_on(way: Line, *, clients: int = 1, chunk_size: int = DEFAULT_CHUNK_SIZE) -> Iterator[Fieldpost]:
    """Both ends, each warmed up with a small file."""
    with ExitStack() as stack:
        receiver = stack.enter_context(receiver_on(way))
        names = [f"van-{number + 1}" for number in range(clients)]
        senders = [stack.enter_context(sender_on(way, name, chunk_size)) for name in names]
        both = Fieldpost(receiver, senders)
        warm = way.folder / "warm.bin"
        warm.write_bytes(bytes(range(256)) * 4000)
        both.send([warm], warm.stat().st_size, clients)
        yield both
