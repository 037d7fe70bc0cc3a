# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Lets the built Windows program do its work under Wine: `python -m windows.trial FOLDER RESULTS`.

Its console program sends a file through a real Kafka to the real receiver and waits for the receipt. Then the window
is opened on the same data folder, where it shows that file, and photographed.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from demo import digest, end, start_receiver
from devkafka.cluster import Cluster
from windows.photograph import photograph

_CLIENT: Final = "laptop"
_NAME: Final = "Messung Größe 1.bin"  # letters that an old code page would lose
_SIZE: Final = 5_000_000
_SEND_S: Final = 240.0
_WINDOW_S: Final = 120.0
_SCREEN: Final = "1280x800"


class TrialFailed(Exception):
    """The program did not do what it is for."""


class Laptop:
    """The programs of a folder, started by Wine; WINE names it, the rest of its settings are in the environment."""

    def __init__(self, folder: Path, data: Path) -> None:
        self._folder = folder
        self._data = ("--data-dir", _windows(data))

    def import_settings(self, file: Path) -> None:
        """What a person gets from the office and opens."""
        self._say("profile", "import", *self._data, _windows(file))

    def send(self, file: Path) -> dict[str, Any]:
        """What the console program says of one file."""
        said: dict[str, Any] = json.loads(self._say("send", "--json", *self._data, _windows(file)))
        return said

    @contextmanager
    def window(self) -> Iterator[None]:
        """The program with a window, on a desktop that Wine draws."""
        desktop = ("explorer", f"/desktop=fieldpost,{_SCREEN}", _windows(self._folder / "fieldpost.exe"))
        with _start(*desktop, *self._data) as program:
            try:
                yield
            finally:
                with _start("taskkill", "/f", "/im", "fieldpost.exe") as stop:
                    stop.communicate(timeout=60)
                program.terminate()

    def _say(self, *arguments: str) -> str:
        """The console program's output."""
        with _start(_windows(self._folder / "fieldpost-console.exe"), *arguments) as program:
            said, complained = program.communicate(timeout=_SEND_S)
        if program.returncode != 0:
            raise TrialFailed(f"{arguments[0]} ended with {program.returncode}: {said}{complained}")
        return said


def _start(*command: str) -> subprocess.Popen[str]:
    """By Wine, where Python does not start when its output is a plain file."""
    return subprocess.Popen(
        [os.environ["WINE"], *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def main() -> int:
    """Hold the trial; 0 if the file arrived unaltered and the window was seen."""
    program, results = (Path(argument).resolve() for argument in sys.argv[1:])
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fieldpost-trial-")))
        kafka = stack.enter_context(Cluster(folder / "kafka"))
        for topic in ("fieldpost.files", "fieldpost.status"):
            kafka.create_topic(topic, 4)
        stack.callback(end, start_receiver(kafka.bootstrap_servers, folder / "office"))
        laptop = Laptop(program, folder / "data")
        laptop.import_settings(_settings(folder, kafka.bootstrap_servers))
        file = folder / _NAME
        file.write_bytes(random.Random(2026).randbytes(_SIZE))  # noqa: S311 - the same file each time
        said = laptop.send(file)
        _compare(said, file, folder / "office" / _CLIENT / _NAME)
        (results / "delivery.json").write_text(f"{json.dumps(_fit_to_keep(said), indent=2)}\n", encoding="utf-8")
        with laptop.window():
            photograph(results / "fieldpost.png", _WINDOW_S)
    return 0


def _settings(folder: Path, servers: str) -> Path:
    file = folder / "office.fieldpost"
    kafka = {"bootstrap_servers": servers, "security_protocol": "PLAINTEXT"}
    said = {"version": 1, "id": "trial", "name": "Head office", "client": _CLIENT, **kafka}
    file.write_text(json.dumps(said), encoding="utf-8")
    return file


def _compare(said: dict[str, Any], source: Path, arrived: Path) -> None:
    if said["state"] != "confirmed":
        raise TrialFailed(f"the file is not confirmed: {said}")
    if not said["sha256"] == digest(source) == digest(arrived):
        raise TrialFailed(f"other bytes arrived than were sent: {said}")
    print(f"  confirmed by {said['receiver']} after {said['seconds']} s, SHA-256 {said['sha256']}")


def _fit_to_keep(said: dict[str, Any]) -> dict[str, Any]:
    """Without the folder, which is gone by then."""
    return said | {"path": _NAME}


def _windows(path: Path) -> str:
    """How Wine names a file of this machine."""
    return "Z:" + str(path.absolute()).replace("/", "\\")


if __name__ == "__main__":
    sys.exit(main())
