# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The paths within the state folder."""

import logging
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fieldpost_receiver.config.receiver_toml import ReceiverConfig
from fieldpost_receiver.storage.errors import storing
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StateDir:
    """The state folder of one receiver. Nothing is created here."""

    root: Path

    @classmethod
    def of(cls, config: ReceiverConfig) -> "StateDir":
        """Return the state folder of a configuration."""
        return cls(config.receiver.state_dir)

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

    @property
    def spark_scratch(self) -> Path:
        """Spark's temporary files; emptied at every start."""
        return self.root / "spark"
