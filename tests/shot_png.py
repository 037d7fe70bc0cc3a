# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Pictures that are small enough to be kept with the code: at most 40 colours, nothing in them but the picture."""

from collections import Counter
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QImageWriter

_COLOURS: Final = 40  # letters have soft edges; more shades of them nobody sees
_APART: Final = 30  # steps of red, green and blue together: what lies nearer to a colour becomes that one


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
    """The most frequent colours, but none of two that look the same: a rare red warning must stay red."""
    table: list[int] = []
    for colour, _ in sorted(found.items(), key=lambda item: (-item[1], item[0])):
        if len(table) == _COLOURS:
            break
        if all(_distance(colour, other) >= _APART for other in table):
            table.append(colour)
    return table


def _distance(one: int, other: int) -> int:
    return sum(abs((one >> shift & 0xFF) - (other >> shift & 0xFF)) for shift in (0, 8, 16))
