# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import os
import stat
from pathlib import Path

import pytest

from fieldpost_desktop.engine.runtime.paths import Paths, default_data_dir
from fieldpost_shared.errors import SettingsError


def test_everything_lies_in_the_data_folder(tmp_path: Path) -> None:
    paths = Paths(tmp_path / "data")
    places = [paths.journal, paths.logs, paths.lock, paths.profile]
    assert {place.parent for place in places} == {paths.data_dir}
    assert len(set(places)) == len(places)
    assert paths.profile.suffix == ".fieldpost"


def test_the_folders_are_made_once_and_found_again(tmp_path: Path) -> None:
    paths = Paths(tmp_path / "a" / "b")
    paths.make()
    paths.make()
    assert paths.logs.is_dir()


@pytest.mark.skipif(os.name != "posix", reason="Windows protects the user's folder by itself")
def test_other_users_cannot_read_the_data_folder(tmp_path: Path) -> None:
    paths = Paths(tmp_path / "data")
    paths.make()
    assert stat.S_IMODE(paths.data_dir.stat().st_mode) & 0o077 == 0


def test_a_place_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(SettingsError, match=r"data_dir: .*file: cannot be used"):
        Paths(tmp_path / "file").make()


def test_the_default_is_a_place_of_this_user_on_this_computer() -> None:
    assert default_data_dir().name == "Fieldpost"
    assert "Roaming" not in str(default_data_dir())
    assert default_data_dir().is_absolute()
