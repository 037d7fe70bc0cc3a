# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The pool of publisher threads: small files together and first, large ones one by one, so that none waits long."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import Final

from fieldpost_receiver.jobs.files.ledger.states import TransferState
from fieldpost_receiver.jobs.files.ledger.transfers import Transfer, Transfers
from fieldpost_receiver.jobs.files.publish import Publisher
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

_SMALL: Final = 4 * 1024 * 1024
_TOGETHER: Final = 500
_WAITING: Final = (TransferState.SEALED, TransferState.INTENT)


def wake_nothing() -> None:
    """The `wake` of a caller that looks again by itself."""


class PublisherPool:
    """A bounded pool of threads; hashing leaves Python's lock. `step` is called often and never blocks.

    `wake` is called, by a thread of the pool, when there is room for the next group.
    """

    def __init__(
        self, transfers: Transfers, publisher: Publisher, threads: int, wake: Callable[[], None] = wake_nothing
    ) -> None:
        self._transfers = transfers
        self._publisher = publisher
        self._threads = threads
        self._wake = wake
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="publisher")
        self._busy: dict[Future[None], list[Transfer]] = {}
        self._stopping = False

    @property
    def idle(self) -> bool:
        """Whether nothing is being published."""
        return not self._busy

    def step(self) -> None:
        """Take what is finished, begin what is sealed.

        Raises:
            StorageError: of a group that failed; its files are tried again at the next step.
            FieldpostError: LEDGER_DAMAGED, which no new try would mend.
        """
        finished = []
        for future in [future for future in self._busy if future.done()]:
            finished.append(self._busy.pop(future))
            future.result()
        if len(self._busy) >= self._threads:
            return
        taken = {transfer.id for group in self._busy.values() for transfer in group}
        found = self._waiting(len(taken))
        _check(found, finished)
        for group in self._groups([transfer for transfer in found if transfer.id not in taken]):
            self._begin(group)

    def _waiting(self, begun: int) -> list[Transfer]:
        """As many as can be begun now: of thousands of small files a look at all would cost more than the work."""
        small = self._transfers.up_to(_SMALL, *_WAITING, most=begun + _TOGETHER)
        return small + self._transfers.above(_SMALL, *_WAITING, most=begun + self._threads)

    def _groups(self, waiting: list[Transfer]) -> list[list[Transfer]]:
        """One group of small files at most, and large ones in all threads but one."""
        small = [transfer for transfer in waiting if transfer.size <= _SMALL][:_TOGETHER]
        large = [transfer for transfer in waiting if transfer.size > _SMALL]
        large_now = sum(group[0].size > _SMALL for group in self._busy.values())
        room = max(1, self._threads - 1) - large_now
        free = self._threads - len(self._busy)
        groups = [small] if small else []
        return (groups + [[transfer] for transfer in large[: max(0, room)]])[:free]

    def _begin(self, group: list[Transfer]) -> None:
        context = copy_context()  # whose job this is, for the log
        future = self._pool.submit(context.run, self._publisher.publish, group, self._is_stopping)
        self._busy[future] = group
        future.add_done_callback(self._done)

    def _done(self, future: Future[None]) -> None:
        """The next group need not wait for the next round; one that failed would fail again at once."""
        if not future.cancelled() and future.exception() is None:
            self._wake()

    def _is_stopping(self) -> bool:
        return self._stopping

    def close(self) -> None:
        """Stop: what is being read back is done again after the next start."""
        self._stopping = True
        self._pool.shutdown(wait=True, cancel_futures=True)


def _check(found: Sequence[Transfer], finished: Sequence[Sequence[Transfer]]) -> None:
    """The ledger's tables and indexes agree, as far as can be seen here.

    Publishing looks a transfer up by its id. If the ledger knows it by its state only, or finds another in its place,
    that looks like a cancel: nothing is done and nothing fails, and the group would be begun again for ever, with
    everything else that is in it.

    Raises:
        FieldpostError: LEDGER_DAMAGED.
    """
    waiting = {transfer.id: transfer for transfer in found}
    if len(waiting) < len(found) or any(transfer.state not in _WAITING for transfer in found):
        raise FieldpostError(Code.LEDGER_DAMAGED, "a transfer is listed twice, or in a state that it is not in")
    for group in finished:
        if all(waiting.get(transfer.id) == transfer for transfer in group):
            raise FieldpostError(Code.LEDGER_DAMAGED, f"transfer {group[0].id} is not found by its id")
