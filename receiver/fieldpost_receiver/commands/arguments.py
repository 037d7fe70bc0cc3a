# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Parse values on the command line: moments, durations, numbers. A wrong value is a wrong use (exit 2)."""

from argparse import ArgumentTypeError
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from fieldpost_shared import quantities
from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.errors import SettingsError

MAX_PARTITIONS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Since:
    """A moment: fixed, or a duration before now."""

    moment_ns: int = 0
    seconds: float | None = None

    def at(self, now_ns: int) -> int:
        """Return the moment, relative to now."""
        return self.moment_ns if self.seconds is None else now_ns - round(self.seconds * NS_PER_S)


def since(text: str) -> Since:
    """Parse `2026-01-31` (from midnight UTC) or `7d`."""
    try:
        day = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
        return Since(round(day.timestamp()) * NS_PER_S)
    except ValueError:
        pass
    try:
        return Since(seconds=quantities.duration_of("since", text))
    except SettingsError:
        raise ArgumentTypeError("write a date like 2026-01-31 or a duration like 7d") from None


def duration(text: str) -> float:
    """Parse `14d` into seconds."""
    try:
        return quantities.duration_of("duration", text)
    except SettingsError:
        raise ArgumentTypeError("write a duration like 12h or 14d") from None


def partitions(text: str) -> int:
    """Parse the number of partitions of a new topic."""
    if not (text.isascii() and text.isdecimal()) or not 1 <= int(text) <= MAX_PARTITIONS:
        raise ArgumentTypeError(f"write a number from 1 to {MAX_PARTITIONS}")
    return int(text)
