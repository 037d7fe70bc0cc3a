# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Banners instead of dialogs: what concerns everything stands above the page until it is over."""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Final

from PySide6.QtCore import QEvent, QRectF, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.widgets import icons, theme
from fieldpost_desktop.ui.widgets.icons import IconName

_SIGNS: Final = {
    Tone.CONFIRMED: IconName.TICK,
    Tone.ATTENTION: IconName.WARNING,
    Tone.WAITING: IconName.WAIT,
    Tone.WORKING: IconName.ABOUT,
    Tone.PAUSED: IconName.PAUSE,
    Tone.MUTED: IconName.ABOUT,
}


@dataclass(frozen=True, slots=True)
class BannerContent:
    """What a banner says. `act` comes with its button; what can be put away has a cross."""

    title: str
    text: str = ""
    tone: Tone = Tone.WAITING
    button: str = ""
    act: Callable[[], None] | None = None
    closable: bool = False

    def has_same_text(self, other: "BannerContent | None") -> bool:
        """Return whether nothing that is seen differs."""
        return other is not None and (self.title, self.text, self.tone, self.button) == (
            other.title,
            other.text,
            other.tone,
            other.button,
        )


class BannerView(QWidget):
    """One banner; grows with its words."""

    def __init__(self, content: BannerContent, put_away: Callable[[], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.content = content
        self.setObjectName("banner")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self._sign = QLabel(self)
        self._words = QLabel(self)
        self._words.setWordWrap(True)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = QHBoxLayout(self)
        row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._words, 1)
        self.button = QPushButton(content.button, self)
        self.button.setObjectName("banner_button")
        self.button.clicked.connect(self._act)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)
        if content.closable:
            row.addWidget(self._cross(put_away), 0, Qt.AlignmentFlag.AlignVCenter)
        self.say(content)

    def say(self, content: BannerContent) -> None:
        """Show other words in the same place, as when a countdown goes on."""
        self.content = content
        title = with_full_stop(content.title) if content.text else content.title
        self._words.setText(f"<b>{escape(title)}</b> {escape(content.text)}".rstrip())
        self.setAccessibleName(f"{title} {content.text}".rstrip())
        self.button.setText(content.button)
        self.button.setVisible(bool(content.button))
        self._colour()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Repaint when light or dark changes."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint a tinted ground with a border."""
        del event
        colours = theme.banner(self.content.tone, self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(colours.border)
        painter.setBrush(colours.background)
        round_by = theme.gap(self.fontMetrics(), 0.3)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), round_by, round_by)

    def _colour(self) -> None:
        side = round(self.fontMetrics().height() * 1.3)
        self._sign.setPixmap(icons.icon(_SIGNS[self.content.tone]).pixmap(side, side))
        self.update()

    def _cross(self, put_away: Callable[[], None]) -> QToolButton:
        cross = QToolButton(self)
        cross.setObjectName("banner_close")
        cross.setIcon(icons.icon(IconName.CROSS))
        cross.setAutoRaise(True)
        cross.setAccessibleName(self.tr("Close this message"))
        cross.setToolTip(self.tr("Close this message"))
        cross.clicked.connect(put_away)
        return cross

    def _act(self) -> None:
        if self.content.act is not None:
            self.content.act()


def with_full_stop(title: str) -> str:
    """Return the title with a full stop, so that a sentence can follow."""
    return title if title.endswith((".", "!", "?", "…", ":")) else f"{title}."


class Banners(QWidget):
    """All banners at present, by what they are about; one for each cause."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banners")
        self._shown: dict[str, BannerView] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.hide()

    def show_banner(self, about: str, content: BannerContent | None) -> None:
        """Say this about that; None: it is over."""
        view = self._shown.get(about)
        if content is None:
            if view is not None:
                del self._shown[about]
                self._column.removeWidget(view)
                view.hide()
                view.deleteLater()
        elif view is None:
            self._shown[about] = view = BannerView(content, lambda: self.show_banner(about, None), self)
            self._column.addWidget(view)
        elif not content.has_same_text(view.content) or content.act is not view.content.act:
            view.say(content)
        self.setVisible(bool(self._shown))

    def show_for(self, about: str, content: BannerContent, seconds: float) -> None:
        """Say this for a moment."""
        self.show_banner(about, content)
        QTimer.singleShot(round(seconds * 1000), self, lambda: self._over(about, content))

    def contents(self) -> dict[str, BannerContent]:
        """Return what the banners say at present."""
        return {about: view.content for about, view in self._shown.items()}

    def _over(self, about: str, content: BannerContent) -> None:
        if about in self._shown and self._shown[about].content is content:
            self.show_banner(about, None)
