# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import errno
import pickle
from contextlib import closing
from pathlib import Path
from typing import Never

import pytest

from fieldpost_desktop.engine.journal.files import Files
from fieldpost_desktop.engine.journal.folders import Folders, Waiting
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.file_row import SourceFile
from fieldpost_desktop.engine.model.folder_rules import FolderRules
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.watching import folder_kind
from fieldpost_desktop.engine.watching.folder_kind import (
    LOCAL,
    NETWORK,
    FolderPreview,
    FolderProblem,
    FolderRefused,
    FolderView,
    check_folder,
    folder_views,
    preview_folder,
    scan_policy_of,
)
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
    with pytest.raises(FolderRefused) as caught:
        check_folder(path, map(str, watched), home / "data")
    assert caught.value.path == str(path)
    return caught.value.words.removeprefix(f"{path} ")


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


def test_a_refused_folder_says_why_in_a_way_that_can_be_translated(home: Path) -> None:
    photos, day = home / "photos", home / "photos" / "day 1"
    with pytest.raises(FolderRefused) as caught:
        check_folder(day, [str(home / "scans"), str(photos)], home / "data")
    error = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own bytes
    assert (error.problem, error.path, error.other) == (FolderProblem.IN_WATCHED, str(day), str(photos))
    assert str(error) == f"bad_setting: folder: {day} lies in {photos}, which is watched already"


def test_the_files_already_there_are_counted_as_plain_rules_take_them(home: Path) -> None:
    photos = home / "photos"
    for name in ("a.jpg", "day 1/b.jpg", ".hidden", "c.tmp", "~$d.docx"):
        (photos / name).write_bytes(b"12345")
    (photos / "Sent").mkdir()
    (photos / "Sent" / "old.jpg").write_bytes(b"1")
    assert preview_folder(photos, [], home / "data") == FolderPreview(str(photos), 2, 10, complete=True)


def test_counting_a_huge_folder_stops_when_told(home: Path) -> None:
    for number in range(450):
        (home / "photos" / f"{number}.jpg").touch()
    heard: list[int] = []

    def hear(so_far: FolderPreview) -> bool:
        heard.append(so_far.files)
        return True

    look = preview_folder(home / "photos", [], home / "data", hear)
    assert (heard, look.files, look.complete) == ([200, 400], 450, True)
    look = preview_folder(home / "photos", [], home / "data", lambda _: False)
    assert (look.files, look.complete) == (200, False)


def test_a_folder_that_may_not_be_watched_is_not_counted(home: Path) -> None:
    with pytest.raises(FolderRefused):
        preview_folder(home, [], home / "data")


def test_a_folder_that_cannot_be_read_is_refused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: object) -> Never:
        raise PermissionError(errno.EACCES, "denied")

    monkeypatch.setattr(folder_kind, "walk", denied)  # a superuser, as tests run here, reads everything
    with pytest.raises(FolderRefused) as caught:
        preview_folder(home / "scans", [], home / "data")
    assert caught.value.problem is FolderProblem.UNREADABLE


def test_a_watched_folder_is_shown_with_what_waits_in_it(home: Path) -> None:
    with closing(Store.open(home / "data" / "journal.db")) as store:
        folders = Folders(store)
        photos, scans = (folders.add(str(home / name), FolderRules(), 1) for name in ("photos", "scans"))
        found = SourceFile(str(home / "scans" / "a.pdf"), "a.pdf", 1, 1, "1:1", scans.id)
        Files(store).add(found, FileState.SETTLING, 1)
        assert folder_views(folders) == [FolderView(photos, Waiting()), FolderView(scans, Waiting(1, 0))]


@pytest.mark.parametrize(
    ("path", "policy"),
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
def test_a_network_drive_is_scanned_less_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, policy: folder_kind.ScanPolicy
) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_text(MOUNTS, encoding="utf-8")
    monkeypatch.setattr(folder_kind, "_MOUNTS", mounts)
    assert scan_policy_of(path) is policy


def test_a_disk_of_this_machine_is_local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert scan_policy_of(str(tmp_path)) is LOCAL
    monkeypatch.setattr(folder_kind, "_MOUNTS", tmp_path / "a system that does not tell")
    assert scan_policy_of("/mnt/office") is LOCAL
