# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Where an instance keeps its files: everything lies in one data folder."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from platformdirs import user_data_path

from fieldpost_shared.errors import SettingsError

_OWNER_ONLY: Final = 0o700  # file names are private; Windows protects the profile folder by itself


@dataclass(frozen=True, slots=True)
class Paths:
    """The paths below one data folder."""

    data_dir: Path

    @property
    def journal(self) -> Path:
        """Return the path of the journal."""
        return self.data_dir / "journal.db"

    @property
    def logs(self) -> Path:
        """Return the folder of the log files."""
        return self.data_dir / "logs"

    @property
    def lock(self) -> Path:
        """Return the path of the lock that the one engine of this folder holds."""
        return self.data_dir / "engine.lock"

    @property
    def profile(self) -> Path:
        """Return the path of the imported settings file."""
        return self.data_dir / "profile.fieldpost"

    def make(self) -> None:
        """Create the folders that are missing.

        Raises:
            SettingsError: the data folder cannot be created.
        """
        try:
            self.data_dir.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
            self.logs.mkdir(exist_ok=True)
        except OSError as error:
            raise SettingsError("data_dir", f"{self.data_dir}: cannot be used: {error.strerror}") from error


def default_data_dir() -> Path:
    """Return the user's own data folder on this computer, not one that Windows copies between computers."""
    return user_data_path("Fieldpost", appauthor=False, roaming=False)
