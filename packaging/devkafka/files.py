# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Files of a broker: some hold secrets, some tell why it did not start."""

import os
from pathlib import Path
from typing import Final

_TAIL_BYTES: Final = 65_536


def write_private(path: Path, content: bytes) -> None:
    """Write a file that only its owner may read, from its first byte on."""
    path.unlink(missing_ok=True)  # an older one may have wider rights
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)


def tail(path: Path) -> list[str]:
    """The lines at the end of a log, none if it is not there."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - _TAIL_BYTES))
            return file.read().decode("utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return []
