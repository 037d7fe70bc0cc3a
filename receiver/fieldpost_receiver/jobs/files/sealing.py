# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Sealing: the last step of every batch, which moves complete files to where no task can write them."""

import logging
from typing import Final

from fieldpost_receiver.jobs.files.completeness import request_all_chunks
from fieldpost_receiver.jobs.files.context import JobContext
from fieldpost_receiver.jobs.files.ledger.states import FINISHED, TransferState
from fieldpost_receiver.jobs.files.ledger.transfers import Transfer
from fieldpost_receiver.storage.errors import NotWhole
from fieldpost_receiver.storage.port import StagedFile, Staging
from fieldpost_shared.protocol.status import MissingReason

_LOG: Final = logging.getLogger(__name__)


class Sealing:
    """Runs while the driver holds the tasks' lock: at the end of every batch, and `sweep` before the first one."""

    def __init__(self, context: JobContext, staged: Staging) -> None:
        self._context = context
        self._staged = staged

    def seal(self) -> None:
        """Seal complete files; request a file that lost staged bytes again."""
        context = self._context
        complete = context.transfers.in_state(TransferState.COMPLETE)
        if not complete:
            return
        sealed = [transfer for transfer in complete if self._seal_file(transfer)]
        self._staged.sync()
        context.crash.reach("after_seal")
        with context.store.transaction():
            for transfer in sealed:
                context.transfers.change(transfer, TransferState.SEALED)

    def sweep(self) -> None:
        """Remove staged and sealed files that no transfer needs: a crash or a failed batch may have left them.

        The messages of a failed batch may expire before they are read again.
        """
        for staged in self._staged.list_staged():
            if not self._is_needed(staged.file):
                self._staged.discard(staged.file.transfer, staged.file.fingerprint)
        for found in self._staged.list_sealed():
            if not self._is_needed(found.file):
                self._staged.discard_sealed(found.file)

    def _seal_file(self, transfer: Transfer) -> bool:
        try:
            self._staged.seal(transfer.id, transfer.fingerprint, transfer.size)
        except NotWhole as error:
            _LOG.info("all chunks are requested again: %s", error.detail, extra={"transfer": transfer.id})
            self._staged.discard(transfer.id)
            self._staged.discard_sealed(StagedFile(transfer.id, transfer.fingerprint))
            self._request_again(transfer)
            return False
        return True

    def _request_again(self, transfer: Transfer) -> None:
        context = self._context
        with context.store.transaction():
            request_all_chunks(
                context.transfers,
                context.replies,
                transfer,
                reason=MissingReason.NEVER_ARRIVED,
                now_ns=context.clock.now_ns(),
            )

    def _is_needed(self, file: StagedFile) -> bool:
        transfer = self._context.transfers.get(file.transfer)
        if transfer is None or transfer.state in FINISHED or transfer.state is TransferState.HELD:
            return False
        return transfer.fingerprint == file.fingerprint
