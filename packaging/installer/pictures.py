# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the installer shows: `python -m installer.pictures DRAWING.svg ICON.ico SIDE.bmp`."""

import sys
from pathlib import Path
from typing import Final

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from freezing.icon_file import write_icon

_WIDTH, _HEIGHT = 328, 628  # twice what NSIS asks for: it is scaled to the screen
_LOGO: Final = QRectF(84, 96, 160, 160)
_GROUND: Final = QColor("#0b3d3f")


def write_side(drawing: Path, picture: Path) -> None:
    """The picture beside the first and the last page: the drawing on a dark ground."""
    image = QImage(_WIDTH, _HEIGHT, QImage.Format.Format_RGB888)  # NSIS knows no transparency
    image.fill(_GROUND)
    painter = QPainter(image)
    QSvgRenderer(str(drawing)).render(painter, _LOGO)
    painter.end()
    if not image.save(str(picture)):
        raise OSError(f"{picture} cannot be written")


if __name__ == "__main__":
    svg, ico, bmp = (Path(argument) for argument in sys.argv[1:])
    write_icon(svg, ico)
    write_side(svg, bmp)
