# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""How one file is, in words: the Status column, the receipts, what became of the file afterwards."""

from PySide6.QtCore import QCoreApplication

from fieldpost_desktop.engine.model import failure_details
from fieldpost_desktop.engine.model.events import FileChanged
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.ui.text import phrases
from fieldpost_desktop.ui.text.wording.failures import advice, happened, labelled, needs_you, office_name
from fieldpost_desktop.ui.text.wording.holds import hold_sentence, next_try
from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.codes import CODES, Code, known

translate = QCoreApplication.translate

_NO_GUESS_S = 10.0  # how long a speed is not worth a guess of the time left


def state_name(state: FileState) -> str:
    """Return a state in a word or two, for filters and lists."""
    return {
        FileState.SETTLING: translate("wording", "Still being written"),
        FileState.QUEUED: translate("wording", "Waiting its turn"),
        FileState.SENDING: translate("wording", "Sending"),
        FileState.RETRYING: translate("wording", "Trying again"),
        FileState.PAUSED: translate("wording", "Paused"),
        FileState.SENT: translate("wording", "Sent, waiting for confirmation"),
        FileState.ATTENTION: translate("wording", "Needs you"),
        FileState.CONFIRMED: translate("wording", "Confirmed"),
        FileState.CANCELLED: translate("wording", "Cancelled"),
    }[state]


def row_sentence(change: FileChanged, office: str, now_ns: int, hold: Hold | None) -> str:
    """Return the text of the Status column. `hold` is what holds everything up at present."""
    row = change.row
    match row.state:
        case FileState.SENDING:
            return _sending(change, office, now_ns, hold)
        case FileState.QUEUED | FileState.RETRYING | FileState.SETTLING:
            return _waiting(row, office, now_ns, hold)
        case FileState.PAUSED if change.acknowledged and change.parts:
            parts = phrases.parts_of(change.acknowledged, change.parts)
            return translate("wording", "Paused at {parts}").format(parts=parts)
        case FileState.ATTENTION:
            return needs_you(known(row.code), row.detail, office)
        case FileState.SENT | FileState.CONFIRMED | FileState.CANCELLED:
            return _over(row, office, now_ns)
        case _:
            return state_name(row.state)


def _sending(change: FileChanged, office: str, now_ns: int, hold: Hold | None) -> str:
    if hold is not None and hold.kind is HoldKind.PAUSED:
        return pausing()
    if hold is not None and hold.kind in {HoldKind.OFFLINE, HoldKind.WAKING, HoldKind.STOP_ALL}:
        return hold_sentence(hold, office, now_ns)
    if not change.parts:
        return state_name(FileState.SENDING)
    parts = phrases.parts_of(change.acknowledged, change.parts)
    pieces = [translate("wording", "Sending {parts}").format(parts=parts)]
    if change.rate:
        pieces.append(phrases.speed(change.rate))
        left = _seconds_left(change, now_ns)
        pieces += [] if left is None else [time_left(left)]
    return " · ".join(pieces)


def _seconds_left(change: FileChanged, now_ns: int) -> float | None:
    """Return a guess, once there was time enough to measure."""
    row = change.row
    if not change.rate or row.started_ns is None or now_ns - row.started_ns < _NO_GUESS_S * NS_PER_S:
        return None
    return (change.parts - change.acknowledged) * row.chunk_size / change.rate


def time_left(seconds: float) -> str:
    """Return About 2 min left."""
    return translate("wording", "{time} left").format(time=phrases.duration(seconds))


def pausing() -> str:
    """Return the words between the click on Pause and the last answer."""
    return translate("wording", "Pausing…")


def _waiting(row: FileRow, office: str, now_ns: int, hold: Hold | None) -> str:
    if hold is not None and row.state is not FileState.SETTLING and not (hold.kind is HoldKind.METERED and row.anyway):
        return hold_sentence(hold, office, now_ns)
    if row.state is FileState.RETRYING:
        return f"{happened(known(row.code), row.detail, office)} {next_try(row.next_try_ns, row.attempt, now_ns)}"
    return labelled(known(row.code), row.detail, office) if row.code else state_name(row.state)


def _over(row: FileRow, office: str, now_ns: int) -> str:
    match row.state:
        case FileState.SENT if row.code == Code.RECEIPT_LATE:
            return f"{happened(Code.RECEIPT_LATE, row.detail, office)} {advice(Code.RECEIPT_LATE)}"
        case FileState.CONFIRMED:
            return _confirmed(row, office, now_ns)
        case FileState.CANCELLED if failure_details.read_existed_before(row.detail):
            return translate("wording", "Not sent: it was there before the folder was watched")
        case _:
            return state_name(row.state)


def _confirmed(row: FileRow, office: str, now_ns: int) -> str:
    at = phrases.clock(row.ended_ns or row.added_ns, now_ns)
    if row.code == Code.DUPLICATE:
        text = translate("wording", "Confirmed {time} by {office}, which had it already")
    else:
        text = translate("wording", "Confirmed {time} by {office}")
    said = text.format(time=at, office=office_name(office))
    if row.code != Code.CLEAN_UP_FAILED:
        return said
    return translate("wording", "{confirmed}, but it could not be moved ({label})").format(
        confirmed=said, label=CODES[Code.CLEAN_UP_FAILED].label
    )
