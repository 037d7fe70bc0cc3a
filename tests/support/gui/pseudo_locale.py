# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A language for tests: accented, in brackets, 40 % longer. Text without brackets was never given to be translated,
text without its closing bracket is clipped.

"Pause %n file(s)" becomes "[Påûšé %n fîļéš ~~]"; what stands for something else stays as it is.
"""

import re
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, QTranslator

OPENING, CLOSING = "[", "]"
LONGER: Final = 0.4

_FILLING: Final = "~"
_ACCENTS: Final = str.maketrans("ACDEGHIJKLNORSTUWYZacdeghijklnorstuwyz", "ÅÇÐÉĜĤÎĴĶĻÑÖŘŠŢÛŴÝŽåçðéĝĥîĵķļñöřšţûŵýž")
# Placeholders of Python and Qt, tags and entities of rich text, a mnemonic with its letter.
_KEPT: Final = re.compile(r"\{[^{}]*\}|%L?n|%L?\d+|<[^<>]+>|&\w+;|&\w")
# Not to be read but to be understood by Qt: names of keys, the direction of writing.
_QT_KEYWORDS: Final = frozenset({"QShortcut", "QApplication", "QGuiApplication"})
_FORMAT: Final = "format"  # a disambiguation with this word: letters with a meaning, such as d MMM yyyy


class PseudoLocale(QTranslator):
    """Translates everything, ours and Qt's own."""

    def translate(self, context: str, source: str, /, disambiguation: str | None = None, n: int = -1) -> str | None:
        if not source or context in _QT_KEYWORDS or _FORMAT in (disambiguation or ""):
            return None
        return pseudo(source, n)

    def isEmpty(self) -> bool:  # noqa: N802 - Qt's name
        return False


def install(parent: QObject) -> PseudoLocale:
    """Speak it until it is given to `remove`."""
    translator = PseudoLocale(parent)
    QCoreApplication.installTranslator(translator)
    return translator


def remove(translator: PseudoLocale) -> None:
    """Speak as before."""
    QCoreApplication.removeTranslator(translator)


def pseudo(source: str, n: int = -1) -> str:
    """The translation of one text; `n` below 0: it has no plural."""
    text = source if n < 0 else source.replace("(s)", "" if n == 1 else "s")
    kept = [*_KEPT.finditer(text)]
    shown = len(text) - sum(len(found[0]) for found in kept)
    filling = _FILLING * (round(shown * LONGER) - len(OPENING + CLOSING) - 1)
    body = f"{_accented(text)} {filling}" if filling else _accented(text)
    return f"{OPENING}{body}{CLOSING}"


def is_translated(shown: str) -> bool:
    """Whether a text on the screen has been translated and is whole; one without letters need not be."""
    return not any(char.isalpha() for char in shown) or (shown.count(OPENING) == shown.count(CLOSING) > 0)


def _accented(text: str) -> str:
    parts, at = [], 0
    for found in _KEPT.finditer(text):
        parts += [text[at : found.start()].translate(_ACCENTS), found[0]]
        at = found.end()
    return "".join(parts) + text[at:].translate(_ACCENTS)
