# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Colours by meaning, found for whatever palette the system has, and distances in units of the font.

Every colour of a text is moved away from the palette's backgrounds until it can be read: 4.5:1 by WCAG, light or dark.
A colour never stands alone for a state; a word, a shape or a hatch says the same.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontMetrics, QPalette

from fieldpost_desktop.engine.model.parts_map import PartState
from fieldpost_desktop.ui.tone import Tone

READABLE: Final = 4.5  # WCAG 2, level AA, for text
VISIBLE: Final = 3.0  # likewise, for shapes that mean something
_STEPS: Final = 40
_BACKGROUNDS: Final = (QPalette.ColorRole.Base, QPalette.ColorRole.AlternateBase, QPalette.ColorRole.Window)


@dataclass(frozen=True, slots=True)
class BannerColours:
    """A banner: what is written on it is readable."""

    background: QColor
    border: QColor
    text: QColor


_HUES: Final = {
    Tone.CONFIRMED: "#1f8a3b",
    Tone.ATTENTION: "#c8321f",
    Tone.WAITING: "#a86a00",
    Tone.WORKING: "#1769c2",
    Tone.PAUSED: "#6f5aa8",
}
_PARTS: Final = {
    PartState.CONFIRMED: Tone.CONFIRMED,
    PartState.ACKNOWLEDGED: Tone.WORKING,
    PartState.IN_FLIGHT: Tone.WAITING,
    PartState.ASKED_AGAIN: Tone.ATTENTION,
}
# So that the states also differ for those who see no colours, and on paper.
_HATCHES: Final = {
    PartState.CONFIRMED: Qt.BrushStyle.SolidPattern,
    PartState.ACKNOWLEDGED: Qt.BrushStyle.Dense3Pattern,
    PartState.IN_FLIGHT: Qt.BrushStyle.BDiagPattern,
    PartState.ASKED_AGAIN: Qt.BrushStyle.DiagCrossPattern,
    PartState.NOT_SENT: Qt.BrushStyle.NoBrush,
}


def colour(tone: Tone, palette: QPalette) -> QColor:
    """Return the colour for text and icons, readable on every ground of the palette that is not selected."""
    grounds = tuple(palette.color(role).rgb() for role in _BACKGROUNDS)
    if tone is Tone.MUTED:
        wish = mixed(palette.color(QPalette.ColorRole.Text), palette.color(QPalette.ColorRole.Base), 0.6)
        return QColor(_legible(wish.rgb(), grounds, READABLE))
    return QColor(_legible(QColor(_HUES[tone]).rgb(), grounds, READABLE))


def banner(tone: Tone, palette: QPalette) -> BannerColours:
    """Return a ground with a breath of the tone, a border, and text that can be read on it."""
    window = palette.color(QPalette.ColorRole.Window)
    ground = mixed(colour(tone, palette), window, 0.14)
    text = _legible(palette.color(QPalette.ColorRole.WindowText).rgb(), (ground.rgb(),), READABLE)
    return BannerColours(ground, mixed(colour(tone, palette), window, 0.6), QColor(text))


def outline(palette: QPalette) -> QColor:
    """Return the line around something that has a meaning but no words."""
    grounds = tuple(palette.color(role).rgb() for role in _BACKGROUNDS)
    wish = mixed(palette.color(QPalette.ColorRole.Text), palette.color(QPalette.ColorRole.Base), 0.4)
    return QColor(_legible(wish.rgb(), grounds, VISIBLE))


def part(state: PartState, palette: QPalette) -> QColor:
    """Return the colour of a part's state on the bar."""
    if state is PartState.NOT_SENT:
        return mixed(palette.color(QPalette.ColorRole.Text), palette.color(QPalette.ColorRole.Base), 0.12)
    return colour(_PARTS[state], palette)


def hatch(state: PartState) -> Qt.BrushStyle:
    """Return the pattern of a part's state on the bar."""
    return _HATCHES[state]


def gap(metrics: QFontMetrics, lines: float = 0.5) -> int:
    """Return a distance in lines of the font, so that it grows with the text; at least a pixel."""
    return max(1, round(metrics.height() * lines))


def mixed(over: QColor, under: QColor, share: float) -> QColor:
    """Return so much of one colour laid over another, in the 256 steps that a screen has."""
    pairs = zip((over.red(), over.green(), over.blue()), (under.red(), under.green(), under.blue()), strict=True)
    return QColor(*(round(upper * share + lower * (1 - share)) for upper, lower in pairs))


def luminance(of: QColor) -> float:
    """Return how bright a colour looks, from 0 to 1, as WCAG 2 reckons."""
    red, green, blue = (_linear(value) for value in (of.redF(), of.greenF(), of.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: QColor, other: QColor) -> float:
    """Return how well two colours part, from 1 to 21, as WCAG 2 reckons."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4  # noqa: PLR2004 - the sRGB curve


@lru_cache(maxsize=256)
def _legible(wish: int, grounds: tuple[int, ...], least: float) -> int:
    """Return the wished colour, or the nearest towards black or white that stands out from all grounds."""
    behind = [QColor(ground) for ground in grounds]
    ways = [
        [mixed(QColor(end), QColor(wish), step / _STEPS) for step in range(_STEPS + 1)] for end in ("black", "white")
    ]
    fitting = [
        (step, shade)
        for way in ways
        for step, shade in enumerate(way)
        if min(contrast(shade, ground) for ground in behind) >= least
    ]
    if fitting:
        return min(fitting, key=lambda found: found[0])[1].rgb()
    ends = [way[-1] for way in ways]  # a palette of mid-greys: the better of black and white
    return max(ends, key=lambda end: min(contrast(end, ground) for ground in behind)).rgb()
