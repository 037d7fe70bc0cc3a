# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A reason why nothing is sent although files wait."""

from dataclasses import dataclass
from enum import StrEnum

from fieldpost_shared.codes import Code


class HoldKind(StrEnum):
    """What holds everything up; the order is the order of badness."""

    STOP_ALL = "stop_all"
    PAUSED = "paused"
    RECEIVER_FULL = "receiver_full"
    WAKING = "waking"
    OFFLINE = "offline"
    SCHEDULE = "schedule"
    METERED = "metered"


@dataclass(frozen=True, slots=True)
class Hold:
    """One reason; `until_ns` when its end is known."""

    kind: HoldKind
    code: Code | None = None
    until_ns: int | None = None
    attempt: int = 0
