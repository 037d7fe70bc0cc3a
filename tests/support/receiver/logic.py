# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The receiver's logic without Spark, Kafka or staged files: a real ledger, fake time, rows made by hand."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fieldpost_receiver.jobs.files.admission import Admission, Limits
from fieldpost_receiver.jobs.files.apply_batch import BatchApplier
from fieldpost_receiver.jobs.files.completeness import Completeness
from fieldpost_receiver.jobs.files.context import JobContext
from fieldpost_receiver.jobs.files.ingest.rows import Row, RowKind
from fieldpost_receiver.jobs.files.ledger.outbox import Outbox
from fieldpost_receiver.jobs.files.ledger.quarantine import Quarantine
from fieldpost_receiver.jobs.files.ledger.reading_state import ReadingState
from fieldpost_receiver.jobs.files.ledger.store import LedgerStore
from fieldpost_receiver.jobs.files.ledger.transfers import Transfer, Transfers
from fieldpost_receiver.jobs.files.replies import Replies
from fieldpost_receiver.storage.port import StagedFile
from fieldpost_shared.clock import FakeClock
from fieldpost_shared.crash_points import NoCrashPoints
from fieldpost_shared.ids import ClientName, TransferId
from fieldpost_shared.protocol.messages import FileFacts
from fieldpost_shared.protocol.status import Event, Status, decode_status

CLIENT = ClientName("van-7")
CHUNK = 65_536
SHA = "ab" * 32
LIMITS = Limits(
    max_file_size=10**12,
    min_free_space=10**9,
    max_open_transfers=100,
    max_open_transfers_per_client=50,
    max_open_bytes=10**13,
    max_open_bytes_per_client=10**13,
)


def facts(number: int = 1, size: int = 10 * CHUNK, path: str = "a.bin", chunk_size: int = CHUNK) -> FileFacts:
    return FileFacts(CLIENT, TransferId(f"{number:032x}"), path, size, chunk_size, 5)


@dataclass
class Desk:
    """A ledger and what works on it; `say` takes rows in as one micro-batch."""

    folder: Path
    limits: Limits = LIMITS
    partitions: int = 2

    discarded: list[tuple[str, str | None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.clock = FakeClock()
        self.ends: dict[int, int] | None = dict.fromkeys(range(self.partitions), 0)
        self.offset = 0
        self.open()

    def open(self) -> None:
        self.store = LedgerStore.open(self.folder / "ledger.db")
        self.transfers = Transfers(self.store)
        self.outbox = Outbox(self.store)
        self.quarantine = Quarantine(self.store)
        self.reading = ReadingState(self.store)
        self.replies = Replies("central", self.outbox, self.clock)
        self.completeness = Completeness(
            transfers=self.transfers, quarantine=self.quarantine, replies=self.replies, clock=self.clock
        )
        self.admission = Admission(self.limits, self.transfers)
        self.admission.free_bytes = 10**12
        context = JobContext(
            store=self.store,
            transfers=self.transfers,
            reading=self.reading,
            quarantine=self.quarantine,
            replies=self.replies,
            completeness=self.completeness,
            admission=self.admission,
            staged=self,
            clock=self.clock,
            crash=NoCrashPoints(),
        )
        self.batch = BatchApplier(context, lambda: self.ends)

    def discard(self, transfer: str, fingerprint: str | None = None) -> None:
        self.discarded.append((transfer, fingerprint))

    def discard_sealed(self, file: StagedFile) -> None:
        self.discarded.append((file.transfer, file.fingerprint))

    # rows

    def _row(self, kind: RowKind, about: FileFacts, **fields: object) -> Row:
        self.offset += 1
        return Row(
            kind,
            0,
            self.offset,
            about.client,
            about.transfer,
            about.path,
            about.size,
            about.chunk_size,
            about.mtime_ns,
            **fields,  # type: ignore[arg-type]  # named by the tests
        )

    def chunk(self, about: FileFacts, index: int) -> Row:
        return self._row(RowKind.CHUNK, about, index=index)

    def chunks(self, about: FileFacts, *indexes: int) -> list[Row]:
        return [self.chunk(about, index) for index in (indexes or range(about.plan.count))]

    def end(self, about: FileFacts, number: int = 0, sha256: str = SHA) -> Row:
        return self._row(RowKind.END, about, sha256=sha256, round=number)

    def whole(self, about: FileFacts, sha256: str = SHA) -> Row:
        return self._row(RowKind.WHOLE, about, sha256=sha256)

    def cancel(self, about: FileFacts) -> Row:
        self.offset += 1
        return Row(RowKind.CANCEL, 0, self.offset, about.client, about.transfer)

    # what happens

    def say(self, *rows: Row | Sequence[Row]) -> list[Event]:
        """Apply; what is answered."""
        flat = [row for item in rows for row in ([item] if isinstance(item, Row) else item)]
        return self.read_up_to(max((row.offset + 1 for row in flat), default=self.offset), flat)

    def read_up_to(self, offset: int, rows: Sequence[Row] = (), partitions: Sequence[int] = (0, 1)) -> list[Event]:
        """A batch that processes the partitions up to an offset; what is answered."""
        self.batch.apply([*rows, *(Row(RowKind.READ, partition, offset) for partition in partitions)])
        return self.answers_given()

    def answers_given(self) -> list[Event]:
        outgoing = self.outbox.next(10_000)
        self.outbox.remove(outgoing)
        written = [decode_status(one.client.encode(), one.value) for one in outgoing]
        unconfirmed: list[Status] = self.replies.take_unconfirmed()
        return [status.event for status in [*written, *unconfirmed]]

    def transfer(self, about: FileFacts) -> Transfer:
        found = self.transfers.get(about.transfer)
        assert found is not None
        return found
