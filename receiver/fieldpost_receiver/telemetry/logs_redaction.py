# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Takes the secrets of this process out of what is logged, however a program writes them."""

import json
import re
import threading
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote, quote_plus

from fieldpost_shared.secret import Secret

MASK: Final = "***"


class Redactor:
    """Knows the secrets; a new one may be added at any time, from any thread."""

    def __init__(self, secrets: Iterable[Secret] = ()) -> None:
        self._lock = threading.Lock()
        self._spellings: frozenset[str] = frozenset()
        self._pattern = re.compile(r"(?!)")  # matches nothing
        for secret in secrets:
            self.add(secret)

    def add(self, secret: Secret) -> None:
        """From now on this one is taken out, too."""
        with self._lock:
            self._spellings |= _spellings(secret.reveal())
            longest_first = sorted(self._spellings, key=lambda text: (-len(text), text))
            # In any case of letters: %2F is also written %2f.
            self._pattern = re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE)

    def clean(self, text: str) -> str:
        """The text with a mask in place of every secret."""
        pattern = self._pattern
        cleaned = pattern.sub(MASK, text)
        # A secret that holds a * may come together anew around a mask.
        return MASK if pattern.search(cleaned) else cleaned


def _spellings(secret: str) -> frozenset[str]:
    """As it is, and as it stands in a repr, in JSON and in an address; twice, since a repr stands within a repr."""
    once = {secret} | _escaped(secret) | {quote(secret), quote(secret, safe=""), quote_plus(secret)}
    return frozenset(once.union(*map(_escaped, once)))


def _escaped(text: str) -> set[str]:
    return {
        repr(text)[1:-1],
        ascii(text)[1:-1],
        repr(text.encode())[2:-1],
        repr(text + "'\"")[1:-4],  # in a text with both kinds of quotes each ' is escaped
        json.dumps(text)[1:-1],
        json.dumps(text, ensure_ascii=False)[1:-1],
    }
