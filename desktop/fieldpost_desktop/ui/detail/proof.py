# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The proof that a file arrived: who has it since when, and what its bytes hash to."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from fieldpost_desktop.engine.journal.browse import FileDetails, Receipt
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.ui.detail.timeline import receipt_ns
from fieldpost_desktop.ui.text import phrases
from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.widgets import theme
from fieldpost_desktop.ui.widgets.break_anywhere_label import BreakAnywhereLabel
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_desktop.ui.widgets.object_names import named
from fieldpost_desktop.ui.widgets.toned import TonedIcon

translate = QCoreApplication.translate


def proof(facts: FileDetails) -> str:
    """Return the proof line by line; nothing before all receipts are there."""
    if facts.row.state is not FileState.CONFIRMED:
        return ""
    return "\n".join(line for receipt in facts.receipts for line in _lines(receipt))


def _lines(receipt: Receipt) -> Sequence[str]:
    when = phrases.moment(receipt_ns(receipt))
    lines = [translate("proof", "Confirmed {time} by {receiver}").format(time=when, receiver=receipt.receiver)]
    if receipt.renamed:
        text = translate("proof", "{receiver} stored it under another name, since this one was taken.")
        lines.append(text.format(receiver=receipt.receiver))
    if receipt.duplicate:
        text = translate("proof", "{receiver} had exactly this file already.")
        lines.append(text.format(receiver=receipt.receiver))
    return lines


class Proof(QWidget):
    """A green box with a tick; hidden until the receipt is there."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("proof")
        self._text = named(QLabel(), "proof_text")
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._hash = BreakAnywhereLabel("proof_hash")
        gap = theme.gap(self.fontMetrics(), 0.4)
        words = QVBoxLayout()
        words.setSpacing(gap // 2)
        words.addWidget(self._text)
        words.addWidget(self._hash)
        row = QHBoxLayout(self)
        row.setContentsMargins(gap, gap, gap, gap)
        row.setSpacing(gap)
        row.addWidget(TonedIcon(IconName.TICK, Tone.CONFIRMED), 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        self.hide()

    def show_facts(self, facts: FileDetails | None) -> None:
        """Show what proves it; nothing proves it: hide."""
        text = "" if facts is None else proof(facts)
        self.setVisible(bool(text))
        self._text.setText(text)
        if facts is not None:
            self._hash.setText(translate("proof", "SHA-256 {hash}").format(hash=facts.row.sha256))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        colours = theme.banner(Tone.CONFIRMED, self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(colours.border)
        painter.setBrush(colours.background)
        corner = theme.gap(self.fontMetrics(), 0.3)
        painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), corner, corner)
        painter.end()
