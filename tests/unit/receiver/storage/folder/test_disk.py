# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The port to the operating system: what it refuses to follow, and what it never replaces."""

import errno
import os
import pickle
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from faults.small_disk import small_disk
from fieldpost_receiver.storage.errors import (
    NameTaken,
    NotWhole,
    PathBlocked,
    StorageError,
    TooLargeForDisk,
    storing,
)
from fieldpost_receiver.storage.folder.disk import EVERY, Disk, Fault, FaultyDisk
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.names import Blocked


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[int]:
    opened = Disk().open_root(tmp_path)
    yield opened
    os.close(opened)


def test_a_disk_that_takes_no_more_files_has_no_room(tmp_path: Path) -> None:
    with small_disk(tmp_path / "small", "2m", "nr_inodes=16") as disk:
        opened = Disk().open_root(disk.place)
        try:
            assert Disk().free_bytes(opened) > 1_000_000
            with suppress(OSError):
                for number in range(16):
                    (disk.place / str(number)).touch()
            with pytest.raises(OSError, match="No space left"):
                (disk.place / "one more").touch()
            assert Disk().free_bytes(opened) == 0
        finally:
            os.close(opened)


NO_RENAMEAT2 = Fault("renameat2", errno.EINVAL, EVERY)


@pytest.mark.parametrize("disk", [Disk(), FaultyDisk(NO_RENAMEAT2)], ids=["renameat2", "link and unlink"])
class TestRenamingToANewName:
    def test_moves_the_file(self, disk: Disk, folder: int, tmp_path: Path) -> None:
        (tmp_path / "a").write_text("a")
        disk.rename_new(folder, "a", folder, "b")
        assert [path.name for path in tmp_path.iterdir()] == ["b"]
        assert (tmp_path / "b").stat().st_nlink == 1

    @pytest.mark.parametrize("taken_by", ["file", "folder", "dangling link"])
    def test_never_replaces_what_is_there(self, disk: Disk, folder: int, tmp_path: Path, taken_by: str) -> None:
        (tmp_path / "a").write_text("a")
        match taken_by:
            case "file":
                (tmp_path / "b").write_text("b")
            case "folder":
                (tmp_path / "b").mkdir()
            case _:
                (tmp_path / "b").symlink_to("nowhere")
        before = os.lstat(tmp_path / "b")
        with pytest.raises(FileExistsError):
            disk.rename_new(folder, "a", folder, "b")
        assert os.path.samestat(before, os.lstat(tmp_path / "b"))
        assert (tmp_path / "a").read_text() == "a"

    def test_finishes_what_a_crash_between_link_and_unlink_left(self, disk: Disk, folder: int, tmp_path: Path) -> None:
        (tmp_path / "a").write_text("a")
        (tmp_path / "b").hardlink_to(tmp_path / "a")
        disk.rename_new(folder, "a", folder, "b")
        assert [path.name for path in tmp_path.iterdir()] == ["b"]

    def test_tells_that_the_source_is_missing(self, disk: Disk, folder: int) -> None:
        with pytest.raises(FileNotFoundError):
            disk.rename_new(folder, "a", folder, "b")


def test_a_file_system_with_neither_way_gets_no_place_holder(folder: int, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    disk = FaultyDisk(NO_RENAMEAT2, Fault("link", errno.EPERM))
    with pytest.raises(PermissionError):
        disk.rename_new(folder, "a", folder, "b")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_renaming_over_replaces_a_link_and_not_its_target(folder: int, tmp_path: Path) -> None:
    (tmp_path / "target").write_text("untouched")
    (tmp_path / "b").symlink_to("target")
    (tmp_path / "a").write_text("a")
    Disk().rename_over(folder, "a", folder, "b")
    assert not (tmp_path / "b").is_symlink()
    assert (tmp_path / "target").read_text() == "untouched"


def test_no_opening_follows_a_link(folder: int, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "file").write_text("")
    (tmp_path / "to_folder").symlink_to("real")
    (tmp_path / "to_file").symlink_to("file")
    disk = Disk()
    for open_it, name in [
        (disk.open_folder, "to_folder"),
        (disk.open_to_read, "to_file"),
        (disk.open_to_write, "to_file"),
        (disk.create, "to_file"),
    ]:
        with pytest.raises(OSError, match=r".") as caught:
            open_it(folder, name)
        assert caught.value.errno in {errno.ELOOP, errno.ENOTDIR, errno.EEXIST}


def test_opening_a_planted_pipe_does_not_wait(folder: int, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    os.close(Disk().open_to_read(folder, "pipe"))


def test_a_folder_that_cannot_be_synced_is_no_failure_but_a_broken_disk_is(folder: int, tmp_path: Path) -> None:
    reader, writer = os.pipe()  # fsync of a pipe fails with EINVAL, as that of a folder does on some file systems
    Disk().sync_folder(reader)
    os.close(reader)
    os.close(writer)
    Disk().sync_folder(folder)
    with pytest.raises(OSError, match="descriptor"):
        Disk().sync_folder(reader)
    assert list(tmp_path.iterdir()) == []


def test_the_whole_file_system_can_be_synced(folder: int) -> None:
    Disk().syncfs(folder)
    with pytest.raises(OSError, match="descriptor"):
        Disk().syncfs(-1)


def test_free_space_is_what_the_system_says(folder: int, tmp_path: Path) -> None:
    found = os.statvfs(tmp_path)
    assert Disk().free_bytes(folder) == pytest.approx(found.f_bavail * found.f_frsize, rel=0.2)


def test_the_real_disk_travels_to_a_task() -> None:
    assert isinstance(pickle.loads(pickle.dumps(Disk())), Disk)  # noqa: S301 - our own bytes


class TestTheFaultyTwin:
    def test_fails_at_the_call_it_was_told(self, folder: int, tmp_path: Path) -> None:
        disk = FaultyDisk(Fault("create", errno.EROFS, call=2))
        os.close(disk.create(folder, "a"))
        with pytest.raises(OSError, match="Read-only"):
            disk.create(folder, "b")
        os.close(disk.create(folder, "c"))
        assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "c"]
        assert disk.calls == ["create"] * 3

    def test_leaves_half_of_a_failed_write(self, folder: int, tmp_path: Path) -> None:
        disk = FaultyDisk(Fault("pwrite", errno.ENOSPC))
        file = disk.create(folder, "a")
        with pytest.raises(OSError, match="No space"):
            disk.pwrite(file, memoryview(b"123456"), 0)
        os.close(file)
        assert (tmp_path / "a").read_bytes() == b"123"


@pytest.mark.parametrize(
    ("number", "code", "waits"),
    [
        (errno.ENOSPC, Code.RECEIVER_FULL, True),
        (errno.EDQUOT, Code.RECEIVER_FULL, False),
        (errno.EIO, Code.STORAGE_FAILED, False),
        (errno.EROFS, Code.STORAGE_FAILED, False),
        (errno.ESTALE, Code.STORAGE_FAILED, False),
        (errno.EACCES, Code.STORAGE_FAILED, False),
    ],
)
def test_a_disk_that_fails_says_whether_to_wait_for_room(number: int, code: Code, waits: bool) -> None:
    with pytest.raises(StorageError) as caught, storing("write"):
        raise OSError(number, "with a path in it", "secret/name")
    assert caught.value.code is code
    assert caught.value.errno == number
    assert caught.value.waits_for_space is waits
    assert "secret" not in str(caught.value)
    assert errno.errorcode[number] in str(caught.value)


def test_an_offset_past_the_file_system_is_the_files_fault_and_not_the_disks() -> None:
    with pytest.raises(TooLargeForDisk), storing("write"):
        raise OSError(errno.EFBIG, "File too large")


@pytest.mark.parametrize(
    "error",
    [
        StorageError("write", errno.ENOSPC),
        TooLargeForDisk(),
        NotWhole(5, 3),
        NotWhole(5, None),
        NameTaken(),
        PathBlocked(Blocked.SYMLINK),
    ],
)
def test_every_storage_error_survives_the_way_from_a_task_to_the_driver(error: FieldpostError) -> None:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert type(again) is type(error)
    assert vars(again) == vars(error)
    assert str(again) == str(error)
