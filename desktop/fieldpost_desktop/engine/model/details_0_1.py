# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The English details that Fieldpost 0.1 stored in its journals: the one place that reads them.

Receivers of every version send the words about a refused name, so these are understood here as well.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from fieldpost_shared import names

EXISTED_BEFORE: Final = "it was there before the folder was watched"

_CHUNKS: Final = re.compile(r"([0-9]{1,18}) parts? \(round ([0-9]{1,18}) of [0-9]+\)", re.ASCII)
_LIMIT: Final = re.compile(r"limit ([0-9.e+-]+) GB", re.ASCII)
_HOURS: Final = re.compile(r"([0-9]{1,18}) h", re.ASCII)
_GB: Final = 1_000_000_000
_REASONS: Final[Mapping[str, names.Reason]] = MappingProxyType({names.words(reason): reason for reason in names.Reason})


def facts_of(text: str) -> Mapping[str, object]:
    """Return the facts as `failure_details` names them; none for a text that 0.1 did not write."""
    if found := _CHUNKS.fullmatch(text):
        return {"chunks": int(found[1]), "round": int(found[2])}
    if found := _LIMIT.fullmatch(text):
        return _limit(found[1])
    if found := _HOURS.fullmatch(text):
        return {"hours": int(found[1])}
    return {"name_problem": _REASONS[text]} if text in _REASONS else {}


def _limit(gigabytes: str) -> Mapping[str, object]:
    try:
        return {"limit_bytes": round(float(gigabytes) * _GB)}
    except (ValueError, OverflowError):  # digits and signs that make no number
        return {}
