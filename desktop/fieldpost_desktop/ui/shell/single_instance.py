# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""One window per person and data folder: a second start hands its files to the first and ends.

One JSON line each way: {"version": 1, "command": "open" | "add" | "import" | "quit", "paths": [...]}, answered
by {"version": 1, "taken": true | false}. The engine's lock file stays the guard; this is only how they talk.
"""

import getpass
import hashlib
import json
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_desktop.ui.connection.settings_file import settings_file_in

VERSION: Final = 1
LONGEST_LINE: Final = 1 << 20  # a Windows command line has 32,767 characters at most
_CONNECT_MS: Final = 100
_WRITE_MS: Final = 1_000
_ANSWER_MS: Final = 2_000  # the first one may be busy opening its window
_SILENT_MS: Final = 5_000  # a connection that says nothing for so long is closed


class Command(StrEnum):
    """What a second start may ask of the first; an installer asks it to end."""

    OPEN = "open"
    ADD = "add"
    IMPORT = "import"
    QUIT = "quit"


# The fewest and the most paths of each command; what is more than a line can hold is no limit.
_PATH_COUNTS: Final = {
    Command.OPEN: (0, 0),
    Command.ADD: (1, LONGEST_LINE),
    Command.IMPORT: (1, 1),
    Command.QUIT: (0, 0),
}


class _InvalidRequest(ValueError):
    """A line that is no request."""


@dataclass(frozen=True, slots=True)
class Request:
    """One command with its files."""

    command: Command
    paths: tuple[str, ...] = ()

    def line(self) -> bytes:
        """Return it as it travels; ASCII, so that a file name with half a character arrives as it is."""
        request = {"version": VERSION, "command": self.command, "paths": self.paths}
        return json.dumps(request).encode() + b"\n"


def server_name(data_dir: Path) -> str:
    """Return where the instance of this person and data folder listens."""
    try:
        user = getpass.getuser()
    except (OSError, KeyError):  # no name in the environment and none in the system
        user = "somebody"
    place = os.path.normcase(data_dir.resolve())
    digest = hashlib.sha256(f"{user}\0{place}".encode(errors="surrogatepass")).hexdigest()
    return f"fieldpost-{re.sub('[^A-Za-z0-9]', '_', user)[:24]}-{digest[:16]}"


def request_for(given: Sequence[str]) -> Request:
    """Return what a start with these paths means: open the window, import a settings file, or send files."""
    paths = tuple(str(Path(path).absolute()) for path in given)
    if settings_file_in(paths) is not None:
        return Request(Command.IMPORT, paths)
    return Request(Command.ADD if paths else Command.OPEN, paths)


def hand_over(paths: Paths, given: Sequence[str] = ()) -> bool:
    """Give all to the running instance; False when there is none that takes it. Waits some seconds at most."""
    return send_request(paths, request_for(given))


def send_request(paths: Paths, request: Request) -> bool:
    """Return whether the running instance has accepted the request; False without one. Waits some seconds at most."""
    socket = QLocalSocket()
    socket.connectToServer(server_name(paths.data_dir))
    if not socket.waitForConnected(_CONNECT_MS):
        return False
    _let_the_other_come_forward()
    socket.write(request.line())
    while socket.bytesToWrite():
        if not socket.waitForBytesWritten(_WRITE_MS):
            return False
    while not socket.canReadLine():
        if not socket.waitForReadyRead(_ANSWER_MS):
            return False
    return _is_accepted(bytes(socket.readLine(LONGEST_LINE).data()))


class SingleInstance(QObject):
    """Listens in the first instance. A request can do no more than the four signals say."""

    opened = Signal()
    files_given = Signal(list)  # of paths
    profile_given = Signal(str)  # the path of a settings file
    quit_wanted = Signal()

    def __init__(self, paths: Paths, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = server_name(paths.data_dir)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._accept_connections)

    def listen(self) -> bool:
        """Begin, after `hand_over` found no instance: this one takes the name."""
        QLocalServer.removeServer(self._name)  # what a crash left behind
        return self._server.listen(self._name)

    def close(self) -> None:
        """Listen no more."""
        self._server.close()

    def _accept_connections(self) -> None:
        while self._server.hasPendingConnections():
            connection = _Connection(self._server.nextPendingConnection(), self)
            connection.requested.connect(self._carry_out)
            connection.read()

    def _carry_out(self, request: Request) -> None:
        match request.command:
            case Command.OPEN:
                self.opened.emit()
            case Command.ADD:
                self.files_given.emit(list(request.paths))
            case Command.IMPORT:
                self.profile_given.emit(request.paths[0])
            case Command.QUIT:
                self.quit_wanted.emit()


class _Connection(QObject):
    """Reads and answers one request of one connection."""

    requested = Signal(object)  # a Request

    def __init__(self, socket: QLocalSocket, parent: QObject) -> None:
        super().__init__(parent)
        self._socket = socket
        socket.setParent(self)
        socket.setReadBufferSize(LONGEST_LINE + 1)
        socket.readyRead.connect(self.read)
        socket.disconnected.connect(self.deleteLater)
        self._silence = QTimer(self, singleShot=True, interval=_SILENT_MS)
        self._silence.timeout.connect(self.deleteLater)
        self._silence.start()
        self._answered = False

    def read(self) -> None:
        """Read and answer a request once its line is whole."""
        whole = self._socket.canReadLine() or self._socket.bytesAvailable() > LONGEST_LINE
        if self._answered or not whole:
            return
        self._answered = True
        try:
            request = _parse_request(bytes(self._socket.readLine(LONGEST_LINE + 1).data()))
        except _InvalidRequest:
            self._answer(taken=False)
        else:
            self._answer(taken=True)
            self.requested.emit(request)

    def _answer(self, *, taken: bool) -> None:
        self._socket.write(json.dumps({"version": VERSION, "taken": taken}).encode() + b"\n")
        self._socket.flush()
        self._socket.disconnectFromServer()


def _is_accepted(line: bytes) -> bool:
    try:
        answer = json.loads(line)
    except ValueError:
        return False
    return isinstance(answer, dict) and answer.get("taken") is True


def _parse_request(line: bytes) -> Request:
    """Parse a line, which any program of this account may have written."""
    if len(line) > LONGEST_LINE or not line.endswith(b"\n"):
        raise _InvalidRequest
    try:
        said = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _InvalidRequest from error
    if not isinstance(said, dict) or said.get("version") != VERSION or said.get("command") not in tuple(Command):
        raise _InvalidRequest
    paths = said.get("paths", [])
    if not isinstance(paths, list) or not all(isinstance(path, str) and path and "\0" not in path for path in paths):
        raise _InvalidRequest
    request = Request(Command(said["command"]), tuple(paths))
    fewest, most = _PATH_COUNTS[request.command]
    if not fewest <= len(paths) <= most:
        raise _InvalidRequest
    return request


def _let_the_other_come_forward() -> None:
    """Let the first instance bring its window to the front: Windows allows that only to the program just started."""
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - on Windows only

        any_process = -1
        ctypes.windll.user32.AllowSetForegroundWindow(any_process)
