# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_desktop.ui.system.preferences import FILE, Language, Preferences, PreferencesHolder
from fieldpost_shared.errors import SettingsError


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(tmp_path / "data")


def write(paths: Paths, text: str) -> None:
    paths.make()
    (paths.data_dir / FILE).write_text(text, encoding="utf-8")


def test_the_first_day_has_autostart_and_notifications_and_the_systems_language(paths: Paths) -> None:
    found = Preferences.load(paths)
    assert found == Preferences(Language.SYSTEM, notifications=True, autostart=True, told_about_tray=False)


def test_what_is_saved_is_loaded_again(paths: Paths) -> None:
    saved = Preferences(
        Language.GERMAN,
        notifications=False,
        autostart=False,
        told_about_tray=True,
        window_geometry="AAEC",
        header_state="/wAA",
    )
    saved.save(paths)
    assert Preferences.load(paths) == saved
    assert isinstance(Preferences.load(paths).language, Language)


def test_what_a_newer_version_keeps_there_stays(paths: Paths) -> None:
    write(paths, '{"language": "de", "colours": ["warm"]}')
    Preferences.load(paths).save(paths)
    stored = json.loads((paths.data_dir / FILE).read_text(encoding="utf-8"))
    assert stored["colours"] == ["warm"]
    assert stored["language"] == "de"


@pytest.mark.logs_warnings
@pytest.mark.parametrize("text", ["", "{", "\x00\x01", "[" * 100_000])
def test_a_damaged_file_is_as_on_the_first_day(paths: Paths, text: str) -> None:
    write(paths, text)
    assert Preferences.load(paths) == Preferences()


@pytest.mark.parametrize("text", ["[]", "7", '{"language": "xx", "notifications": "yes", "autostart": 1}'])
def test_a_value_that_makes_no_sense_is_as_by_default(paths: Paths, text: str) -> None:
    write(paths, text)
    assert Preferences.load(paths) == Preferences()


def test_one_wrong_value_does_not_spoil_the_others(paths: Paths) -> None:
    write(paths, '{"language": ["de"], "told_about_tray": true}')
    assert Preferences.load(paths) == Preferences(told_about_tray=True)


def test_nothing_half_written_stays_behind(paths: Paths) -> None:
    Preferences().save(paths)
    assert {path.name for path in paths.data_dir.iterdir()} == {FILE, "logs"}


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file is in the way", encoding="utf-8")
    with pytest.raises(SettingsError, match="data_dir"):
        Preferences().save(Paths(tmp_path / "data"))


def test_a_file_that_cannot_be_replaced_is_told(paths: Paths) -> None:
    (paths.data_dir / FILE).mkdir(parents=True)
    with pytest.raises(SettingsError, match="cannot be written"):
        Preferences().save(paths)


def test_a_change_counts_at_once_and_is_saved_later(paths: Paths) -> None:
    later: list[Callable[[], None]] = []
    holder = PreferencesHolder(paths, Preferences(), later.append)
    assert holder.change(notifications=False) == holder.current == Preferences(notifications=False)
    assert Preferences.load(paths) == Preferences()
    later[0]()
    assert Preferences.load(paths) == Preferences(notifications=False)


def test_no_change_is_not_saved(paths: Paths) -> None:
    later: list[Callable[[], None]] = []
    PreferencesHolder(paths, Preferences(), later.append).change(notifications=True)
    assert later == []


def test_the_newest_preferences_are_the_ones_that_stay_however_late_a_save_comes(paths: Paths) -> None:
    later: list[Callable[[], None]] = []
    holder = PreferencesHolder(paths, Preferences(), later.append)
    holder.change(language=Language.GERMAN)
    holder.change(language=Language.ENGLISH)
    threads = [threading.Thread(target=save) for save in reversed(later)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Preferences.load(paths).language is Language.ENGLISH
