# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Wine's imitation of a laptop, seen from outside: its programs, its folders, its registry.

WINE names Wine, WINEPREFIX the folder of that Windows, as build.sh has set them.
"""

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path, PureWindowsPath
from typing import Final

import psutil  # type: ignore[import-untyped]  # it ships no types

_RUN_S: Final = 180.0
_LOOK_S: Final = 0.1
_CODE_PAGE: Final = "cp1252"  # in which this Windows writes into a pipe
_VALUE: Final = re.compile(r'(?:@|"(.*?)(?<!\\)")=(?:"(.*)"|dword:([0-9a-f]{8}))')
_NOBODY: Final = "127.0.0.1:9"  # where nobody answers: what is queued stays queued


class ProofFailed(Exception):
    """The installer did not do what it is for."""


def check(right: object, words: str) -> None:
    """Raises ProofFailed with these words unless it is right."""
    if not right:
        raise ProofFailed(words)


def wait_for(condition: Callable[[], object], seconds: float, words: str) -> None:
    """Look until it is so; ProofFailed when it takes longer."""
    deadline = time.monotonic() + seconds
    while not condition():
        check(time.monotonic() < deadline, f"waited {seconds:g} s for {words}")
        time.sleep(_LOOK_S)


class Laptop:
    """One Windows with one user."""

    def __init__(self) -> None:
        self._wine = os.environ["WINE"]
        self._environment = os.environ | {"FIELDPOST_BOOTSTRAP_SERVERS": _NOBODY}
        self._disk = Path(os.environ["WINEPREFIX"]) / "drive_c"
        self.local = self.here(self.said("cmd", "/c", "echo %LOCALAPPDATA%"))
        self.roaming = self.here(self.said("cmd", "/c", "echo %APPDATA%"))
        self.programs = self.local / "Programs/Fieldpost"
        self.data = self.local / "Fieldpost"

    # places

    def here(self, path: str) -> Path:
        """Where a file of its disk lies for us."""
        return self._disk.joinpath(*PureWindowsPath(path).parts[1:])

    def there(self, path: Path) -> str:
        """How its programs name a file."""
        if path.is_relative_to(self._disk):
            return str(PureWindowsPath("C:\\", *path.relative_to(self._disk).parts))
        return str(PureWindowsPath("Z:\\", *path.absolute().parts[1:]))

    def files(self) -> set[Path]:
        """All that lies in the user's own folders; what programs leave in the one for that does not count."""
        found = (path for place in (self.local, self.roaming) for path in place.rglob("*"))
        return {path for path in found if not path.is_relative_to(self.local / "Temp")}

    # programs

    def run(self, program: str | Path, *arguments: str) -> int:
        """The code with which it ends; a program that it started may go on, and keep its pipe open."""
        return self._started(program, *arguments).wait(_RUN_S)

    def said(self, program: str | Path, *arguments: str) -> str:
        """What it says; ProofFailed if it ends badly."""
        ended = self._ended(program, *arguments)
        check(
            ended.returncode == 0, f"{program} {arguments} ended with {ended.returncode}: {ended.stdout}{ended.stderr}"
        )
        return ended.stdout.strip()

    def start(self, program: Path, *arguments: str) -> None:
        """Without waiting for its end."""
        self._started(program, *arguments)

    def running(self, *words: str) -> set[int]:
        """The processes of the installed program whose command line has these words."""
        found = set()
        place = self.there(self.programs).lower()
        for process in psutil.process_iter(["cmdline", "status"]):
            line = " ".join(process.info["cmdline"] or ())
            alive = process.info["status"] != psutil.STATUS_ZOMBIE
            if alive and _is_in(line, place, self.programs) and all(word in line for word in words):
                found.add(process.pid)
        return found

    def _ended(self, program: str | Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
        command = [self._wine, str(program), *arguments]
        environment = self._environment
        return subprocess.run(
            command, env=environment, capture_output=True, encoding=_CODE_PAGE, timeout=_RUN_S, check=False
        )

    def _started(self, program: str | Path, *arguments: str) -> "subprocess.Popen[bytes]":
        # A pipe that nobody reads: Windows Python dies at its start when its output is a plain file under Wine.
        command = [self._wine, str(program), *arguments]
        nothing, pipe, same = subprocess.DEVNULL, subprocess.PIPE, subprocess.STDOUT
        return subprocess.Popen(command, env=self._environment, stdin=nothing, stdout=pipe, stderr=same)

    # the registry of this user

    def registry(self) -> dict[tuple[str, str], str]:
        """Every value that is a text or a number, by the key below HKEY_CURRENT_USER and the name; "" is the key's own.

        At once: each question to Wine takes a second.
        """
        with tempfile.TemporaryDirectory(prefix="fieldpost-registry-") as folder:
            out = Path(folder) / "all.reg"
            self.said("reg", "export", "HKCU", self.there(out), "/y")
            return read_registry(out.read_text(encoding="utf-16"))

    def set_value(self, key: str, name: str, text: str) -> None:
        """A text."""
        self.said("reg", "add", f"HKCU\\{key}", "/v", name, "/d", text, "/f")


def read_registry(text: str) -> dict[tuple[str, str], str]:
    """What `reg export` wrote; a text over several lines is none that we look for."""
    key, found = "", {}
    for line in text.splitlines():
        if line.startswith("["):
            key = line.strip("[]").removeprefix("HKEY_CURRENT_USER\\")
            found[key, ""] = ""  # a key may have no values at all
        elif value := _VALUE.fullmatch(line):
            name, words, number = value.groups()
            found[key, _plain(name or "")] = _plain(words) if words is not None else str(int(number, 16))
    return found


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def _is_in(line: str, place: str, folder: Path) -> bool:
    """Wine shows a program by its own name for it, or by ours while it is starting."""
    return place in line.lower() or str(folder) in line
