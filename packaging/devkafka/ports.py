# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Free loopback ports outside the range from which the kernel serves outgoing connections.

A port inside that range may become the local end of some client's socket while its broker is down for a restart.
"""

import random
import socket
from pathlib import Path
from typing import Final

from devkafka.errors import DevKafkaError

HOST: Final = "127.0.0.1"
_KERNEL_RANGE: Final = Path("/proc/sys/net/ipv4/ip_local_port_range")
_FIRST: Final = 20_000  # below lie the well-known servers
_LAST: Final = 29_999
_LEAST: Final = 1_000  # a smaller choice would make two brokers meet too often


def free_ports(count: int) -> list[int]:
    """So many different ports that nobody listens on right now."""
    candidates = _candidates()
    random.shuffle(candidates)
    found: list[int] = []
    for port in candidates:
        if len(found) == count:
            break
        if is_free(port):
            found.append(port)
    if len(found) < count:
        raise DevKafkaError(f"Only {len(found)} of {count} free ports were found on {HOST}.")
    return found


def is_free(port: int) -> bool:
    """Whether a server could listen on this port."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as Java does: closing connections do not count
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def _candidates() -> list[int]:
    """The usual range, cut where the kernel's range begins; all of it if hardly anything would be left."""
    first_ephemeral = _first_ephemeral()
    last = min(_LAST, first_ephemeral - 1)
    if last - _FIRST < _LEAST:
        last = _LAST
    return list(range(_FIRST, last + 1))


def _first_ephemeral() -> int:
    try:
        return int(_KERNEL_RANGE.read_text(encoding="ascii").split()[0])
    except (OSError, ValueError, IndexError):
        return _LAST + 1
