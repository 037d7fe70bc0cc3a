# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The paths within the state folder that belong to no job."""

from dataclasses import dataclass
from pathlib import Path

from fieldpost_receiver.config.settings import ReceiverConfig


@dataclass(frozen=True, slots=True)
class StateDir:
    """The state folder of one receiver. Nothing is created here."""

    root: Path

    @classmethod
    def of(cls, config: ReceiverConfig) -> "StateDir":
        """Return the state folder of a configuration."""
        return cls(config.receiver.state_dir)

    @property
    def job_store(self) -> Path:
        """What jobs there are, and which of them shall run."""
        return self.root / "jobs.db"

    @property
    def spark_scratch(self) -> Path:
        """Spark's temporary files; emptied at every start."""
        return self.root / "spark"
