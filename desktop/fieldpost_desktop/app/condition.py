# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The conditions of the app: whether it can send, and what is missing if not."""

from enum import StrEnum


class Condition(StrEnum):
    """Whether this program can send."""

    NOT_SET_UP = "not_set_up"  # no settings file yet
    NEEDS_PASSWORD = "needs_password"  # noqa: S105 - the name of a condition
    ELSEWHERE = "elsewhere"  # another process runs the engine of this data folder
    RUNNING = "running"
    FAILED = "failed"  # see `error`
