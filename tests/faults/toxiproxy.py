# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A bad line on request: a real toxiproxy between an end and a door of `rough_broker`.

def test_f10_...(toxiproxy: Toxiproxy, rough_topics: Topics) -> None:
    line = toxiproxy.line(rough_topics.cluster.door("VAN"))
    scene.van(bootstrap_servers=line.address)
    line.put_toxic("latency", latency=500)  # each way
    with line.cut(): ...

It is built once from source into build/; where that cannot be done, tests that need it skip and say why.
"""

import json
import os
import shutil
import subprocess
import threading
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.error import URLError

import pytest

from devkafka.guarded import Guarded
from devkafka.jars import PROJECT
from devkafka.ports import HOST, free_ports
from devkafka.properties import Listener
from support.waiting import wait_until

_MODULE: Final = "github.com/Shopify/toxiproxy/v2/cmd/server"
_VERSION: Final = "v2.5.0"
_BUILD_S: Final = 300
_ANSWER_S: Final = 10
_START_S: Final = 60
_RESET_S: Final = 0.3
BOTH_WAYS: Final = ("upstream", "downstream")


class Line:
    """One proxy. Connections that are open when a toxic comes feel it too."""

    def __init__(self, server: "Toxiproxy", name: str, address: str, upstream: str) -> None:
        self.address = address  # where the end connects to
        self._server, self._path = server, f"/proxies/{name}"
        server.ask("POST", "/proxies", {"name": name, "listen": address, "upstream": upstream})

    def put_toxic(self, kind: str, *streams: str, **attributes: int) -> None:
        """In these directions, both if none is named; until `clear`."""
        for stream in streams or BOTH_WAYS:
            toxic = {"name": f"{kind}-{stream}", "type": kind, "stream": stream, "attributes": attributes}
            self._server.ask("POST", f"{self._path}/toxics", toxic)

    def clear(self) -> None:
        """Take all toxics away."""
        for toxic in self._server.ask("GET", f"{self._path}/toxics"):
            self._server.ask("DELETE", f"{self._path}/toxics/{toxic['name']}")

    @contextmanager
    def cut(self) -> Iterator[None]:
        """Connections break at once, and nobody answers new ones."""
        self._server.ask("POST", self._path, {"enabled": False})
        try:
            yield
        finally:
            self._server.ask("POST", self._path, {"enabled": True})

    @contextmanager
    def silent(self) -> Iterator[None]:
        """Connections stay open, and everything that is sent vanishes, as in a tunnel."""
        self.put_toxic("timeout", timeout=0)
        try:
            yield
        finally:
            self.clear()

    @contextmanager
    def resetting(self, every_s: float) -> Iterator[None]:
        """Every few seconds whatever is connected gets a TCP reset; in between the line is good."""
        over = threading.Event()

        def reset() -> None:
            while not over.wait(every_s):
                self.put_toxic("reset_peer", timeout=0)  # lets nothing pass while it is there
                over.wait(_RESET_S)
                self.clear()

        thread = threading.Thread(target=reset, name="resets")
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def close(self) -> None:
        self._server.ask("DELETE", self._path)


class Toxiproxy:
    """The server process; driven over HTTP."""

    def __init__(self, program: Path, output: Path) -> None:
        self.program = program
        (port,) = free_ports(1)
        self._base = f"http://{HOST}:{port}"
        # No proxy of the environment: it would not reach our loopback.
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        self._lines: list[Line] = []
        self._process = Guarded([str(program), "-host", HOST, "-port", str(port)], output)
        try:
            wait_until(self._answers, _START_S, f"toxiproxy to answer; see {output}")
        except BaseException:
            self.close()
            raise

    def line(self, door: Listener, address: str = "") -> Line:
        """A proxy in front of this door, at the address that the broker tells its clients or at another one."""
        line = Line(self, door.name, address or door.address, f"{HOST}:{door.port}")
        self._lines.append(line)
        return line

    def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:  # noqa: ANN401 - JSON
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._base + path, data, method=method)  # noqa: S310 - our own server
        with self._opener.open(request, timeout=_ANSWER_S) as answer:
            found = answer.read()
        return json.loads(found) if found else None

    def hang_up(self) -> None:
        """Every line is gone."""
        while self._lines:
            self._lines.pop().close()

    def close(self) -> None:
        self._process.kill()

    def _answers(self) -> bool:
        try:
            self.ask("GET", "/proxies")
        except (URLError, ConnectionError):
            return False
        return True


@cache
def program() -> Path:
    """The server's program, built if need be; skips the test where that cannot be done."""
    folder = PROJECT / "build" / f"toxiproxy-{_VERSION}"
    built = folder / "server"
    if not built.exists():
        if shutil.which("go") is None:
            pytest.skip("toxiproxy is not built, and there is no Go to build it")
        command = ["go", "install", f"{_MODULE}@{_VERSION}"]
        env = os.environ | {"GOBIN": str(folder)}  # go puts the program there by a rename
        run = subprocess.run(command, env=env, capture_output=True, text=True, timeout=_BUILD_S, check=False)
        if run.returncode != 0:
            pytest.skip(f"toxiproxy could not be built: {run.stderr.strip()[-300:]}")
    return built


@pytest.fixture(scope="session")
def toxiproxy_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Toxiproxy]:
    server = Toxiproxy(program(), tmp_path_factory.mktemp("toxiproxy") / "output.txt")
    yield server
    server.close()


@pytest.fixture
def toxiproxy(toxiproxy_server: Toxiproxy) -> Iterator[Toxiproxy]:
    """Without any line yet."""
    yield toxiproxy_server
    toxiproxy_server.hang_up()
