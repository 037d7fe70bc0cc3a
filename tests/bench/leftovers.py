# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What a run leaves behind: large files go at once, since the disk is small; small ones stay until the end of it all.

When ext4 makes a file it passes over the inodes of all that were deleted in the last minutes, one by one. After ten
thousand of them whoever came next was slower: cp took five times as long, Fieldpost half as long again.
"""

import shutil
import time
from pathlib import Path
from typing import Final

from bench.measuring import MIB

_STAYS: Final = "done-"
_LARGE: Final = 256 * MIB


def clear(path: Path) -> None:
    """Out of the way with it."""
    if path.name.startswith(_STAYS):
        return
    if path.is_file():
        path.unlink()
    elif sum(file.stat().st_size for file in path.rglob("*") if file.is_file()) > _LARGE:
        shutil.rmtree(path)
    else:
        path.rename(path.with_name(f"{_STAYS}{time.monotonic_ns()}"))
