# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Sizes and speeds as people write them: `4GB`, `1.5 GiB`, `2MB/s`."""

import re
from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Final

from fieldpost_shared.errors import SettingsError
from fieldpost_shared.kafka import values
from fieldpost_shared.protocol.limits import MAX_SIZE

SLOWEST: Final = 1000  # bytes a second: less would not carry one part in ten minutes

_UNITS: Final[Mapping[str, int]] = MappingProxyType(
    {"": 1, "b": 1}
    | {f"{letter}b": 1000**power for power, letter in enumerate("kmgt", start=1)}
    | {f"{letter}ib": 1024**power for power, letter in enumerate("kmgt", start=1)}
)
_LARGEST_FIRST: Final = tuple(sorted(_UNITS.items(), key=lambda item: -item[1]))
_SIZE: Final = re.compile(r"([0-9]{1,19}(?:\.[0-9]{1,9})?) ?([A-Za-z]{0,3})", re.ASCII)


def size_of(key: str, value: object) -> int:
    """Bytes, from a whole number or a text like 4GB (10^9) or 4GiB (2^30).

    Raises:
        SettingsError: naming the key and what is allowed.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        size = value
    else:
        found = _SIZE.fullmatch(value.strip()) if isinstance(value, str) else None
        unit = _UNITS.get(found[2].lower()) if found else None
        if found is None or unit is None:
            raise SettingsError(key, f"{values.shown(str(value))} is not a size like 500MB or 4GB")
        size = int(Decimal(found[1]) * unit)
    if not 0 < size <= MAX_SIZE:
        raise SettingsError(key, f"{values.shown(str(value))} is not between 1 byte and {MAX_SIZE} bytes")
    return size


def rate_of(key: str, value: object) -> int:
    """Bytes a second: a size, with or without `/s` behind it."""
    return size_of(key, value.removesuffix("/s") if isinstance(value, str) else value)


def rate_text(rate: int) -> str:
    """The text that `rate_of` reads back, as short as it goes: 2MB/s."""
    return f"{size_text(rate)}/s"


def size_text(size: int) -> str:
    """The same for a size; exact, so 1234567 stays 1234567B."""
    return next(f"{size // factor}{_spelled(unit)}" for unit, factor in _LARGEST_FIRST if size % factor == 0)


def _spelled(unit: str) -> str:
    return (unit.upper() or "B").replace("IB", "iB")
