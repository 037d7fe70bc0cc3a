# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The one table of failure codes: what each is called, whom it concerns and what comes next.

A code's name is stable: it is the same in a status message, a log line, a metric label, the journal, the
guides and the window. Its words may change. `label` is what a person reads out on the phone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Concern(StrEnum):
    """Whom a failure concerns."""

    TRANSIENT = "transient"  # passes by itself
    PERSON = "person"  # a person has to do something
    TERMINAL = "terminal"  # this transfer or message is over


class Retry(StrEnum):
    """What comes next, decided here and read by the retry logic of both ends only."""

    AUTO = "auto"  # try again, from 5 s up to 10 min
    SLOW = "slow"  # try again, from 60 s up to 10 min
    RESEND = "resend"  # start again by itself as a new transfer, or send the parts asked for
    WAIT = "wait"  # nothing to try: keep waiting
    ASK = "ask"  # this file needs a person; the others go on
    STOP_ALL = "stop_all"  # nothing can be sent until a person acts
    NEVER = "never"  # over


class Code(StrEnum):
    """Every failure Fieldpost can name."""

    # the way to the server
    NO_CONNECTION = "no_connection"
    SERVER_NOT_FOUND = "server_not_found"
    CAPTIVE_PORTAL = "captive_portal"
    STALLED = "stalled"
    NO_SECURE_CONNECTION = "no_secure_connection"
    SIGN_IN_REFUSED = "sign_in_refused"
    MAY_NOT_SEND = "may_not_send"
    MAY_NOT_READ_STATUS = "may_not_read_status"
    MESSAGE_TOO_LARGE = "message_too_large"
    LIMIT_TOO_SMALL = "limit_too_small"
    SERVER_BUSY = "server_busy"
    NO_TOPIC = "no_topic"
    # the file and this computer
    FILE_IN_USE = "file_in_use"
    FILE_GONE = "file_gone"
    FILE_CHANGED = "file_changed"
    BLOCKED_BY_ANTIVIRUS = "blocked_by_antivirus"
    FILE_UNREADABLE = "file_unreadable"
    DRIVE_GONE = "drive_gone"
    ONLINE_ONLY = "online_only"
    OVER_PROFILE_LIMIT = "over_profile_limit"
    LOCAL_DISK_FULL = "local_disk_full"
    JOURNAL_DAMAGED = "journal_damaged"
    # what the receiver said, or did not say
    HASH_MISMATCH = "hash_mismatch"
    PARTS_MISSING = "parts_missing"
    INCOMPLETE = "incomplete"
    RECEIVER_FULL = "receiver_full"
    NAME_REFUSED = "name_refused"
    TOO_LARGE = "too_large"
    NAME_TAKEN = "name_taken"
    RECEIPT_LATE = "receipt_late"
    RECEIPT_ABSENT = "receipt_absent"
    UNSUPPORTED_VERSION = "unsupported_version"
    DUPLICATE = "duplicate"
    TIMED_OUT = "timed_out"
    CANCELLED = "cancelled"
    # the receiver itself
    LEDGER_DAMAGED = "ledger_damaged"
    LEDGER_FOREIGN = "ledger_foreign"
    STORAGE_FAILED = "storage_failed"
    # set-up
    PROFILE_UNREADABLE = "profile_unreadable"
    PROFILE_TOO_NEW = "profile_too_new"
    NOT_SET_UP = "not_set_up"
    BAD_SETTING = "bad_setting"
    KEYRING_FAILED = "keyring_failed"
    SECRET_TOO_LONG = "secret_too_long"  # noqa: S105 - the name of a code, not a secret
    # watched folders
    FOLDER_GONE = "folder_gone"
    CLEAN_UP_FAILED = "clean_up_failed"
    # messages that are not what docs/protocol.md says
    TOO_MANY_HEADERS = "too_many_headers"
    OVERSIZED = "oversized"
    MISSING_HEADER = "missing_header"
    DUPLICATE_HEADER = "duplicate_header"
    BAD_TEXT = "bad_text"
    BAD_NUMBER = "bad_number"
    BAD_VERSION = "bad_version"
    UNKNOWN_KIND = "unknown_kind"
    BAD_CLIENT = "bad_client"
    BAD_TRANSFER = "bad_transfer"
    BAD_HASH = "bad_hash"
    BAD_ENCODING = "bad_encoding"
    BAD_LENGTH = "bad_length"
    BAD_COMPRESSION = "bad_compression"
    BAD_PACK = "bad_pack"
    BAD_STATUS = "bad_status"
    DAMAGED = "damaged"
    CONTRADICTION = "contradiction"
    # anything else
    UNEXPECTED = "unexpected"


@dataclass(frozen=True, slots=True)
class Failure:
    """One row of the table. `words` may hold {office} and {detail}; `advice` says what a person can do."""

    code: Code
    label: str
    concern: Concern
    retry: Retry
    words: str
    advice: str = ""


_T, _P, _X = Concern.TRANSIENT, Concern.PERSON, Concern.TERMINAL
_CALL = "Call support."


def _message(code: Code, label: str, words: str) -> Failure:
    """A message the receiver puts into quarantine: the sender's program is at fault, not a person."""
    return Failure(code, label, _X, Retry.NEVER, words, "Keep the quarantine entry and tell the developers.")


_ROWS: Final = (
    Failure(Code.NO_CONNECTION, "N1", _T, Retry.AUTO, "No connection to {office}.", "Sending continues by itself."),
    Failure(
        Code.SERVER_NOT_FOUND,
        "N2",
        _T,
        Retry.SLOW,
        "The server of {office} was not found.",
        "On guest Wi-Fi sign in first, else call support.",
    ),
    Failure(Code.CAPTIVE_PORTAL, "N3", _T, Retry.AUTO, "This Wi-Fi wants you to sign in.", "Open your browser."),
    Failure(Code.STALLED, "N4", _T, Retry.AUTO, "Sending got stuck.", "Fieldpost connects again by itself."),
    Failure(
        Code.NO_SECURE_CONNECTION,
        "T1",
        _T,
        Retry.SLOW,
        "No secure connection to {office}.",
        "Check this computer's date and time.",
    ),
    Failure(
        Code.SIGN_IN_REFUSED,
        "A1",
        _P,
        Retry.STOP_ALL,
        "User name or password not accepted.",
        "Enter the password again.",
    ),
    Failure(Code.MAY_NOT_SEND, "A2", _P, Retry.STOP_ALL, "This account may not send here.", _CALL),
    Failure(Code.MAY_NOT_READ_STATUS, "A3", _P, Retry.SLOW, "Confirmations cannot be read.", _CALL),
    Failure(
        Code.MESSAGE_TOO_LARGE,
        "S1",
        _T,
        Retry.RESEND,
        "The server takes smaller parts only.",
        "This file starts again by itself.",
    ),
    Failure(
        Code.LIMIT_TOO_SMALL,
        "S1",
        _P,
        Retry.STOP_ALL,
        "The server takes only parts that are too small to work with.",
        _CALL,
    ),
    Failure(Code.SERVER_BUSY, "S2", _T, Retry.AUTO, "The server is busy.", "Fieldpost tries again by itself."),
    Failure(Code.NO_TOPIC, "S3", _P, Retry.SLOW, "The server has no mailbox for us.", _CALL),
    Failure(
        Code.FILE_IN_USE,
        "F1",
        _T,
        Retry.AUTO,
        "The file is open in another program.",
        "Close it there; sending then starts.",
    ),
    Failure(
        Code.FILE_GONE,
        "F2",
        _P,
        Retry.ASK,
        "The file was moved or deleted.",
        "Show Fieldpost where it is now, or cancel.",
    ),
    Failure(Code.FILE_CHANGED, "F3", _P, Retry.ASK, "The file changed while sending.", "Send the new version."),
    Failure(
        Code.BLOCKED_BY_ANTIVIRUS,
        "F4",
        _P,
        Retry.ASK,
        "Your antivirus blocked this file.",
        "Ask whoever looks after this computer.",
    ),
    Failure(
        Code.FILE_UNREADABLE,
        "F5",
        _P,
        Retry.ASK,
        "This file may not be read.",
        "Ask whoever owns it to let you read it.",
    ),
    Failure(Code.DRIVE_GONE, "F6", _T, Retry.AUTO, "The drive is not there.", "Sending continues when it is back."),
    Failure(Code.ONLINE_ONLY, "F7", _T, Retry.AUTO, "This file is stored online only.", "It is fetched first."),
    Failure(
        Code.OVER_PROFILE_LIMIT,
        "F8",
        _P,
        Retry.ASK,
        "This file is bigger than allowed ({detail}).",
        "Split it, or call support.",
    ),
    Failure(Code.LOCAL_DISK_FULL, "D1", _P, Retry.SLOW, "This computer's disk is full.", "Make some room."),
    Failure(
        Code.JOURNAL_DAMAGED,
        "D2",
        _P,
        Retry.WAIT,
        "The list of files was damaged.",
        "Folders are checked anew. Add dropped files again.",
    ),
    Failure(
        Code.HASH_MISMATCH,
        "R1",
        _T,
        Retry.RESEND,
        "{office} received it damaged.",
        "It is sent again by itself.",
    ),
    Failure(
        Code.PARTS_MISSING,
        "R2",
        _T,
        Retry.RESEND,
        "{office} asked again for {detail}.",
        "They are sent again by themselves.",
    ),
    Failure(
        Code.INCOMPLETE,
        "R3",
        _P,
        Retry.ASK,
        "Parts are still missing after 5 tries.",
        "Send all of it again, or make a report.",
    ),
    Failure(
        Code.RECEIVER_FULL,
        "R4",
        _T,
        Retry.WAIT,
        "Storage at {office} is full.",
        "Your file is safe; sending continues by itself.",
    ),
    Failure(
        Code.NAME_REFUSED,
        "R5",
        _P,
        Retry.ASK,
        "{office} does not accept this name: {detail}.",
        "Send it under another name.",
    ),
    Failure(
        Code.TOO_LARGE,
        "R6",
        _P,
        Retry.ASK,
        "{office} does not accept a file of this size.",
        "Split it, or call support.",
    ),
    Failure(
        Code.NAME_TAKEN,
        "R5",
        _P,
        Retry.ASK,
        "{office} already has another file of this name.",
        "Send it under another name.",
    ),
    Failure(Code.RECEIPT_LATE, "R7", _T, Retry.WAIT, "Sent {detail} ago, not confirmed yet.", "Keep the file."),
    Failure(
        Code.RECEIPT_ABSENT,
        "R8",
        _P,
        Retry.WAIT,
        "No answer from {office} for {detail}.",
        "Call support. Keep the file.",
    ),
    Failure(
        Code.UNSUPPORTED_VERSION,
        "R9",
        _P,
        Retry.STOP_ALL,
        "This Fieldpost is too old for {office}.",
        "Please update.",
    ),
    Failure(Code.DUPLICATE, "R10", _X, Retry.NEVER, "Already at {office}."),
    Failure(
        Code.TIMED_OUT,
        "R11",
        _T,
        Retry.RESEND,
        "{office} put the unfinished file away after waiting for it.",
        "It is sent again by itself.",
    ),
    Failure(Code.CANCELLED, "R12", _X, Retry.NEVER, "Cancelled."),
    Failure(
        Code.LEDGER_DAMAGED,
        "L1",
        _P,
        Retry.STOP_ALL,
        "The receiver's ledger is damaged ({detail}).",
        "Restore its copy, or run fieldpost-receiver rebuild.",
    ),
    Failure(
        Code.LEDGER_FOREIGN,
        "L2",
        _P,
        Retry.STOP_ALL,
        "Ledger and topic do not belong together ({detail}).",
        "Restore the ledger's copy, or run fieldpost-receiver rebuild.",
    ),
    Failure(
        Code.STORAGE_FAILED,
        "L3",
        _P,
        Retry.STOP_ALL,
        "The destination cannot be written ({detail}).",
        "Mend the disk, its mount or its permissions; then start the receiver again.",
    ),
    Failure(
        Code.PROFILE_UNREADABLE,
        "P1",
        _P,
        Retry.STOP_ALL,
        "This settings file cannot be read: {detail}.",
        "Ask support for a new one.",
    ),
    Failure(
        Code.PROFILE_TOO_NEW,
        "P2",
        _P,
        Retry.STOP_ALL,
        "This settings file needs a newer Fieldpost.",
        "Please update.",
    ),
    Failure(
        Code.NOT_SET_UP,
        "P3",
        _P,
        Retry.STOP_ALL,
        "Fieldpost is not set up yet.",
        "Import the settings file you were given.",
    ),
    Failure(
        Code.BAD_SETTING, "P4", _P, Retry.STOP_ALL, "A setting is wrong: {detail}.", "Correct it, then start again."
    ),
    Failure(
        Code.KEYRING_FAILED,
        "K1",
        _P,
        Retry.ASK,
        "The password could not be stored on this computer.",
        "You are asked for it each time.",
    ),
    Failure(Code.SECRET_TOO_LONG, "K2", _P, Retry.ASK, "This password is too long to be stored.", "Use a shorter one."),
    Failure(
        Code.FOLDER_GONE, "W1", _P, Retry.SLOW, "The watched folder is not there.", "Bring it back, or choose another."
    ),
    Failure(
        Code.CLEAN_UP_FAILED,
        "W2",
        _T,
        Retry.AUTO,
        "Confirmed, but the file could not be moved.",
        "Fieldpost tries again; else move it yourself.",
    ),
    _message(Code.TOO_MANY_HEADERS, "M1", "A message has too many headers ({detail})."),
    _message(Code.OVERSIZED, "M2", "A message has a part that is too big ({detail})."),
    _message(Code.MISSING_HEADER, "M3", "A message lacks a header ({detail})."),
    _message(Code.DUPLICATE_HEADER, "M4", "A message has a header twice ({detail})."),
    _message(Code.BAD_TEXT, "M5", "A message has text that cannot be read ({detail})."),
    _message(Code.BAD_NUMBER, "M6", "A message has a wrong number ({detail})."),
    _message(Code.BAD_VERSION, "M7", "A message has an unreadable version ({detail})."),
    _message(Code.UNKNOWN_KIND, "M8", "A message is of an unknown kind ({detail})."),
    _message(Code.BAD_CLIENT, "M9", "A message has a wrong client name ({detail})."),
    _message(Code.BAD_TRANSFER, "M10", "A message has a wrong transfer id ({detail})."),
    _message(Code.BAD_HASH, "M11", "A message has an unreadable SHA-256 ({detail})."),
    _message(Code.BAD_ENCODING, "M12", "A message has an unknown encoding ({detail})."),
    _message(Code.BAD_LENGTH, "M13", "A message is not as long as it says ({detail})."),
    _message(Code.BAD_COMPRESSION, "M14", "A message cannot be decompressed ({detail})."),
    _message(Code.BAD_PACK, "M15", "A pack has an unreadable index ({detail})."),
    _message(Code.BAD_STATUS, "M16", "A status message cannot be read ({detail})."),
    _message(Code.DAMAGED, "M17", "A message's bytes do not match their SHA-256 ({detail})."),
    _message(Code.CONTRADICTION, "M18", "A message contradicts an earlier one of its transfer ({detail})."),
    Failure(Code.UNEXPECTED, "X1", _P, Retry.ASK, "Something unexpected happened.", "Make a report for support."),
)

CODES: Final[Mapping[Code, Failure]] = MappingProxyType({row.code: row for row in _ROWS})


def known(code: str) -> Code:
    """The code of that name; `UNEXPECTED` for one that only a newer Fieldpost knows."""
    try:
        return Code(code)
    except ValueError:
        return Code.UNEXPECTED
