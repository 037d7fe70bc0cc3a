# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""All about the file that was chosen in the list. Follows what the engine tells, and asks the journal for the rest."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.journal.browse import FileDetails
from fieldpost_desktop.engine.model.events import FileChanged, OverallStatus
from fieldpost_desktop.engine.model.parts_map import PartsMap
from fieldpost_desktop.engine.model.states import OPEN
from fieldpost_desktop.ui.detail.about_file import AboutFile
from fieldpost_desktop.ui.detail.action_buttons import ActionButtons
from fieldpost_desktop.ui.detail.failure_view import FailureView
from fieldpost_desktop.ui.detail.legend import Legend
from fieldpost_desktop.ui.detail.parts_bar import PartsBar
from fieldpost_desktop.ui.detail.parts_feed import PartsFeed
from fieldpost_desktop.ui.detail.proof import Proof
from fieldpost_desktop.ui.detail.timeline import Timeline, entries
from fieldpost_desktop.ui.text import wording
from fieldpost_desktop.ui.threads.bridge import Bridge
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.transfers.actions import Action
from fieldpost_desktop.ui.transfers.row_style import row_style
from fieldpost_desktop.ui.transfers.row_texts import RowTexts
from fieldpost_desktop.ui.widgets import theme
from fieldpost_desktop.ui.widgets.break_anywhere_label import BreakAnywhereLabel
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_desktop.ui.widgets.toned import TonedIcon
from fieldpost_desktop.ui.widgets.wrapping_text import WrappingText

_SECOND_MS: Final = 1_000
_TWO_COLUMNS: Final = 38  # lines of text that fit into the width

ActionsFor = Callable[[FileChanged], Sequence[Action]]


class DetailPane(QScrollArea):
    """Shows one file, or asks to choose one."""

    action_chosen = Signal(object, list)  # an Action, file numbers

    def __init__(
        self,
        instance: AppInstance,
        worker: Worker,
        bridge: Bridge,
        actions_for: ActionsFor,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("detail_pane")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._instance = instance
        self._worker = worker
        self._actions_for = actions_for
        self._texts = RowTexts(instance)
        self._texts.status = bridge.overall
        self._change: FileChanged | None = None
        self._facts: FileDetails | None = None
        self._feed = PartsFeed(instance, worker, self)
        self._clock = QTimer(self)  # sentences count down
        self._clock.setInterval(_SECOND_MS)
        self._make_widgets()
        self._connect(bridge)
        self.setWidget(self._arranged())
        self.show_file(None)

    @property
    def file(self) -> int | None:
        """The number of the file that is shown."""
        return None if self._change is None else self._change.row.id

    def show_file(self, change: FileChanged | None) -> None:
        """Show this file from now on; None: none."""
        another = change is None or change.row.id != self.file
        before, self._change = self._change, change
        if another:
            self._facts = None
            self._show_parts(None)
            self.verticalScrollBar().setValue(0)
        self._whole.setVisible(change is not None)
        self._nothing.setVisible(change is None)
        if change is None:
            self.setAccessibleName(self._nothing.text())
        if change is not None and (another or before is None or _milestone(before) != _milestone(change)):
            self._ask_facts(change.row.id)
        self._render()
        self._follow_parts()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self._clock.start()
        self._render()
        self._follow_parts()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        super().hideEvent(event)
        self._clock.stop()
        self._follow_parts()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Show two columns where there is room for them, one below the other where not."""
        wide = event.size().width() >= self.fontMetrics().height() * _TWO_COLUMNS
        way = QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        if self._columns.direction() != way:
            self._columns.setDirection(way)
        super().resizeEvent(event)

    # what comes in

    def _take(self, changes: list[FileChanged]) -> None:
        for change in changes:
            self._texts.note_speed(change)
            if change.row.id == self.file:
                self.show_file(change)

    def _drop(self, files: list[int]) -> None:
        if self.file in files:
            self.show_file(None)

    def _take_status(self, status: OverallStatus) -> None:
        self._texts.status = status
        self._render()

    def _ask_facts(self, file: int) -> None:
        self._worker.run(lambda: self._instance.facts(file), self._take_facts, owner=self)

    def _take_facts(self, facts: FileDetails | None) -> None:
        if facts is not None and facts.row.id == self.file:
            self._facts = facts
            self._render()

    # what is shown

    def _render(self) -> None:
        change = self._change
        if change is None or not self.isVisible():
            return
        office = self._instance.office
        facts = FileDetails(change.row) if self._facts is None else replace(self._facts, row=change.row)
        self._name.setText(wording.file_name(change.row))
        self.setAccessibleName(self._name.text())
        style = row_style(change)
        self._sign.show_icon(style.sign or IconName.SEND_NOW, style.tone)
        self._sentence.setText(self._texts.sentence(change))
        self._sentence.set_tone(style.tone)
        self._proof.show_facts(facts)
        self._failure.show_failure(wording.file_failure(change.row, office, named=False))
        self._about.show_facts(facts)
        self._timeline.show_entries(entries(facts, office), self._texts.now_ns)
        # Show in folder stands beside the path.
        self._buttons.show_actions([one for one in self._actions_for(change) if one is not Action.SHOW_IN_FOLDER])

    def _follow_parts(self) -> None:
        change = self._change
        if change is None or not self.isVisible():
            self._feed.follow(None, moving=False)
        else:
            self._feed.follow(change.row.id, moving=change.row.state in OPEN)

    def _show_parts(self, parts: PartsMap | None) -> None:
        self._bar.show_parts(parts)
        self._legend.show_parts(parts)

    def _choose(self, action: Action) -> None:
        if self.file is not None:
            self.action_chosen.emit(action, [self.file])

    # how it is made

    def _make_widgets(self) -> None:
        self._name = BreakAnywhereLabel("file_name")
        font = self._name.font()
        font.setBold(True)
        font.setPointSizeF(font.pointSizeF() * 1.2)
        self._name.setFont(font)
        self._sign = TonedIcon(IconName.WAIT, Tone.MUTED)
        self._sentence = WrappingText(name="file_sentence")
        self._buttons = ActionButtons()
        self._proof = Proof()
        self._failure = FailureView()
        self._bar = PartsBar()
        self._legend = Legend()
        self._timeline = Timeline()
        self._about = AboutFile()
        self._columns = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._nothing = WrappingText(self.tr("Choose a file to see its details"), "nothing_chosen", Tone.MUTED)

    def _connect(self, bridge: Bridge) -> None:
        bridge.files_changed.connect(self._take)
        bridge.files_dropped.connect(self._drop)
        bridge.overall_changed.connect(self._take_status)
        self._clock.timeout.connect(self._render)
        self._feed.came.connect(self._show_parts)
        self._buttons.chosen.connect(self._choose)
        self._about.show_in_folder_wanted.connect(lambda: self._choose(Action.SHOW_IN_FOLDER))

    def _arranged(self) -> QWidget:
        gap = theme.gap(self.fontMetrics(), 0.6)
        status = QHBoxLayout()
        status.addWidget(self._sign, 0)
        status.addWidget(self._sentence, 1)
        self._whole = QWidget()
        column = _column(QVBoxLayout(self._whole), gap)
        column.addWidget(self._name)
        column.addLayout(status)
        column.addLayout(self._columns, 1)
        self._columns.setSpacing(gap * 2)
        self._columns.addLayout(self._now(gap), 1)
        self._columns.addLayout(self._further(gap), 1)
        content = QWidget()
        around = QVBoxLayout(content)
        around.setContentsMargins(gap, gap, gap, gap)
        around.addWidget(self._nothing)
        around.addWidget(self._whole, 1)
        return content

    def _now(self, gap: int) -> QVBoxLayout:
        """Lay out the present state and what to do."""
        column = _column(QVBoxLayout(), gap)
        for widget in (self._proof, self._failure, self._buttons, _heading(self.tr("Parts")), self._bar, self._legend):
            column.addWidget(widget)
        column.addStretch(1)
        return column

    def _further(self, gap: int) -> QVBoxLayout:
        """Lay out the history and the facts of the file."""
        column = _column(QVBoxLayout(), gap)
        for widget in (_heading(self.tr("So far")), self._timeline, _heading(self.tr("The file")), self._about):
            column.addWidget(widget)
        column.addStretch(1)
        return column


def _column(layout: QVBoxLayout, gap: int) -> QVBoxLayout:
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(gap)
    return layout


def _heading(text: str) -> QWidget:
    made = WrappingText(text)
    font = made.font()
    font.setBold(True)
    made.setFont(font)
    made.setContentsMargins(0, theme.gap(made.fontMetrics(), 0.3), 0, 0)
    return made


def _milestone(change: FileChanged) -> tuple[object, ...]:
    """Return what the journal knows more about once it changes."""
    row = change.row
    return row.state, row.generation, row.clean_up, row.started_ns, row.sent_ns
