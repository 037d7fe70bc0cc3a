# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Settings, settings file and password: what a person may change about sending, and where it is kept."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from fieldpost_desktop.app import profile_store
from fieldpost_desktop.app.assembly import SETTINGS_KEY
from fieldpost_desktop.app.condition import Condition
from fieldpost_desktop.app.lifecycle import ANSWER_S, Lifecycle
from fieldpost_desktop.engine.commands import Commands
from fieldpost_desktop.engine.link.check import check
from fieldpost_desktop.engine.link.check.check import StepResult
from fieldpost_desktop.engine.profile import profile_file
from fieldpost_desktop.engine.profile import settings as engine_settings
from fieldpost_desktop.engine.profile.profile_file import Profile
from fieldpost_desktop.engine.profile.settings import EngineSettings
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.secret import Secret

T = TypeVar("T")


class AccountOperations(Lifecycle):
    """Changes settings, profile and password; each counts at once, and at the next start."""

    # settings

    def settings(self) -> EngineSettings:
        """Return the settings that count now."""
        spec = self.spec_for(self._profile())
        return spec.settings(self.engine.store)

    def change_setting(self, name: str, value: object) -> EngineSettings:
        """Follow another setting from now on, and remember it.

        Raises:
            SettingsError: wrong, or set by the organisation.
        """
        profile = self._profile()
        engine = self.engine

        def change(_commands: Commands) -> EngineSettings:
            stored = engine_settings.changed(engine.store.meta(SETTINGS_KEY), name, value, profile.locked)
            engine.store.set_meta(SETTINGS_KEY, stored)
            settings = self.spec_for(profile).settings(engine.store)
            engine.core.use(settings)
            return settings

        return self.do(change).result(ANSWER_S)

    # profile and password

    def load_profile(self, path: Path) -> Profile:
        """Return what a settings file says; nothing of it is kept yet."""
        return profile_file.load(path)

    def adopt(self, profile: Profile, password: Secret | None) -> Condition:
        """Send by this profile from now on.

        Raises:
            SettingsError: files wait for another office; nothing was changed then.
            FieldpostError: KEYRING_FAILED when the password could not be kept. The engine runs all the same, and the
                password is asked for at the next start.
        """
        profile_store.check_target(profile, self.paths)
        profile_store.keep(profile, self.paths)
        return self._restart(profile, password)

    def change_password(self, password: Secret) -> Condition:
        """Sign in with this one from now on; raises what `adopt` raises about keeping it."""
        return self._restart(self._profile(), password)

    def test_connection(self, profile: Profile, password: Secret | None, tell: Callable[[StepResult], None]) -> None:
        """Run the connection test; without a password the kept one is used.

        Raises:
            FieldpostError: there is none.
        """
        spec = self.spec_for(profile)
        if password is not None:  # an error of the library may repeat it
            self._environment.redactor.add(password)
        kafka = spec.kafka() if password is None else profile_file.kafka_settings(profile, password)
        for result in check.check(kafka, spec.client, profile.receivers, self.clock):
            tell(result)

    def _restart(self, profile: Profile, password: Secret | None) -> Condition:
        with self._opening:
            self._stop_engine()
            self._lock.release()
            self._password = password
            kept = self._keep(profile, password)
            condition = self.start()
        if kept is not None:
            raise kept
        return condition

    def _keep(self, profile: Profile, password: Secret | None) -> FieldpostError | None:
        """Put the password into the keyring; where that fails, this process remembers it."""
        if password is None:
            return None
        self._environment.redactor.add(password)
        try:
            self._environment.vault.set(profile.id, password)
        except FieldpostError as error:
            return error
        self._password = None
        return None

    def _profile(self) -> Profile:
        if self.profile is None:
            raise FieldpostError(Code.NOT_SET_UP)
        return self.profile
