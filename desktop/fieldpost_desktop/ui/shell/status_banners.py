# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What keeps everything from being sent, as banners: one for each cause, with the button that helps."""

from collections.abc import Callable, Mapping
from typing import Final

from PySide6.QtCore import QObject, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from fieldpost_desktop.app.condition import Condition
from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.model.events import OverallState, OverallStatus
from fieldpost_desktop.engine.model.hold import HoldKind
from fieldpost_desktop.engine.model.states import OPEN
from fieldpost_desktop.ui.text import wording
from fieldpost_desktop.ui.text.wording import BannerAction
from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.widgets.banners import BannerContent, Banners
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

_TICK_MS: Final = 1000
_CONNECTED_S: Final = 3.0
# What Windows itself opens: it is not encrypted, so that a guest network can put its sign-in page there.
_PORTAL: Final = "http://www.msftconnecttest.com/redirect"


class StatusBanners(QObject):
    """Shows, changes and hides the banners as the status changes."""

    set_up_wanted = Signal()
    password_wanted = Signal()
    report_wanted = Signal()
    start_wanted = Signal()
    resume_wanted = Signal()
    send_now_wanted = Signal()
    retry_wanted = Signal()
    settings_wanted = Signal()

    def __init__(self, instance: AppInstance, banners: Banners) -> None:
        super().__init__(banners)
        self._instance = instance
        self._banners = banners
        self._status = OverallStatus()
        self._was_offline = False
        self._timer = QTimer(self)  # countdowns; stands still while none is shown
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._show_hold)
        self._acts: Mapping[BannerAction, Callable[[], None]] = {
            BannerAction.TRY_NOW: self.retry_wanted.emit,
            BannerAction.ENTER_PASSWORD: self.password_wanted.emit,
            BannerAction.RESUME: self.resume_wanted.emit,
            BannerAction.SEND_NOW: self.send_now_wanted.emit,
            BannerAction.MAKE_REPORT: self.report_wanted.emit,
            BannerAction.OPEN_BROWSER: _open_portal,
            BannerAction.CHOOSE_SETTINGS_FILE: self.set_up_wanted.emit,
            BannerAction.OPEN_SETTINGS: self.settings_wanted.emit,
        }

    def show_condition(self) -> None:
        """Show whether this program can send at all."""
        self._banners.show_banner("condition", self._condition_note())
        damage = self._instance.take_journal_damage()
        if damage is not None:
            self.show_error(damage)

    def show_status(self, status: OverallStatus) -> None:
        """Show what the engine waits for."""
        self._status = status
        self._show_hold()
        self._banners.show_banner("silence", self._silence_note(status))
        offline = status.hold is not None and status.hold.kind is HoldKind.OFFLINE and status.hold.code is not None
        if self._was_offline and status.hold is None and status.state is not OverallState.NOT_SET_UP:
            office = wording.office_name(self._instance.office)
            note = BannerContent(self.tr("Connected to {office}.").format(office=office), tone=Tone.CONFIRMED)
            self._banners.show_for("connected", note, _CONNECTED_S)
        self._was_offline = offline

    def show_error(self, error: FieldpostError, file: str = "") -> None:
        """Show that something did not work; once for each cause, until it is closed."""
        words = wording.error_sentence(error, self._instance.office, file)
        button, act = self._button(BannerAction.MAKE_REPORT if error.code is Code.UNEXPECTED else None)
        note = BannerContent(words, tone=Tone.ATTENTION, button=button, act=act, closable=True)
        self._banners.show_banner(f"trouble {error.code} {file}", note)

    def _show_hold(self) -> None:
        hold, now_ns = self._status.hold, self._instance.clock.now_ns()
        if hold is None or (
            hold.kind is HoldKind.OFFLINE and hold.code is None
        ):  # the first moment: the header says it
            self._timer.stop()
            self._banners.show_banner("hold", None)
            return
        said = wording.hold_banner(hold, self._instance.office, now_ns)
        button, act = self._button(said.action)
        self._banners.show_banner("hold", BannerContent(said.title, said.text, said.tone, button, act))
        if hold.until_ns is not None and self._banners.isVisible():
            self._timer.start()

    def _silence_note(self, status: OverallStatus) -> BannerContent | None:
        """Return a note about a silent office only while files wait for an answer."""
        if not status.office_silent or status.hold is not None or not any(state in OPEN for state in status.counts):
            return None
        title = self.tr("{office} is not answering at the moment.").format(office=self._instance.office)
        return BannerContent(title, self.tr("Sending goes on. Files are confirmed when it answers again."))

    def _button(self, action: BannerAction | None) -> tuple[str, Callable[[], None] | None]:
        return ("", None) if action is None else (wording.action_name(action), self._acts[action])

    def _condition_note(self) -> BannerContent | None:
        match self._instance.condition:
            case Condition.RUNNING:
                return None
            case Condition.NOT_SET_UP:
                title = self.tr("Fieldpost is not set up yet.")
                text = self.tr("You need the settings file that your organisation gave you.")
                return BannerContent(title, text, Tone.ATTENTION, self.tr("Set up…"), self.set_up_wanted.emit)
            case Condition.NEEDS_PASSWORD:
                title = self.tr("Your password is needed.")
                text = self.tr("Nothing is sent before you enter it. Your files stay in the list.")
                return BannerContent(title, text, Tone.ATTENTION, *self._button(BannerAction.ENTER_PASSWORD))
            case Condition.ELSEWHERE:
                title = self.tr("Another Fieldpost program is sending right now.")
                return BannerContent(title, self.tr("This window takes over when it has ended."), Tone.WAITING)
            case Condition.FAILED:
                return self._failed_note()

    def _failed_note(self) -> BannerContent:
        error = self._instance.error or FieldpostError(Code.UNEXPECTED)
        words = wording.error_sentence(error, self._instance.office)
        if error.code in {Code.PROFILE_UNREADABLE, Code.PROFILE_TOO_NEW}:
            return BannerContent(words, tone=Tone.ATTENTION, button=self.tr("Set up…"), act=self.set_up_wanted.emit)
        return BannerContent(words, tone=Tone.ATTENTION, button=self.tr("Start again"), act=self.start_wanted.emit)


def _open_portal() -> None:
    QDesktopServices.openUrl(QUrl(_PORTAL))
