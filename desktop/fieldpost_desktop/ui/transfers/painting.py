# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The pieces that a row is painted of: icons, texts that fit, the bar with its three stages."""

from enum import Enum, auto
from functools import lru_cache
from typing import Final

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QLinearGradient, QPainter, QPixmap, QTextLayout

from fieldpost_desktop.ui.widgets import icons
from fieldpost_desktop.ui.widgets.icons import IconName

_STRIPE: Final = 7.0  # pixels of a light and a dark stripe together, each way
_MOST_ICONS: Final = 256  # colours come and go with the palette


class BarFill(Enum):
    """How a bar is filled."""

    MEASURED = auto()  # so much of it
    WAITING = auto()  # all of it, striped: the time is not known
    FULL = auto()


class IconCache:
    """Icons as pixmaps: a drawing is rendered once for each size and colour, not at each repaint."""

    def __init__(self) -> None:
        self._made: dict[tuple[IconName, int, int], QPixmap] = {}

    def paint(self, painter: QPainter, rect: QRect, name: IconName, colour: QColor) -> None:
        """Paint an icon in the middle of the rectangle, as large as fits."""
        scale = painter.device().devicePixelRatioF()
        side = min(rect.width(), rect.height())
        key = (name, colour.rgba(), round(side * scale))
        if key not in self._made:
            if len(self._made) >= _MOST_ICONS:
                self._made.clear()
            self._made[key] = _icon_pixmap(name, colour, round(side * scale), scale)
        square = QRect(0, 0, side, side)
        square.moveCenter(rect.center())
        painter.drawPixmap(square.topLeft(), self._made[key])


def _icon_pixmap(name: IconName, colour: QColor, pixels: int, scale: float) -> QPixmap:
    made = QPixmap(QSize(pixels, pixels))
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    icons.paint(painter, QRectF(0, 0, pixels, pixels), name, colour)
    painter.end()
    made.setDevicePixelRatio(scale)
    return made


def bar(
    painter: QPainter, rect: QRectF, stage: BarFill, share: float, *, filling: QColor, groove: QColor, phase: int
) -> None:
    """Paint groove and filling. A filling that is begun is always seen; stripes move with the phase."""
    radius = rect.height() / 2
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(groove)
    painter.drawRoundedRect(rect, radius, radius)
    if stage is BarFill.MEASURED:
        rect = QRectF(rect)
        rect.setWidth(0 if share <= 0 else max(rect.height(), rect.width() * share))
    painter.setBrush(_stripes(rect, filling, groove, phase) if stage is BarFill.WAITING else filling)
    painter.drawRoundedRect(rect, radius, radius)
    painter.restore()


def _stripes(rect: QRectF, dark: QColor, light: QColor, phase: int) -> QLinearGradient:
    start = rect.topLeft() + QPointF(phase % round(2 * _STRIPE), 0)
    stripes = QLinearGradient(start, start + QPointF(_STRIPE, _STRIPE))
    stripes.setSpread(QLinearGradient.Spread.RepeatSpread)
    for at, colour in ((0.0, dark), (0.5, dark), (0.501, light), (1.0, light)):
        stripes.setColorAt(at, colour)
    return stripes


def line(painter: QPainter, rect: QRect, text: str, align: Qt.AlignmentFlag, cut: Qt.TextElideMode) -> None:
    """Paint one line in the painter's font and colour, cut where it does not fit."""
    shown = QFontMetrics(painter.font()).elidedText(text, cut, rect.width())
    painter.drawText(rect, align | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, shown)


def sentence(painter: QPainter, rect: QRect, text: str) -> None:
    """Paint two lines at most, in the middle of the rectangle."""
    lines = two_lines(text, painter.font(), rect.width())
    metrics = QFontMetrics(painter.font())
    top = rect.top() + (rect.height() - metrics.lineSpacing() * len(lines)) // 2
    for number, shown in enumerate(lines):
        place = QRect(rect.left(), top + number * metrics.lineSpacing(), rect.width(), metrics.lineSpacing())
        painter.drawText(place, Qt.AlignmentFlag.AlignLeading | Qt.TextFlag.TextSingleLine, shown)


def two_lines(text: str, font: QFont, width: int) -> list[str]:
    """Return a text in two lines at most; the second one is cut where it does not fit."""
    first, rest = _first_line(text, font, width)
    return [first, QFontMetrics(font).elidedText(rest, Qt.TextElideMode.ElideRight, width)] if rest else [first]


def fits(text: str, font: QFont, width: int) -> bool:
    """Return whether two lines are enough."""
    return QFontMetrics(font).horizontalAdvance(_first_line(text, font, width)[1]) <= width


def _first_line(text: str, font: QFont, width: int) -> tuple[str, str]:
    """Return what fits, broken between words, and what is left."""
    return (text, "") if QFontMetrics(font).horizontalAdvance(text) <= width else _break(text, font.toString(), width)


@lru_cache(maxsize=256)
def _break(text: str, of_font: str, width: int) -> tuple[str, str]:
    """Return the first line and the rest; cached, because placing the button and painting ask for the same."""
    font = QFont()
    font.fromString(of_font)
    layout = QTextLayout(text, font)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(width)
    layout.endLayout()
    units = text.encode("utf-16-le")  # Qt counts so
    length = len(units[: line.textLength() * 2].decode("utf-16-le", "ignore"))
    return text[:length].rstrip(), text[length:].lstrip()
