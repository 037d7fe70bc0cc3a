# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The dependencies that the steps of a batch and the maintenance between batches share."""

from dataclasses import dataclass
from typing import Protocol

from fieldpost_receiver.jobs.files.admission import Admission
from fieldpost_receiver.jobs.files.completeness import Completeness
from fieldpost_receiver.jobs.files.ledger.quarantine import Quarantine
from fieldpost_receiver.jobs.files.ledger.reading_state import ReadingState
from fieldpost_receiver.jobs.files.ledger.store import LedgerStore
from fieldpost_receiver.jobs.files.ledger.transfers import Transfers
from fieldpost_receiver.jobs.files.replies import Replies
from fieldpost_receiver.storage.port import StagedFile
from fieldpost_shared.clock import Clock
from fieldpost_shared.crash_points import CrashPoints
from fieldpost_shared.ids import TransferId


class DiscardsStagedFiles(Protocol):
    """The part of the storage port that removes staged bytes."""

    def discard(self, transfer: TransferId, fingerprint: str | None = None) -> object:
        """Remove the staged bytes of a transfer (of one version of it); it is no error if there are none."""

    def discard_sealed(self, file: StagedFile) -> object:
        """Remove a sealed file that gets no final name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobContext:
    """The ledger's tables and the deciding parts of the files job."""

    store: LedgerStore
    transfers: Transfers
    reading: ReadingState
    quarantine: Quarantine
    replies: Replies
    completeness: Completeness
    admission: Admission
    staged: DiscardsStagedFiles
    clock: Clock
    crash: CrashPoints
