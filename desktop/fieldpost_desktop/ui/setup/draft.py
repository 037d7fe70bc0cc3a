# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the set-up has gathered so far."""

from dataclasses import dataclass, replace

from fieldpost_desktop.engine.profile.profile_file import Profile
from fieldpost_shared.secret import Secret


@dataclass(slots=True)
class Draft:
    """Filled page by page; nothing of it counts before the last."""

    profile: Profile | None = None
    password: Secret | None = None

    def take_profile(self, profile: Profile | None) -> None:
        """Take another profile and forget the password: another office may want another one."""
        self.profile = profile
        self.password = None

    def take_user(self, name: str) -> None:
        """Take the user name that the settings file leaves to the person."""
        if self.profile is not None:
            self.profile = replace(self.profile, sasl_username=name)
