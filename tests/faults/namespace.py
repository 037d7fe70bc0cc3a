# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A van in a network namespace of its own, on a line that loses packets: real loss, felt by the kernel's TCP.

The van reaches 127.0.0.1 at the port that the broker tells, as always; there a proxy inside the namespace passes it
on over the line to one outside, which stands before the broker's door. Needs root, iproute2 and nftables.
"""

import ipaddress
import json
import os
import random
import shutil
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from devkafka.guarded import Guarded
from devkafka.ports import HOST, free_ports
from devkafka.properties import Listener
from faults.toxiproxy import Toxiproxy
from support.waiting import wait_until

_START_S: Final = 20.0
_LISTENS: Final = "0A"  # in /proc/<pid>/net/tcp


@contextmanager
def lossy_namespace(toxiproxy: Toxiproxy, door: Listener, percent: int, folder: Path) -> Iterator[tuple[str, ...]]:
    """What to put before a command so that it runs there; skips where such a thing cannot be made."""
    name = f"fieldpost-{uuid.uuid4().hex[:6]}"
    within = ("ip", "netns", "exec", name)
    outside, inside = _two_addresses()
    _make(name, outside, inside)
    try:
        (port,) = free_ports(1)
        toxiproxy.line(door, f"{outside}:{port}")
        config = folder / "inner-proxy.json"
        inner = {"name": "van", "listen": door.address, "upstream": f"{outside}:{port}", "enabled": True}
        config.write_text(json.dumps([inner]), encoding="utf-8")
        (control,) = free_ports(1)
        arguments = ["-host", HOST, "-port", str(control), "-config", str(config)]
        proxy = Guarded([*within, str(toxiproxy.program), *arguments], folder / "inner-proxy.txt")
        try:
            wait_until(lambda: _listens(proxy.pid, door.advertised_port or 0), _START_S, "the proxy inside")
            _lose(within, name, percent)
            yield within
        finally:
            proxy.kill()
    finally:
        _run("ip", "netns", "delete", name)  # its end of the line goes with it, and so does ours


def _two_addresses() -> tuple[str, str]:
    """Return the ends of a line in the range that is kept for such tests; another test may have one meanwhile."""
    first = ipaddress.ip_address("198.18.0.0") + 4 * random.SystemRandom().randrange(2**15)
    return str(first + 1), str(first + 2)


def _make(name: str, outside: str, inside: str) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can make a network namespace")
    for program in ("ip", "nft"):
        if shutil.which(program) is None:
            pytest.skip(f"there is no {program} here")
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        pytest.skip(f"no network namespace can be made here: {made.stderr.strip()}")
    ours, theirs = f"{name[-6:]}-o", f"{name[-6:]}-i"
    _run("ip", "link", "add", ours, "type", "veth", "peer", "name", theirs, "netns", name)
    _run("ip", "address", "add", f"{outside}/30", "dev", ours)
    _run("ip", "link", "set", ours, "up")
    _run("ip", "-n", name, "address", "add", f"{inside}/30", "dev", theirs)
    for link in ("lo", theirs):
        _run("ip", "-n", name, "link", "set", link, "up")


def _lose(within: tuple[str, ...], name: str, percent: int) -> None:
    """Of what comes in and of what goes out, at random."""
    line = f'"{name[-6:]}-i"'  # in quotes: 05f41d-i would be read as a number
    rules = "\n".join(
        f"chain {hook} {{ type filter hook {hook} priority 0; {way} {line} numgen random mod 100 < {percent} drop; }}"
        for hook, way in (("input", "iifname"), ("output", "oifname"))
    )
    _run(*within, "nft", f"table inet loss {{\n{rules}\n}}")


def _listens(pid: int, port: int) -> bool:
    """As the process itself sees it: the port is not ours."""
    lines = Path(f"/proc/{pid}/net/tcp").read_text(encoding="ascii").splitlines()[1:]
    sockets = [line.split()[1:4] for line in lines]
    return any(local.endswith(f":{port:04X}") and state == _LISTENS for local, _, state in sockets)


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, text=True)
