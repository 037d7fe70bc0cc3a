# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the engine noted beside a code, read back and said in the language of the window.

Only what can be read back goes into a sentence. Anything else was written for developers, in English.
"""

from PySide6.QtCore import QCoreApplication

from fieldpost_desktop.engine.model import failure_details
from fieldpost_desktop.ui.text import phrases
from fieldpost_shared import names
from fieldpost_shared.codes import Code

translate = QCoreApplication.translate


def detail_text(code: Code, detail: str) -> str:
    """Return what fills the {detail} of a code's words; "" if there is nothing to say."""
    match code:
        case Code.OVER_PROFILE_LIMIT:
            return _limit(detail)
        case Code.PARTS_MISSING:
            return _parts(detail)
        case Code.RECEIPT_LATE | Code.RECEIPT_ABSENT:
            count = failure_details.read_hours(detail)
            return "" if count is None else phrases.hours(count)
        case Code.NAME_REFUSED:
            return name_problem(detail)
        case _:
            return ""


def name_problem(reason: str) -> str:
    """Return why a name does not do, as half a sentence. Takes the reason's name, or the engine's words."""
    return translate("names", names.words(failure_details.read_name_problem(reason) or reason))


def _limit(detail: str) -> str:
    limit = failure_details.read_size_limit(detail)
    return "" if limit is None else translate("wording", "limit {size}").format(size=phrases.size(limit))


def _parts(detail: str) -> str:
    asked = failure_details.read_chunks_again(detail)
    if asked is None:
        return ""
    return translate("wording", "{parts} (round {round} of {most})").format(
        parts=phrases.parts(asked[0]), round=asked[1], most=failure_details.MOST_ROUNDS
    )
