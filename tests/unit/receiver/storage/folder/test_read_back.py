# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Reading back: the disk's bytes, in constant memory, stoppable."""

import errno
import hashlib
import os
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fieldpost_receiver.storage.errors import StorageError
from fieldpost_receiver.storage.folder.disk import Disk, Fault, FaultyDisk
from fieldpost_receiver.storage.folder.read_back import ReadBack, read_back

MIB = 1024 * 1024


@contextmanager
def opened(path: Path) -> Iterator[int]:
    file = os.open(path, os.O_RDONLY)
    yield file
    os.close(file)


@pytest.mark.parametrize("size", [0, 1, 1000, MIB - 1, MIB, MIB + 1, 5 * MIB + 7, 8 * MIB, 9 * MIB + 7])
def test_hash_and_size_are_those_of_the_file(tmp_path: Path, size: int) -> None:
    content = os.urandom(size)
    (tmp_path / "file").write_bytes(content)
    with opened(tmp_path / "file") as file:
        assert read_back(Disk(), file) == ReadBack(hashlib.sha256(content).hexdigest(), size)


def test_one_changed_bit_is_seen(tmp_path: Path) -> None:
    content = bytearray(os.urandom(3 * MIB))
    sent = hashlib.sha256(content).hexdigest()
    content[2 * MIB] ^= 1
    (tmp_path / "file").write_bytes(content)
    with opened(tmp_path / "file") as file:
        found = read_back(Disk(), file)
    assert found is not None
    assert found.sha256 != sent


def test_holes_of_a_sparse_file_count_as_zeros(tmp_path: Path) -> None:
    with (tmp_path / "file").open("wb") as file:
        file.truncate(2 * MIB)
    with opened(tmp_path / "file") as descriptor:
        assert read_back(Disk(), descriptor) == ReadBack(hashlib.sha256(bytes(2 * MIB)).hexdigest(), 2 * MIB)


def test_a_file_of_any_size_takes_one_buffer(tmp_path: Path) -> None:
    with (tmp_path / "file").open("wb") as file:
        file.truncate(64 * MIB)
    with opened(tmp_path / "file") as descriptor:
        tracemalloc.start()
        read_back(Disk(), descriptor)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 2 * MIB


def test_can_be_stopped_on_the_way(tmp_path: Path) -> None:
    with (tmp_path / "file").open("wb") as file:
        file.truncate(7 * MIB)
    answers = iter([False, False, True])
    with opened(tmp_path / "file") as descriptor:
        assert read_back(Disk(), descriptor, lambda: next(answers)) is None
        assert os.lseek(descriptor, 0, os.SEEK_CUR) == 3 * MIB


def test_a_large_file_can_be_stopped_on_the_way_too(tmp_path: Path) -> None:
    with (tmp_path / "file").open("wb") as file:
        file.truncate(50 * MIB)
    answers = iter([False, False, True])
    disk = FaultyDisk()
    with opened(tmp_path / "file") as descriptor:
        assert read_back(disk, descriptor, lambda: next(answers)) is None
    assert disk.calls.count("read_at") == 4  # two at first, one more for each block that was hashed


@pytest.mark.parametrize("fault", [Fault("read_past_the_cache", errno.EINVAL), Fault("read_at", errno.EINVAL, 4)])
def test_where_a_file_system_has_no_way_past_its_cache_the_other_way_tells_the_same(
    tmp_path: Path, fault: Fault
) -> None:
    content = os.urandom(10 * MIB + 7)
    (tmp_path / "file").write_bytes(content)
    disk = FaultyDisk(fault)
    with opened(tmp_path / "file") as file:
        assert read_back(disk, file) == ReadBack(hashlib.sha256(content).hexdigest(), len(content))
    assert disk.calls.index("read_from_disk") > disk.calls.index(fault.operation)


def test_a_disk_that_cannot_read_a_large_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(os.urandom(10 * MIB))
    with opened(tmp_path / "file") as file, pytest.raises(StorageError) as caught:
        read_back(FaultyDisk(Fault("read_at", errno.EIO, 5)), file)
    assert caught.value.errno == errno.EIO


@pytest.mark.parametrize("operation", ["fstat", "read_from_disk", "read_into"])
def test_a_disk_that_cannot_read_is_named(tmp_path: Path, operation: str) -> None:
    (tmp_path / "file").write_bytes(b"x" * 10)
    with opened(tmp_path / "file") as file, pytest.raises(StorageError) as caught:
        read_back(FaultyDisk(Fault(operation, errno.EIO)), file)
    assert caught.value.errno == errno.EIO
