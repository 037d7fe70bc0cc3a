# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Takes a picture of the screen once a window stands on it and has come to rest."""

import os
import time
from pathlib import Path
from typing import Final

from PySide6.QtGui import QGuiApplication, QImage

_SHADES: Final = 40  # an empty desktop has a few, a window with letters has many
_AT_REST: Final = 4  # so many looks in a row that show the same
_BETWEEN_LOOKS_S: Final = 0.5


class NothingToSee(Exception):
    """No window came up, or it never came to rest."""


def photograph(file: Path, seconds: float) -> None:
    """Save what is on the screen that DISPLAY names, waiting at most so many seconds for it."""
    os.environ["QT_QPA_PLATFORM"] = "xcb"
    app = QGuiApplication([])
    deadline = time.monotonic() + seconds
    last, rest = QImage(), 0
    while rest < _AT_REST:
        if time.monotonic() > deadline:
            last.save(str(file))
            raise NothingToSee(f"{shades(last)} shades after {seconds:g} s, {rest} looks alike; see {file.name}")
        time.sleep(_BETWEEN_LOOKS_S)
        now = app.primaryScreen().grabWindow(0).toImage()
        rest = rest + 1 if now == last and shades(now) >= _SHADES else 0
        last = now
    last.save(str(file))


def shades(image: QImage) -> int:
    """Different colours, as far as a coarse look finds them."""
    step = 7
    return len({image.pixel(x, y) for x in range(0, image.width(), step) for y in range(0, image.height(), step)})
