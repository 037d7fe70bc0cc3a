# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Rules for the plain values of the Kafka settings: server list, topic names, texts, choices."""

import difflib
import ipaddress
import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Final, TypeVar

from fieldpost_shared.errors import SettingsError

MAX_SERVERS: Final = 100
MAX_SHOWN: Final = 80  # characters of a wrong value that an error repeats

_HOST: Final = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,252})", re.ASCII)
_PORT: Final = re.compile(r"[0-9]{1,5}", re.ASCII)
_TOPIC: Final = re.compile(r"[A-Za-z0-9._-]{1,249}", re.ASCII)  # the broker's own rule
_CLIENT_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,100}", re.ASCII)  # quotas and broker metrics are named after it
_IPV6: Final = re.compile(r"[0-9A-Fa-f:.]+", re.ASCII)  # no zone: it means something on one machine only

Choice = TypeVar("Choice", bound=StrEnum)


def shown(value: str) -> str:
    """A wrong value as an error repeats it: quoted, and not too long."""
    return repr(value if len(value) <= MAX_SHOWN else value[:MAX_SHOWN] + "…")


def choice(key: str, value: str, kinds: type[Choice]) -> Choice:
    """The member of that value; otherwise an error that names the nearest one."""
    try:
        return kinds(value)
    except ValueError:
        raise SettingsError(
            key, f"{shown(value)} is unknown{nearest(value, kinds)}; known are {', '.join(kinds)}"
        ) from None


def nearest(value: str, known: Iterable[str]) -> str:
    """`, did you mean X?` for a slip of the pen; empty if nothing is near."""
    folded = {_folded(name): name for name in known}
    near = difflib.get_close_matches(_folded(value[:MAX_SHOWN]), folded, n=1)
    return f", did you mean {folded[near[0]]}?" if near else ""


def _folded(name: str) -> str:
    return name.lower().replace("-", "_")


def servers(key: str, value: str) -> tuple[str, ...]:
    """The servers of a comma-separated list, each as `host:port`, in their order."""
    if not value.strip():
        raise SettingsError(key, "is empty; write host:port, several with commas between")
    entries = value.split(",")
    if len(entries) > MAX_SERVERS:
        raise SettingsError(key, f"lists {len(entries)} servers; at most {MAX_SERVERS} are taken, and 3 are enough")
    found: dict[str, None] = {}
    for number, entry in enumerate(entries, start=1):
        server = _server(key, number, entry.strip())
        if server in found:
            raise SettingsError(key, f"names {server} twice")
        found[server] = None
    return tuple(found)


def _server(key: str, number: int, entry: str) -> str:
    if not entry:
        raise SettingsError(key, f"entry {number} is empty; is there a comma too many?")
    host, colon, port = entry.rpartition(":")
    if not colon or (host.startswith("[") != host.endswith("]")):
        raise SettingsError(key, f"{shown(entry)} is not host:port")
    if not _PORT.fullmatch(port) or not 1 <= int(port) <= 65535:  # noqa: PLR2004 - the range of TCP ports
        raise SettingsError(key, f"{shown(entry)} has no port from 1 to 65535")
    return f"{_host(key, entry, host)}:{int(port)}"


def _host(key: str, entry: str, host: str) -> str:
    if host.startswith("["):
        return f"[{_ipv6(key, entry, host[1:-1])}]"
    if ":" in host:
        raise SettingsError(key, f"{shown(entry)} is not host:port; an IPv6 address stands in brackets: [::1]:9092")
    if not _HOST.fullmatch(host):
        raise SettingsError(key, f"{shown(entry)} has a host name that no server can have")
    return host.lower()


def _ipv6(key: str, entry: str, address: str) -> str:
    try:
        if _IPV6.fullmatch(address):
            return str(ipaddress.IPv6Address(address))
    except ValueError:
        pass  # the same answer as for other characters
    raise SettingsError(key, f"{shown(entry)} has no IPv6 address in its brackets")


def topic(key: str, value: str) -> None:
    """Refuse what the broker would refuse as a topic's name."""
    if not _TOPIC.fullmatch(value) or value in {".", ".."}:
        raise SettingsError(
            key, f"{shown(value)} cannot be a topic: 1 to 249 letters, digits, dots, '_' and '-', but not '.' or '..'"
        )


def client_id(key: str, value: str) -> None:
    """Refuse a client id that quotas and metrics could not name."""
    if not _CLIENT_ID.fullmatch(value):
        raise SettingsError(
            key, f"{shown(value)} cannot be a client id: 1 to 100 letters, digits, dots, '_' and '-' are allowed"
        )


def text(key: str, value: str, *, lines: bool = False) -> None:
    """Refuse characters at which librdkafka would cut the value, or that cannot be seen."""
    if not (value.replace("\n", "").replace("\r", "") if lines else value).isprintable():
        raise SettingsError(key, f"{shown(value)} holds a character that cannot be printed")
