# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Pictures that are small enough to be kept with the code: at most 32 colours, nothing in them but the picture."""

import math
from collections import Counter
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QImageWriter

_COLOURS: Final = 32  # letters have soft edges; more shades of them are not seen
_FARTHEST: Final = 3 * 255


def save(image: QImage, path: Path) -> None:
    """Write it; the same picture gives the same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    writer = QImageWriter(str(path), b"png")
    writer.setCompression(100)
    if not writer.write(_indexed(image)):
        raise OSError(f"{path}: {writer.errorString()}")


def _indexed(image: QImage) -> QImage:
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    found = Counter(memoryview(plain.constBits()).cast("I"))
    flags = Qt.ImageConversionFlag.ThresholdDither | Qt.ImageConversionFlag.AvoidDither
    return plain.convertToFormat(QImage.Format.Format_Indexed8, _table(found), flags)


def _table(found: Counter[int]) -> list[int]:
    """Each time the colour that is farthest from those taken, and not too rare: a small red warning stays red."""
    table: list[int] = []
    missed = {colour: math.sqrt(count) * _FARTHEST**2 for colour, count in sorted(found.items())}
    while len(table) < _COLOURS and any(missed.values()):
        taken = max(missed, key=missed.__getitem__)
        table.append(taken)
        for colour, count in found.items():
            missed[colour] = min(missed[colour], math.sqrt(count) * _distance(colour, taken) ** 2)
    return table


def _distance(one: int, other: int) -> int:
    return sum(abs((one >> shift & 0xFF) - (other >> shift & 0xFF)) for shift in (0, 8, 16))
