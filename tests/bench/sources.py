# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Files to send: noise, text that compresses, repeated blocks, zeros that take no room."""

import os
import random
from pathlib import Path
from typing import Final

from bench.measuring import MIB

_BLOCK: Final = 64 * MIB


def noise(path: Path, size: int) -> Path:
    """Bytes that do not compress: one block again and again, which takes its room once where the disk can do that."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w+b", buffering=0) as file:
        written = file.write(os.urandom(min(size, _BLOCK)))
        while written < size:
            written += os.copy_file_range(file.fileno(), file.fileno(), min(_BLOCK, size - written), 0, written)
    return path


def text(path: Path, size: int) -> Path:
    """Lines like those of a logger in a van: they compress to a fifth or so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draw = random.Random(7)  # noqa: S311 - the same lines each time
    lines = [
        f"{number:08d};{draw.uniform(-20, 45):.3f};{draw.uniform(0, 100):.2f};sensor {draw.randrange(40)};ok\n"
        for number in range(200_000)
    ]
    block = "".join(lines).encode()
    with path.open("wb") as file:
        written = 0
        while written < size:
            written += file.write(block[: size - written])
    return path


def zeros(path: Path, size: int) -> Path:
    """A file without blocks on disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.truncate(size)
    return path


def small_files(folder: Path, count: int, size: int) -> Path:
    folder.mkdir(parents=True)
    for number in range(count):
        below = folder / f"{number // 1000:03d}"
        if not number % 1000:
            below.mkdir()
        (below / f"{number:06d}.bin").write_bytes(number.to_bytes(8, "big") + os.urandom(max(0, size - 8)))
    return folder


def renamed(source: Path, number: int) -> Path:
    """The same bytes under a name that nobody sent before: a link, so that it costs nothing."""
    path = source.parent / f"round-{number}" / source.name
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    path.hardlink_to(source)
    return path
