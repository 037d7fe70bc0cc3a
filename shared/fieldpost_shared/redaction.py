# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Mask secrets in texts: those that the redactor knows, however they are written, and what looks like one.

Both ends log and report through it, so it is as strict as the stricter of them needs.
"""

import base64
import html
import json
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Final
from urllib.parse import quote, quote_plus

from fieldpost_shared.secret import Secret

MASK: Final = "***"

_LEAST_BASE64: Final = 4  # characters; less of it occurs in any text
_WORD: Final = r"(?:passw(?:or)?d|pwd|passphrase|secret|token|api[_-]?key|jaas[._]config)"
_VALUE: Final = r"""(?:b?"(?:\\.|[^"\\])*"?|b?'(?:\\.|[^'\\])*'?|[^\s,;&}]+)"""
_WORDS: Final = ("passw", "pwd", "passphrase", "secret", "token", "api", "jaas")  # one of them begins each `_WORD`
# Each pattern behind texts of which one must occur, in small letters, for it to match at all.
_PATTERNS: Final = tuple(
    (needles, re.compile(pattern, re.IGNORECASE | re.DOTALL), replacement)
    for needles, pattern, replacement in (
        # No pattern begins with a repetition: that would take quadratic time on a long line.
        # First what is long, so that no shorter pattern takes a piece out of it
        (
            ("-----begin ",),
            r"-----BEGIN [A-Z0-9 ]{0,20}PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]{0,20}PRIVATE KEY-----|\Z)",
            MASK,
        ),
        (("loginmodule",), r"(LoginModule\s+\w+)\s[^;]*", rf"\1 {MASK}"),
        (("authorization",), r"(\bauthorization[\"']?\s*[:=]\s*)[^\r\n]*", rf"\1{MASK}"),
        (("bearer",), r"(\bbearer\s+)[\w.~+/=-]+", rf"\1{MASK}"),
        (("://",), r"(://)[^\s/]*@", rf"\1{MASK}@"),
        # what a SCRAM client proves itself with, and what a server answers
        ((",p=", ",v="), r"(,[pv]=)[A-Za-z0-9+/]{16,}={0,2}", rf"\1{MASK}"),
        # `password=x`, `sasl.password.file = x`, `{"password": "x"}`, `password: x`
        (_WORDS, rf"({_WORD}[\w.-]{{0,40}}\\*[\"']?\s*=\s*){_VALUE}", rf"\1{MASK}"),
        (_WORDS, rf"({_WORD}\\*[\"']?\s*:\s*){_VALUE}", rf"\1{MASK}"),
    )
)


class Redactor:
    """Knows the secrets of this process; another one may be added at any time, from any thread."""

    def __init__(self, secrets: Iterable[Secret] = ()) -> None:
        self._lock = threading.Lock()
        self._spellings: frozenset[str] = frozenset()
        self._known: re.Pattern[str] | None = None
        for secret in secrets:
            self.add(secret)

    def add(self, secret: Secret) -> None:
        """Mask this secret too from now on."""
        with self._lock:
            self._spellings |= _spellings(secret.reveal())
            longest_first = sorted(self._spellings, key=lambda text: (-len(text), text))
            # In any case of letters: %2F is also written %2f.
            self._known = re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE)

    def clean(self, text: str) -> str:
        """Return the text with a mask in place of every secret.

        The receiver logs a line for each file, so that looking for plain texts first is worth it: 7 instead of 86 us.
        Beyond ASCII a letter has more than one small form, and every pattern is tried.
        """
        known = self._known  # once: another thread may add a secret meanwhile
        text = text if known is None else known.sub(MASK, text)
        small = text.lower() if text.isascii() else None
        for needles, pattern, replacement in _PATTERNS:
            if small is None or any(needle in small for needle in needles):
                text = pattern.sub(replacement, text)
        # A secret with * in it can come together anew around a mask.
        return MASK if known is not None and known.search(text) else text


def _spellings(secret: str) -> frozenset[str]:
    """Return every spelling of a secret in programs' output; escaped twice, for a repr within a repr or in JSON."""
    once = {spelling for way in _WAYS for spelling in way(secret)} | {secret}
    twice = {spelling for text in once for way in _ESCAPES for spelling in way(text)}
    return frozenset(once | twice | set(_as_base64(secret.encode())) | set(_as_base64(secret.encode("utf-16-le"))))


def _as_repr(text: str) -> Iterator[str]:
    yield repr(text)[1:-1]
    yield ascii(text)[1:-1]
    yield repr(text + "'\"")[1:-4]  # in a text with both kinds of quotes each ' is escaped
    yield repr(text.encode())[2:-1]
    yield repr(text.encode() + b"'\"")[2:-4]


def _as_json(text: str) -> Iterator[str]:
    yield json.dumps(text)[1:-1]
    yield json.dumps(text, ensure_ascii=False)[1:-1]


def _in_url(text: str) -> Iterator[str]:
    yield quote(text)
    yield quote(text, safe="")
    yield quote_plus(text)


def _in_markup(text: str) -> Iterator[str]:
    yield html.escape(text)
    yield html.escape(text, quote=False)


def _as_hex(text: str) -> Iterator[str]:
    yield text.encode().hex()


def _as_base64(data: bytes) -> Iterator[str]:
    """Yield the characters that are the same at every position: user and password are encoded in one piece."""
    for before in range(3):
        whole = base64.b64encode(bytes(before) + data).decode("ascii").rstrip("=")
        first = -(-before * 8 // 6)  # the characters that also hold bits of what comes before
        last = (before + len(data)) * 8 // 6
        if last - first >= _LEAST_BASE64:
            yield whole[first:last]
            yield whole[first:last].translate(_URL_SAFE)


_URL_SAFE: Final = str.maketrans("+/", "-_")
_ESCAPES: Final[tuple[Callable[[str], Iterator[str]], ...]] = (_as_repr, _as_json)
_WAYS: Final[tuple[Callable[[str], Iterator[str]], ...]] = (*_ESCAPES, _in_url, _in_markup, _as_hex)
