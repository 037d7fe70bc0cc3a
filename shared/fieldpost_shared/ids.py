# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Who sends and what is sent: client names and transfer ids."""

import os
import re
import unicodedata
from collections.abc import Callable
from typing import Final, NewType

ClientName = NewType("ClientName", str)
TransferId = NewType("TransferId", str)

MAX_CLIENT_NAME: Final = 64
_CLIENT: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
_TRANSFER: Final = re.compile(r"[0-9a-f]{32}", re.ASCII)
_NOT_IN_A_NAME: Final = re.compile(r"[^A-Za-z0-9._-]+", re.ASCII)


def is_client_name(text: str) -> bool:
    """Whether the text may stand in a `client` header."""
    return _CLIENT.fullmatch(text) is not None


def is_transfer_id(text: str) -> bool:
    """Whether the text may stand in a `transfer` header."""
    return _TRANSFER.fullmatch(text) is not None


def clean_client_name(raw: str) -> ClientName:
    """The nearest allowed client name: `Jürgen Groß@VAN 7` becomes `Jurgen-Gro-VAN-7`."""
    plain = unicodedata.normalize("NFKD", raw).encode("ascii", "ignore").decode("ascii")
    name = _NOT_IN_A_NAME.sub("-", plain).strip("._-")[:MAX_CLIENT_NAME]
    return ClientName(name or "client")


def new_transfer_id(now_ns: int, entropy: Callable[[int], bytes] = os.urandom) -> TransferId:
    """A new id in the UUIDv7 layout: 48 bits of milliseconds, then 74 random bits, so ids sort by time."""
    millis = (now_ns // 1_000_000) & ((1 << 48) - 1)
    noise = int.from_bytes(entropy(10), "big")
    high, low = noise >> 68, noise & ((1 << 62) - 1)
    return TransferId(f"{millis << 80 | 0x7 << 76 | high << 64 | 0b10 << 62 | low:032x}")
