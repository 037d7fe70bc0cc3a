# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""How everything is, in one line: the window's header and the tray's tooltip, from the same status."""

from typing import Final

from PySide6.QtCore import QCoreApplication

from fieldpost_desktop.engine.model.events import OverallState, OverallStatus
from fieldpost_desktop.engine.model.hold import HoldKind
from fieldpost_desktop.engine.model.states import OPEN, FileState
from fieldpost_desktop.ui.text import phrases
from fieldpost_desktop.ui.text.wording.failures import happened, office_name
from fieldpost_desktop.ui.text.wording.holds import hold_sentence, next_try
from fieldpost_desktop.ui.text.wording.rows import pausing
from fieldpost_shared.codes import Code

translate = QCoreApplication.translate

TOOLTIP: Final = 127  # characters that Windows shows of a tray icon's tooltip
_TO_SEND: Final = (FileState.QUEUED, FileState.SENDING, FileState.RETRYING, FileState.PAUSED)


def overall_sentence(status: OverallStatus, office: str, now_ns: int) -> str:
    """Return the header's sentence: 3 files to send · 2 min left."""
    return " · ".join(piece.removesuffix(".") for piece in _pieces(status, office, now_ns))


def tooltip(status: OverallStatus, office: str, now_ns: int) -> str:
    """Return the same for the tray, as much of it as Windows shows."""
    text = overall_sentence(status, office, now_ns)
    if _length(text) <= TOOLTIP:
        return text
    while _length(text) >= TOOLTIP:
        text = text[:-1]
    return text.rstrip(" ·") + "…"


def _pieces(status: OverallStatus, office: str, now_ns: int) -> list[str]:
    match status.state:
        case OverallState.NOT_SET_UP:
            return [happened(Code.NOT_SET_UP, "", office).removesuffix(".")]
        case OverallState.ATTENTION:
            return [*_attention(status, office, now_ns), *_progress(status)]
        case OverallState.PAUSED:
            return [_paused(status, office, now_ns), *_files_left(status)]
        case OverallState.WAITING:
            return [_why(status, office, now_ns), *_files_left(status)]
        case OverallState.WORKING:
            return [*_progress(status), *_silence(status, office)]
        case OverallState.ALL_CONFIRMED:
            return [_all_confirmed(status, office)]


def _attention(status: OverallStatus, office: str, now_ns: int) -> list[str]:
    needy = status.counts.get(FileState.ATTENTION, 0)
    pieces = [translate("wording", "%Ln file(s) need you", "", needy)] if needy else []
    return pieces if status.hold is None else [*pieces, hold_sentence(status.hold, office, now_ns)]


def _paused(status: OverallStatus, office: str, now_ns: int) -> str:
    if status.pausing:
        return pausing()
    if status.hold is not None and status.hold.kind is HoldKind.PAUSED:
        return hold_sentence(status.hold, office, now_ns)
    return translate("wording", "Paused")


def _why(status: OverallStatus, office: str, now_ns: int) -> str:
    if status.hold is not None:
        return hold_sentence(status.hold, office, now_ns)
    return next_try(status.next_try_ns, 0, now_ns)


def _progress(status: OverallStatus) -> list[str]:
    """Return what is under way; nothing moves while something holds everything up."""
    if status.hold is not None:
        return _files_left(status)
    pieces = _files_left(status)
    if pieces and status.seconds_left is not None:
        time = phrases.span(status.seconds_left)
        return [*pieces, translate("wording", "{time} left").format(time=time)]
    sent = status.counts.get(FileState.SENT, 0)
    settling = status.counts.get(FileState.SETTLING, 0)
    if not pieces and sent:
        pieces.append(translate("wording", "%Ln file(s) sent, waiting for confirmation", "", sent))
    if not pieces and settling:
        pieces.append(translate("wording", "%Ln file(s) still being written", "", settling))
    return pieces


def _silence(status: OverallStatus, office: str) -> list[str]:
    """Return a note that the office is silent, which matters only to files that wait for a receipt."""
    if not status.office_silent or FileState.SENT not in status.counts:
        return []
    return [translate("wording", "{office} has not been heard for some minutes").format(office=office_name(office))]


def _files_left(status: OverallStatus) -> list[str]:
    left = sum(status.counts.get(state, 0) for state in _TO_SEND)
    if left and status.done:
        total = status.done + sum(status.counts.get(state, 0) for state in OPEN)
        return [translate("wording", "{done} of %Ln file(s)", "", total).format(done=phrases.number(status.done))]
    return [translate("wording", "%Ln file(s) to send", "", left)] if left else []


def _all_confirmed(status: OverallStatus, office: str) -> str:
    if not status.counts.get(FileState.CONFIRMED):
        return translate("wording", "Nothing to send")
    return translate("wording", "All files confirmed by {office}").format(office=office_name(office))


def _length(text: str) -> int:
    """Return the length as Windows counts: an emoji is two."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
