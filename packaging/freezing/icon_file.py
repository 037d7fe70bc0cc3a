# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the program's icon for Windows from the app's drawing: every size painted anew, not one blown up."""

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QIODevice, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

SIZES: Final = (16, 20, 24, 32, 40, 48, 64, 128, 256)  # lists, taskbar and desktop from 100 % to 250 %
_AS_PNG: Final = 256  # from here on; readers of icons that are older than Vista know none
_HEADER: Final = struct.Struct("<HHH")
_ENTRY: Final = struct.Struct("<BBBBHHII")
_BITMAP: Final = struct.Struct("<IiiHHIIiiII")
_ICON: Final = 1
_BITS: Final = 32


def write_icon(drawing: Path, icon: Path, sizes: Sequence[int] = SIZES) -> Path:
    """Paint the drawing in each size into one .ico file; returns that file."""
    renderer = QSvgRenderer(str(drawing))
    if not renderer.isValid():
        raise ValueError(f"{drawing} is no drawing that Qt can read")
    images = [(size, _content(_painted(renderer, size))) for size in sizes]
    offset = _HEADER.size + _ENTRY.size * len(images)
    entries = b""
    for size, content in images:
        side = size % 256  # one byte: 256 is written as 0
        entries += _ENTRY.pack(side, side, 0, 0, 1, _BITS, len(content), offset)
        offset += len(content)
    header = _HEADER.pack(0, _ICON, len(images))
    icon.write_bytes(header + entries + b"".join(content for _, content in images))
    return icon


def _painted(renderer: QSvgRenderer, size: int) -> QImage:
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    return image


def _content(image: QImage) -> bytes:
    return _png(image) if image.width() >= _AS_PNG else _bitmap(image)


def _png(image: QImage) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # the stub wants the format as bytes; Qt takes text
    return bytes(buffer.data().data())


def _bitmap(image: QImage) -> bytes:
    """Bottom row first; behind the colours an empty mask, since transparency stands in the colours."""
    side = image.width()
    rows = bytes(image.constBits())
    stride = image.bytesPerLine()
    colours = b"".join(rows[start : start + side * 4] for start in range(stride * (side - 1), -1, -stride))
    mask = bytes((side + 31) // 32 * 4 * side)
    header = _BITMAP.pack(_BITMAP.size, side, side * 2, 1, _BITS, 0, len(colours) + len(mask), 0, 0, 0, 0)
    return header + colours + mask
