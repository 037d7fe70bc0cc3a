# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Pictures that are small enough to be kept with the code: at most 128 colours, nothing in them but the picture."""

from collections import Counter
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QImageWriter

_COLOURS: Final = 128  # letters have soft edges; more shades of them nobody sees


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
    table = sorted(colour for colour, _ in sorted(found.items(), key=lambda item: (-item[1], item[0]))[:_COLOURS])
    flags = Qt.ImageConversionFlag.ThresholdDither | Qt.ImageConversionFlag.AvoidDither
    return plain.convertToFormat(QImage.Format.Format_Indexed8, table, flags)
