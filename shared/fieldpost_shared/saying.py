# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What both ends say to people in the same way: names from disk or wire made safe, and sizes."""

import unicodedata
from typing import Final

_ACTED_UPON: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})  # by a terminal, or by what reads lines
_UNITS: Final[tuple[str, ...]] = ("kB", "MB", "GB", "TB", "PB", "EB")
_STEP: Final = 1000
_WHOLE: Final = 99.95  # from here on without a decimal


def safe(text: str) -> str:
    """The text on one line, without anything a terminal acts on: escapes, control characters, changes of direction."""
    return "".join(char if unicodedata.category(char) not in _ACTED_UPON else _visible(char) for char in text)


def size_words(size: float) -> str:
    """1234567 as 1.2 MB."""
    if size < _STEP:
        return f"{size:.0f} B"
    scaled, units = size / _STEP, _UNITS
    while scaled >= _STEP - 0.5 and len(units) > 1:
        scaled, units = scaled / _STEP, units[1:]
    return f"{scaled:.0f} {units[0]}" if scaled >= _WHOLE else f"{scaled:.1f} {units[0]}"


def _visible(char: str) -> str:
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")
