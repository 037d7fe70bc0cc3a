# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The imported settings file: a copy of it lies in the data folder."""

from fieldpost_desktop.app import target as targets
from fieldpost_desktop.app.target import Target
from fieldpost_desktop.engine.journal.store import reading
from fieldpost_desktop.engine.profile import profile_file
from fieldpost_desktop.engine.profile.profile_file import Profile
from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_shared.errors import SettingsError
from fieldpost_shared.whole_file import whole_file


def check_target(profile: Profile, paths: Paths) -> None:
    """Check that this profile may take the place of the one before.

    Raises:
        SettingsError: files wait for the office of the other one.
    """
    if paths.journal.exists():
        target = Target.of(profile, profile.client_name(*profile_file.this_user_and_host()))
        with reading(paths.journal) as store:
            targets.check_free(store, target, paths)


def keep(profile: Profile, paths: Paths) -> None:
    """Store it, all of it or nothing.

    Raises:
        SettingsError: the data folder cannot be written.
    """
    paths.make()
    try:
        with whole_file(paths.profile) as unfinished:
            unfinished.write_text(profile_file.dump(profile), encoding="utf-8")
    except OSError as error:
        raise SettingsError("data_dir", f"{paths.profile}: cannot be written: {error.strerror}") from error
