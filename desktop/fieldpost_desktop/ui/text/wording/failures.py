# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What went wrong, in words: what happened, what comes next, what a person can do.

The English words of the codes stand in fieldpost_shared/codes.py and are translated here. What only a developer
understands, or what is not translated, is never put into a sentence: it is `raw`, for Details ▸ Copy.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication

from fieldpost_desktop.engine.model.failure_details import in_english
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.ui.text.wording.details import detail_text
from fieldpost_shared.codes import CODES, Code, Retry, known
from fieldpost_shared.saying import safe

translate = QCoreApplication.translate

# The advice of these tells what Fieldpost does, not what a person can do.
_ADVICE_IS_NEXT: Final = frozenset(
    {
        Code.NO_CONNECTION,
        Code.STALLED,
        Code.MESSAGE_TOO_LARGE,
        Code.SERVER_BUSY,
        Code.DRIVE_GONE,
        Code.ONLINE_ONLY,
        Code.HASH_MISMATCH,
        Code.PARTS_MISSING,
        Code.RECEIVER_FULL,
        Code.TIMED_OUT,
        Code.KEYRING_FAILED,
    }
)
_STILL_ASKING: Final = frozenset({Code.RECEIPT_LATE, Code.RECEIPT_ABSENT})
_GOES_ON_BY_ITSELF: Final = frozenset({Retry.AUTO, Retry.SLOW, Retry.RESEND, Retry.NEVER})
_RECEIVER, _MESSAGE = "L", "M"  # labels of what only the office or a developer can act on
_KEEPS_ITS_CAPITAL: Final = ("{", "Fieldpost")


@dataclass(frozen=True, slots=True)
class FailureText:
    """A failure for a person, each part a sentence or nothing; `label` is for the phone, `raw` for support."""

    happened: str
    next: str
    you_can: str
    label: str = ""
    raw: str = ""

    def __str__(self) -> str:
        """Return all of it on one line."""
        parts = (self.happened, self.next, self.you_can, f"({self.label})" if self.label else "")
        return " ".join(filter(None, parts))


def failure(code: Code, detail: str, office: str, file: str = "", state: FileState | None = None) -> FailureText:
    """Return what a code means to a person.

    Args:
        code: what went wrong.
        detail: what the engine wrote down about it.
        office: the receiver's name; "" if it is not known.
        file: its name where the words are read away from its row.
        state: the file's, if one is concerned: what was tried too often is not tried again.
    """
    what = happened(code, detail, office)
    return FailureText(
        happened=translate("wording", "{file}: {what}").format(file=safe(file), what=what) if file else what,
        next=_next(code, state).format(office=office_name(office)),
        you_can=_you_can(code, state).format(office=office_name(office)),
        label=CODES[code].label,
        raw=" ".join(filter(None, (f"{CODES[code].label} {code}:", safe(in_english(detail))))),
    )


def file_failure(row: FileRow, office: str, *, named: bool = True) -> FailureText | None:
    """Return what is wrong with a file; None if nothing is. `named`: for a place away from its row."""
    if not row.code or row.code == Code.DUPLICATE:
        return None
    return failure(known(row.code), row.detail, office=office, file=file_name(row) if named else "", state=row.state)


def file_name(row: FileRow) -> str:
    """Return what a person calls the file."""
    return safe(row.path.rpartition("/")[2])


def happened(code: Code, detail: str, office: str) -> str:
    """Return what happened, as a sentence."""
    return _fill(_template(code, detail), code, detail, office)


def needs_you(code: Code, detail: str, office: str) -> str:
    """Return it as a row says it: Needs you: the file was moved or deleted (F2)."""
    template = _template(code, detail).removesuffix(".")
    if _in_english() and not template.startswith(_KEEPS_ITS_CAPITAL):
        template = template[:1].lower() + template[1:]
    what = _fill(template, code, detail, office)
    return translate("wording", "Needs you: {what} ({label})").format(what=what, label=CODES[code].label)


def labelled(code: Code, detail: str, office: str) -> str:
    """Return it with its label: The file is open in another program (F1)."""
    what = happened(code, detail, office).removesuffix(".")
    return translate("wording", "{what} ({label})").format(what=what, label=CODES[code].label)


def advice(code: Code) -> str:
    """Return what the table advises; its advice to the keeper of a receiver is of no use here."""
    if CODES[code].label.startswith(_MESSAGE):
        return translate("codes", CODES[Code.UNEXPECTED].advice)
    if CODES[code].label.startswith(_RECEIVER):
        return translate("codes", CODES[Code.MAY_NOT_SEND].advice)
    return translate("codes", CODES[code].advice) if CODES[code].advice else ""


def office_name(office: str) -> str:
    """Return the receiver's name, or a word for it."""
    return safe(office) or translate("wording", "the office")


def _fill(template: str, code: Code, detail: str, office: str) -> str:
    if template.startswith("{office}") and not office:
        name = translate("wording", "The office", "at the beginning of a sentence")
    else:
        name = office_name(office)
    return template.format(office=name, detail=detail_text(code, detail))


def _template(code: Code, detail: str) -> str:
    words = CODES[code].words
    if "{detail}" in words and not detail_text(code, detail):
        return _without_detail(code)
    return translate("codes", words)


def _without_detail(code: Code) -> str:
    """Return the words of a code whose detail is missing, or cannot be translated."""
    said = {
        Code.PROFILE_UNREADABLE: translate("wording", "This settings file cannot be read."),
        Code.BAD_SETTING: translate("wording", "A setting is wrong."),
        Code.OVER_PROFILE_LIMIT: translate("wording", "This file is bigger than allowed."),
        Code.PARTS_MISSING: translate("wording", "{office} asked for some parts again."),
        Code.RECEIPT_LATE: translate("wording", "Sent a while ago, not confirmed yet."),
        Code.RECEIPT_ABSENT: translate("wording", "No answer from {office} for a long time."),
    }
    if CODES[code].label.startswith(_RECEIVER):
        return translate("wording", "{office} cannot store files at present.")
    return said.get(code) or translate("wording", "{office} could not make sense of what was sent.")


def _next(code: Code, state: FileState | None) -> str:
    """Return what Fieldpost does now."""
    if state is FileState.ATTENTION and code not in _STILL_ASKING:
        return _by_rule(Retry.ASK)
    if code is Code.CLEAN_UP_FAILED:  # the code is noted only when it was tried often enough
        return translate("wording", "{office} has the file; on this computer it stays where it is.")
    if code is Code.FILE_CHANGED and state is not None:
        return translate("wording", "Fieldpost sends the new version as soon as it stays the same for a while.")
    if code is Code.JOURNAL_DAMAGED:
        return translate("wording", "Fieldpost has begun a new list.")
    if code in _ADVICE_IS_NEXT:
        return advice(code)
    return _by_rule(CODES[code].retry)


def _by_rule(retry: Retry) -> str:
    rules: Mapping[Retry, str] = {
        Retry.AUTO: translate("wording", "Fieldpost tries again by itself."),
        Retry.SLOW: translate("wording", "Fieldpost tries again by itself every few minutes."),
        Retry.RESEND: translate("wording", "Fieldpost sends it again by itself."),
        Retry.WAIT: translate("wording", "Fieldpost keeps asking {office}."),
        Retry.ASK: translate("wording", "This waits for you; everything else goes on."),
        Retry.STOP_ALL: translate("wording", "Nothing is sent until this is solved. Your files stay in the list."),
        Retry.NEVER: "",
    }
    return rules[retry]


def _you_can(code: Code, state: FileState | None) -> str:
    """Return what a person can do now."""
    if state is FileState.ATTENTION and CODES[code].retry in _GOES_ON_BY_ITSELF:
        return translate("wording", "Send it again, or make a report for support.")
    if code is Code.CLEAN_UP_FAILED:
        return translate("wording", "Move it yourself if it is in the way.")
    if code is Code.DRIVE_GONE:
        return translate("wording", "Connect the drive again.")
    changes_by_itself = code is Code.FILE_CHANGED and state not in {None, FileState.ATTENTION}
    if code in _ADVICE_IS_NEXT or changes_by_itself:
        return translate("wording", "There is nothing you need to do.")
    return advice(code)


def _in_english() -> bool:
    words = CODES[Code.FILE_GONE].words
    return translate("codes", words) == words
