# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The app as a process of its own in a real window: what the end-to-end tests start, look at, use and kill."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import psutil  # type: ignore[import-untyped]  # it ships no types
import pytest

from fieldpost_desktop.engine.model.states import FileState
from support.brokers import Topics
from support.processes.cli import PROFILE, Cli, secure_profile, unreachable_server, write_profile
from support.waiting import wait_until

DRIVER: Final = Path(__file__).parents[2] / "e2e" / "driver.py"
_ANSWER_S: Final = 30.0
_START_S: Final = 30.0
_END_S: Final = 20.0
_TOLD_S: Final = 5.0  # two seconds by design, on two busy cores
_FEWEST_COLOURS: Final = 8  # an empty window has two or three


class AppProcess:
    """One start of the app."""

    def __init__(self, command: list[str], keyring: Path, env: dict[str, str], folder: Path) -> None:
        self.errors = folder / "stderr.txt"
        ours, theirs = socket.socketpair()
        driver = [sys.executable, str(DRIVER), str(theirs.fileno()), str(keyring)]
        with self.errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [*driver, *command],
                env=env,
                cwd=folder,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=subprocess.STDOUT,
            )
        theirs.close()
        ours.settimeout(_ANSWER_S)
        self._channel = ours
        self._lines = ours.makefile("rb")

    def ask(self, *question: object) -> Any:  # noqa: ANN401 - each verb has its own answer
        """See driver.py for what can be asked."""
        __tracebackhide__ = True
        answer = self.exchange(*question)
        assert "error" not in answer, (question, answer)
        return answer["ok"]

    def exchange(self, *question: object) -> dict[str, Any]:
        """The same, with "error" in the answer where it cannot be done."""
        __tracebackhide__ = True
        self._channel.sendall(json.dumps(question).encode() + b"\n")
        line = self._lines.readline()
        assert line, f"the app has ended: {self.errors.read_text(encoding='utf-8')}"
        answer: dict[str, Any] = json.loads(line)
        return answer

    # the eye

    def said(self, name: str) -> str | None:
        return self.ask("said", name)  # type: ignore[no-any-return]  # see driver.py

    def rows(self) -> dict[str, dict[str, Any]]:
        """The list by file name."""
        return {row["name"]: row for row in self.ask("rows")}

    def states(self) -> dict[str, str]:
        return {name: row["state"] for name, row in self.rows().items()}

    def hears(self, words: str, seconds: float = 30) -> str:
        """Wait for a banner with these words."""

        def found() -> str | None:
            return next((banner for banner in self.ask("banners") if words in banner), None)

        return wait_until(found, seconds, f"a banner that says {words!r}") or ""

    def sees(self, name: str, words: str, seconds: float = 30) -> str:
        """Wait until the thing of that name says so."""

        def found() -> str | None:
            return said if words in (said := self.said(name) or "") else None

        return wait_until(found, seconds, f"{name} to say {words!r}") or ""

    def all_confirmed(self, *names: str, seconds: float = 60) -> None:
        """Wait until these, and no others, are in the list and green."""
        wanted = dict.fromkeys(names, FileState.CONFIRMED)
        wait_until(lambda: self.states() == wanted, seconds, f"{names} to be confirmed")

    def picture(self, name: str) -> Path:
        """A photo of the screen, kept with the test's other files; an empty one fails."""
        path = self.errors.with_name(f"{name}.png")
        *_size, colours = self.ask("picture", str(path))
        assert colours >= _FEWEST_COLOURS, f"{path} shows nothing"
        return path

    def memory(self) -> int:
        return int(psutil.Process(self.process.pid).memory_info().rss)

    # the hand

    def press(self, words: str, seconds: float = 10) -> None:
        """Press the button that says so, once it can be pressed."""
        wait_until(lambda: "ok" in self.exchange("press", words), seconds, f"the button {words!r}")

    def drop(self, *paths: Path, onto: str = "main_window") -> None:
        """Drag files into the window and let go."""
        assert self.ask("drag", [str(path) for path in paths], onto), "the window does not want these"
        assert self.ask("drop", onto), "the window did not take these"

    # its end

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def terminate(self) -> int:
        """SIGTERM, as when the system goes down; the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.ended(_TOLD_S)

    def ended(self, seconds: float = _END_S) -> int:
        """Wait for its end; it had nothing to complain about."""
        code = self.process.wait(seconds)
        assert self.errors.read_text(encoding="utf-8") == ""
        return code

    def close(self) -> None:
        if self.process.poll() is None:
            self.kill()
        self._lines.close()
        self._channel.close()


@dataclass
class Laptop:
    """One computer with the app on it: a data folder, a keyring, a screen."""

    cli: Cli
    display: str
    env: dict[str, str] = field(default_factory=dict)
    _started: list[AppProcess] = field(default_factory=list)

    @property
    def folder(self) -> Path:
        return self.cli.folder

    def start(self, *arguments: str) -> AppProcess:
        """`fieldpost` with these arguments; does not wait for anything."""
        folder = self.folder / f"start-{len(self._started) + 1}"
        folder.mkdir()
        options = ["--data-dir", str(self.cli.data_dir), *self.cli.options]
        started = AppProcess([*options, *arguments], self._keyring, self._environment(), folder)
        self._started.append(started)
        return started

    def open(self, *arguments: str) -> AppProcess:
        """The same, until its window is there."""
        app = self.start(*arguments)
        wait_until(lambda: app.exchange("window").get("ok", {}).get("visible"), _START_S, "the window")
        return app

    def belongs_to(self, profile: Path, password: str) -> None:
        """Send by this settings file; the password is in the keyring, as after the wizard."""
        self.cli.options = ("--profile", str(profile))
        self._keyring.write_text(json.dumps({f"Fieldpost/{PROFILE} fieldpost": password}), encoding="utf-8")

    def cut_off(self) -> None:
        """Set up for a server that cannot be reached."""
        server, user = unreachable_server(), "uploader"
        path = self.folder / "van.fieldpost"
        write_profile(path, bootstrap_servers=server, security_protocol="SASL_SSL", sasl_username=user)
        self.belongs_to(path, "never asked for")

    def complaints(self) -> list[str]:
        """Lines of the app's log that must not be there."""
        log = self.cli.data_dir / "logs" / "fieldpost.log"
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        return [line for line in lines if line.split(" ", 2)[1] in {"WARNING", "ERROR", "CRITICAL"}]

    def end(self) -> None:
        for app in self._started:
            app.close()

    @property
    def _keyring(self) -> Path:
        return self.folder / "keyring.json"

    def _environment(self) -> dict[str, str]:
        strange = ("FIELDPOST_", "QT_", "LC_", "LANG", "DBUS_", "WAYLAND_", "XDG_", "SESSION_")
        clean = {name: value for name, value in os.environ.items() if not name.startswith(strange)}
        screen = {"DISPLAY": self.display, "QT_QPA_PLATFORM": "xcb", "LC_ALL": "C.UTF-8"}
        return clean | {"PYTHONWARNINGS": "error"} | screen | self.env


@pytest.fixture(name="bare_laptop")
def bare_laptop_fixture(tmp_path: Path, display: str) -> Iterator[Laptop]:
    """Before the first start."""
    laptop = Laptop(Cli(tmp_path), display)
    yield laptop
    laptop.end()
    assert laptop.complaints() == []


@pytest.fixture(name="laptop")
def laptop_fixture(bare_laptop: Laptop, post: Topics) -> Laptop:
    """Set up for these topics: over SASL_SSL, as a user who may do no more than an uploader needs."""
    profile = secure_profile(bare_laptop.folder / "van.fieldpost", post)
    bare_laptop.belongs_to(profile, post.cluster.security.passwords["uploader"])
    return bare_laptop


@pytest.fixture(name="post")
def post_fixture(secure_topics: Topics) -> Topics:
    """Where the laptop sends to, unless the test's module says otherwise."""
    return secure_topics
