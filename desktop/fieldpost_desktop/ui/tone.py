# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What a colour means. Wording and widgets share it, so that a text need not know a widget."""

from enum import StrEnum


class Tone(StrEnum):
    """What a colour means."""

    CONFIRMED = "confirmed"
    ATTENTION = "attention"
    WAITING = "waiting"
    WORKING = "working"
    PAUSED = "paused"
    MUTED = "muted"  # text of lesser weight
