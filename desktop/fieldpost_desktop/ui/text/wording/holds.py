# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Why nothing is being sent, in words: for a row, for the header and for the banner."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from PySide6.QtCore import QCoreApplication

from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.ui.text import phrases
from fieldpost_desktop.ui.text.wording.failures import advice, failure, happened, labelled, office_name
from fieldpost_desktop.ui.tone import Tone
from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.codes import Code

translate = QCoreApplication.translate


class BannerAction(StrEnum):
    """What the one button of a banner does."""

    TRY_NOW = "try_now"
    ENTER_PASSWORD = "enter_password"  # noqa: S105 - the name of a button, not a secret
    RESUME = "resume"
    SEND_NOW = "send_now"
    MAKE_REPORT = "make_report"
    OPEN_BROWSER = "open_browser"
    CHOOSE_SETTINGS_FILE = "choose_settings_file"
    OPEN_SETTINGS = "open_settings"


@dataclass(frozen=True, slots=True)
class HoldBanner:
    """One message across the window."""

    title: str
    text: str
    action: BannerAction | None
    tone: Tone


_STOPS: Final[Mapping[Code, BannerAction]] = {
    Code.SIGN_IN_REFUSED: BannerAction.ENTER_PASSWORD,
    Code.PROFILE_UNREADABLE: BannerAction.CHOOSE_SETTINGS_FILE,
    Code.NOT_SET_UP: BannerAction.CHOOSE_SETTINGS_FILE,
    Code.BAD_SETTING: BannerAction.OPEN_SETTINGS,
}


def action_name(action: BannerAction) -> str:
    """Return the text of the banner's button."""
    return {
        BannerAction.TRY_NOW: translate("wording", "Try now"),
        BannerAction.ENTER_PASSWORD: translate("wording", "Enter password…"),
        BannerAction.RESUME: translate("wording", "Resume"),
        BannerAction.SEND_NOW: translate("wording", "Send now"),
        BannerAction.MAKE_REPORT: translate("wording", "Make a report…"),
        BannerAction.OPEN_BROWSER: translate("wording", "Open browser"),
        BannerAction.CHOOSE_SETTINGS_FILE: translate("wording", "Choose settings file…"),
        BannerAction.OPEN_SETTINGS: translate("wording", "Open settings"),
    }[action]


def hold_sentence(hold: Hold, office: str, now_ns: int) -> str:
    """Return why a file waits, for its row and for the header."""
    match hold.kind:
        case HoldKind.STOP_ALL:
            return labelled(hold.code or Code.UNEXPECTED, "", office)
        case HoldKind.RECEIVER_FULL:
            return happened(Code.RECEIVER_FULL, "", office)
        case HoldKind.OFFLINE:
            return _offline(hold, office, now_ns)
        case _:
            return _title(hold, now_ns)


def hold_banner(hold: Hold, office: str, now_ns: int) -> HoldBanner:
    """Return what the window says about a hold, and the one thing to do about it."""
    match hold.kind:
        case HoldKind.STOP_ALL:
            return _stop_banner(hold.code or Code.UNEXPECTED, office)
        case HoldKind.OFFLINE:
            return _offline_banner(hold, office, now_ns)
        case HoldKind.RECEIVER_FULL:
            return HoldBanner(happened(Code.RECEIVER_FULL, "", office), advice(Code.RECEIVER_FULL), None, Tone.WAITING)
        case _:
            return HoldBanner(_title(hold, now_ns), _text(hold), _ACTIONS.get(hold.kind), _tone(hold.kind))


_ACTIONS: Final[Mapping[HoldKind, BannerAction]] = {
    HoldKind.PAUSED: BannerAction.RESUME,
    HoldKind.SCHEDULE: BannerAction.SEND_NOW,
    HoldKind.METERED: BannerAction.OPEN_SETTINGS,
}


def next_try(next_try_ns: int | None, attempt: int, now_ns: int) -> str:
    """Return when the next try comes; `attempt` have failed, so the coming one is one more."""
    left = 0.0 if next_try_ns is None else (next_try_ns - now_ns) / NS_PER_S
    nth = phrases.nth_try(attempt + 1)
    if left < 1:
        text = translate("wording", "Trying again now ({nth})") if attempt else translate("wording", "Trying again now")
    elif attempt:
        text = translate("wording", "Trying again in {time} ({nth})")
    else:
        text = translate("wording", "Trying again in {time}")
    return text.format(time=phrases.countdown(left), nth=nth)


def _title(hold: Hold, now_ns: int) -> str:
    until = "" if hold.until_ns is None else phrases.clock(hold.until_ns, now_ns)
    match hold.kind:
        case HoldKind.PAUSED:
            return translate("wording", "Paused until {time}").format(time=until) if until else _paused()
        case HoldKind.SCHEDULE if until:
            return translate("wording", "Waits until {time}").format(time=until)
        case HoldKind.SCHEDULE:
            return translate("wording", "Waits for the set sending hours")
        case HoldKind.METERED:
            return translate("wording", "Waits: this connection costs money (metered)")
        case _:
            return translate("wording", "This computer was asleep; sending goes on in a moment")


def _text(hold: Hold) -> str:
    match hold.kind:
        case HoldKind.PAUSED if hold.until_ns is None:
            return translate("wording", "Nothing is sent until you resume.")
        case HoldKind.PAUSED:
            return translate("wording", "Sending goes on by itself then.")
        case HoldKind.SCHEDULE:
            return translate("wording", "Files are sent at the set hours only.")
        case HoldKind.METERED:
            return translate(
                "wording",
                "Files wait for another connection. To send one all the same, choose Send anyway in its menu.",
            )
        case _:
            return ""


def _tone(kind: HoldKind) -> Tone:
    return Tone.PAUSED if kind is HoldKind.PAUSED else Tone.WAITING


def _paused() -> str:
    return translate("wording", "Paused")


def _offline(hold: Hold, office: str, now_ns: int) -> str:
    if hold.code is None:
        return translate("wording", "Connecting to {office}…").format(office=office_name(office))
    return f"{happened(hold.code, '', office)} {next_try(hold.until_ns, hold.attempt, now_ns)}"


def _offline_banner(hold: Hold, office: str, now_ns: int) -> HoldBanner:
    if hold.code is None:
        return HoldBanner(_offline(hold, office, now_ns), "", None, Tone.WAITING)
    said = failure(hold.code, "", office)
    action = BannerAction.OPEN_BROWSER if hold.code is Code.CAPTIVE_PORTAL else BannerAction.TRY_NOW
    text = f"{advice(hold.code)} {next_try(hold.until_ns, hold.attempt, now_ns)}. ({said.label})".lstrip()
    return HoldBanner(said.happened, text, action, Tone.WAITING)


def _stop_banner(code: Code, office: str) -> HoldBanner:
    said = failure(code, "", office)
    text = " ".join(filter(None, (said.next, said.you_can, f"({said.label})")))
    return HoldBanner(said.happened, text, _STOPS.get(code, BannerAction.MAKE_REPORT), Tone.ATTENTION)
