# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The paths of a files job within the state folder."""

import logging
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fieldpost_receiver.config.jobs import FILES_JOB
from fieldpost_receiver.config.settings import JobConfig
from fieldpost_receiver.storage.errors import storing
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

_LOG: Final = logging.getLogger(__name__)
_JOBS: Final = "jobs"


@dataclass(frozen=True, slots=True)
class JobDir:
    """The folder of one job. Nothing is created here."""

    root: Path

    @classmethod
    def of(cls, job: JobConfig) -> "JobDir":
        """Return the folder of a job. The one that 0.1 had keeps its ledger in the state folder itself."""
        state = job.receiver.state_dir
        return cls(state if job.name == FILES_JOB else state / _JOBS / job.name)

    @property
    def ledger(self) -> Path:
        """The ledger of the files job."""
        return self.root / "ledger.db"

    @property
    def ledger_copy(self) -> Path:
        """The daily copy of the ledger, to restore from."""
        return self.root / "ledger.copy.db"

    @property
    def old_checkpoint(self) -> Path:
        """Spark's checkpoint, which 0.1 had beside the ledger; removed at the first start."""
        return self.root / "checkpoint"

    def check_ledger(self) -> None:
        """Refuse to begin a new ledger beside the copy of one that is lost: what to do is for a person to decide.

        Raises:
            FieldpostError: LEDGER_DAMAGED.
        """
        is_there = self.ledger.exists() and self.ledger.stat().st_size > 0
        if not is_there and self.ledger_copy.exists():
            raise FieldpostError(Code.LEDGER_DAMAGED, f"{self.ledger.name} is empty or gone, its copy is there")

    def remove_old_checkpoint(self) -> None:
        """Take over a state folder of 0.1: its ledger knows how far the topic was read, so its checkpoint is not used.

        Raises:
            StorageError: it cannot be removed.
        """
        old = self.old_checkpoint
        if old.is_symlink() or old.exists():
            with storing("remove the checkpoint of 0.1"):
                if old.is_symlink():
                    old.unlink()  # what it points to is not ours to remove
                else:
                    shutil.rmtree(old)
            _LOG.info("the checkpoint of Fieldpost 0.1 was removed: reading goes on where the ledger says")
