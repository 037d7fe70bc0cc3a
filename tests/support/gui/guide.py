# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The parts of the user guide that are made from the code: the table of all codes that a person can meet."""

from typing import Final

from fieldpost_desktop.engine.model import failure_details
from fieldpost_desktop.ui.text import wording
from fieldpost_shared.codes import CODES, Code
from fieldpost_shared.names import Reason

OFFICE: Final = "Head office"
_NOT_FOR_USERS: Final = ("L", "M")  # the receiver's own troubles, and messages that a program made wrong
_DETAILS: Final = {
    Code.PARTS_MISSING: failure_details.chunks_again(3, 1),
    Code.OVER_PROFILE_LIMIT: failure_details.size_limit(4_000_000_000),
    Code.NAME_REFUSED: failure_details.name_problem(Reason.PART_TOO_LONG),
    Code.RECEIPT_LATE: failure_details.hours(4),
    Code.RECEIPT_ABSENT: failure_details.hours(24),
}


def shown_codes() -> list[Code]:
    """Those with a label that a person may read out on the phone."""
    return [code for code, failure in CODES.items() if not failure.label.startswith(_NOT_FOR_USERS)]


def code_table() -> str:
    """As the guide has it, in the order of the codes."""
    lines = ["| Code | What it says | What comes next | What you can do |", "|---|---|---|---|"]
    for code in shown_codes():
        said = wording.failure(code, _DETAILS.get(code, ""), OFFICE)
        cells = (said.label, said.happened, said.next or "Nothing.", said.you_can or "Nothing.")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
