# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Maintenance between batches: barriers, held transfers, expiry, the copy of the ledger, deletion of old rows."""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from fieldpost_receiver.jobs.files.admission import Verdict
from fieldpost_receiver.jobs.files.completeness import Offsets, request_all_chunks
from fieldpost_receiver.jobs.files.context import JobContext
from fieldpost_receiver.jobs.files.ledger.states import TransferState
from fieldpost_receiver.jobs.files.ledger.transfers import Transfer
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.codes import Code
from fieldpost_shared.protocol.status import MissingReason

_LOG: Final = logging.getLogger(__name__)
_HOUR_NS: Final = 3600 * NS_PER_S
_DAY_NS: Final = 24 * _HOUR_NS
_COPIED: Final = "copied_ns"
_JUMP_NS: Final = 60 * NS_PER_S
_RETRY_COPY_NS: Final = _HOUR_NS  # after a copy that found no space


class Maintenance:
    """Called by the service's thread about once a second."""

    def __init__(
        self,
        context: JobContext,
        ends_of_topic: Callable[[], Offsets | None],
        *,
        expire_s: float,
        keep_s: float,
        ledger_copy: Path,
    ) -> None:
        self._context = context
        self._ends_of_topic = ends_of_topic
        self._expire_ns = round(expire_s * NS_PER_S)
        self._keep_ns = round(keep_s * NS_PER_S)
        self._ledger_copy = ledger_copy
        self._last_clock = (context.clock.now_ns(), context.clock.monotonic())
        self._jumped_ns: int | None = None

    def step(self) -> None:
        """Do everything that is due."""
        self._watch_clock()
        self._ask_for_barriers()
        self._admit_held()
        if not self._jumped_lately():
            self._expire_idle()
            self._context.transfers.forget_before(self._context.clock.now_ns() - self._keep_ns)
        self._copy_ledger()

    def expire(self, transfer: Transfer) -> None:
        """Reject an unfinished transfer whose sender has been silent for too long."""
        context = self._context
        with context.store.transaction():
            if context.transfers.get(transfer.id) != transfer:
                return  # a message has arrived meanwhile
            context.transfers.finish(transfer, TransferState.REJECTED, context.clock.now_ns(), code=Code.TIMED_OUT)
            context.replies.rejected(transfer.client, transfer.id, Code.TIMED_OUT)
            context.crash.reach("mid_expire")
        context.staged.discard(transfer.id)
        _LOG.info("expired", extra={"transfer": transfer.id, "client": transfer.client})

    def begin_partitions(self, earliest: Mapping[int, int]) -> None:
        """Record where reading begins in partitions that are seen for the first time: at their earliest message.

        Otherwise a file whose messages expired before they were read would wait for ever, and so would every file
        whose barrier names a partition that has no messages.
        """
        processed = self._context.reading.processed()
        new = {partition: first for partition, first in earliest.items() if partition not in processed}
        if not new:
            return
        with self._context.store.transaction():
            self._context.reading.set_processed(new)
            rejected = self._context.completeness.judge(processed | new)
        self._discard(rejected)

    def _ask_for_barriers(self) -> None:
        context = self._context
        unknown = context.completeness.without_barrier()
        if not unknown:
            return
        ends = self._ends_of_topic()
        if ends is None:
            return
        with context.store.transaction():
            for transfer in unknown:
                if context.transfers.get(transfer.id) == transfer:  # else a batch changed it, and the ends are too old
                    context.completeness.wait_for(transfer, transfer.end_round or 0, ends)
            rejected = context.completeness.judge(context.reading.processed())
        self._discard(rejected)

    def _discard(self, transfers: list[Transfer]) -> None:
        for transfer in transfers:
            self._context.staged.discard(transfer.id)

    def _admit_held(self) -> None:
        """Request held transfers for which there is space now, the oldest first; a large one does not block others."""
        context = self._context
        no_space: dict[str, int] = {}  # size that did not fit, by client: a larger one need not be judged
        with context.store.transaction():
            context.admission.refresh()
            held = context.transfers.in_state(TransferState.HELD)
            for transfer in sorted(held, key=lambda transfer: transfer.first_ns):
                if transfer.size >= no_space.get(transfer.client, transfer.size + 1):
                    continue
                if context.admission.judge(transfer.facts) is Verdict.ADMITTED:
                    request_all_chunks(
                        context.transfers,
                        context.replies,
                        transfer,
                        reason=MissingReason.HELD,
                        now_ns=context.clock.now_ns(),
                    )
                else:
                    no_space[transfer.client] = transfer.size

    def _expire_idle(self) -> None:
        for transfer in self._context.transfers.idle_since(self._context.clock.now_ns() - self._expire_ns):
            self.expire(transfer)

    def _copy_ledger(self) -> None:
        """Copy the ledger once a day, if it is sound: a person restores the copy when the ledger is damaged."""
        store, now_ns = self._context.store, self._context.clock.now_ns()
        if 0 <= now_ns - int(store.meta(_COPIED) or 0) < _DAY_NS:  # below 0: the clock was set back
            return
        store.examine()
        try:
            store.copy_to(self._ledger_copy)
        except StorageError as error:
            if not error.waits_for_space:
                raise
            _LOG.info("no space for a copy of the ledger; the next try is in an hour")  # receiving goes on
            now_ns += _RETRY_COPY_NS - _DAY_NS
        store.set_meta(_COPIED, str(now_ns))

    def _jumped_lately(self) -> bool:
        """Return whether the clock jumped within the last hour, which makes every age doubtful."""
        return self._jumped_ns is not None and self._context.clock.now_ns() - self._jumped_ns < _HOUR_NS

    def _watch_clock(self) -> None:
        (wall_ns, mono), clock = self._last_clock, self._context.clock
        now_ns, now = clock.now_ns(), clock.monotonic()
        self._last_clock = (now_ns, now)
        if abs((now_ns - wall_ns) - (now - mono) * NS_PER_S) > _JUMP_NS:
            self._jumped_ns = now_ns
