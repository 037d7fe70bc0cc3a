# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fieldpost_desktop.engine.runtime import lock as lock_module
from fieldpost_desktop.engine.runtime.lock import DataFolderLock
from fieldpost_shared.errors import SettingsError
from support.waiting import wait_until

HOLDER = """
import sys
from pathlib import Path
from fieldpost_desktop.engine.runtime.lock import DataFolderLock
lock = DataFolderLock(Path(sys.argv[1]))
print(lock.acquire(), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "engine.lock"


@pytest.fixture
def other_process(place: Path) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-c", HOLDER, str(place)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "True\n"
        yield process
        process.kill()


def test_a_second_engine_does_not_get_the_folder(place: Path) -> None:
    with DataFolderLock(place) as first:
        assert first.held
        with DataFolderLock(place) as second:
            assert not second.held
        assert first.held
    assert not first.held


def test_taking_it_twice_changes_nothing(place: Path) -> None:
    lock = DataFolderLock(place)
    assert lock.acquire()
    assert lock.acquire()
    lock.release()
    lock.release()
    assert DataFolderLock(place).acquire()


def test_another_process_keeps_the_folder_and_says_who_it_is(
    place: Path, other_process: "subprocess.Popen[str]"
) -> None:
    lock = DataFolderLock(place)
    assert not lock.acquire()
    assert lock.holder() == other_process.pid


def test_a_killed_engine_leaves_the_folder_free(place: Path, other_process: "subprocess.Popen[str]") -> None:
    other_process.send_signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
    other_process.wait(10)
    lock = DataFolderLock(place)
    wait_until(lock.acquire, 5, "the lock of a killed process")
    assert lock.holder() == os.getpid()


def test_a_program_that_the_engine_starts_does_not_keep_the_folder(place: Path) -> None:
    lock = DataFolderLock(place)
    assert lock.acquire()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, close_fds=False) as child:
        lock.release()
        assert DataFolderLock(place).acquire()
        child.kill()


def test_a_folder_never_used_has_no_holder(place: Path) -> None:
    assert DataFolderLock(place).holder() is None
    place.write_text("not a number")
    assert DataFolderLock(place).holder() is None


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"data_dir: .*missing.*cannot be locked"):
        DataFolderLock(tmp_path / "missing" / "engine.lock").acquire()


def test_a_file_system_without_locks_is_named(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(_descriptor: int) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(lock_module, "_lock", no_locks)
    with pytest.raises(SettingsError, match="cannot be locked: Operation not supported"):
        DataFolderLock(place).acquire()
