# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import psutil  # type: ignore[import-untyped]  # it ships no types
import pytest

from fieldpost_desktop.engine.sources import file_probe
from fieldpost_desktop.engine.sources.file_probe import (
    as_text,
    code_of_os_error,
    deny_writers_probe,
    file_version,
    is_hidden,
    is_link,
    is_online_only,
    may_be_escaped,
    open_shared,
)
from fieldpost_desktop.engine.sources.file_reader import SourceReader
from fieldpost_shared.chunks import ChunkIndex, ChunkPlan
from fieldpost_shared.codes import Code

JUNCTION, SYMLINK, CLOUD_FILE = 0xA0000003, 0xA000000C, 0x9000601A  # reparse tags


def windows_file(*, attributes: int = stat.FILE_ATTRIBUTE_ARCHIVE, tag: int = 0) -> os.stat_result:
    seen = SimpleNamespace(st_mode=stat.S_IFREG, st_file_attributes=attributes, st_reparse_tag=tag)
    return cast("os.stat_result", seen)


def test_the_version_tells_a_changed_file_apart(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(b"one")
    os.utime(path, ns=(5, 1_700_000_000_123_456_700))
    first = file_version(str(path))
    assert (first.size, first.mtime_ns) == (3, 1_700_000_000_123_456_700)
    assert file_version(str(path)) == first
    other = tmp_path / "b.jpg"
    other.write_bytes(b"two")
    os.utime(other, ns=(5, 1_700_000_000_123_456_700))
    other.replace(path)
    assert file_version(str(path)) != first  # the same size and time, but another file


@pytest.mark.parametrize("kind", ["nothing", "folder", "link", "pipe", "below a file"])
def test_what_is_no_plain_file_counts_as_gone(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.jpg"
    (tmp_path / "real.jpg").write_bytes(b"x")
    match kind:
        case "folder":
            path.mkdir()
        case "link":
            path.symlink_to(tmp_path / "real.jpg")
        case "pipe":
            os.mkfifo(path)
        case "below a file":
            path = tmp_path / "real.jpg" / "a.jpg"
    with pytest.raises(OSError, match=r"a\.jpg") as caught:
        file_version(str(path))
    assert code_of_os_error(caught.value) is Code.FILE_GONE


def test_reading_lets_others_write_rename_and_delete(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(b"first")
    with open_shared(str(path)) as file:
        assert file.read(2) == b"fi"
        with path.open("ab") as writer:
            writer.write(b" and more")
        path.rename(tmp_path / "b.jpg").unlink()
        assert file.read() == b"rst and more"


@pytest.mark.parametrize("end", [SourceReader.close, SourceReader.abandon])
def test_a_file_given_up_before_its_first_chunk_was_read_is_not_left_open(
    tmp_path: Path, end: Callable[[SourceReader], None]
) -> None:
    """The core releases an upload while its first chunk still waits for a worker, at every stop."""
    path = tmp_path / "a.bin"
    path.write_bytes(b"abc")
    reader = SourceReader(str(path), file_version(str(path)), ChunkPlan(3, 65_536), None)
    end(reader)
    assert reader.read(ChunkIndex(0), None).plain == b"abc"
    assert str(path) not in [file.path for file in psutil.Process().open_files()]


def test_the_probe_says_whether_a_file_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    assert deny_writers_probe(str(path)) is Code.FILE_GONE
    path.write_bytes(b"x")
    assert deny_writers_probe(str(path)) is None


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (32, Code.FILE_IN_USE),
        (33, Code.FILE_IN_USE),
        (225, Code.BLOCKED_BY_ANTIVIRUS),
        (226, Code.BLOCKED_BY_ANTIVIRUS),
        (112, Code.LOCAL_DISK_FULL),
        *((number, Code.DRIVE_GONE) for number in (21, 53, 59, 64, 67, 1167)),
        (5, Code.FILE_UNREADABLE),  # not in the table: what errno says
    ],
)
def test_what_windows_says_has_one_code(number: int, code: Code) -> None:
    error = OSError(errno.EACCES, "as Python translates most of them")
    error.winerror = number  # type: ignore[attr-defined,unused-ignore]  # only Windows sets it
    assert code_of_os_error(error) is code


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENOENT, Code.FILE_GONE),
        (errno.ENOTDIR, Code.FILE_GONE),
        (errno.EACCES, Code.FILE_UNREADABLE),
        (errno.EPERM, Code.FILE_UNREADABLE),
        (errno.ENOSPC, Code.LOCAL_DISK_FULL),
        (errno.EBUSY, Code.FILE_IN_USE),
        *((n, Code.DRIVE_GONE) for n in (errno.ENODEV, errno.EIO, errno.ESTALE, errno.ENXIO, errno.EHOSTDOWN)),
        (errno.EINVAL, Code.UNEXPECTED),
    ],
)
def test_what_other_systems_say_has_one_code(number: int, code: Code) -> None:
    assert code_of_os_error(OSError(number, os.strerror(number))) is code


def test_a_missing_drive_letter_is_a_missing_drive(monkeypatch: pytest.MonkeyPatch) -> None:
    error = FileNotFoundError(errno.ENOENT, "The system cannot find the path specified", "E:\\photos\\a.jpg")
    assert code_of_os_error(error) is Code.FILE_GONE  # here E: is a part of a name
    monkeypatch.setattr(file_probe, "_has_drive", lambda path: not path.startswith("E:"))
    assert code_of_os_error(error) is Code.DRIVE_GONE


def test_junctions_are_links_and_cloud_files_are_not() -> None:
    assert is_link(windows_file(tag=JUNCTION))
    assert is_link(windows_file(tag=SYMLINK))
    assert not is_link(windows_file(tag=CLOUD_FILE))
    assert not is_link(windows_file())


def test_hidden_means_a_dot_or_on_windows_an_attribute(tmp_path: Path) -> None:
    here = tmp_path.stat()
    assert is_hidden(".cache", here)
    assert not is_hidden("cache", here)
    assert is_hidden("cache", windows_file(attributes=stat.FILE_ATTRIBUTE_HIDDEN))
    assert is_hidden("pagefile.sys", windows_file(attributes=stat.FILE_ATTRIBUTE_SYSTEM))
    assert not is_hidden(".gitignore", windows_file())


def test_a_file_on_this_disk_is_not_online_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(b"x")
    assert not is_online_only(str(path))
    monkeypatch.setattr(os, "lstat", lambda _: windows_file(attributes=0x00400000))
    assert is_online_only(str(path))


def test_a_path_of_any_bytes_becomes_text_that_a_journal_can_store() -> None:
    path = os.fsdecode(b"photos/caf\xe9.jpg")
    assert as_text(path) == "photos/caf\\udce9.jpg"
    assert may_be_escaped(as_text(path))
    assert as_text("photos/café.jpg") == "photos/café.jpg"
    assert not may_be_escaped("photos/café.jpg")
