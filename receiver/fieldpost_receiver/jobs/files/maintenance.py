# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What is done between micro-batches: sealing, expiry, letting held transfers in, forgetting old rows."""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from fieldpost_receiver.jobs.files.admission import Verdict
from fieldpost_receiver.jobs.files.apply_batch import Parts
from fieldpost_receiver.jobs.files.completeness import Offsets, ask_for_all
from fieldpost_receiver.jobs.files.ledger.states import FINISHED, TransferState
from fieldpost_receiver.jobs.files.ledger.transfers import Transfer
from fieldpost_receiver.storage.errors import NotWhole, StorageError
from fieldpost_receiver.storage.port import StagedFile, Staging
from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.codes import Code
from fieldpost_shared.protocol.status import MissingReason

_LOG: Final = logging.getLogger(__name__)
_HOUR_NS: Final = 3600 * NS_PER_S
_DAY_NS: Final = 24 * _HOUR_NS
_COPIED: Final = "copied_ns"
_JUMP_NS: Final = 60 * NS_PER_S
_NEXT_COPY_NS: Final = _HOUR_NS  # after one that found no room


class Upkeep:
    """Called by the service; `seal` also at the end of every micro-batch, when no task of the query runs."""

    def __init__(
        self,
        parts: Parts,
        staged: Staging,
        ends_of_topic: Callable[[], Offsets | None],
        *,
        expire_s: float,
        keep_s: float,
        copy: Path,
    ) -> None:
        self._parts = parts
        self._staged = staged
        self._ends_of_topic = ends_of_topic
        self._expire_ns = round(expire_s * NS_PER_S)
        self._keep_ns = round(keep_s * NS_PER_S)
        self._copy = copy
        self._clock_seen = (parts.clock.now_ns(), parts.clock.monotonic())
        self._jumped_ns: int | None = None
        # What a failed batch staged may belong to nobody: its messages may expire before they are read again.
        self.batch_failed = False

    def seal(self) -> None:
        """Take complete files out of the tasks' reach. One that lost staged bytes is asked for again."""
        parts = self._parts
        if self.batch_failed:
            self.batch_failed = False
            self._sweep_staged()
        complete = parts.transfers.in_state(TransferState.COMPLETE)
        if not complete:
            return
        whole = [transfer for transfer in complete if self._sealed(transfer)]
        self._staged.sync()
        parts.crash.reach("after_seal")
        with parts.store.transaction():
            for transfer in whole:
                parts.transfers.change(transfer, TransferState.SEALED)

    def _sealed(self, transfer: Transfer) -> bool:
        try:
            self._staged.seal(transfer.id, transfer.fingerprint, transfer.size)
        except NotWhole as error:
            _LOG.info("asked for again: %s", error.detail, extra={"transfer": transfer.id})
            self._staged.discard(transfer.id)
            self._staged.discard_sealed(StagedFile(transfer.id, transfer.fingerprint))
            self._ask_for_all(transfer, MissingReason.NEVER_ARRIVED)
            return False
        return True

    def _ask_for_all(self, transfer: Transfer, reason: MissingReason) -> None:
        parts = self._parts
        with parts.store.transaction():
            ask_for_all(parts.transfers, parts.answers, transfer, reason, parts.clock.now_ns())

    def sweep(self) -> None:
        """At start: remove files that no transfer needs; a crash may have left them."""
        self._sweep_staged()
        for found in self._staged.list_sealed():
            if not self._is_needed(found.file):
                self._staged.discard_sealed(found.file)

    def _sweep_staged(self) -> None:
        for found in self._staged.list_staged():
            if not self._is_needed(found.file):
                self._staged.discard(found.file.transfer, found.file.fingerprint)

    def _is_needed(self, file: StagedFile) -> bool:
        transfer = self._parts.transfers.get(file.transfer)
        if transfer is None or transfer.state in FINISHED or transfer.state is TransferState.HELD:
            return False
        return transfer.fingerprint == file.fingerprint

    def step(self) -> None:
        """Everything that is due."""
        self._watch_clock()
        self._ask_for_barriers()
        self._let_in()
        if not self._jumped_lately():
            self._expire()
            self._parts.transfers.forget_before(self._parts.clock.now_ns() - self._keep_ns)
        self._copy_ledger()

    def _copy_ledger(self) -> None:
        """Once a day, beside itself: what a person restores when the ledger is damaged. Only a sound one is copied."""
        now_ns = self._parts.clock.now_ns()
        if not 0 <= now_ns - int(self._parts.store.meta(_COPIED) or 0) < _DAY_NS:  # below 0: the clock was set back
            self._parts.store.examine()
            try:
                self._parts.store.copy_to(self._copy)
            except StorageError as error:
                if not error.waits_for_space:
                    raise
                _LOG.info("no room for a copy of the ledger")  # which is no reason to receive nothing
                now_ns += _NEXT_COPY_NS - _DAY_NS
            self._parts.store.set_meta(_COPIED, str(now_ns))

    def _ask_for_barriers(self) -> None:
        unknown = self._parts.barriers.unknown()
        if not unknown:
            return
        ends = self._ends_of_topic()
        if ends is None:
            return
        barriers, transfers = self._parts.barriers, self._parts.transfers
        with self._parts.store.transaction():
            for transfer in unknown:
                if transfers.get(transfer.id) == transfer:  # else a batch knows more, and this answer is too old for it
                    barriers.wait_for(transfer, transfer.end_round or 0, ends)
            given_up = barriers.judge(transfers.processed())
        for transfer in given_up:
            self._staged.discard(transfer.id)

    def note_emptied(self, marks: Mapping[int, tuple[int, int]]) -> None:
        """Partitions that hold nothing any more count as read: no task reads them, so no row would ever say so.

        Without that a file whose messages expired before the first look waits for ever, and so does every file whose
        barrier names such a partition.
        """
        barriers, transfers = self._parts.barriers, self._parts.transfers
        processed = transfers.processed()
        emptied = {number: end for number, (low, end) in marks.items() if low == end > processed.get(number, 0)}
        if not emptied:
            return
        with self._parts.store.transaction():
            transfers.set_processed(emptied)
            given_up = barriers.judge(transfers.processed())
        for transfer in given_up:
            self._staged.discard(transfer.id)

    def _let_in(self) -> None:
        """Held transfers, the oldest first, as far as there is room now; one that is too large keeps none waiting."""
        parts = self._parts
        no_room: dict[str, int] = {}  # client to the size that did not fit: a larger one of the same need not be asked
        with parts.store.transaction():
            parts.admission.begin()
            held = parts.transfers.in_state(TransferState.HELD)
            for transfer in sorted(held, key=lambda transfer: transfer.first_ns):
                if transfer.size >= no_room.get(transfer.client, transfer.size + 1):
                    continue
                if parts.admission.judge(transfer.facts) is Verdict.ADMITTED:
                    self._ask_for_all(transfer, MissingReason.HELD)
                else:
                    no_room[transfer.client] = transfer.size

    def _expire(self) -> None:
        parts = self._parts
        for transfer in parts.transfers.idle_since(parts.clock.now_ns() - self._expire_ns):
            self.expire(transfer)

    def expire(self, transfer: Transfer) -> None:
        """Give up an unfinished transfer."""
        parts = self._parts
        with parts.store.transaction():
            if parts.transfers.get(transfer.id) != transfer:
                return  # something has come at the last moment
            parts.transfers.finish(transfer, TransferState.REJECTED, parts.clock.now_ns(), code=Code.TIMED_OUT)
            parts.answers.rejected(transfer.client, transfer.id, Code.TIMED_OUT)
            parts.crash.reach("mid_expire")
        self._staged.discard(transfer.id)
        _LOG.info("expired", extra={"transfer": transfer.id, "client": transfer.client})

    def _jumped_lately(self) -> bool:
        """Time is judged by this machine's clock, and never within an hour of a jump of it."""
        return self._jumped_ns is not None and self._parts.clock.now_ns() - self._jumped_ns < _HOUR_NS

    def _watch_clock(self) -> None:
        (wall_ns, mono), now_ns, now = self._clock_seen, self._parts.clock.now_ns(), self._parts.clock.monotonic()
        self._clock_seen = (now_ns, now)
        if abs((now_ns - wall_ns) - (now - mono) * NS_PER_S) > _JUMP_NS:
            self._jumped_ns = now_ns
