# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The engine with its real threads, a real broker and the office, in one process."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from fieldpost_desktop.engine.engine import Engine
from fieldpost_desktop.engine.journal.files import Files
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.link.kafka_transport import KafkaConnector
from fieldpost_desktop.engine.link.network import UnknownNetwork
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.ports import Config, Ports
from fieldpost_desktop.engine.receipts.status_reader import StatusReader
from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_desktop.engine.runtime.worker_threads import WorkerThreads
from fieldpost_shared.clock import SystemClock
from fieldpost_shared.ids import ClientName
from fieldpost_shared.kafka.settings import KafkaSettings
from reference_receiver.office import Office
from support.brokers import Topics
from support.waiting import wait_until

CLIENT = ClientName("van-7")


@dataclass
class Running:
    """An engine that runs, and its journal."""

    engine: Engine
    files: Files

    def rows(self, batch: str) -> list[FileRow]:
        return self.files.of_batch(batch)

    def wait_confirmed(self, batch: str, count: int, seconds: float = 60) -> None:
        def confirmed() -> bool:
            assert self.engine.failure is None, self.engine.failure
            rows = self.rows(batch)
            return len(rows) == count and all(row.state is FileState.CONFIRMED for row in rows)

        wait_until(confirmed, seconds, f"{count} files to be confirmed")


def kafka_settings(topics: Topics) -> KafkaSettings:
    return KafkaSettings(
        bootstrap_servers=topics.bootstrap_servers, files_topic=topics.files, status_topic=topics.status
    )


@contextmanager
def running_engine(folder: Path, settings: KafkaSettings, config: Config | None = None) -> Iterator[Running]:
    """An engine on a data folder, as the program runs it."""
    clock = SystemClock()
    paths = Paths(folder)
    paths.make()
    store = Store.open(paths.journal)
    engine = Engine(
        paths,
        store,
        config or Config(CLIENT),
        lambda wake: Ports(
            clock=clock,
            connector=KafkaConnector(settings, CLIENT, clock),
            status_source=lambda positions, deliver: StatusReader(settings, CLIENT, positions, clock, deliver),
            network=UnknownNetwork(),
            workers=WorkerThreads(wake),
            wake=wake,
        ),
    )
    engine.start()
    try:
        yield Running(engine, Files(store))
    finally:
        engine.stop()


@contextmanager
def running_office(topics: Topics, folder: Path, name: str = "central") -> Iterator[Office]:
    with Office(topics.bootstrap_servers, topics.files, topics.status, folder, name) as office:
        yield office
