# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Parse and show each kind of value in receiver.toml. A parser takes the key, for its error, and the value.

A value comes from the file, where it has a type, or from the environment, where every value is text.
"""

import grp
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, NoReturn

from fieldpost_receiver.config.layout_template import Layout
from fieldpost_shared import quantities
from fieldpost_shared.errors import SettingsError
from fieldpost_shared.ids import is_client_name
from fieldpost_shared.kafka import values

OFF: Final = "off"

_NUMBER: Final = re.compile(r"[0-9]{1,10}", re.ASCII)
_MODE: Final = re.compile(r"[0-7]{3,4}", re.ASCII)
_SETUID_OR_STICKY: Final = 0o5000  # setgid is of use: new folders then keep their parent's group
_URI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://", re.ASCII)
_MASTER: Final = re.compile(
    r"local(\[(\*|[1-9][0-9]{0,3})(,[1-9][0-9]?)?\])?|yarn|(spark|k8s)://[^\s,]+(,[^\s,]+)*", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of value. The dataclass field that gets the value has its type."""

    read: Callable[[str, object], Any]
    show: Callable[[Any], str] = str


@dataclass(frozen=True, slots=True)
class Address:
    """An address to listen on; port 0 lets the system choose one."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def text(key: str, value: object) -> str:
    """Parse printable text."""
    if not isinstance(value, str):
        raise SettingsError(key, f"must be text in quotes, not {values.shown(str(value))}")
    values.text(key, value)
    return value


def name(key: str, value: object) -> str:
    """Parse the receiver's name, which every receipt holds and senders compare."""
    found = text(key, value)
    if not is_client_name(found):
        _refuse(key, value, "cannot be a name: 1 to 64 letters, digits, '.', '_' and '-', a letter or digit first")
    return found


def folder(key: str, value: object) -> Path:
    """Parse a folder, which need not exist yet."""
    found = text(key, value)
    if not found:
        raise SettingsError(key, "is empty; name a folder")
    if _URI.match(found):
        _refuse(key, value, "is an address; only a folder is supported so far")
    return Path(found)


def layout(key: str, value: object) -> Layout:
    """Parse a template of folders."""
    return Layout.parse(key, text(key, value))


def choice(kinds: type[StrEnum]) -> Kind:
    """Return the kind of value that is one of a few words."""
    return Kind(lambda key, value: values.choice(key, text(key, value), kinds))


def whole(least: int, most: int) -> Kind:
    """Return the kind of value that is a whole number within bounds."""

    def read(key: str, value: object) -> int:
        number = int(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else value
        if not isinstance(number, int) or isinstance(number, bool) or not least <= number <= most:
            _refuse(key, value, f"is not a whole number from {least} to {most}")
        return number

    return Kind(read)


def size(least: int) -> Kind:
    """Return the kind of value that is a number of bytes."""
    return Kind(lambda key, value: quantities.size_of(key, value, least=least), quantities.size_text)


def size_or_derived() -> Kind:
    """Return the kind of value that is a number of bytes, or empty (parsed as 0): derived from another setting."""
    return Kind(lambda key, value: 0 if value == "" else quantities.size_of(key, value), quantities.size_text)


def duration(least: float, most: float = quantities.MAX_SECONDS) -> Kind:
    """Return the kind of value that is a duration in seconds."""
    return Kind(lambda key, value: quantities.duration_of(key, value, least=least, most=most), quantities.duration_text)


def mode(owner: int) -> Kind:
    """Return the kind of value that is a mode as `chmod` takes it, in quotes; it must have the bits of `owner`."""

    def read(key: str, value: object) -> int:
        if not isinstance(value, str) or not _MODE.fullmatch(value):
            _refuse(key, value, f'is not a mode in quotes like "{_octal(owner)}"')
        bits = int(value, 8)
        if bits & owner != owner or bits & _SETUID_OR_STICKY:
            _refuse(
                key,
                value,
                f"must hold {_octal(owner)}, which the receiver needs, and neither setuid nor sticky",
            )
        return bits

    return Kind(read, _octal)


def _octal(bits: int) -> str:
    return f"{bits:04o}"


def group(key: str, value: object) -> str:
    """Parse a group that exists on this machine; empty for the receiver's own group."""
    found = text(key, value)
    if found:
        try:
            grp.getgrnam(found)
        except KeyError:
            raise SettingsError(key, f"{values.shown(found)} is not a group of this machine") from None
    return found


def master(key: str, value: object) -> str:
    """Parse the address of Spark's master."""
    found = text(key, value)
    if not _MASTER.fullmatch(found):
        _refuse(key, value, "is not a Spark master like local[*], local[2], spark://host:7077, yarn or k8s://host:443")
    return found


def java_options(key: str, value: object) -> str:
    """Parse more options for Spark's Java process, as on a command line."""
    found = text(key, value)
    if "-Xmx" in found:
        _refuse(key, value, "holds -Xmx; set driver_memory instead")
    return found


def address_text(address: Address | None) -> str:
    """Return the text that `listen` parses."""
    return OFF if address is None else str(address)


def listen(key: str, value: object) -> Address | None:
    """Parse an address to listen on; None for no server."""
    found = text(key, value)
    if found in {"", OFF}:
        return None
    host, _, port = found.rpartition(":")
    # The rules for servers fit here too, except for port 0 and for a list.
    checked = values.servers(key, f"{host}:1" if port == "0" else found)
    if len(checked) > 1:
        _refuse(key, value, "names more than one address")
    host, _, number = checked[0].rpartition(":")
    return Address(host.strip("[]"), 0 if port == "0" else int(number))


def _refuse(key: str, value: object, problem: str) -> NoReturn:
    raise SettingsError(key, f"{values.shown(str(value))} {problem}")
