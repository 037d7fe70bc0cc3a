# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The connection test, step by step as it goes: tick, cross, skipped, or running."""

import threading
from collections import deque
from typing import Final

from PySide6.QtCore import QLocale, Qt, QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.link.check.check import Outcome, Step, StepResult
from fieldpost_desktop.engine.profile.profile_file import Profile
from fieldpost_desktop.ui.connection.error_box import ErrorBox
from fieldpost_desktop.ui.text import wording
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.widgets import icons
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_desktop.ui.widgets.toned import TonedIcon
from fieldpost_desktop.ui.widgets.wrapping_text import WrappingText
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.secret import Secret

_LOOK_MS: Final = 50  # a step that takes less looks as if it were instant
_RUNNING: Final = (IconName.WAIT, Tone.WORKING)
_SIGNS: Final = {
    Outcome.OK: (IconName.TICK, Tone.CONFIRMED),
    Outcome.FAILED: (IconName.CROSS, Tone.ATTENTION),
    Outcome.SKIPPED: None,  # the words say it
}


class CheckView(QWidget):
    """Shows one test at a time."""

    started = Signal()
    finished = Signal(bool)  # whether all went well

    def __init__(self, instance: AppInstance, worker: Worker) -> None:
        super().__init__()
        self.setObjectName("link_view")
        self._instance = instance
        self._worker = worker
        self._run: _CheckRun | None = None
        self._asked: tuple[Profile, Secret | None] | None = None
        self._rows = {step: _StepRow() for step in Step}
        self._error_box = ErrorBox()
        self._progress = _endless_bar(self.tr("The connection is being tested"))
        self._total = WrappingText(name="link_total")
        self._again = QPushButton(icons.icon(IconName.RETRY), self.tr("&Test again"))
        self._again.setObjectName("test_again")
        self._again.clicked.connect(self._start_again)
        self._look = QTimer(self)
        self._look.setInterval(_LOOK_MS)
        self._look.timeout.connect(self._take)
        self._lay_out()

    @property
    def running(self) -> bool:
        """Whether a test is under way."""
        return self._look.isActive()

    def start(self, profile: Profile, password: Secret | None) -> None:
        """Test with these; without a password the kept one is taken."""
        self._asked = profile, password
        self._run = run = _CheckRun(self._instance, profile, password)
        self._error_box.clear()
        self._total.clear()
        for step, row in self._rows.items():
            row.wait(wording.step_title(step, profile.name))
        self._rows[Step.FIND].work(self.tr("Trying…"))
        self._set_running(running=True)
        self._worker.run(run)
        self.started.emit()

    def forget(self) -> None:
        """Drop the test and the password it used; a test that still runs ends unheard."""
        self._set_running(running=False)
        self._again.setEnabled(False)
        self._run = None
        self._asked = None

    def _start_again(self) -> None:
        if self._asked is not None:
            self.start(*self._asked)

    def _take(self) -> None:
        """Show what the test has reported since the last look."""
        run = self._run
        if run is None:
            return
        ended = run.ended.is_set()  # first: what is told before the end is seen below
        while run.told:
            self._show(run.told.popleft(), run)
        if ended:
            self._end(run)

    def _show(self, result: StepResult, run: "_CheckRun") -> None:
        words = wording.step_result(result, run.office)
        if result.outcome is Outcome.FAILED:
            self._rows[result.step].end(result, wording.outcome_name(result.outcome))
            self._error_box.show_words(words, f"{result.code}: {result.detail}" if result.detail else "")
            return
        self._rows[result.step].end(result, words)
        following = list(Step)[list(Step).index(result.step) + 1 :]
        if following and run.well:
            self._rows[following[0]].work(self.tr("Trying…"))

    def _end(self, run: "_CheckRun") -> None:
        self._set_running(running=False)
        for row in self._rows.values():
            row.stop()
        if run.error is not None:
            self._error_box.show_error(run.error, run.office)
        taken = QLocale().toString(max(run.seconds, 0.1), "f", 1)
        if run.well:
            self._total.setText(self.tr("Everything works. It took {seconds} s.").format(seconds=taken))
        else:
            self._total.setText(self.tr("The test ended after {seconds} s.").format(seconds=taken))
        self.finished.emit(run.well)

    def _set_running(self, *, running: bool) -> None:
        self._again.setEnabled(not running)
        self._progress.setVisible(running)
        if running:
            self._look.start()
        else:
            self._look.stop()

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setColumnStretch(1, 2)
        grid.setColumnStretch(2, 3)
        grid.setHorizontalSpacing(self.fontMetrics().horizontalAdvance("m"))
        for number, (step, row) in enumerate(self._rows.items()):
            row.add_to(grid, number, step)
        foot = QHBoxLayout()
        foot.addWidget(self._total, 1)
        foot.addWidget(self._again, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(grid)
        layout.addWidget(self._error_box)
        layout.addWidget(self._progress)
        layout.addLayout(foot)


class _CheckRun:
    """One test, on a thread of the worker. It is read by a timer: a signal of a view that is gone would fail there."""

    def __init__(self, instance: AppInstance, profile: Profile, password: Secret | None) -> None:
        self._instance = instance
        self._profile = profile
        self._password = password
        self.office = profile.name
        self.told: deque[StepResult] = deque()
        self.ended = threading.Event()
        self.error: FieldpostError | None = None
        self.well = True
        self.seconds = 0.0

    def __call__(self) -> None:
        began = self._instance.clock.monotonic()
        try:
            self._instance.test_connection(self._profile, self._password, self._tell)
        except FieldpostError as error:
            self.error = error
            self.well = False
        finally:
            self.seconds = self._instance.clock.monotonic() - began
            self.ended.set()

    def _tell(self, result: StepResult) -> None:
        self.well = self.well and result.outcome is not Outcome.FAILED
        self.told.append(result)


class _StepRow:
    """Sign, title and result of a step."""

    def __init__(self) -> None:
        self._sign = TonedIcon(*_RUNNING)
        policy = self._sign.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._sign.setSizePolicy(policy)
        self._title = WrappingText()
        self._result = WrappingText(selectable=True)

    def add_to(self, grid: QGridLayout, row: int, step: Step) -> None:
        for column, (part, widget) in enumerate(
            {"sign": self._sign, "title": self._title, "result": self._result}.items()
        ):
            widget.setObjectName(f"link_{step}_{part}")
            grid.addWidget(widget, row, column, Qt.AlignmentFlag.AlignTop)

    def wait(self, title: str) -> None:
        self._title.setText(title)
        self._show(None, "")

    def work(self, words: str) -> None:
        self._show(_RUNNING, words)

    def end(self, result: StepResult, words: str) -> None:
        self._show(_SIGNS[result.outcome], words)

    def stop(self) -> None:
        """Show no result: the test ended before this step did."""
        if not self._sign.isHidden() and self._sign.name is IconName.WAIT:
            self._show(None, "")

    def _show(self, sign: tuple[IconName, Tone] | None, words: str) -> None:
        self._sign.setVisible(sign is not None)
        if sign is not None:
            self._sign.show_icon(*sign)
        self._result.setText(words)
        self._result.setAccessibleName(f"{self._title.text()}: {words}")


def _endless_bar(name: str) -> QProgressBar:
    bar = QProgressBar()
    bar.setObjectName("link_progress")
    bar.setRange(0, 0)
    bar.setTextVisible(False)
    bar.setAccessibleName(name)
    bar.hide()
    return bar
