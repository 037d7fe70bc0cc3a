# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The paths within the state folder."""

from dataclasses import dataclass
from pathlib import Path

from fieldpost_receiver.config.receiver_toml import ReceiverConfig


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
    def checkpoint(self) -> Path:
        """Spark's checkpoint of the files job."""
        return self.root / "checkpoint"

    @property
    def spark_scratch(self) -> Path:
        """Spark's temporary files; emptied at every start."""
        return self.root / "spark"
