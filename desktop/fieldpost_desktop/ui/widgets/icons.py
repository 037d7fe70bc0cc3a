# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Every icon: one stroke drawing each, painted in the colour of the present palette at whatever size is asked for."""

from enum import StrEnum
from functools import lru_cache
from importlib import resources
from typing import Final

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QIconEngine, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer

from fieldpost_desktop.engine.model.events import OverallState


class IconName(StrEnum):
    """The drawings in `icons/`, by what they stand for."""

    ADD = "add"
    PAUSE = "pause"
    RESUME = "resume"
    RETRY = "retry"
    CANCEL = "cancel"
    LOCATE = "locate"
    RENAME = "rename"
    FOLDER = "folder"
    WATCHED_FOLDERS = "watched_folders"
    SETTINGS = "settings"
    TRANSFERS = "transfers"
    SEARCH = "search"
    COPY = "copy"
    REPORT = "report"
    TICK = "tick"
    CROSS = "cross"
    WARNING = "warning"
    WAIT = "wait"
    LOCK = "lock"
    MORE = "more"
    EXPORT = "export"
    OPEN_FOLDER = "open_folder"
    SEND_NOW = "send_now"
    SEND_AGAIN = "send_again"
    PASSWORD = "password"  # noqa: S105 - the name of a drawing, not a secret
    ABOUT = "about"
    QUIT = "quit"
    FILE = "file"
    IMAGE = "image"
    DOCUMENT = "document"
    ARCHIVE = "archive"
    DROP = "drop"
    OFFLINE = "offline"
    OFFICE = "office"
    APP = "app"  # the only one with colours of its own


TRAY_SIZES: Final = (16, 20, 24, 32, 48)  # the notification area from 100 % to 300 %
_NORMAL: Final = QIcon.Mode.Normal
_OFF: Final = QIcon.State.Off
_PLACEHOLDER: Final = b"currentColor"
_GRID: Final = 24  # what the drawings are drawn on
_SIGN: Final = QRectF(8.25, 8.25, 16.5, 16.5)  # where the sign of a state stands, on that grid


def icon(name: IconName) -> QIcon:
    """Return an icon that follows the palette; ask once and keep it."""
    return QIcon(_Engine(name))


def tray_icon(state: OverallState) -> QIcon:
    """Return the app's mark with the sign of a state; each sign has its own shape, legible on any taskbar."""
    return QIcon(_TrayEngine(state))


def paint(painter: QPainter, rect: QRectF, name: IconName, colour: QColor) -> None:
    """Paint an icon in a colour of the caller's, as large as fits into the middle of the rectangle."""
    side = min(rect.width(), rect.height())
    square = QRectF(0, 0, side, side)
    square.moveCenter(rect.center())
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _render(painter, square, name, colour.name())
    painter.restore()


def _tray_pixmap(state: OverallState, size: int) -> QPixmap:
    """Draw mark and sign; a round hole keeps them apart, whatever colour the taskbar has."""
    whole = QRectF(0, 0, size, size)
    made = _empty(whole.size().toSize())
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _render(painter, whole, "tray_mark")
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationOut)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(Qt.GlobalColor.black)
    scale = size / _GRID
    painter.drawEllipse(QRectF(_SIGN.topLeft() * scale, _SIGN.size() * scale))
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
    _render(painter, whole, f"tray_{state}")
    painter.end()
    return made


def _empty(size: QSize) -> QPixmap:
    made = QPixmap(size)
    made.fill(Qt.GlobalColor.transparent)
    return made


def _render(painter: QPainter, rect: QRectF, drawing: str, colour: str = "") -> None:
    QSvgRenderer(_drawing(drawing, colour)).render(painter, rect)


@lru_cache(maxsize=512)
def _drawing(name: str, colour: str) -> QByteArray:
    """Return the SVG text in a colour; the package's file is read once for each pair."""
    text = resources.files("fieldpost_desktop.ui.widgets").joinpath("icons", f"{name}.svg").read_bytes()
    return QByteArray(text.replace(_PLACEHOLDER, colour.encode()))


def _colour(mode: QIcon.Mode) -> QColor:
    """Return the colour of text in that mode, at this moment."""
    palette = QGuiApplication.palette()
    if mode is QIcon.Mode.Disabled:
        return palette.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.ButtonText)
    if mode is QIcon.Mode.Selected:
        return palette.color(QPalette.ColorGroup.Active, QPalette.ColorRole.HighlightedText)
    return palette.color(QPalette.ColorGroup.Active, QPalette.ColorRole.ButtonText)


class _Engine(QIconEngine):
    """Looks the palette up each time it paints, so that it follows a change between light and dark by itself."""

    def __init__(self, name: IconName) -> None:
        super().__init__()
        self._name = name

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, _state: QIcon.State) -> None:
        paint(painter, QRectF(rect), self._name, _colour(mode))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """Return it in device pixels: Qt has multiplied the size by the screen's scale."""
        made = _empty(size)
        painter = QPainter(made)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return made

    def clone(self) -> QIconEngine:
        return _Engine(self._name)


class _TrayEngine(QIconEngine):
    """The same for the tray's icons, whose colours do not follow the palette: the taskbar has one of its own."""

    def __init__(self, state: OverallState) -> None:
        super().__init__()
        self._state = state

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        ratio = painter.device().devicePixelRatioF()
        painter.drawPixmap(rect, self.pixmap((QSizeF(rect.size()) * ratio).toSize(), mode, state))

    def pixmap(self, size: QSize, _mode: QIcon.Mode, _state: QIcon.State) -> QPixmap:
        return _tray_pixmap(self._state, min(size.width(), size.height()))

    def availableSizes(self, _mode: QIcon.Mode = _NORMAL, _state: QIcon.State = _OFF) -> list[QSize]:  # noqa: N802 - Qt's name
        """Return every size: some desktops take them beforehand."""
        return [QSize(size, size) for size in TRAY_SIZES]

    def clone(self) -> QIconEngine:
        return _TrayEngine(self._state)
