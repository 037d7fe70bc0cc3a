# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The console script `fieldpost` as people and scripts start it: a process of its own, with its own data folder."""

import ctypes
import fcntl
import json
import os
import pty
import re
import signal
import sqlite3
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest

from devkafka.ports import free_ports
from fieldpost_desktop.commands.exit_codes import Exit
from fieldpost_desktop.engine.journal.files import Files
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_shared.database import open_for_reading
from reference_receiver.office import Office
from support.brokers import Topics
from support.waiting import wait_until

CLIENT: Final = "van-7"
OFFICE: Final = "Head office"
PROFILE: Final = "test-office"
_SCRIPT: Final = Path(sys.executable).with_name("fieldpost")
_RUN_S: Final = 60.0
_ALL: Final = 1_000_000
_CONTROL: Final = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
_ESCAPES: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_PR_CAPBSET_DROP: Final = 24
_CAPABILITIES: Final = (1, 2)  # DAC_OVERRIDE and DAC_READ_SEARCH


@dataclass(frozen=True)
class Ended:
    """A process that ran to its end."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def objects(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines]

    def check(self, code: Exit) -> "Ended":
        """No traceback and no control characters, whatever happened; and this exit code."""
        assert self.code == code, (self.out, self.err)
        assert "Traceback" not in self.err, self.err
        assert not _CONTROL.search(self.out + self.err)
        return self


class Running:
    """A process whose lines are collected while it runs."""

    def __init__(
        self,
        command: list[str],
        env: Mapping[str, str],
        cwd: Path,
        *,
        own_group: bool = False,
        preexec: Callable[[], None] | None = None,
    ) -> None:
        self.process = subprocess.Popen(
            command,
            env=env,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=own_group,
            preexec_fn=preexec,  # noqa: PLW1509 - it only drops rights
        )
        self.out: list[str] = []
        self.err: list[str] = []
        streams = ((self.process.stdout, self.out), (self.process.stderr, self.err))
        self._threads = [threading.Thread(target=lines.extend, args=(stream,)) for stream, lines in streams]
        for thread in self._threads:
            thread.start()

    def says(self, text: str, seconds: float = 30) -> str:
        """Wait for a line with this text."""

        def found() -> str | None:
            return next((line for line in [*self.out, *self.err] if text in line), None)

        return wait_until(found, seconds, f"{text!r} among {self.out + self.err}") or ""

    def send_signal(self, number: int) -> None:
        self.process.send_signal(number)

    def wait(self, seconds: float = _RUN_S) -> Ended:
        self.process.wait(seconds)
        for thread in self._threads:
            thread.join()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        return Ended(self.process.returncode, "".join(self.out), "".join(self.err))

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.wait()


@dataclass
class Cli:
    """The program on one data folder."""

    folder: Path  # holds everything; the current folder of the processes
    options: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    within: tuple[str, ...] = ()  # a command that starts it elsewhere, as in a network namespace
    preexec: Callable[[], None] | None = None  # in each started child before it begins
    _running: list[Running] = field(default_factory=list)

    @property
    def data_dir(self) -> Path:
        return self.folder / "data"

    def run(self, *arguments: str, preexec: Callable[[], None] | None = None) -> Ended:
        done = subprocess.run(
            self.command(*arguments),
            env=self._environment(),
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_RUN_S,
            check=False,
            preexec_fn=preexec,
        )
        return Ended(done.returncode, done.stdout, done.stderr)

    def start(self, *arguments: str, env: Mapping[str, str] | None = None, own_group: bool = False) -> Running:
        environment = self._environment() | dict(env or {})
        running = Running(self.command(*arguments), environment, self.folder, own_group=own_group, preexec=self.preexec)
        self._running.append(running)
        return running

    def on_a_terminal(
        self, *arguments: str, columns: int = 120, typed: str = "", upon: tuple[str, Callable[[], None]] | None = None
    ) -> tuple[int, str]:
        """Exit code and all that was drawn, without the escape sequences.

        `upon`: words, and what happens when they are drawn first.
        """
        process, terminal = pty.fork()
        if process == 0:  # the size before it can look: on a busy machine we would be too late
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            os.chdir(self.folder)
            os.execve(_SCRIPT, self.command(*arguments), self._environment() | {"TERM": "xterm-256color"})  # noqa: S606 - our own script
        drawn = _read_all(terminal, typed, upon)
        _, status = os.waitpid(process, 0)
        os.close(terminal)
        return os.waitstatus_to_exitcode(status), drawn

    def rows(self) -> list[FileRow]:
        """The whole journal, oldest first."""
        journal = self.data_dir / "journal.db"
        if not journal.exists():
            return []
        store = Store(open_for_reading(journal))
        try:
            return list(Files(store).history(most=_ALL))[::-1]
        except sqlite3.OperationalError:  # just begun, without tables yet
            return []
        finally:
            store.close()

    def file(self, name: str, content: bytes = b"some bytes") -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    def end(self) -> None:
        for running in self._running:
            running.end()

    def command(self, *arguments: str) -> list[str]:
        return [*self.within, str(_SCRIPT), "--data-dir", str(self.data_dir), *self.options, *arguments]

    def _environment(self) -> dict[str, str]:
        """Without what would change the program or its drawing: pytest-xdist sets COLUMNS for its workers."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("FIELDPOST_", "COLUMNS"))}
        return clean | {"PYTHONWARNINGS": "error"} | self.env


def _read_all(terminal: int, typed: str, upon: tuple[str, Callable[[], None]] | None) -> str:
    data = b""
    with suppress(OSError):  # the other side is gone
        while piece := os.read(terminal, 65_536):
            data += piece
            if typed and b"assword" in data:
                os.write(terminal, f"{typed}\n".encode())
                typed = ""
            if upon is not None and upon[0] in _ESCAPES.sub("", data.decode(errors="replace")):
                upon[1]()
                upon = None
    return _ESCAPES.sub("", data.decode())


def write_profile(path: Path, topics: Topics | None = None, **changes: object) -> Path:
    """A settings file for these topics; what is changed to None is left out."""
    found: dict[str, object] = {"version": 1, "id": PROFILE, "name": OFFICE, "client": CLIENT}
    if topics is not None:
        found |= {
            "bootstrap_servers": topics.bootstrap_servers,
            "files_topic": topics.files,
            "status_topic": topics.status,
        }
    text = json.dumps({key: value for key, value in (found | changes).items() if value is not None})
    path.write_text(text, encoding="utf-8")
    return path


def secure_profile(path: Path, topics: Topics, user: str = "uploader", **changes: object) -> Path:
    security = topics.cluster.security
    found: dict[str, object] = {
        "bootstrap_servers": security.bootstrap_servers,
        "security_protocol": "SASL_SSL",
        "sasl_username": user,
        "ca_pem": security.ca_path.read_text(encoding="ascii"),
    }
    return write_profile(path, topics, **(found | changes))


def unreachable_server() -> str:
    """An address where no server listens."""
    return f"127.0.0.1:{next(iter(free_ports(1)))}"


def without_privileges() -> None:
    """In the child before it starts: also root is bound by the rights of files."""
    libc = ctypes.CDLL(None)
    for capability in _CAPABILITIES:
        libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)


def interrupt(running: Running) -> None:
    """What Ctrl-C does."""
    running.send_signal(signal.SIGINT)


@contextmanager
def office_for(topics: Topics, folder: Path) -> Iterator[Office]:
    with Office(topics.bootstrap_servers, topics.files, topics.status, folder, notice_seconds=0.2) as running:
        yield running
    assert running.violations == []


@pytest.fixture(name="bare_cli")
def bare_cli_fixture(tmp_path: Path) -> Iterator[Cli]:
    """The program without any settings."""
    cli = Cli(tmp_path)
    yield cli
    cli.end()


@pytest.fixture(name="cli")
def cli_fixture(bare_cli: Cli, topics: Topics) -> Cli:
    """The program with a settings file for a fresh pair of topics."""
    profile = write_profile(bare_cli.folder / "office.fieldpost", topics)
    bare_cli.options = ("--profile", str(profile))
    return bare_cli


@pytest.fixture(name="office")
def office_fixture(topics: Topics, tmp_path: Path) -> Iterator[Office]:
    with office_for(topics, tmp_path / "office") as running:
        yield running
