# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
r"""Patterns as people write them: `*.jpg`, `raw/`, `photos/**/*.tif`.

Without a slash a pattern means a name at any depth. With one it means a path below the watched folder, where
`**` stands for any number of folders; a slash at the end means a folder and all that is in it. Case does not
count, and `\` is taken for `/`.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from fnmatch import translate
from typing import Final

from fieldpost_shared.errors import SettingsError
from fieldpost_shared.kafka.values import shown

MAX_PATTERNS: Final = 100
MAX_PATTERN: Final = 200  # characters

_ANY_FOLDERS: Final = "**"
_Segment = re.Pattern[str] | None  # None: any number of folders
_NOTHING: Final = re.compile(r"(?!)")


class Globs:
    """A compiled list of patterns; matches if one of them does."""

    def __init__(self, patterns: Iterable[str]) -> None:
        split = [_split(pattern) for pattern in patterns]
        names = [segments[0] for is_path, segments in split if not is_path]
        self._names = re.compile("|".join(map(translate, names)), re.IGNORECASE) if names else None
        self._paths = [_compile(segments) for is_path, segments in split if is_path]

    def __bool__(self) -> bool:
        return self._names is not None or bool(self._paths)

    def matches(self, name: str, relative: str) -> bool:
        """Return whether a pattern matches a name, or its path below the watched folder."""
        if self._names is not None and self._names.match(unicodedata.normalize("NFC", name)):
            return True
        return bool(self._paths) and self._any_path(relative.split("/"))

    def matches_folder(self, name: str, relative: str) -> bool:
        """Return whether a pattern matches a folder, or everything in it."""
        return self.matches(name, relative) or (bool(self._paths) and self._any_path([*relative.split("/"), ""]))

    def _any_path(self, segments: Sequence[str]) -> bool:
        composed = [unicodedata.normalize("NFC", segment) for segment in segments]
        return any(_fits(pattern, composed) for pattern in self._paths)


def check_globs(key: str, patterns: Sequence[str]) -> None:
    """Refuse what cannot be a list of patterns, by `SettingsError`."""
    if len(patterns) > MAX_PATTERNS:
        raise SettingsError(key, f"has {len(patterns)} patterns; at most {MAX_PATTERNS} are taken")
    for pattern in patterns:
        if not pattern.strip("\\/ ") or len(pattern) > MAX_PATTERN:
            raise SettingsError(key, f"{shown(pattern)} is no pattern: write something like *.jpg or raw/**")
        if not {".", ".."}.isdisjoint(_split(pattern)[1]):
            raise SettingsError(key, f"{shown(pattern)} points out of the folder; write it as it lies below the folder")


def literally(text: str) -> str:
    """Return a pattern that means exactly this text."""
    return re.sub(r"([*?[])", r"[\1]", text)


def _split(pattern: str) -> tuple[bool, list[str]]:
    """Return whether a pattern is a path, and its segments."""
    text = unicodedata.normalize("NFC", pattern.strip()).replace("\\", "/")
    segments = [segment for segment in text.split("/") if segment]
    if text.endswith("/"):
        segments.append(_ANY_FOLDERS)
    if "/" in text and segments[-1] == _ANY_FOLDERS:
        segments.append("*")  # something has to lie in the folders
    return "/" in text, segments


def _compile(segments: Sequence[str]) -> list[_Segment]:
    return [None if segment == _ANY_FOLDERS else re.compile(translate(segment), re.IGNORECASE) for segment in segments]


def _fits(pattern: Sequence[_Segment], segments: Sequence[str]) -> bool:
    """Match with one position to go back to, the last `**`: no pattern makes this slow."""
    at = position = 0
    back: tuple[int, int] | None = None
    while position < len(segments):
        wanted = pattern[at] if at < len(pattern) else _NOTHING
        if wanted is None:
            back = (at, position)
            at += 1
        elif wanted.match(segments[position]):
            at, position = at + 1, position + 1
        elif back is not None:
            back = (back[0], back[1] + 1)
            at, position = back[0] + 1, back[1]
        else:
            return False
    return all(segment is None for segment in pattern[at:])
