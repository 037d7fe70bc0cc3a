# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Counts what was dropped before anything is queued, so that a person can still say no."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from fieldpost_desktop.engine.sources.dropped_files import DroppedFiles
from fieldpost_desktop.engine.sources.expand import NotAdded, expand

TELL_EVERY: Final = 200  # files: about every 20 ms on a good disk, every 2 s on a slow share


@dataclass(frozen=True, slots=True)
class Preview:
    """What would be queued; `refused` cannot be sent as they are. `complete` once everything was counted."""

    files: int = 0
    size: int = 0
    refused: int = 0
    complete: bool = False


def preview(paths: Sequence[str], found: DroppedFiles, going_on: Callable[[Preview], bool]) -> Preview:
    """Count what is in files and folders, and keep it in `found`, so that nothing is walked through again.

    May take long on a large folder or a slow drive: `going_on` gets the count now and then, and stops it by False.

    Raises:
        FieldpostError: this computer has no room to keep what was found.
    """
    count = Preview()
    for number, item in enumerate(expand(paths), start=1):
        found.add(item)
        if isinstance(item, NotAdded):
            count = replace(count, refused=count.refused + 1)
        else:
            count = replace(count, files=count.files + 1, size=count.size + item.size)
        if number % TELL_EVERY == 0 and not going_on(count):
            return count
    return replace(count, complete=True)
