# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The colours of the list, found once for a palette: a screen of rows asks for them some thousand times."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtGui import QColor, QPalette

from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.widgets import theme

_SELECTED, _HOVERED, _LINE, _GROOVE, _PRESSED = 0.16, 0.05, 0.09, 0.14, 0.24  # of a colour laid over the ground


@dataclass(frozen=True, slots=True)
class Colours:
    """By what they are for."""

    text: QColor
    accent: QColor
    selected: QColor
    hovered: QColor
    pressed: QColor
    line: QColor
    groove: QColor
    tones: Mapping[Tone, QColor]


def colours_of(palette: QPalette) -> Colours:
    """Return the colours for this palette."""
    base = palette.color(QPalette.ColorRole.Base)
    text = palette.color(QPalette.ColorRole.Text)
    accent = palette.color(QPalette.ColorRole.Highlight)
    return Colours(
        text=text,
        accent=accent,
        selected=theme.mixed(accent, base, _SELECTED),
        hovered=theme.mixed(text, base, _HOVERED),
        pressed=theme.mixed(text, base, _PRESSED),
        line=theme.mixed(text, base, _LINE),
        groove=theme.mixed(text, base, _GROOVE),
        tones={tone: theme.colour(tone, palette) for tone in Tone},
    )
