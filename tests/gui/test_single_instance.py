# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A second start hands over to the first; whatever else knocks is refused and harms nothing."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtNetwork import QLocalSocket
from pytestqt.qtbot import QtBot

from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_desktop.ui.shell.single_instance import (
    LONGEST_LINE,
    Command,
    Request,
    SingleInstance,
    hand_over,
    request_for,
    server_name,
)

_SECOND = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_desktop.ui.shell.single_instance import hand_over
app = QCoreApplication([])
sys.exit(0 if hand_over(Paths(Path(sys.argv[1])), sys.argv[2:]) else 1)
"""
_CRASHING = """
import os, signal, sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_desktop.ui.shell.single_instance import SingleInstance
app = QCoreApplication([])
instance = SingleInstance(Paths(Path(sys.argv[1])))
assert instance.listen()
print("listening", flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(tmp_path / "data")


@pytest.fixture
def name(paths: Paths) -> str:
    return server_name(paths.data_dir)


@pytest.fixture
def instance(paths: Paths, qtbot: QtBot) -> Iterator[SingleInstance]:
    assert qtbot is not None
    first = SingleInstance(paths)
    assert first.listen()
    yield first
    first.close()


class Told:
    """What an instance was given."""

    def __init__(self, instance: SingleInstance) -> None:
        self.all: list[object] = []
        instance.opened.connect(lambda: self.all.append("open"))
        instance.files_given.connect(self.all.append)
        instance.profile_given.connect(self.all.append)
        instance.quit_wanted.connect(lambda: self.all.append("quit"))


def _second(paths: Paths, *given: str, cwd: Path | None = None) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", _SECOND, str(paths.data_dir), *given], cwd=cwd)


def _ended(qtbot: QtBot, process: "subprocess.Popen[bytes]") -> int:
    qtbot.waitUntil(lambda: process.poll() is not None, timeout=30_000)
    assert process.returncode is not None
    return int(process.returncode)


def _knock(qtbot: QtBot, name: str, line: bytes) -> dict[str, object]:
    """What the instance answers to a line."""
    socket = QLocalSocket()
    socket.connectToServer(name)
    assert socket.waitForConnected(5_000)
    socket.write(line)
    qtbot.waitUntil(socket.canReadLine, timeout=10_000)
    answer: dict[str, object] = json.loads(bytes(socket.readLine().data()))
    return answer


def test_a_second_process_hands_its_files_over_and_ends(
    instance: SingleInstance, paths: Paths, qtbot: QtBot, tmp_path: Path
) -> None:
    told = Told(instance)
    process = _second(paths, "a b.txt", "Prüfbericht ☂.pdf", cwd=tmp_path)
    assert _ended(qtbot, process) == 0
    qtbot.waitUntil(lambda: told.all == [[str(tmp_path / "a b.txt"), str(tmp_path / "Prüfbericht ☂.pdf")]])


def test_a_second_process_opens_the_window_or_gives_a_settings_file(
    instance: SingleInstance, paths: Paths, qtbot: QtBot, tmp_path: Path
) -> None:
    told = Told(instance)
    assert _ended(qtbot, _second(paths)) == 0
    assert _ended(qtbot, _second(paths, str(tmp_path / "office.fieldpost"))) == 0
    qtbot.waitUntil(lambda: told.all == ["open", str(tmp_path / "office.fieldpost")])


def test_a_settings_file_is_imported_only_when_it_comes_alone(tmp_path: Path) -> None:
    profile, photo = str(tmp_path / "Office.FIELDPOST"), str(tmp_path / "photo.jpg")
    assert request_for([profile]) == Request(Command.IMPORT, (profile,))
    assert request_for([profile, photo]) == Request(Command.ADD, (profile, photo))
    assert request_for([]) == Request(Command.OPEN)


def test_without_a_first_instance_the_second_is_the_first(paths: Paths, qtbot: QtBot) -> None:
    assert qtbot is not None
    assert not hand_over(paths)


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe of Windows ends with its process")
def test_the_socket_of_a_crashed_instance_is_replaced(paths: Paths, qtbot: QtBot) -> None:
    crashed = subprocess.run([sys.executable, "-c", _CRASHING, str(paths.data_dir)], capture_output=True, check=False)
    assert (crashed.returncode, crashed.stdout) == (-signal.SIGKILL, b"listening\n")
    assert not hand_over(paths)
    instance = SingleInstance(paths)
    told = Told(instance)
    assert instance.listen()
    assert _ended(qtbot, _second(paths)) == 0
    qtbot.waitUntil(lambda: told.all == ["open"])
    instance.close()


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"hello\n",
        b"\xff\xfe\x00\n",
        b"[]\n",
        b"[" * 100_000 + b"\n",
        b'{"version": 2, "command": "open", "paths": []}\n',
        b'{"command": "open"}\n',
        b'{"version": 1, "command": "delete", "paths": ["x"]}\n',
        b'{"version": 1, "command": ["open"], "paths": []}\n',
        b'{"version": 1, "command": "add", "paths": "x"}\n',
        b'{"version": 1, "command": "add", "paths": []}\n',
        b'{"version": 1, "command": "add", "paths": [1]}\n',
        b'{"version": 1, "command": "add", "paths": ["a\\u0000b"]}\n',
        b'{"version": 1, "command": "import", "paths": ["a", "b"]}\n',
        b'{"version": 1, "command": "quit", "paths": ["a"]}\n',
        Request(Command.ADD, ("x" * LONGEST_LINE,)).line(),
        b"x" * (LONGEST_LINE + 10_000),
    ],
    ids=lambda line: repr(line[:48]),
)
def test_anything_but_a_request_is_refused_and_harms_nothing(
    instance: SingleInstance, name: str, qtbot: QtBot, line: bytes
) -> None:
    told = Told(instance)
    assert _knock(qtbot, name, line) == {"version": 1, "taken": False}
    assert told.all == []
    assert _knock(qtbot, name, Request(Command.OPEN).line()) == {"version": 1, "taken": True}
    qtbot.waitUntil(lambda: told.all == ["open"])


def test_a_request_to_quit_is_passed_on(instance: SingleInstance, name: str, qtbot: QtBot) -> None:
    told = Told(instance)
    assert _knock(qtbot, name, Request(Command.QUIT).line()) == {"version": 1, "taken": True}
    qtbot.waitUntil(lambda: told.all == ["quit"])


def test_a_request_that_arrives_in_pieces_is_understood(instance: SingleInstance, name: str, qtbot: QtBot) -> None:
    told = Told(instance)
    socket = QLocalSocket()
    socket.connectToServer(name)
    assert socket.waitForConnected(5_000)
    line = Request(Command.ADD, ("/tmp/ä" * 9_000,)).line()  # noqa: S108 - only a string
    for start in range(0, len(line), 4_096):
        socket.write(line[start : start + 4_096])
        socket.flush()
    qtbot.waitUntil(socket.canReadLine)
    qtbot.waitUntil(lambda: told.all == [["/tmp/ä" * 9_000]])  # noqa: S108 - likewise


def test_a_connection_that_breaks_in_the_middle_harms_nothing(
    instance: SingleInstance, name: str, qtbot: QtBot
) -> None:
    told = Told(instance)
    socket = QLocalSocket()
    socket.connectToServer(name)
    assert socket.waitForConnected(5_000)
    socket.write(b'{"version": 1, "comm')
    socket.flush()
    socket.abort()
    assert _knock(qtbot, name, Request(Command.OPEN).line())["taken"] is True
    qtbot.waitUntil(lambda: told.all == ["open"])


def test_each_data_folder_has_an_instance_of_its_own(tmp_path: Path) -> None:
    one, other = server_name(tmp_path / "a"), server_name(tmp_path / "b")
    assert one != other
    assert one == server_name(tmp_path / "b" / ".." / "a")
    assert len(one) < 60  # a socket's whole path has 108 characters at most


def test_each_person_has_an_instance_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = set()
    for user in ("ada", "Jörg Müller", "a/../b"):
        monkeypatch.setenv("LOGNAME", user)
        monkeypatch.setenv("USERNAME", user)
        names.add(server_name(tmp_path))
    assert len(names) == 3
    assert all(os.sep not in name and name.isascii() for name in names)
