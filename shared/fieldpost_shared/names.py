# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Which paths may travel, and what they are called on the receiver's disk: one verdict for every OS.

A path is accepted as it is, mapped reversibly (`a:b` becomes `a%3Ab`), or refused. Nothing here looks at a
disk, and no path, however hostile, gets anything but a `Verdict` out of `judge`.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate
from typing import Final

from fieldpost_shared.errors import NameRefused

MAX_PATH_BYTES: Final = 1024  # of the path as it travels; mapping makes it at most three times as long
MAX_PART_BYTES: Final = 255  # what ext4, XFS, APFS and NTFS take at least
TWIN_ROOM: Final = len(" (2)")  # kept free in every part, so that "keep both" seldom shortens a name
MAX_NUMBER: Final = 999_999_999  # of a keep-both name; beyond it the count is wrong
MAX_EXTENSION_BYTES: Final = 32  # a longer "extension" is a sentence with a dot in it

_LONGEST_COMPOSITION: Final = 4  # characters that NFC makes into one, at most


class Kind(StrEnum):
    """What becomes of a path."""

    ACCEPTED = "accepted"  # on disk it is called what it is called
    MAPPED = "mapped"  # on disk some characters are written as %XX
    REFUSED = "refused"


class Reason(StrEnum):
    """Why a path is refused. The names are stable: they travel in status messages."""

    PATH_TOO_LONG = "path_too_long"
    EMPTY = "empty"
    NOT_UNICODE = "not_unicode"
    CONTROL_CHARACTER = "control_character"
    ABSOLUTE = "absolute"
    DRIVE = "drive"
    BACKSLASH = "backslash"
    EMPTY_PART = "empty_part"
    DOT_PART = "dot_part"
    NOT_NFC = "not_nfc"
    PART_TOO_LONG = "part_too_long"


class Blocked(StrEnum):
    """What stands in the way of a name at the receiver that may travel. The names are stable, too."""

    SYMLINK = "symlink_in_the_way"
    NOT_A_FOLDER = "file_in_the_way"
    NOT_STORABLE = "name_not_storable"  # the file system has stricter rules than ours
    OTHER_DISK = "other_file_system"  # something is mounted below the destination


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of one path: `reason` is "" unless refused, `on_disk` is "" if refused."""

    kind: Kind
    reason: str = ""
    on_disk: str = ""


# Tried in this order; the first that is found is the reason. None of them can backtrack.
_REFUSED_FORMS: Final = (
    (Reason.EMPTY, re.compile(r"\A\Z")),
    (Reason.NOT_UNICODE, re.compile("[\ud800-\udfff]")),  # lone surrogates: bytes that were no UTF-8
    (Reason.CONTROL_CHARACTER, re.compile(r"[\x00-\x1f\x7f-\x9f]")),
    (Reason.ABSOLUTE, re.compile(r"\A/")),
    (Reason.DRIVE, re.compile(r"\A[A-Za-z]:")),
    (Reason.BACKSLASH, re.compile(r"\\")),  # so also ..\ and UNC and \\?\
    (Reason.EMPTY_PART, re.compile(r"/(?:/|\Z)")),
    (Reason.DOT_PART, re.compile(r"(?:\A|/)\.\.?(?:/|\Z)")),
)

# What Windows cannot store or reads as something else, and what makes a listing lie about a name:
# the bidirectional controls, and the two separators that break a line.
_UNSAFE: Final = frozenset(
    '<>:"|?*\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'
)
_TO_LOOK_AT: Final = re.compile(f"[%{re.escape(''.join(sorted(_UNSAFE)))}]|[. ]\\Z")
_DEVICES: Final = frozenset(
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"]
    + [port + digit for port in ("COM", "LPT") for digit in "0123456789\u00b9\u00b2\u00b3"]
)
# Our working folder by any name a file system may know it under: NTFS has short names (FIELDP~1, or FI3A5B~1
# once there are many), HFS+ overlooks these invisible characters. `.fieldpost-x` is kept for us as well.
_WORKING_FOLDER: Final = re.compile(r"\.fieldpost|fi[0-9a-z]{0,4}~[0-9]+\Z")
_OVERLOOKED: Final = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")

_HEX_PAIR: Final = re.compile(r"[0-9a-f]{2}")
_ESCAPES: Final = re.compile(r"(?:%[0-9A-F]{2})+")
# One character of a mapped name: the escapes of all its UTF-8 bytes, or itself.
_UNIT: Final = re.compile(r"%[0-7][0-9A-F]|%[C-F][0-9A-F](?:%[89AB][0-9A-F])+|.", re.DOTALL)
_JOINER: Final = "\u200d"  # zero width joiner: makes one picture of two emoji
_SKIN_TONES: Final = frozenset("\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")


def judge(path: str) -> Verdict:
    """Say what becomes of a path; total, in bounded time, and the same on every OS."""
    reason = _refusal(path)
    if reason is not None:
        return Verdict(Kind.REFUSED, reason=reason)
    parts = [_map_part(part) for part in path.split("/")]
    if any(_size(part) + TWIN_ROOM > MAX_PART_BYTES for part in parts):
        return Verdict(Kind.REFUSED, reason=Reason.PART_TOO_LONG)
    on_disk = "/".join(parts)
    return Verdict(Kind.ACCEPTED if on_disk == path else Kind.MAPPED, on_disk=on_disk)


def to_disk(path: str) -> str:
    """The path to write to, with `/` separators.

    Raises:
        NameRefused: with the reason as its detail.
    """
    verdict = judge(path)
    if verdict.kind is Kind.REFUSED:
        raise NameRefused(verdict.reason)
    return verdict.on_disk


def from_disk(on_disk: str) -> str:
    """The path that `to_disk` mapped: its inverse.

    Whatever else is found on a disk comes back too, as well as it can be read; it has to be judged before use.
    """
    return _ESCAPES.sub(_unescape, on_disk)


def from_source(parts: Sequence[str]) -> str:
    """The path under which a local file travels, from the parts of its path in the dropped or watched folder.

    Raises:
        NameRefused: with the reason as its detail; Linux allows names that no path may have.
    """
    given = "/".join(parts)
    if len(given) > MAX_PATH_BYTES * _LONGEST_COMPOSITION:  # too long even when composed
        raise NameRefused(Reason.PATH_TOO_LONG)
    path = unicodedata.normalize("NFC", given)
    to_disk(path)
    return path


def twin_key(path: str) -> str:
    """The same key for paths that the conflict policy takes for one: equal but for case and composition.

    This is Unicode's canonical caseless match. Decomposing first matters: U+0345 folds to a letter, and a
    letter no longer changes places with the marks around it.
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", path).casefold())


def numbered(name: str, n: int) -> str:
    """The keep-both name of one mapped part: `a.txt` becomes `a (2).txt`, shortened to 255 bytes if need be.

    Raises:
        ValueError: `n` is not from 2 to `MAX_NUMBER`.
    """
    if not 2 <= n <= MAX_NUMBER:  # noqa: PLR2004 - the file itself is the first
        raise ValueError(f"a keep-both number of {n}")
    stem, extension = _split_extension(name)
    tail = f" ({n}){extension}"
    return _shortened(stem, MAX_PART_BYTES - _size(tail)) + tail


_WORDS: Final[Mapping[str, str]] = {
    Reason.PATH_TOO_LONG: "it is too long, together with its folders",
    Reason.EMPTY: "it is empty",
    Reason.NOT_UNICODE: "it contains characters that cannot be read",
    Reason.CONTROL_CHARACTER: "it contains an invisible control character, such as a line break",
    Reason.ABSOLUTE: "it begins with a slash",
    Reason.DRIVE: "it begins like a drive, with one letter and a colon",
    Reason.BACKSLASH: "it contains a backslash",
    Reason.EMPTY_PART: "one of its folders has no name",
    Reason.DOT_PART: "one of its folders is called . or ..",
    Reason.NOT_NFC: "its accents are not written the usual way",
    Reason.PART_TOO_LONG: "it is too long, or one of its folders is",
    Blocked.SYMLINK: "one of its folders is a link there",
    Blocked.NOT_A_FOLDER: "one of its folders has the name of a file there",
    Blocked.NOT_STORABLE: "it cannot be stored on the disk there",
    Blocked.OTHER_DISK: "one of its folders lies on another disk there",
}


def words(reason: str) -> str:
    """Half a sentence about a name, for a person; also for a reason that only a newer Fieldpost knows."""
    return _WORDS.get(reason, "it cannot be used as a file name")


def _refusal(path: str) -> Reason | None:
    # The count of characters comes first: it costs nothing and bounds all that follows.
    if len(path) > MAX_PATH_BYTES or _size(path) > MAX_PATH_BYTES:
        return Reason.PATH_TOO_LONG
    for reason, form in _REFUSED_FORMS:
        if form.search(path):
            return reason
    return None if unicodedata.is_normalized("NFC", path) else Reason.NOT_NFC


def _map_part(part: str) -> str:
    if not _TO_LOOK_AT.search(part) and not _is_reserved(part):
        return part  # as nearly all are; there may be thousands
    mapped: list[str] = []
    escaped = False
    for at, char in enumerate(part):
        # A mark after an escape is escaped too, and so on: it would compose with the last hex digit.
        escaped = (
            char in _UNSAFE
            or (at == 0 and _is_reserved(part))
            or (at == len(part) - 1 and char in ". ")
            or (char == "%" and _looks_escaped(part, at))
            or (escaped and unicodedata.combining(char) != 0)
        )
        mapped.append(_escape(char) if escaped else char)
    return "".join(mapped)


def _is_reserved(part: str) -> bool:
    """Whether the part means a device to Windows, or our working folder to some file system."""
    if part.partition(".")[0].rstrip(" ").upper() in _DEVICES:
        return True
    # upper() first: it alone takes the dotless i for an i, as some case-blind file systems do
    return _WORKING_FOLDER.match(_OVERLOOKED.sub("", part).upper().casefold()) is not None


def _looks_escaped(part: str, at: int) -> bool:
    # Folded, because a case-blind disk would take "%2" + U+1E9A for "%2a" + U+02BE, which is "*" + U+02BE.
    return _HEX_PAIR.match(part[at + 1 : at + 3].casefold()) is not None


def _escape(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode())


def _unescape(found: re.Match[str]) -> str:
    try:
        return bytes.fromhex(found[0].replace("%", "")).decode()
    except UnicodeDecodeError:
        return found[0]  # not ours


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _split_extension(name: str) -> tuple[str, str]:
    stem, dot, extension = name.rpartition(".")
    is_one = stem.strip(".") and extension and " " not in extension and _size(extension) < MAX_EXTENSION_BYTES
    return (stem, dot + extension) if is_one else (name, "")


def _shortened(stem: str, room: int) -> str:
    """As much of the stem as there is room for: no half escape, no letter without its accent."""
    units = _UNIT.findall(stem)
    fits = cut = bisect_right(list(accumulate(map(_size, units))), room)
    while 0 < cut < len(units) and _belong_together(units[cut - 1], units[cut]):
        cut -= 1
    return "".join(units[: cut or fits])  # nothing but marks: cut anywhere


def _belong_together(left: str, right: str) -> bool:
    follows = from_disk(right)[0]  # the character, or the % of an escape that is not ours
    is_mark = unicodedata.category(follows).startswith("M") or follows == _JOINER or follows in _SKIN_TONES
    return is_mark or left == _JOINER
