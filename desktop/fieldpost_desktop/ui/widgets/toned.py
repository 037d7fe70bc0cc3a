# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A text and an icon in a colour that means something; both follow the palette live."""

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.widgets import icons, theme
from fieldpost_desktop.ui.widgets.icons import IconName


class TonedLabel(QLabel):
    """A text that wraps and is never read as HTML; without a tone it looks like any other."""

    def __init__(self, text: str = "", tone: Tone | None = None, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._tone = tone
        self._set = QPalette()
        self._colour()

    def set_tone(self, tone: Tone | None) -> None:
        """Mean something else from now on."""
        self._tone = tone
        self._colour()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Find another shade for another palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour()

    def _colour(self) -> None:
        """Set the colour only if it differs, because setting a palette makes Qt report a change again."""
        wanted = QPalette()  # says nothing, so that all but the tone is inherited
        if self._tone is not None:
            wanted.setColor(QPalette.ColorRole.WindowText, theme.colour(self._tone, self.palette()))
        if self._set != wanted:
            self._set = wanted
            self.setPalette(wanted)


class TonedIcon(QWidget):
    """An icon as high as a line of text."""

    def __init__(self, name: IconName, tone: Tone, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._name = name
        self._tone = tone

    @property
    def name(self) -> IconName:
        """What is shown."""
        return self._name

    def show_icon(self, name: IconName, tone: Tone) -> None:
        """Show another one."""
        if (name, tone) != (self._name, self._tone):
            self._name, self._tone = name, tone
            self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        line = self.fontMetrics().height()
        return QSize(line, line)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        icons.paint(painter, QRectF(self.rect()), self._name, theme.colour(self._tone, self.palette()))
        painter.end()
