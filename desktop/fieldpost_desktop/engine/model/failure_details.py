# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The facts in a row's `detail`, stored as one compact JSON object, so that each language says them in its own words.

Every writer has a reader beside it. A reader returns None for any other text: an operating system's message, a
receiver's words, or what another version of Fieldpost wrote. `details_0_1` reads the English that 0.1 stored.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from fieldpost_desktop.engine.model import details_0_1
from fieldpost_shared import names

MOST_ROUNDS: Final = 5  # of asking for missing chunks
_GB: Final = 1_000_000_000
_SEPARATORS: Final = (",", ":")

EXISTED_BEFORE: Final = '{"skipped":"existed_before"}'  # the file was there before its folder was watched
EXISTED_BEFORE_FORMS: Final = (EXISTED_BEFORE, details_0_1.EXISTED_BEFORE)  # as journals may have it


def chunks_again(count: int, round_: int) -> str:
    """Return the detail for so many chunks that the receiver asked for again."""
    return _stored(chunks=count, round=round_)


def read_chunks_again(detail: str) -> tuple[int, int] | None:
    """Return how many chunks were asked for, and in which round."""
    facts = _facts(detail)
    count, round_ = _number(facts, "chunks"), _number(facts, "round")
    return None if count is None or round_ is None else (count, round_)


def size_limit(size: int) -> str:
    """Return the detail for the size limit of files, in bytes."""
    return _stored(limit_bytes=size)


def read_size_limit(detail: str) -> int | None:
    """Return the size limit in bytes."""
    return _number(_facts(detail), "limit_bytes")


def hours(count: float) -> str:
    """Return the detail for a time in hours: so long ago, or for so long."""
    return _stored(hours=round(count))


def read_hours(detail: str) -> int | None:
    """Return the number of hours."""
    return _number(_facts(detail), "hours")


def name_problem(reason: str) -> str:
    """Return the detail for a name that is not accepted."""
    return _stored(name_problem=str(reason))


def read_name_problem(detail: str) -> names.Reason | None:
    """Return the reason why a name is not accepted; receivers send it in the words of `names`."""
    reason = _facts(detail).get("name_problem")
    return next((known for known in names.Reason if known == reason), None)


def unreadable_folders(shown: Sequence[str], more: int) -> str:
    """Return the detail for folders that could not be read: some by name, the rest as a number."""
    return _stored(unreadable=list(shown), more=more) if shown else ""


def read_existed_before(detail: str) -> bool:
    """Return whether the file is not sent because it was there before its folder was watched."""
    return detail in EXISTED_BEFORE_FORMS


def in_english(detail: str) -> str:
    """Return the detail in the English words of the command line; any other text as it is."""
    if not detail.startswith("{"):
        return detail
    if (chunks := read_chunks_again(detail)) is not None:
        count, round_ = chunks
        return f"{count} part{'s' if count != 1 else ''} (round {round_} of {MOST_ROUNDS})"
    if (limit := read_size_limit(detail)) is not None:
        return f"limit {limit / _GB:g} GB"
    if (count_h := read_hours(detail)) is not None:
        return f"{count_h} h"
    if detail == EXISTED_BEFORE:
        return details_0_1.EXISTED_BEFORE
    facts = _facts(detail)
    reason = facts.get("name_problem")
    return names.words(reason) if isinstance(reason, str) else _folders_in_english(facts) or detail


def _folders_in_english(facts: Mapping[str, object]) -> str:
    shown, more = facts.get("unreadable"), _number(facts, "more")
    if not isinstance(shown, list) or more is None:
        return ""
    return ", ".join(str(folder) for folder in shown) + (f" and {more} more" if more else "")


def _stored(**facts: object) -> str:
    """Return the facts as stored text; names keep their letters, so that a report for support can hide them."""
    return json.dumps(facts, ensure_ascii=False, separators=_SEPARATORS)


def _facts(detail: str) -> Mapping[str, object]:
    if not detail.startswith("{"):
        return details_0_1.facts_of(detail)
    try:
        facts = json.loads(detail)
    except (ValueError, RecursionError):  # a receiver's words may begin with a brace, and be anything
        return {}
    return facts if isinstance(facts, dict) else {}


def _number(facts: Mapping[str, object], name: str) -> int | None:
    value = facts.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
