# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Light and dark, as the style without a system has them, and the tray's icons side by side."""

from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter, QPalette
from PySide6.QtWidgets import QApplication, QProxyStyle, QStyle, QStyleHintReturn, QStyleOption, QWidget

from fieldpost_desktop.engine.model.events import OverallState
from fieldpost_desktop.ui.widgets import icons

_DARK: Final = {
    QPalette.ColorRole.Window: "#202124",
    QPalette.ColorRole.WindowText: "#e8e8ea",
    QPalette.ColorRole.Base: "#18191b",
    QPalette.ColorRole.AlternateBase: "#26282b",
    QPalette.ColorRole.Text: "#e8e8ea",
    QPalette.ColorRole.PlaceholderText: "#9a9ca1",
    QPalette.ColorRole.Button: "#303236",
    QPalette.ColorRole.ButtonText: "#e8e8ea",
    QPalette.ColorRole.BrightText: "#ffffff",
    QPalette.ColorRole.ToolTipBase: "#303236",
    QPalette.ColorRole.ToolTipText: "#e8e8ea",
    QPalette.ColorRole.Light: "#4a4d52",
    QPalette.ColorRole.Midlight: "#3c3f44",
    QPalette.ColorRole.Mid: "#2a2c30",
    QPalette.ColorRole.Dark: "#141517",
    QPalette.ColorRole.Shadow: "#000000",
    QPalette.ColorRole.Highlight: "#2f6fc4",
    QPalette.ColorRole.HighlightedText: "#ffffff",
    QPalette.ColorRole.Link: "#7ab4ff",
    QPalette.ColorRole.LinkVisited: "#c39bff",
}
_GREY: Final = "#84868b"  # what cannot be used
_SIZES: Final = (16, 24, 32)
_CELL: Final = 56


class StillStyle(QProxyStyle):
    """The style that looks the same everywhere, without its fading in and out."""

    def __init__(self) -> None:
        super().__init__("Fusion")

    def styleHint(  # noqa: N802 - Qt's name
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returnData: QStyleHintReturn | None = None,  # noqa: N803 - Qt's name
    ) -> int:
        if hint is QStyle.StyleHint.SH_Widget_Animation_Duration:
            return 0
        return super().styleHint(hint, option, widget, returnData)


def palette(theme: str) -> QPalette:
    """The style's own for light; Qt without a system knows no dark one."""
    made = QPalette(QApplication.style().standardPalette())
    if theme == "dark":
        for role, colour in _DARK.items():
            made.setColor(role, QColor(colour))
        for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
            made.setColor(QPalette.ColorGroup.Disabled, role, QColor(_GREY))
    return made


def tray_pictures() -> Iterator[tuple[str, QImage]]:
    """All states at all sizes on one sheet, and each by itself."""
    states = list(OverallState)
    sheet = _blank(QSize(_CELL * len(states), _CELL * len(_SIZES)))
    painter = QPainter(sheet)
    for row, size in enumerate(_SIZES):
        for column, state in enumerate(states):
            _draw(painter, state, size, QRect(column * _CELL, row * _CELL, _CELL, _CELL))
    painter.end()
    yield "tray-icons", sheet
    for state in states:
        image = _blank(QSize(40, 40))
        painter = QPainter(image)
        _draw(painter, state, 32, QRect(0, 0, 40, 40))
        painter.end()
        yield f"tray-{state}".replace("_", "-"), image


def _draw(painter: QPainter, state: OverallState, size: int, place: QRect) -> None:
    corner = place.center() - QRect(0, 0, size, size).center()
    icons.tray_icon(state).paint(painter, QRect(corner, QSize(size, size)), Qt.AlignmentFlag.AlignCenter)


def _blank(size: QSize) -> QImage:
    ratio = QGuiApplication.primaryScreen().devicePixelRatio()
    image = QImage(size * ratio, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(QGuiApplication.palette().window().color())
    return image
