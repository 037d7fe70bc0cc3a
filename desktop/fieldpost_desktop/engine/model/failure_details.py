# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What stands in a row's `detail`: written here by the engine, and read here by whoever says it in another language.

Every writer has a reader beside it, which gives None for a text that another version, or a receiver, has written.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from fieldpost_shared import names

MOST_ROUNDS: Final = 5  # of asking for missing parts

_PARTS: Final = re.compile(r"([0-9]+) parts? \(round ([0-9]+) of [0-9]+\)", re.ASCII)
_LIMIT: Final = re.compile(r"limit ([0-9.e+-]+) GB", re.ASCII)
_HOURS: Final = re.compile(r"([0-9]+) h", re.ASCII)
_GB: Final = 1_000_000_000
_REASONS: Final[Mapping[str, names.Reason]] = MappingProxyType({names.words(reason): reason for reason in names.Reason})

WAS_THERE: Final = "it was there before the folder was watched"  # such a file is not sent


def parts_again(parts: int, round_: int) -> str:
    """The receiver asked for so many parts again."""
    return f"{parts} part{'s' if parts != 1 else ''} (round {round_} of {MOST_ROUNDS})"


def read_parts_again(text: str) -> tuple[int, int] | None:
    """How many parts, and in which round."""
    found = _PARTS.fullmatch(text)
    return (int(found[1]), int(found[2])) if found else None


def size_limit(size: int) -> str:
    """Files may have so many bytes."""
    return f"limit {size / _GB:g} GB"


def read_size_limit(text: str) -> int | None:
    """How many bytes, to six digits."""
    found = _LIMIT.fullmatch(text)
    try:
        return round(float(found[1]) * _GB) if found else None
    except (ValueError, OverflowError):  # letters of a number that make none
        return None


def hours(count: float) -> str:
    """So long ago, or for so long."""
    return f"{count:.0f} h"


def read_hours(text: str) -> int | None:
    """How many hours."""
    found = _HOURS.fullmatch(text)
    return int(found[1]) if found else None


def name_problem(reason: str) -> str:
    """Why a name is not accepted; receivers write the same words."""
    return names.words(reason)


def read_name_problem(text: str) -> names.Reason | None:
    """Which reason."""
    return _REASONS.get(text)
