# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What others would use for the same job, each at its sensible best, with its version or None.

None of them does all that Fieldpost does: what is left out stands in `does`.
"""

import json
import os
import resource
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final, Protocol

from bench.contender import Line
from bench.leftovers import clear
from bench.measuring import Run, watched
from bench.worker import Worker
from devkafka.guarded import Guarded
from devkafka.ports import HOST, free_ports
from devkafka.roles import Role
from support.waiting import wait_until

TUS: Final = Path(__file__).resolve().parents[2] / "build" / "tus"
_SCRIPTS: Final = Path(__file__).parent / "tus"
_START_S: Final = 20.0


class Reference(Protocol):
    """A way to bring a file or a folder to the other side of this machine."""

    def move(self, source: Path, size: int, files: int) -> Run:
        """Take `source` there, and throw it away afterwards."""


class Plain:
    """See bench.plain; one topic for all its runs would grow, so each run makes its own."""

    does = "the limit: plain producer and consumer with SHA-256, pwrite, fsync and read-back"

    def __init__(self, way: Line, folder: Path) -> None:
        self._way = way
        self._folder = folder

    def move(self, source: Path, size: int, files: int) -> Run:
        del files
        target = self._folder / "plain.bin"
        partitions = self._way.topics.partitions
        with (
            Worker("plain", kafka=self._way.kafka(Role.UPLOADER), partitions=partitions) as producer,
            Worker("plain", kafka=self._way.kafka(Role.RECEIVER), partitions=partitions) as consumer,
            watched({"producer": [producer.pid], "consumer": [consumer.pid]}, size) as done,
        ):
            consumer.begin(do="consume", path=str(target), size=size)
            producer.begin(do="produce", path=str(source))
            producer.result()
            consumer.result()
        target.unlink()
        return done[0]


class Copy:
    """The floor of disk and hash."""

    does = "cp, fsync, then SHA-256 of the copy; no network, no check against the source"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def move(self, source: Path, size: int, files: int) -> Run:
        target = self._folder / "copy"
        script = 'cp -r --reflink=never "$1" "$2" && sync -f "$2" && find "$2" -type f -print0 | xargs -0 sha256sum'
        run = _timed(["sh", "-c", script, "sh", str(source), str(target)], {}, size, files)
        clear(target)
        return run


class Rsync:
    """A daemon on loopback."""

    does = "rsync daemon, whole files, with --fsync; a checksum in transit, no read-back"

    def __init__(self, address: str, server: int, inbox: Path) -> None:
        self._address = address
        self._server = server
        self._inbox = inbox

    def move(self, source: Path, size: int, files: int) -> Run:
        command = ["rsync", "--recursive", "--times", "--whole-file", "--fsync", str(source), self._address]
        run = _timed(command, {"server": [self._server]}, size, files)
        clear(self._inbox / source.name)
        return run


class Tus:
    """The Node packages of the tus project; each file is one upload in one stream, eight at a time."""

    does = "tus server and client on Node, in one stream a file; no hash, no fsync"

    def __init__(self, address: str, server: int, inbox: Path) -> None:
        self._address = address
        self._server = server
        self._inbox = inbox

    def move(self, source: Path, size: int, files: int) -> Run:
        command = ["node", str(TUS / "client.mjs"), self._address, str(source)]
        run = _timed(command, {"server": [self._server]}, size, files)
        clear(self._inbox)
        self._inbox.mkdir()
        return run


@contextmanager
def rsync_daemon(folder: Path) -> Iterator[Rsync]:
    inbox = folder / "rsync-inbox"
    inbox.mkdir(parents=True)
    (port,) = free_ports(1)
    config = folder / "rsyncd.conf"
    module = f"[inbox]\npath = {inbox}\nread only = false\nuse chroot = false\n"
    if os.geteuid() == 0:  # else it would become `nobody`, who may not write here
        module += "uid = 0\ngid = 0\n"
    config.write_text(f"port = {port}\naddress = {HOST}\n{module}", encoding="utf-8")
    server = Guarded(["rsync", "--daemon", "--no-detach", f"--config={config}"], folder / "rsyncd.txt")
    try:
        address = f"rsync://{HOST}:{port}/inbox/"
        wait_until(lambda: _answers(["rsync", address]), _START_S, "the rsync daemon")
        yield Rsync(address, server.pid, inbox)
    finally:
        server.kill()


@contextmanager
def tus_server(folder: Path) -> Iterator[Tus]:
    inbox = folder / "tus-inbox"
    inbox.mkdir(parents=True)
    (port,) = free_ports(1)
    server = Guarded(["node", str(TUS / "server.mjs"), HOST, str(port), str(inbox)], folder / "tus.txt")
    try:
        wait_until(lambda: "ready" in (folder / "tus.txt").read_text(encoding="utf-8"), _START_S, "the tus server")
        yield Tus(f"http://{HOST}:{port}/files", server.pid, inbox)
    finally:
        server.kill()


def rsync_version() -> str | None:
    if shutil.which("rsync") is None:
        return None
    return _output(["rsync", "--version"]).split("\n")[0].strip()


def tus_version() -> str | None:
    """Installs the packages at the first call; None where that is not possible."""
    if shutil.which("npm") is None:
        return None
    TUS.mkdir(parents=True, exist_ok=True)
    for path in _SCRIPTS.iterdir():  # each time: they may have changed since the packages were installed
        shutil.copy(path, TUS)
    if not (TUS / "node_modules").exists():
        installed = subprocess.run(
            ["npm", "install", "--no-package-lock", "--no-audit", "--no-fund"],
            cwd=TUS,
            check=False,
            capture_output=True,
        )
        if installed.returncode != 0:
            shutil.rmtree(TUS)
            return None
    wanted = json.loads((TUS / "package.json").read_text(encoding="utf-8"))["dependencies"]
    return (
        ", ".join(f"{name} {version}" for name, version in wanted.items()) + f", Node {_output(['node', '-v']).strip()}"
    )


def _timed(command: Sequence[str], servers: dict[str, list[int]], size: int, files: int) -> Run:
    """A program that ends by itself: its processor time is what this process' children have used more afterwards."""
    before = _children_cpu()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    with watched(servers | {"client": [process.pid]}, size, files) as done:
        _, words = process.communicate()
    if process.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {process.returncode}: {words.decode(errors='replace')[-500:]}")
    return replace(done[0], cpu_s=done[0].cpu_s + _children_cpu() - before)


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _answers(command: list[str]) -> bool:
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


def _output(command: list[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
