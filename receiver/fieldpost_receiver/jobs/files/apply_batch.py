# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Apply a batch to the ledger in one transaction, with the same result however often its messages are read.

1. chunks and whole files: decide about new transfers, set bits, refuse contradictions
2. ends: fix the file's hash; a complete file waits to be sealed, one with missing chunks waits for its barrier
3. cancels, refusals and lost offsets
4. record how far the topic is processed, then decide about the barriers that this passes
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from fieldpost_receiver.jobs.files.admission import Verdict
from fieldpost_receiver.jobs.files.completeness import Offsets
from fieldpost_receiver.jobs.files.context import JobContext
from fieldpost_receiver.jobs.files.ingest.rows import Row, RowKind
from fieldpost_receiver.jobs.files.ledger.states import FINISHED, TransferState
from fieldpost_receiver.jobs.files.ledger.transfers import Transfer
from fieldpost_receiver.storage.port import StagedFile
from fieldpost_shared import names
from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.codes import Code
from fieldpost_shared.ids import ClientName, TransferId
from fieldpost_shared.protocol.messages import FileFacts

PROGRESS_NS: Final = 2 * NS_PER_S
_REJECTS_A_NEW_ID: Final = frozenset({Code.NAME_REFUSED, Code.UNSUPPORTED_VERSION})


class BatchApplier:
    """Applies rows. `ends_of_topic` asks the broker for the end of every partition; None if it does not answer."""

    def __init__(self, context: JobContext, ends_of_topic: Callable[[], Offsets | None]) -> None:
        self._context = context
        self._ends_of_topic = ends_of_topic
        self._discards: list[tuple[TransferId, str | None]] = []
        self._sealed_discards: list[StagedFile] = []

    def apply(self, rows: Sequence[Row]) -> None:
        """Apply the rows of a batch."""
        context = self._context
        self._discards, self._sealed_discards = [], []  # a batch that failed half-way discards nothing
        barrier = self._ends_of_topic() if any(row.kind is RowKind.END for row in rows) else None
        with context.store.transaction():
            context.admission.refresh()
            for transfer_rows in _by_transfer(rows):
                self._apply_arrivals(transfer_rows)
            for row in rows:
                self._apply_other(row, barrier)
            context.reading.set_processed({row.partition: row.offset for row in rows if row.kind is RowKind.READ})
            rejected = context.completeness.judge(context.reading.processed())
            self._discards += [(transfer.id, None) for transfer in rejected]
            context.quarantine.trim()
            context.crash.reach("before_ledger_commit")
        context.crash.reach("after_ledger_commit")
        for transfer, fingerprint in self._discards:
            context.staged.discard(transfer, fingerprint)
        for file in self._sealed_discards:
            context.staged.discard_sealed(file)

    # 1. chunks and whole files

    def _apply_arrivals(self, rows: list[Row]) -> None:
        """Apply the rows of one transfer; refuse those that contradict its facts."""
        first = rows[0]
        transfer = self._context.transfers.get(first.transfer or "")
        if transfer is None:
            transfer = self._add_transfer(first.facts(), first if first.kind is RowKind.WHOLE else None)
        agreeing = []
        for row in rows:
            if not agrees(transfer, row.facts()) or (row.sha256 and transfer.sha256 not in {"", row.sha256}):
                self._contradiction(row, transfer)
                continue
            agreeing.append(row)
            if row.kind is RowKind.CHUNK and transfer.state is TransferState.RECEIVING:
                transfer = self._set_chunk_size(transfer, row.facts())  # the next chunk must have the same size
        if transfer.state is TransferState.RECEIVING and agreeing:
            self._store_arrivals(transfer, agreeing)
        elif transfer.state in FINISHED or transfer.state is TransferState.HELD:
            self._discards += [(transfer.id, facts.fingerprint) for facts in {row.facts() for row in agreeing}]
            if any(row.kind is RowKind.WHOLE for row in agreeing):
                self._context.replies.current_state(transfer)

    def _store_arrivals(self, transfer: Transfer, rows: list[Row]) -> None:
        now_ns = self._context.clock.now_ns()
        whole = next((row for row in rows if row.kind is RowKind.WHOLE), None)
        if whole is not None:
            columns = {"sha256": whole.sha256, "have": 1, "last_ns": now_ns, "chunk_size": 0, "bitmap": None}
            columns["fingerprint"] = whole.facts().fingerprint
            if transfer.chunk_size:  # some chunks came too; they are in a file of their own
                self._discards.append((transfer.id, transfer.fingerprint))
            self._context.transfers.change(transfer, TransferState.COMPLETE, **columns)
            return
        chunks = transfer.chunks()
        before = len(chunks)
        for row in rows:
            chunks.add(row.chunk())
        grew = len(chunks) > before
        report = not 0 <= now_ns - transfer.told_ns < PROGRESS_NS  # below 0: the clock was set back
        after = self._context.transfers.change(
            transfer,
            TransferState.COMPLETE if chunks.complete and transfer.sha256 else transfer.state,
            bitmap=bytes(chunks),
            have=len(chunks),
            grew=int(transfer.grew or grew),
            stale_rounds=0 if grew else transfer.stale_rounds,
            last_ns=now_ns,
            told_ns=now_ns if report else transfer.told_ns,
        )
        if report:
            self._context.replies.progress(after)

    def _set_chunk_size(self, transfer: Transfer, facts: FileFacts) -> Transfer:
        """Fix the chunk size of a file that came in a pack first, or was held, and now comes in chunks."""
        if transfer.chunk_size == facts.chunk_size:
            return transfer
        columns = {"chunk_size": facts.chunk_size, "fingerprint": facts.fingerprint}
        return self._context.transfers.change(transfer, transfer.state, **columns)

    def _add_transfer(self, facts: FileFacts, whole: Row | None = None) -> Transfer:
        """Add a transfer and decide about it; a whole file, as most small ones are, is complete at once."""
        context = self._context
        now_ns = context.clock.now_ns()
        match context.admission.judge(facts, whole=whole is not None):
            case Verdict.ADMITTED if whole is not None:
                return context.transfers.add(facts, TransferState.COMPLETE, now_ns, sha256=whole.sha256 or "", have=1)
            case Verdict.ADMITTED:
                return context.transfers.add(facts, TransferState.RECEIVING, now_ns)
            case Verdict.HELD:
                held = context.transfers.add(facts, TransferState.HELD, now_ns)
                context.replies.progress(held)
                return held
            case Verdict.TOO_LARGE:
                return self._reject(facts, Code.TOO_LARGE)

    def _reject(self, facts: FileFacts, code: Code, text: str = "") -> Transfer:
        context = self._context
        new = context.transfers.add(facts, TransferState.RECEIVING, context.clock.now_ns())
        after = context.transfers.finish(new, TransferState.REJECTED, context.clock.now_ns(), code=code, text=text)
        context.replies.rejected(after.client, after.id, code, text)
        return after

    def _contradiction(self, row: Row, transfer: Transfer) -> None:
        self._refuse(row, Code.CONTRADICTION, "facts differ from the transfer's first message")
        if row.facts().fingerprint != transfer.fingerprint:
            self._discards.append((transfer.id, row.facts().fingerprint))

    # 2. and 3. all other rows

    def _apply_other(self, row: Row, barrier: Offsets | None) -> None:
        match row.kind:
            case RowKind.END:
                self._end(row, barrier)
            case RowKind.CANCEL:
                self._cancel(ClientName(row.client or ""), TransferId(row.transfer or ""))
            case RowKind.BAD:
                self._bad(row)
            case RowKind.LOST:
                for transfer in self._context.transfers.in_state(TransferState.RECEIVING):
                    self._context.transfers.change(transfer, transfer.state, expired=1)
            case RowKind.CHUNK | RowKind.WHOLE | RowKind.READ:
                pass  # done in step 1, or in step 4

    def _end(self, row: Row, barrier: Offsets | None) -> None:
        context, facts = self._context, row.facts()
        transfer = context.transfers.get(facts.transfer) or self._add_transfer(facts)
        if not agrees(transfer, facts) or (transfer.sha256 and transfer.sha256 != row.sha256):
            self._refuse(row, Code.CONTRADICTION, "`end` differs from what came before")
            return
        if transfer.state is not TransferState.RECEIVING:
            if transfer.state is TransferState.HELD:  # its sender has not given up
                context.transfers.change(transfer, transfer.state, last_ns=context.clock.now_ns())
            context.replies.current_state(transfer)
            return
        transfer = self._set_chunk_size(transfer, facts)
        transfer = context.transfers.change(
            transfer, transfer.state, sha256=row.sha256, last_ns=context.clock.now_ns(), end_round=None, barrier=""
        )
        if transfer.chunks().complete:
            context.replies.progress(context.transfers.change(transfer, TransferState.COMPLETE))
        else:
            context.completeness.wait_for(transfer, row.round or 0, barrier)

    def _cancel(self, client: ClientName, transfer_id: TransferId) -> None:
        """Cancel a transfer for ever, unless it is already being published."""
        context, now_ns = self._context, self._context.clock.now_ns()
        transfer = context.transfers.get(transfer_id)
        if transfer is None:
            nothing_known = FileFacts(client, transfer_id, "", 0, 0, 0)
            transfer = context.transfers.add(nothing_known, TransferState.RECEIVING, now_ns)
        if transfer.client != client:
            return
        if transfer.state in {TransferState.COMPLETE, TransferState.SEALED}:
            self._sealed_discards.append(StagedFile(transfer.id, transfer.fingerprint))
        if transfer.state not in FINISHED and transfer.state is not TransferState.INTENT:
            transfer = context.transfers.finish(transfer, TransferState.CANCELLED, now_ns, code=Code.CANCELLED)
            self._discards.append((transfer.id, None))
        context.replies.current_state(transfer)

    def _bad(self, row: Row) -> None:
        code = Code(row.code or Code.UNEXPECTED)
        self._refuse(row, code, row.detail or "")
        if row.path is not None:
            self._reject_unstorable(row, code)
            return
        client, transfer = row.client, row.transfer
        if code in _REJECTS_A_NEW_ID and client and transfer and self._context.transfers.get(transfer) is None:
            facts = FileFacts(ClientName(client), TransferId(transfer), "", 0, 0, 0)
            detail = row.detail or ""
            self._reject(facts, code, names.words(detail) if code is Code.NAME_REFUSED else detail)

    def _reject_unstorable(self, row: Row, code: Code) -> None:
        """Reject a transfer with a valid chunk that the disk cannot hold."""
        context, facts = self._context, row.facts()
        transfer = context.transfers.get(facts.transfer)
        if transfer is None:
            self._reject(facts, code)
        elif transfer.state is TransferState.RECEIVING and agrees(transfer, facts):
            context.transfers.finish(transfer, TransferState.REJECTED, context.clock.now_ns(), code=code)
            context.replies.rejected(transfer.client, transfer.id, code)
        self._discards.append((facts.transfer, facts.fingerprint))

    def _refuse(self, row: Row, code: Code, detail: str) -> None:
        self._context.quarantine.put(
            row.partition,
            row.offset,
            code=code,
            detail=detail,
            client=row.client or "",
            transfer=row.transfer or "",
            now_ns=self._context.clock.now_ns(),
        )


def agrees(transfer: Transfer, facts: FileFacts) -> bool:
    """Return whether a message may belong to the transfer. Its first chunk or its `end` fixes the chunk size."""
    known = transfer.facts
    if transfer.state in FINISHED and not transfer.path:
        return known.client == facts.client  # cancelled or refused before its facts were known
    if 0 in {transfer.chunk_size, facts.chunk_size}:
        facts = replace(facts, chunk_size=known.chunk_size)
    return known == facts


def _by_transfer(rows: Iterable[Row]) -> Iterable[list[Row]]:
    grouped: dict[str, list[Row]] = {}
    for row in rows:
        if row.kind in {RowKind.CHUNK, RowKind.WHOLE}:
            grouped.setdefault(row.transfer or "", []).append(row)
    return grouped.values()
