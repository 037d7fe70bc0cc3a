# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""File names are private: a report shows a short hash in their place, the same one for the same name."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable
from pathlib import PurePath
from typing import Final

_DIGITS: Final = 10
_SHORTEST: Final = 4  # characters of a name that is searched for in texts; shorter ones occur within words
_ENDING: Final = re.compile(r"\.[A-Za-z0-9]{1,5}", re.ASCII)


class HiddenNames:
    """Hashes with a key that is thrown away with the report, so that names cannot be tried until one fits."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._names: dict[str, str] = {}  # each spelling and what stands for it
        self._by_start: dict[str, list[str]] = {}
        self._starts = re.compile(r"(?!)")  # matches nothing

    def short(self, name: str) -> str:
        """Return what stands for a name or path: ten hex digits, and an ending like .jpg."""
        digest = hmac.new(self._key, name.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()[:_DIGITS]
        ending = PurePath(name).suffix
        return digest + ending if _ENDING.fullmatch(ending) else digest

    def learn(self, spellings: Iterable[str], shown: str) -> None:
        """Have `hide` put this in the place of those from now on, also where a program quoted them."""
        for spelling in spellings:
            for text in (spelling, repr(spelling)[1:-1]):
                if len(text) >= _SHORTEST:
                    self._names[text] = shown

    def ready(self) -> None:
        """Compile what was learned; to be called before `hide`."""
        self._by_start.clear()
        for name in sorted(self._names, key=len, reverse=True):
            self._by_start.setdefault(name[:_SHORTEST], []).append(name)
        if self._by_start:
            # Few names begin differently, so this stays quick with many thousands of them.
            self._starts = re.compile(f"(?={'|'.join(map(re.escape, self._by_start))})")

    def hide(self, text: str) -> str:
        """Return the text with a hash for every name that was learned, the longest where several begin."""
        pieces: list[str] = []
        done = 0
        for found in self._starts.finditer(text):
            at = found.start()
            if at < done:
                continue
            name = next((one for one in self._by_start[text[at : at + _SHORTEST]] if text.startswith(one, at)), None)
            if name is not None:
                pieces += [text[done:at], self._names[name]]
                done = at + len(name)
        return "".join([*pieces, text[done:]])
