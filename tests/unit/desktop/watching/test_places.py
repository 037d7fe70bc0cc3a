# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from fieldpost_desktop.engine.watching import places
from fieldpost_desktop.engine.watching.places import LOCAL, NETWORK, check_folder, rhythm_of
from fieldpost_shared.errors import SettingsError

MOUNTS = """\
27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
28 27 0:40 / /mnt/office rw,relatime shared:7 - cifs //office/share rw
29 28 8:1 / /mnt/office/stick rw - vfat /dev/sda1 rw
30 27 0:41 / /mnt/with\\040space rw - nfs4 server:/x rw
31 27 8:2 / /mnt/covered rw - ext4 /dev/sdb1 rw
32 27 0:42 / /mnt/covered rw - fuse.sshfs van@host:/ rw
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "users" / "ann"
    for name in ("data", "photos/day 1", "scans"):
        (place / name).mkdir(parents=True)
    monkeypatch.setenv("HOME", str(place))
    return place


def refusal(path: Path, home: Path, *watched: Path) -> str:
    with pytest.raises(SettingsError) as caught:
        check_folder(path, map(str, watched), home / "data")
    assert str(path) in caught.value.problem
    return caught.value.problem.removeprefix(f"{path} ")


def test_a_folder_beside_others_is_taken_as_it_was_chosen(home: Path) -> None:
    chosen = home / "photos" / ".." / "photos"
    assert check_folder(chosen, [str(home / "scans")], home / "data") == str(home / "photos")


def test_a_whole_drive_is_refused(home: Path) -> None:
    assert refusal(Path("/"), home) == "is a whole drive; choose a folder on it"


def test_the_home_folder_and_what_holds_it_are_refused(home: Path) -> None:
    assert refusal(home, home).startswith("is your home folder")
    assert refusal(home.parent, home).startswith("holds your home folder")


def test_our_own_data_is_never_watched(home: Path) -> None:
    (home / "data" / "logs").mkdir()
    (home / "photos" / "link").symlink_to(home / "data")
    for path in (home / "data", home / "data" / "logs", home / "photos" / "link"):
        assert "Fieldpost's own data" in refusal(path, home)
    with pytest.raises(SettingsError, match="own data"):
        check_folder(home / "photos", [], home / "photos" / "day 1")


def test_folders_in_watched_folders_are_refused_both_ways(home: Path) -> None:
    photos, day = home / "photos", home / "photos" / "day 1"
    assert refusal(photos, home, photos) == "is watched already"
    assert refusal(day, home, photos) == f"lies in {photos}, which is watched already"
    assert refusal(photos, home, home / "scans", day) == f"holds {day}, which is watched already"


def test_a_link_does_not_hide_a_nested_folder(home: Path) -> None:
    (home / "scans" / "link").symlink_to(home / "photos" / "day 1")
    assert "lies in" in refusal(home / "scans" / "link", home, home / "photos")


def test_what_is_no_folder_is_refused(home: Path) -> None:
    (home / "a.jpg").write_bytes(b"x")
    assert refusal(home / "a.jpg", home) == "is no folder"
    assert refusal(home / "nowhere", home) == "is no folder"


@pytest.mark.parametrize(
    ("path", "rhythm"),
    [
        ("/srv/photos", LOCAL),
        ("/mnt/office", NETWORK),
        ("/mnt/office/photos", NETWORK),
        ("/mnt/officer", LOCAL),
        ("/mnt/office/stick/DCIM", LOCAL),
        ("/mnt/with space/photos", NETWORK),
        ("/mnt/covered/photos", NETWORK),
    ],
)
def test_a_network_drive_has_a_slower_rhythm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, rhythm: places.Rhythm
) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_text(MOUNTS, encoding="utf-8")
    monkeypatch.setattr(places, "_MOUNTS", mounts)
    assert rhythm_of(path) is rhythm


def test_a_disk_of_this_machine_is_local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert rhythm_of(str(tmp_path)) is LOCAL
    monkeypatch.setattr(places, "_MOUNTS", tmp_path / "a system that does not tell")
    assert rhythm_of("/mnt/office") is LOCAL
