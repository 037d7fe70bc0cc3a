# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Files dropped on the window: the overlay that says what would happen, and what was dropped."""

from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from fieldpost_desktop.ui.widgets import icons
from fieldpost_desktop.ui.widgets.icons import IconName

_VEIL: Final = 246  # of 255: the window shows through a little


def local_paths(data: QMimeData) -> list[str]:
    """Return the places on disk that are dragged; web addresses and texts are none."""
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile() and url.toLocalFile()]


class DropOverlay(QWidget):
    """Lies over the whole window while something is dragged over it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setObjectName("drop_overlay")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.words = ""
        self.hide()

    def show_for(self, paths: list[str]) -> None:
        """Say what dropping these would do; folders are counted later, off this thread."""
        self.words = QCoreApplication.translate("DropOverlay", "Drop to send: %n item(s)", "", len(paths))
        self.setAccessibleName(self.words)
        self.setGeometry(self._window.rect())
        self.raise_()
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint a veil, a dashed frame, an icon and the words."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        veil = self.palette().window().color()
        veil.setAlpha(_VEIL)
        painter.fillRect(self.rect(), veil)
        line = self.fontMetrics().height()
        accent = self.palette().highlight().color()
        painter.setPen(QPen(accent, line / 6, Qt.PenStyle.DashLine))
        frame = QRectF(self.rect()).adjusted(line, line, -line, -line)
        painter.drawRoundedRect(frame, line / 2, line / 2)
        font = QFont(self.font())
        font.setPointSizeF(font.pointSizeF() * 1.8)
        painter.setFont(font)
        size = line * 4
        middle = frame.center()
        icons.icon(IconName.DROP).paint(
            painter, round(middle.x() - size / 2), round(middle.y() - size * 1.2), size, size
        )
        painter.setPen(self.palette().windowText().color())
        painter.drawText(
            frame.adjusted(0, size, 0, 0), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.words
        )


class DropTarget(QObject):
    """Makes a window take files, wherever in it they are dropped."""

    dropped = Signal(list)  # of paths

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._overlay = DropOverlay(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Handle the window's own drag events; its children hand theirs up to it."""
        if isinstance(event, QDropEvent) and not isinstance(event, QDragMoveEvent):
            return self._take(event)
        if isinstance(event, QDragEnterEvent):
            return self._enter(event)
        if event.type() == QEvent.Type.DragLeave:
            self._overlay.hide()
        return super().eventFilter(watched, event)

    def _enter(self, event: QDragEnterEvent) -> bool:
        paths = local_paths(event.mimeData())
        if not paths:
            return False
        self._overlay.show_for(paths)
        # Copy, never move: a file manager deletes what was moved.
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        return True

    def _take(self, event: QDropEvent) -> bool:
        self._overlay.hide()
        paths = local_paths(event.mimeData())
        if not paths:
            return False
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self.dropped.emit(paths)
        return True
