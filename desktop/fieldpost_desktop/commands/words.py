# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Texts for people: sizes, times, failures, holds and files. Whatever comes from disk or wire is made safe first."""

from datetime import UTC, datetime
from typing import Final

from fieldpost_desktop.engine.model.failure_details import in_english
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.codes import CODES, Code, known
from fieldpost_shared.saying import safe, size_words

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_TEENS: Final = range(11, 14)
_ENDINGS: Final = {1: "st", 2: "nd", 3: "rd"}

STATES: Final = {
    FileState.SETTLING: "Still being written",
    FileState.QUEUED: "Waiting its turn",
    FileState.SENDING: "Sending",
    FileState.RETRYING: "Trying again",
    FileState.PAUSED: "Paused",
    FileState.SENT: "Sent, waiting for confirmation",
    FileState.ATTENTION: "Needs you",
    FileState.CONFIRMED: "Confirmed",
    FileState.CANCELLED: "Cancelled",
}

_HOLDS: Final = {
    HoldKind.PAUSED: "Paused. `fieldpost resume` goes on.",
    HoldKind.WAKING: "This computer was asleep; sending goes on in a moment.",
    HoldKind.SCHEDULE: "Waits for the set hours.",
    HoldKind.METERED: "Waits: this connection costs money.",
}


def rate_words(rate: float | None) -> str:
    """Return bytes a second; nothing while unknown."""
    return f"{size_words(rate)}/s" if rate is not None else ""


def duration_words(seconds: float) -> str:
    """Return 80 as 1 min 20 s: two units at most."""
    whole = max(0, round(seconds))
    for length, unit, smaller, small in (
        (_DAY, "d", _HOUR, "h"),
        (_HOUR, "h", _MINUTE, "min"),
        (_MINUTE, "min", 1, "s"),
    ):
        if whole >= length:
            rest = whole % length // smaller
            return f"{whole // length} {unit} {rest} {small}" if rest else f"{whole // length} {unit}"
    return f"{whole} s"


def ordinal(number: int) -> str:
    """Return 3 as 3rd."""
    ending = "th" if number % 100 in _TEENS else _ENDINGS.get(number % 10, "th")
    return f"{number}{ending}"


def files_words(count: int) -> str:
    """Return 1 file, 2 files."""
    return f"{count} file" if count == 1 else f"{count} files"


def moment(ns: int) -> datetime:
    """Return wall time with its zone."""
    return datetime.fromtimestamp(ns / NS_PER_S, UTC)


def clock_words(at: datetime, now_ns: int) -> str:
    """Return the local time of day, with the date if it is not today's."""
    local, today = at.astimezone(), moment(now_ns).astimezone()
    return local.strftime("%H:%M:%S" if local.date() == today.date() else "%Y-%m-%d %H:%M")


def failure_words(code: Code, office: str, detail: str = "") -> str:
    """Return what happened, what a person can do, and what to say on the phone."""
    failure = CODES[code]
    words = failure.words.format(office=safe(office), detail=safe(in_english(detail)) or "no details")
    return " ".join(filter(None, (words, failure.advice, f"({failure.label})")))


def next_try_words(next_try_ns: int | None, attempt: int, now_ns: int) -> str:
    """Return when the next try comes; `attempt` have failed, so the coming one is one more."""
    if next_try_ns is None:
        return ""
    left = (next_try_ns - now_ns) / NS_PER_S
    when = f"in {duration_words(left)}" if left >= 1 else "now"
    return f"Trying again {when} ({ordinal(attempt + 1)} try)."


def hold_words(hold: Hold, office: str, now_ns: int) -> str:
    """Return why nothing is being sent."""
    match hold.kind:
        case HoldKind.PAUSED if hold.until_ns is not None:
            return f"Paused until {clock_words(moment(hold.until_ns), now_ns)}."
        case HoldKind.OFFLINE if hold.code is not None:
            words = CODES[hold.code].words.format(office=safe(office), detail="")
            return f"{words} {next_try_words(hold.until_ns, hold.attempt, now_ns)} ({CODES[hold.code].label})"
        case HoldKind.OFFLINE:
            return f"Connecting to {safe(office)}."
        case kind if kind in _HOLDS:
            return _HOLDS[kind]
    return failure_words(hold.code or Code.UNEXPECTED, office)


def file_words(row: FileRow, acknowledged: int, office: str, now_ns: int) -> str:
    """Return the state of a file that is not confirmed."""
    words = STATES[row.state]
    parts = row.plan.count if row.plan else 0
    match row.state:
        case FileState.SENDING if parts:
            return f"Sending {acknowledged} of {parts} part{'s' if parts != 1 else ''}"
        case FileState.PAUSED if parts:
            return f"Paused at {acknowledged} of {parts}"
        case FileState.ATTENTION:
            return f"Needs you: {failure_words(known(row.code), office, row.detail)}"
        case FileState.RETRYING:
            why = CODES[known(row.code)].words.format(office=safe(office), detail=safe(in_english(row.detail)))
            return f"{why} {next_try_words(row.next_try_ns, row.attempt, now_ns)} ({CODES[known(row.code)].label})"
        case FileState.SENT | FileState.QUEUED | FileState.SETTLING if row.code:
            return f"{words}. {failure_words(known(row.code), office, row.detail)}"
    return words
