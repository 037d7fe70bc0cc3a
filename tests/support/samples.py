# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Files to send: noise that is the same in each run, of any size without holding it in memory."""

import hashlib
import random
from pathlib import Path
from typing import Final

_PIECE: Final = 16 * 1024 * 1024


def make(folder: Path, name: str, size: int, seed: int = 0) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    noise = random.Random(seed)  # noqa: S311 - reproducible test data
    with path.open("wb") as file:
        for start in range(0, size, _PIECE):
            file.write(noise.randbytes(min(_PIECE, size - start)))
    return path


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
