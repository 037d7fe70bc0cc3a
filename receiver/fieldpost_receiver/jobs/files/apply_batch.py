# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What a micro-batch changes in the ledger: one transaction, the same result however often it is replayed.

1. chunks and whole files: new transfers are judged, bits are set, contradictions refused
2. ends: the file's hash is fixed, what is complete waits to be sealed, what has holes waits for its barrier
3. cancels, refusals and lost offsets
4. how far the topic is processed; then the barriers that this passes
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from fieldpost_receiver.jobs.files.admission import Admission, Verdict
from fieldpost_receiver.jobs.files.completeness import Barriers, Offsets
from fieldpost_receiver.jobs.files.ingest.rows import Row, RowKind
from fieldpost_receiver.jobs.files.ledger.outbox import Quarantine
from fieldpost_receiver.jobs.files.ledger.states import FINISHED, TransferState
from fieldpost_receiver.jobs.files.ledger.store import LedgerStore
from fieldpost_receiver.jobs.files.ledger.transfers import Transfer, Transfers
from fieldpost_receiver.jobs.files.replies import Answers
from fieldpost_receiver.storage.port import StagedFile
from fieldpost_shared import names
from fieldpost_shared.clock import NS_PER_S, Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.crash_points import CrashPoints
from fieldpost_shared.ids import ClientName, TransferId
from fieldpost_shared.protocol.messages import FileFacts

PROGRESS_NS: Final = 2 * NS_PER_S
_REJECTS_A_NEW_ID: Final = frozenset({Code.NAME_REFUSED, Code.UNSUPPORTED_VERSION})


class Discards(Protocol):
    """Where staged bytes are thrown away."""

    def discard(self, transfer: TransferId, fingerprint: str | None = None) -> object:
        """Remove what was staged of a transfer (of one version of it); nothing there is fine."""

    def discard_sealed(self, file: StagedFile) -> object:
        """Remove a complete file that gets no name after all."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a batch works with."""

    store: LedgerStore
    transfers: Transfers
    quarantine: Quarantine
    answers: Answers
    barriers: Barriers
    admission: Admission
    staging: Discards
    clock: Clock
    crash: CrashPoints


class Batch:
    """Applies rows. `ends_of_topic` asks the broker for the end of every partition; None if it does not answer."""

    def __init__(self, parts: Parts, ends_of_topic: Callable[[], Offsets | None]) -> None:
        self._parts = parts
        self._ends_of_topic = ends_of_topic
        self._discards: list[tuple[TransferId, str | None]] = []
        self._sealed_discards: list[StagedFile] = []

    def apply(self, rows: Sequence[Row]) -> None:
        """Take the rows of a micro-batch in."""
        parts = self._parts
        self._discards, self._sealed_discards = [], []  # a batch that failed half-way discards nothing
        barrier = self._ends_of_topic() if any(row.kind is RowKind.END for row in rows) else None
        with parts.store.transaction():
            parts.admission.begin()
            for transfer_rows in _by_transfer(rows):
                self._arrived(transfer_rows)
            for row in rows:
                self._other(row, barrier)
            parts.transfers.set_processed({row.partition: row.offset for row in rows if row.kind is RowKind.READ})
            self._discards += [(given_up.id, None) for given_up in parts.barriers.judge(parts.transfers.processed())]
            parts.quarantine.trim()
            parts.crash.reach("before_ledger_commit")
        parts.crash.reach("after_ledger_commit")
        for transfer, fingerprint in self._discards:
            parts.staging.discard(transfer, fingerprint)
        for file in self._sealed_discards:
            parts.staging.discard_sealed(file)

    # 1. chunks and whole files

    def _arrived(self, rows: list[Row]) -> None:
        """The rows of one transfer; those that contradict its facts are refused."""
        first = rows[0]
        transfer = self._parts.transfers.get(first.transfer or "")
        if transfer is None:
            transfer = self._appear(first.facts(), first if first.kind is RowKind.WHOLE else None)
        agreeing = []
        for row in rows:
            if not agrees(transfer, row.facts()) or (row.sha256 and transfer.sha256 not in {"", row.sha256}):
                self._contradiction(row, transfer)
                continue
            agreeing.append(row)
            if row.kind is RowKind.CHUNK and transfer.state is TransferState.RECEIVING:
                transfer = self._fix_cut(transfer, row.facts())  # the next chunk must be cut like this one
        if transfer.state is TransferState.RECEIVING and agreeing:
            self._store_arrivals(transfer, agreeing)
        elif transfer.state in FINISHED or transfer.state is TransferState.HELD:
            self._discards += [(transfer.id, facts.fingerprint) for facts in {row.facts() for row in agreeing}]
            if any(row.kind is RowKind.WHOLE for row in agreeing):
                self._parts.answers.truth(transfer)

    def _store_arrivals(self, transfer: Transfer, rows: list[Row]) -> None:
        now_ns = self._parts.clock.now_ns()
        whole = next((row for row in rows if row.kind is RowKind.WHOLE), None)
        if whole is not None:
            columns = {"sha256": whole.sha256, "have": 1, "last_ns": now_ns, "chunk_size": 0, "bitmap": None}
            columns["fingerprint"] = whole.facts().fingerprint
            if transfer.chunk_size:  # some chunks came too; they are in a file of their own
                self._discards.append((transfer.id, transfer.fingerprint))
            self._parts.transfers.change(transfer, TransferState.COMPLETE, **columns)
            return
        chunks = transfer.chunks()
        before = len(chunks)
        for row in rows:
            chunks.add(row.chunk())
        grew = len(chunks) > before
        told = not 0 <= now_ns - transfer.told_ns < PROGRESS_NS  # told in the future: the clock was set back
        after = self._parts.transfers.change(
            transfer,
            TransferState.COMPLETE if chunks.complete and transfer.sha256 else transfer.state,
            bitmap=bytes(chunks),
            have=len(chunks),
            grew=int(transfer.grew or grew),
            stale_rounds=0 if grew else transfer.stale_rounds,
            last_ns=now_ns,
            told_ns=now_ns if told else transfer.told_ns,
        )
        if told:
            self._parts.answers.progress(after)

    def _fix_cut(self, transfer: Transfer, facts: FileFacts) -> Transfer:
        """A file that was first seen in a pack, or only held, now comes in chunks: that fixes their size."""
        if transfer.chunk_size == facts.chunk_size:
            return transfer
        columns = {"chunk_size": facts.chunk_size, "fingerprint": facts.fingerprint}
        return self._parts.transfers.change(transfer, transfer.state, **columns)

    def _appear(self, facts: FileFacts, whole: Row | None = None) -> Transfer:
        """A transfer is seen for the first time; a whole file is complete at once, as most small ones are."""
        parts = self._parts
        now_ns = parts.clock.now_ns()
        match parts.admission.judge(facts, whole=whole is not None):
            case Verdict.ADMITTED if whole is not None:
                return parts.transfers.add(facts, TransferState.COMPLETE, now_ns, sha256=whole.sha256 or "", have=1)
            case Verdict.ADMITTED:
                return parts.transfers.add(facts, TransferState.RECEIVING, now_ns)
            case Verdict.HELD:
                held = parts.transfers.add(facts, TransferState.HELD, now_ns)
                parts.answers.progress(held)
                return held
            case Verdict.TOO_LARGE:
                return self._reject(facts, Code.TOO_LARGE)

    def _reject(self, facts: FileFacts, code: Code, text: str = "") -> Transfer:
        parts = self._parts
        new = parts.transfers.add(facts, TransferState.RECEIVING, parts.clock.now_ns())
        after = parts.transfers.finish(new, TransferState.REJECTED, parts.clock.now_ns(), code=code, text=text)
        parts.answers.rejected(after.client, after.id, code, text)
        return after

    def _contradiction(self, row: Row, transfer: Transfer) -> None:
        self._refuse(row, Code.CONTRADICTION, "facts differ from the transfer's first message")
        if row.facts().fingerprint != transfer.fingerprint:
            self._discards.append((transfer.id, row.facts().fingerprint))

    # 2. and 3. everything else

    def _other(self, row: Row, barrier: Offsets | None) -> None:
        match row.kind:
            case RowKind.END:
                self._end(row, barrier)
            case RowKind.CANCEL:
                self._cancel(ClientName(row.client or ""), TransferId(row.transfer or ""))
            case RowKind.BAD:
                self._bad(row)
            case RowKind.LOST:
                for transfer in self._parts.transfers.in_state(TransferState.RECEIVING):
                    self._parts.transfers.change(transfer, transfer.state, expired=1)
            case RowKind.CHUNK | RowKind.WHOLE | RowKind.READ:
                pass  # done in step 1, or in step 4

    def _end(self, row: Row, barrier: Offsets | None) -> None:
        parts, facts = self._parts, row.facts()
        transfer = parts.transfers.get(facts.transfer) or self._appear(facts)
        if not agrees(transfer, facts) or (transfer.sha256 and transfer.sha256 != row.sha256):
            self._refuse(row, Code.CONTRADICTION, "`end` differs from what came before")
            return
        if transfer.state is not TransferState.RECEIVING:
            if transfer.state is TransferState.HELD:  # a sender that asks has not given up
                parts.transfers.change(transfer, transfer.state, last_ns=parts.clock.now_ns())
            parts.answers.truth(transfer)
            return
        transfer = self._fix_cut(transfer, facts)
        transfer = parts.transfers.change(
            transfer, transfer.state, sha256=row.sha256, last_ns=parts.clock.now_ns(), end_round=None, barrier=""
        )
        if transfer.chunks().complete:
            parts.answers.progress(parts.transfers.change(transfer, TransferState.COMPLETE))
        else:
            parts.barriers.wait_for(transfer, row.round or 0, barrier)

    def _cancel(self, client: ClientName, transfer_id: TransferId) -> None:
        """A cancelled id is never revived; after publishing it is too late."""
        parts, now_ns = self._parts, self._parts.clock.now_ns()
        transfer = parts.transfers.get(transfer_id)
        if transfer is None:
            nothing_known = FileFacts(client, transfer_id, "", 0, 0, 0)
            transfer = parts.transfers.add(nothing_known, TransferState.RECEIVING, now_ns)
        if transfer.client != client:
            return
        if transfer.state in {TransferState.COMPLETE, TransferState.SEALED}:
            self._sealed_discards.append(StagedFile(transfer.id, transfer.fingerprint))
        if transfer.state not in FINISHED and transfer.state is not TransferState.INTENT:
            transfer = parts.transfers.finish(transfer, TransferState.CANCELLED, now_ns, code=Code.CANCELLED)
            self._discards.append((transfer.id, None))
        parts.answers.truth(transfer)

    def _bad(self, row: Row) -> None:
        code = Code(row.code or Code.UNEXPECTED)
        self._refuse(row, code, row.detail or "")
        if row.path is not None:
            self._unstorable(row, code)
            return
        client, transfer = row.client, row.transfer
        if code in _REJECTS_A_NEW_ID and client and transfer and self._parts.transfers.get(transfer) is None:
            facts = FileFacts(ClientName(client), TransferId(transfer), "", 0, 0, 0)
            detail = row.detail or ""
            self._reject(facts, code, names.words(detail) if code is Code.NAME_REFUSED else detail)

    def _unstorable(self, row: Row, code: Code) -> None:
        """A chunk was good, but the disk cannot hold it: that ends its transfer."""
        parts, facts = self._parts, row.facts()
        transfer = parts.transfers.get(facts.transfer)
        if transfer is None:
            self._reject(facts, code)
        elif transfer.state is TransferState.RECEIVING and agrees(transfer, facts):
            parts.transfers.finish(transfer, TransferState.REJECTED, parts.clock.now_ns(), code=code)
            parts.answers.rejected(transfer.client, transfer.id, code)
        self._discards.append((facts.transfer, facts.fingerprint))

    def _refuse(self, row: Row, code: Code, detail: str) -> None:
        self._parts.quarantine.put(
            row.partition,
            row.offset,
            code,
            detail,
            client=row.client or "",
            transfer=row.transfer or "",
            now_ns=self._parts.clock.now_ns(),
        )


def agrees(transfer: Transfer, facts: FileFacts) -> bool:
    """Whether a message may belong to the transfer. How a file is cut is fixed by its first chunk or its `end`."""
    known = transfer.facts
    if transfer.state in FINISHED and not transfer.path:
        return known.client == facts.client  # cancelled or refused before anything else was known
    if 0 in {transfer.chunk_size, facts.chunk_size}:
        facts = replace(facts, chunk_size=known.chunk_size)
    return known == facts


def _by_transfer(rows: Iterable[Row]) -> Iterable[list[Row]]:
    grouped: dict[str, list[Row]] = {}
    for row in rows:
        if row.kind in {RowKind.CHUNK, RowKind.WHOLE}:
            grouped.setdefault(row.transfer or "", []).append(row)
    return grouped.values()
