# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Before much is sent: "Send 214 files (1.2 GB)?". The count goes on while a person can already say no.

Little is sent without a question; the dialog then never shows, unless counting takes so long that it must say so.
"""

import threading
from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QProgressBar, QVBoxLayout, QWidget

from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.sources.dropped_files import DroppedFiles
from fieldpost_desktop.engine.sources.preview import Preview, preview
from fieldpost_desktop.ui.text import phrases, wording
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.widgets import theme
from fieldpost_desktop.ui.widgets.object_names import named
from fieldpost_desktop.ui.widgets.toned import TonedLabel
from fieldpost_shared.errors import FieldpostError

ASK_ABOVE_FILES: Final = 100
ASK_ABOVE_BYTES: Final = 1_000_000_000
PATIENCE_MS: Final = 700  # counting that takes longer is shown
_LOOK_MS: Final = 100

Count = Callable[[Sequence[str], DroppedFiles, Callable[[Preview], bool]], Preview]


class Counting:
    """What the worker's thread and the window share: the newest count, and whether to go on."""

    def __init__(self) -> None:
        self.newest = Preview()
        self._stop = threading.Event()

    def going_on(self, count: Preview) -> bool:
        """On the worker's thread."""
        self.newest = count
        return not self._stop.is_set()

    def stop(self) -> None:
        """End the count: the question was answered or closed."""
        self._stop.set()


class SendQuestion(QDialog):
    """`accepted`: send what was `found`; `rejected`: do not. `begin` counts, and asks if there is something to ask."""

    def __init__(
        self,
        instance: AppInstance,
        worker: Worker,
        paths: Sequence[str],
        parent: QWidget | None = None,
        *,
        count: Count = preview,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("send_question")
        self.setWindowTitle(self.tr("Send files"))
        self._instance = instance
        self._worker = worker
        self._paths = tuple(paths)
        self._count = count
        self.found = DroppedFiles()
        self._counting = Counting()
        self._over = False
        self._words = named(QLabel(self, wordWrap=True), "question")
        self._note = TonedLabel("", Tone.MUTED, self)
        self._note.setObjectName("note")
        self._bar = named(QProgressBar(self, textVisible=False), "counting")
        self._bar.setRange(0, 0)
        self._bar.setAccessibleName(self.tr("Counting files"))
        boxes = QDialogButtonBox.StandardButton
        self._buttons = named(QDialogButtonBox(boxes.Ok | boxes.Cancel, self), "buttons")
        self._buttons.button(boxes.Cancel).setObjectName("cancel")
        self._send = self._buttons.button(boxes.Ok)
        self._send.setText(self.tr("Send"))
        self._send.setObjectName("send")
        self._send.setEnabled(False)
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self.finished.connect(self._end)
        self._lay_out()

    def begin(self) -> None:
        """Count, off the GUI thread; to be called once."""
        self._show_count(Preview())
        self._timer.start()
        QTimer.singleShot(PATIENCE_MS, self, self._show_if_open)
        count, paths, found, counting = self._count, self._paths, self.found, self._counting
        self._worker.run(
            lambda: count(paths, found, counting.going_on),
            self._counted,
            self._failed,
            owner=self,
        )

    # while it is counted

    def _look(self) -> None:
        count = self._counting.newest
        self._show_count(count)
        if _is_much(count):
            self._show_if_open()

    def _show_count(self, count: Preview) -> None:
        words = self.tr("Counting… {files} ({size}) so far.")
        self._words.setText(words.format(files=phrases.files(count.files), size=phrases.size(count.size)))

    def _show_if_open(self) -> None:
        if not self._over and not self.isVisible():
            self.open()

    # when it is known

    def _counted(self, count: Preview) -> None:
        if self._over:
            return
        self._settle()
        if not count.files and not count.refused:
            self._say_nothing_there()
        elif _is_much(count):
            self._ask(count)
        else:
            self.accept()

    def _ask(self, count: Preview) -> None:
        words = self.tr("Send {files} ({size})?")
        self._words.setText(words.format(files=phrases.files(count.files), size=phrases.size(count.size)))
        if count.refused:
            self._note.setText(self.tr("%n more file(s) cannot be sent; the list will say why.", "", count.refused))
        self._note.setVisible(bool(count.refused))
        self._send.setEnabled(True)
        self._send.setDefault(True)
        self._show_if_open()

    def _say_nothing_there(self) -> None:
        self._words.setText(self.tr("There is nothing to send in there."))
        self._only_close()

    def _failed(self, error: FieldpostError) -> None:
        if self._over:
            return
        self._settle()
        self._words.setText(wording.error_sentence(error, self._instance.office))
        self._only_close()

    def _only_close(self) -> None:
        self._buttons.setStandardButtons(QDialogButtonBox.StandardButton.Close)
        self._show_if_open()

    def _settle(self) -> None:
        self._timer.stop()
        self._bar.hide()

    def _end(self) -> None:
        self._over = True
        self._timer.stop()
        self._counting.stop()

    def _lay_out(self) -> None:
        lines = QVBoxLayout(self)
        lines.setSpacing(theme.gap(self.fontMetrics()))
        font = self._words.font()
        font.setPointSizeF(font.pointSizeF() * 1.2)
        self._words.setFont(font)
        self._words.setMinimumWidth(self.fontMetrics().averageCharWidth() * 50)
        for widget in (self._words, self._note, self._bar):
            lines.addWidget(widget)
        self._note.hide()
        lines.addStretch(1)
        lines.addWidget(self._buttons)


def _is_much(count: Preview) -> bool:
    return count.files > ASK_ABOVE_FILES or count.size > ASK_ABOVE_BYTES
