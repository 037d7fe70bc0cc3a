# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The engine's core with in-memory ports: real journal, real files, fake time, a broker and an office in memory.

Nothing runs by itself: a test steps the core and decides when time passes, what the broker does and what the office
answers. The same rig is opened again on its journal to see what a restart makes of it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import TypeVar

from fieldpost_desktop.engine.core import Core
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.link.network import FakeNetwork
from fieldpost_desktop.engine.link.transport import MemoryTopic, MemoryTransport
from fieldpost_desktop.engine.model.events import Event
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.ports import Config, Ports
from fieldpost_desktop.engine.receipts.apply import StatusBatch
from fieldpost_desktop.engine.runtime.keep_awake import FakeKeepAwake
from fieldpost_desktop.engine.runtime.worker_threads import InlineWorkers
from fieldpost_desktop.engine.sources.expand import expand
from fieldpost_shared.bitmap import ChunkSet
from fieldpost_shared.clock import NS_PER_S, FakeClock
from fieldpost_shared.codes import Code
from fieldpost_shared.crash_points import CrashPoints, NoCrashPoints
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.ids import ClientName, TransferId
from fieldpost_shared.protocol import status
from fieldpost_shared.protocol.messages import Cancel, Chunk, End, FileFacts, Message, Pack, decode, open_chunk
from fieldpost_shared.protocol.packs import PackedFile, unpack

CLIENT = ClientName("van-7")
CHUNK = 65_536
T = TypeVar("T")


@dataclass
class Arriving:
    """A transfer at the office."""

    facts: FileFacts
    have: ChunkSet
    data: bytearray
    end: End | None = None
    received: bool = False


class MemoryOffice:
    """Reads the topic and answers by docs/protocol.md. `lose` names the chunks that never arrive."""

    def __init__(self, topic: MemoryTopic, clock: FakeClock, name: str = "central") -> None:
        self._topic = topic
        self._clock = clock
        self.name = name
        self._read = 0
        self.transfers: dict[TransferId, Arriving] = {}
        self.published: dict[str, bytes] = {}
        self.receipts: list[TransferId] = []
        self.lose: set[int] = set()
        self.lose_packs = False
        self.silent = False
        self.cancelled: set[TransferId] = set()
        self.messages: list[Message] = []

    def read(self) -> list[status.Status]:
        """Take in what is new in the topic; the answers."""
        answers: list[status.Event] = []
        for _, _, record in self._topic.records[self._read :]:
            message = decode(record.key, record.headers, record.value)
            self.messages.append(message)
            answers += self._take(message)
        self._read = len(self._topic.records)
        return [] if self.silent else [self.stamped(event) for event in answers]

    def stamped(self, event: status.Event) -> status.Status:
        at = datetime.fromtimestamp(self._clock.now_ns() / NS_PER_S, UTC)
        client = None if isinstance(event, status.Notice) else CLIENT
        return status.Status(client, self.name, at, event)

    def notice(self, state: status.ReceiverState = status.ReceiverState.OK) -> status.Status:
        processed: dict[int, int] = {}
        for partition, offset, _ in self._topic.records[: self._read]:
            processed[partition] = max(processed.get(partition, 0), offset + 1)
        return self.stamped(status.Notice(state, "", processed))

    def _take(self, message: Message) -> list[status.Event]:
        match message:
            case Chunk():
                self._chunk(message)
                return []
            case End():
                return self._end(message)
            case Pack():
                if self.lose_packs:
                    return []
                return [self._whole(message.client, file) for file in unpack(message) if isinstance(file, PackedFile)]
            case Cancel():
                self.cancelled.add(message.transfer)
                self.transfers.pop(message.transfer, None)
                return [status.Rejected(message.transfer, Code.CANCELLED, "")]

    def _chunk(self, chunk: Chunk) -> None:
        if chunk.index in self.lose:
            self.lose.discard(chunk.index)
            return
        arriving = self._arriving(chunk.facts)
        start = chunk.facts.plan.offset(chunk.index)
        arriving.data[start : start + chunk.facts.plan.length(chunk.index)] = open_chunk(chunk)
        arriving.have.add(chunk.index)

    def _arriving(self, facts: FileFacts) -> Arriving:
        known = self.transfers.setdefault(
            facts.transfer, Arriving(facts, ChunkSet(facts.plan.count), bytearray(facts.size))
        )
        assert known.facts == facts, "contradicting messages"
        return known

    def _end(self, end: End) -> list[status.Event]:
        if end.facts.transfer in self.receipts:
            return [status.Received(end.facts.transfer, end.facts.size, end.sha256, renamed=False, duplicate=False)]
        arriving = self._arriving(end.facts)
        arriving.end = end
        if not arriving.have.complete or (end.facts.size and not arriving.have):
            ranges = arriving.have.missing_ranges(1000)
            return [status.Missing(end.facts.transfer, ranges, end.round + 1, status.MissingReason.NEVER_ARRIVED)]
        self.published[end.facts.path] = bytes(arriving.data)
        self.receipts.append(end.facts.transfer)
        return [status.Received(end.facts.transfer, end.facts.size, end.sha256, renamed=False, duplicate=False)]

    def _whole(self, client: ClientName, file: PackedFile) -> status.Event:
        assert client == CLIENT
        self.published[file.path] = file.body
        self.receipts.append(file.transfer)
        return status.Received(file.transfer, len(file.body), file.sha256, renamed=False, duplicate=False)


class MemoryConnector:
    """Makes links to the topic; `fail` makes it fail."""

    def __init__(self, topic: MemoryTopic) -> None:
        self.topic = topic
        self.fail: Code | None = None
        self.links: list[MemoryTransport] = []
        self.tries = 0

    def connect(self, cap: int | None = None) -> MemoryTransport:
        self.tries += 1
        if self.fail is not None:
            raise FieldpostError(self.fail)
        self.links.append(MemoryTransport(self.topic, cap))
        return self.links[-1]


class SilentSource:
    """Stands for the status reader: the rig delivers by itself."""

    listening = True

    def start(self) -> None:
        """Nothing to start."""

    def stop(self) -> None:
        """Nothing to stop."""


@dataclass
class Rig:
    """A core on a folder. `reopen` is a restart: nothing but the journal and the topic is kept."""

    folder: Path
    topic: MemoryTopic = field(default_factory=MemoryTopic)
    clock: FakeClock = field(default_factory=FakeClock)
    network: FakeNetwork = field(default_factory=FakeNetwork)
    config: Config = field(default_factory=lambda: Config(CLIENT, chunk_size=CHUNK))
    crash: CrashPoints = field(default_factory=NoCrashPoints)
    keep_awake: FakeKeepAwake = field(default_factory=FakeKeepAwake)

    def __post_init__(self) -> None:
        self.events: list[Event] = []
        self.connector = MemoryConnector(self.topic)
        self.office = MemoryOffice(self.topic, self.clock)
        self.status_topic: list[status.Status] = []
        self.open()

    def open(self) -> None:
        self.store = Store.open(self.folder / "journal.db")
        ports = Ports(
            clock=self.clock,
            connector=self.connector,
            status_source=lambda _positions, _deliver: SilentSource(),
            network=self.network,
            workers=InlineWorkers(),
            random=Random(7),  # noqa: S311 - reproducible
            crash=self.crash,
            keep_awake=self.keep_awake,
        )
        self.core = Core(self.store, self.config, ports, self.events.append)
        self.core.recover()
        unread = self.status_topic[self.core.files.positions().get(0, 0) :]
        if unread:
            self.core.deliver(StatusBatch(0, len(self.status_topic), unread))

    def reopen(self) -> None:
        """As after kill -9: what the dying process did not journal is gone."""
        self.close()
        self.open()

    def close(self) -> None:
        """What the system does for a process that died."""
        for upload in self.core.sender._in_progress.uploads.values():
            upload.abandoned = True
            upload.reader.close()
        self.store.close()

    @property
    def link(self) -> MemoryTransport:
        return self.connector.links[-1]

    # files

    def file(self, name: str, content: bytes) -> Path:
        path = self.folder / "sources" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    def add(self, *paths: Path) -> list[FileRow]:
        return self.core.commands.add(list(expand([str(path) for path in paths])), "batch")

    def row(self, row: FileRow) -> FileRow:
        return self.core.files.get(row.id)

    # time

    def steps(self, count: int = 10) -> None:
        for _ in range(count):
            self.core.step()

    def answer(self) -> None:
        """The office reads and answers; the core hears it."""
        self.hear(self.office.read())

    def hear(self, statuses: Sequence[status.Status]) -> None:
        self.status_topic += statuses
        self.core.deliver(StatusBatch(0, len(self.status_topic), statuses))
        self.core.step()

    def link_holding_after(self, records: int) -> None:
        """The link takes so many messages, then holds everything."""
        self.until(lambda: self.connector.links)
        self.link.take = records
        self.until(lambda: len(self.topic.records) >= records)
        self.link.take, self.link.held = None, True

    def pass_time(self, seconds: float, tick: float = 5.0) -> None:
        """Time passes in ticks short enough not to look like sleep."""
        left = seconds
        while left > 0:
            self.clock.advance(min(tick, left))
            left -= tick
            self.core.step()

    def until(self, condition: Callable[[], T], rounds: int = 200) -> T:
        """Let core, broker and office work until the condition holds."""
        for _ in range(rounds):
            found = condition()
            if found:
                return found
            self.steps(3)
            self.answer()
            self.clock.advance(0.6)
        raise AssertionError("it did not happen")

    def until_confirmed(self, *rows: FileRow) -> None:
        self.until(lambda: all(self.row(row).state is FileState.CONFIRMED for row in rows))
