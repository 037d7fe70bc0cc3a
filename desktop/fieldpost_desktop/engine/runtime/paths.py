# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Where an instance keeps its things: everything lies in one data folder."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from platformdirs import user_data_path

from fieldpost_shared.errors import SettingsError

_OWNER_ONLY: Final = 0o700  # file names are private; Windows protects the profile folder by itself


@dataclass(frozen=True, slots=True)
class Paths:
    """The places below one data folder."""

    data_dir: Path

    @property
    def journal(self) -> Path:
        """The queue, see journal/."""
        return self.data_dir / "journal.db"

    @property
    def logs(self) -> Path:
        """The folder of the log files."""
        return self.data_dir / "logs"

    @property
    def lock(self) -> Path:
        """Held by the one engine of this folder."""
        return self.data_dir / "engine.lock"

    @property
    def profile(self) -> Path:
        """The copy of the settings file that was imported."""
        return self.data_dir / "profile.fieldpost"

    def make(self) -> None:
        """Make the folders that are missing.

        Raises:
            SettingsError: this place cannot be used.
        """
        try:
            self.data_dir.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
            self.logs.mkdir(exist_ok=True)
        except OSError as error:
            raise SettingsError("data_dir", f"{self.data_dir}: cannot be used: {error.strerror}") from error


def default_data_dir() -> Path:
    """The user's own place on this computer, not one that Windows copies between computers."""
    return user_data_path("Fieldpost", appauthor=False, roaming=False)
