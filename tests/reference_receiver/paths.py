# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The rules for a path that travels, written down once more from docs/protocol.md."""

import unicodedata
from typing import Final

from fieldpost_shared import names

_MOST_BYTES: Final = 1024
_MOST_PART_BYTES: Final = 255 - len(" (2)")  # room for a keep-both name


def path_faults(path: str) -> list[str]:
    """Everything that is wrong with a path, in words."""
    parts = path.split("/")
    rules = {
        "is empty": not path,
        "is longer than 1,024 bytes": len(path.encode()) > _MOST_BYTES,
        "begins with a slash": path.startswith("/"),
        "begins like a drive": path[1:2] == ":" and path[0].isascii() and path[0].isalpha(),
        "has a backslash": "\\" in path,
        "has an empty part": any(not part for part in parts),
        "has a part . or ..": any(part in {".", ".."} for part in parts),
        "has a part that is too long": any(len(part.encode()) > _MOST_PART_BYTES for part in parts),
        "has a control character": any(unicodedata.category(char) == "Cc" for char in path),
        "is not NFC": unicodedata.normalize("NFC", path) != path,
    }
    faults = [f"the path {words}" for words, broken in rules.items() if broken]
    if not faults and names.judge(path).kind is names.Kind.REFUSED:
        faults.append("the path is refused by names.py, which docs/protocol.md lets decide")
    return faults
