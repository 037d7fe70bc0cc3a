# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Patterns as one line of text, with commas between: `*.jpg, *.pdf`."""

import csv
import re
from collections.abc import Iterable
from typing import Final

_EXTENSION: Final = re.compile(r"\.\w+")


def read(text: str) -> tuple[str, ...]:
    """Return the patterns of a line; one that holds a comma stands in double quotes, which no Windows name has."""
    found = (pattern.strip() for line in csv.reader([text], skipinitialspace=True) for pattern in line)
    return tuple(dict.fromkeys(_meant(pattern) for pattern in found if pattern))


def write(patterns: Iterable[str]) -> str:
    """Return the line that `read` makes into these."""
    return ", ".join(f'"{pattern}"' if "," in pattern else pattern for pattern in patterns)


def _meant(pattern: str) -> str:
    """Turn `.jpg` into `*.jpg`: every such file is meant, and one of just that name is still among them."""
    return f"*{pattern}" if _EXTENSION.fullmatch(pattern) else pattern
