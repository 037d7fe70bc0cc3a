# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Writing a file so that it is there whole, or as it was before, whatever happens meanwhile."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Gives another path to write to. Its content takes the place of `path` at the end, when it is on disk.

    Without the sync a power cut could leave the new name with nothing in it. Nothing is left of what failed.

    Raises:
        OSError: it cannot be written there.
    """
    unfinished = path.with_name(f"{path.name}.part")
    try:
        yield unfinished
        with unfinished.open("rb+") as file:  # Windows syncs only what may be written
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        with suppress(OSError):  # the drive may be gone; what went wrong first is told
            unfinished.unlink(missing_ok=True)
