# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The settings file, the stored settings and the window's preferences of 0.1 mean what they meant."""

from pathlib import Path

from fieldpost_desktop.app import target as targets
from fieldpost_desktop.app.target import Target
from fieldpost_desktop.engine.journal.store import reading
from fieldpost_desktop.engine.profile import profile_file
from fieldpost_desktop.engine.profile.settings import EngineSettings, MeteredPolicy, Schedule, resolve
from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_desktop.ui.system.preferences import Language, Preferences
from support.recorded import UPLOADER, uploader_of_0_1


def test_a_settings_file_imported_by_0_1_is_read_and_written_the_same() -> None:
    profile = profile_file.load(UPLOADER / "profile.fieldpost")
    assert profile_file.dump(profile) == (UPLOADER / "profile.fieldpost").read_text(encoding="utf-8")
    assert (profile.name, profile.bootstrap_servers) == ("Head office", "kafka.example:9093")
    assert (profile.limits.max_file_size, profile.limits.allow_delete) == (200_000, True)


def test_settings_that_0_1_stored_still_count(tmp_path: Path) -> None:
    profile = profile_file.load(UPLOADER / "profile.fieldpost")
    with reading(uploader_of_0_1(tmp_path) / "journal.db") as store:
        stored = store.meta("settings")
    counts = resolve(profile.settings, locked=profile.locked, stored=stored)
    assert counts == EngineSettings(2_000_000, Schedule(20 * 60, 6 * 60), MeteredPolicy.ALL)


def test_a_journal_of_0_1_is_bound_to_the_same_office(tmp_path: Path) -> None:
    profile = profile_file.load(UPLOADER / "profile.fieldpost")
    with reading(uploader_of_0_1(tmp_path) / "journal.db") as store:
        assert targets.bound(store) == Target.of(profile, profile.client_name("someone", "somewhere"))


def test_preferences_of_0_1_are_kept_word_by_word(tmp_path: Path) -> None:
    paths = Paths(uploader_of_0_1(tmp_path))
    saved = (paths.data_dir / "app.json").read_bytes()
    found = Preferences.load(paths)
    assert (found.language, found.notifications, found.told_about_tray) == (Language.GERMAN, False, True)
    assert found.window_geometry
    found.save(paths)
    assert (paths.data_dir / "app.json").read_bytes() == saved
