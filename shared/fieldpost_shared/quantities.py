# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Sizes, speeds and durations as people write them: `4GB`, `1.5 GiB`, `2MB/s`, `500ms`, `14d`."""

import re
from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Final

from fieldpost_shared.errors import SettingsError
from fieldpost_shared.kafka import values
from fieldpost_shared.protocol.limits import MAX_SIZE

MAX_SECONDS: Final = 36_500 * 86_400.0  # a hundred years; in milliseconds still exact as a float

# As they are written, the smallest first. They are read in any case of letters.
_BYTES: Final[Mapping[str, int]] = MappingProxyType(
    {"B": 1}
    | {f"{letter}B": 1000**power for power, letter in enumerate("KMGT", start=1)}
    | {f"{letter}iB": 1024**power for power, letter in enumerate("KMGT", start=1)}
)
_MILLISECONDS: Final[Mapping[str, int]] = MappingProxyType(
    {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
)
_QUANTITY: Final = re.compile(r"([0-9]{1,19}(?:\.[0-9]{1,9})?) ?([A-Za-z]{0,3})", re.ASCII)


def size_of(key: str, value: object, *, least: int = 1, most: int = MAX_SIZE) -> int:
    """Bytes, from a whole number or a text like 4GB (10^9) or 4GiB (2^30).

    Raises:
        SettingsError: naming the key and what is allowed.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        size = value
    else:
        amount = _amount(value, _BYTES, bare="B")
        if amount is None:
            raise SettingsError(key, f"{values.shown(str(value))} is not a size like 500MB or 4GiB")
        size = int(amount)
    if not least <= size <= most:
        raise SettingsError(key, f"{values.shown(str(value))} is not between {size_text(least)} and {size_text(most)}")
    return size


def size_text(size: int) -> str:
    """The text that `size_of` reads back, as short as it goes; exact, so 1234567 stays 1234567B."""
    return _text(size, _BYTES)


def rate_of(key: str, value: object) -> int:
    """Bytes a second: a size, with or without `/s` behind it."""
    return size_of(key, value.removesuffix("/s") if isinstance(value, str) else value)


def rate_text(rate: int) -> str:
    """The text that `rate_of` reads back: 2MB/s."""
    return f"{size_text(rate)}/s"


def duration_of(key: str, value: object, *, least: float = 0.001, most: float = MAX_SECONDS) -> float:
    """Seconds, in whole milliseconds, from a text like 500ms, 60s, 5m, 12h or 14d.

    A bare number is refused: it does not say whether it means seconds or days.

    Raises:
        SettingsError: naming the key and what is allowed.
    """
    amount = _amount(value, _MILLISECONDS)
    if amount is None:
        raise SettingsError(key, f"{values.shown(str(value))} is not a duration like 500ms, 60s, 5m, 12h or 14d")
    seconds = int(amount) / 1000
    if not least <= seconds <= most:
        raise SettingsError(
            key, f"{values.shown(str(value))} is not between {duration_text(least)} and {duration_text(most)}"
        )
    return seconds


def duration_text(seconds: float) -> str:
    """The text that `duration_of` reads back: 90 seconds are 90s, 120 are 2m."""
    return _text(round(seconds * 1000), _MILLISECONDS)


def _amount(value: object, units: Mapping[str, int], bare: str = "") -> Decimal | None:
    """The value in its smallest unit; None if it is not written like that. `bare` is the unit of a bare number."""
    found = _QUANTITY.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None:
        return None
    written = (found[2] or bare).lower()
    return next((Decimal(found[1]) * factor for unit, factor in units.items() if unit.lower() == written), None)


def _text(amount: int, units: Mapping[str, int]) -> str:
    """The amount in the largest unit that divides it; nothing at all in the smallest."""
    dividing = [(factor, unit) for unit, factor in units.items() if factor == 1 or (amount and amount % factor == 0)]
    factor, unit = max(dividing)
    return f"{amount // factor}{unit}"
