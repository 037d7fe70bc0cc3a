# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A live app in memory: the real engine with its threads and journal, a broker and an office that tests hold in hand.

`Studio(tmp_path)` makes the surroundings, `studio.instance(listener)` an app instance on them; the office answers when
`studio.answer()` is called and the link moves what `studio.gate` lets through.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from pytestqt.qtbot import QtBot

from fieldpost_desktop.app import profile_store
from fieldpost_desktop.app import target as targets
from fieldpost_desktop.app.assembly import EngineSpec
from fieldpost_desktop.app.environment import AppEnvironment
from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.engine import Engine
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.link.network import FakeNetwork
from fieldpost_desktop.engine.link.transport import MemoryTopic, MemoryTransport, Report
from fieldpost_desktop.engine.model.events import Listener, OverallState
from fieldpost_desktop.engine.ports import Config, Ports
from fieldpost_desktop.engine.profile.profile_file import Profile
from fieldpost_desktop.engine.profile.vault import MemoryVault
from fieldpost_desktop.engine.receipts.apply import StatusBatch
from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_desktop.engine.runtime.worker_threads import WorkerThreads
from fieldpost_desktop.ui.controller import Controller
from fieldpost_desktop.ui.shell.single_instance import SingleInstance
from fieldpost_desktop.ui.system.autostart import NoAutostart
from fieldpost_desktop.ui.system.network_hints import NetworkHints
from fieldpost_desktop.ui.system.preferences import Preferences, PreferencesHolder
from fieldpost_desktop.ui.threads.bridge import Bridge
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_shared.bitmap import ChunkSet
from fieldpost_shared.clock import SystemClock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.protocol import status
from fieldpost_shared.protocol.messages import Cancel, Chunk, End, Pack, decode
from fieldpost_shared.protocol.packs import PackedFile, unpack
from support.engine.core import CHUNK, CLIENT

OFFICE = "Head office"
PROFILE = Profile(id="head-office", name=OFFICE, bootstrap_servers="127.0.0.1:9", client=CLIENT)


@dataclass
class Gate:
    """What the link to the office does."""

    held: bool = False  # nothing gets through
    most: int | None = None  # nothing more gets through once the topic has so many messages
    trouble: Code | None = None  # the link is in this trouble
    connecting: Code | None = None  # a new link cannot be made, for this reason


class GatedTransport(MemoryTransport):
    """Follows the gate, which may change at any time."""

    def __init__(self, topic: MemoryTopic, gate: Gate, cap: int | None = None) -> None:
        super().__init__(topic, cap)
        self._gate = gate

    def poll(self, seconds: float) -> list[Report]:
        self.held, self.take = self._gate.held or self._gate.trouble is not None, self._gate.most
        return super().poll(seconds)

    def trouble(self) -> Code | None:
        return self._gate.trouble


class _Connector:
    def __init__(self, topic: MemoryTopic, gate: Gate) -> None:
        self._topic = topic
        self._gate = gate

    def connect(self, cap: int | None = None) -> GatedTransport:
        if self._gate.connecting is not None:
            raise FieldpostError(self._gate.connecting)
        return GatedTransport(self._topic, self._gate, cap)


@dataclass
class _Source:
    """Stands for the status reader; the studio delivers by itself."""

    listening: bool = True

    def start(self) -> None:
        """Nothing to start."""

    def stop(self) -> None:
        """Nothing to stop."""


@dataclass
class Studio:
    """Journal and files below `folder`."""

    folder: Path
    profile: Profile | None = PROFILE
    gate: Gate = field(default_factory=Gate)
    network: FakeNetwork = field(default_factory=FakeNetwork)
    vault: MemoryVault = field(default_factory=MemoryVault)
    topic: MemoryTopic = field(default_factory=MemoryTopic)
    receiver: str = "central"

    def __post_init__(self) -> None:
        self.paths = Paths(self.folder / "data")
        self.clock = SystemClock()
        self.published: dict[str, int] = {}
        self._arrived: dict[str, ChunkSet] = {}
        self._ends: dict[str, End] = {}
        self._read = 0
        self._told: list[status.Status] = []
        self._deliver: Callable[[StatusBatch], None] = lambda _: None
        if self.profile is not None:
            profile_store.keep(self.profile, self.paths)

    def instance(self, listener: Listener) -> AppInstance:
        around = AppEnvironment(
            paths=self.paths, vault=self.vault, clock=self.clock, network=self.network, open_engine=self._open_engine
        )
        return AppInstance(around, listener)

    def file(self, name: str, size: int = 1_000) -> Path:
        """A file to send; larger than 64 KiB it goes in parts."""
        path = self.folder / "sources" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes(range(256)) * (size // 256) + b"x" * (size % 256))
        return path

    # the office

    def answer(self) -> None:
        """The office reads what is new and answers."""
        events: list[status.Event] = []
        records, self._read = self.topic.records[self._read :], len(self.topic.records)
        for _, _, record in records:
            events += self._take(decode(record.key, record.headers, record.value))
        self.say(*events)

    def say(self, *events: status.Event) -> None:
        """The office says this."""
        stamped = [
            status.Status(None if isinstance(event, status.Notice) else CLIENT, self.receiver, datetime.now(UTC), event)
            for event in events
        ]
        self._told += stamped
        self._deliver(StatusBatch(0, len(self._told), stamped))

    def notice(self, state: status.ReceiverState = status.ReceiverState.OK) -> None:
        """How the office is."""
        self.say(status.Notice(state, "", {}))

    def _take(self, message: Chunk | End | Pack | Cancel) -> list[status.Event]:
        match message:
            case Chunk():
                facts = message.facts
                self._arrived.setdefault(facts.transfer, ChunkSet(facts.plan.count)).add(message.index)
                return self._complete(facts.transfer)
            case End():
                self._ends[message.facts.transfer] = message
                return self._complete(message.facts.transfer)
            case Pack():
                return [self._whole(file) for file in unpack(message) if isinstance(file, PackedFile)]
            case Cancel():
                return [status.Rejected(message.transfer, Code.CANCELLED, "")]

    def _complete(self, transfer: str) -> list[status.Event]:
        end = self._ends.get(transfer)
        if end is None:
            return []
        have = self._arrived.setdefault(transfer, ChunkSet(end.facts.plan.count))
        if not have.complete:
            return []
        self.published[end.facts.path] = end.facts.size
        return [status.Received(end.facts.transfer, end.facts.size, end.sha256, renamed=False, duplicate=False)]

    def _whole(self, file: PackedFile) -> status.Event:
        self.published[file.path] = len(file.body)
        return status.Received(file.transfer, len(file.body), file.sha256, renamed=False, duplicate=False)

    # the engine

    def _open_engine(self, spec: EngineSpec) -> Engine:
        spec.kafka()  # asks for the password, as the real one does
        store = Store.open(self.paths.journal)
        targets.bind(store, spec.target, self.paths)
        config = Config(
            CLIENT,
            spec.profile.receivers,
            max_file_size=spec.profile.limits.max_file_size,
            may_delete=spec.profile.limits.allow_delete,
            chunk_size=CHUNK,
            settings=spec.settings(store),
        )
        return Engine(self.paths, store, config, self._ports)

    def _ports(self, wake: Callable[[], None]) -> Ports:
        def source(_positions: dict[int, int], deliver: Callable[[StatusBatch], None]) -> _Source:
            self._deliver = deliver
            return _Source()

        return Ports(
            clock=self.clock,
            connector=_Connector(self.topic, self.gate),
            status_source=source,
            network=self.network,
            workers=WorkerThreads(wake),
            wake=wake,
        )


@dataclass
class App:
    """The whole app on a studio, as `fieldpost` opens it, without its event loop."""

    studio: Studio
    instance: AppInstance
    bridge: Bridge
    controller: Controller
    qtbot: QtBot

    def add(self, *paths: Path) -> None:
        """As if they had been dropped: a few are queued without a question."""
        self.controller.add_files.add([str(path) for path in paths])

    def close(self) -> None:
        """As at its end; and no window is left that would slow down the tests that follow."""
        self.controller.close()
        self.controller.window.hide()
        self.controller.window.deleteLater()
        self.controller.deleteLater()

    def confirmed(self) -> bool:
        """Whether the office has everything; it answers each time this is asked."""
        self.studio.answer()
        return self.bridge.overall.state is OverallState.ALL_CONFIRMED and bool(self.bridge.overall.counts)


def open_app(studio: Studio, qtbot: QtBot, *, hidden: bool = False, given: Sequence[str] = ()) -> App:
    """Close it by `controller.close()`."""
    bridge, worker = Bridge(), Worker()
    instance = studio.instance(bridge)
    controller = Controller(
        instance=instance,
        bridge=bridge,
        worker=worker,
        network=NetworkHints(find=lambda: None),
        preferences=PreferencesHolder(studio.paths, Preferences.load(studio.paths), worker.run),
        autostart=NoAutostart(),
        single_instance=SingleInstance(studio.paths),
    )
    controller.open(hidden=hidden, given=given)
    return App(studio, instance, bridge, controller, qtbot)
