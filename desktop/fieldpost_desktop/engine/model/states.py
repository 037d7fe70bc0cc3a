# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The life of one file, as a table. A step that is not in it is a bug and raises."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class FileState(StrEnum):
    """Where a file is on its way."""

    SETTLING = "settling"  # found in a watched folder, still being written
    QUEUED = "queued"  # waits for its turn, or for a hold to end
    SENDING = "sending"
    RETRYING = "retrying"  # a temporary error; `next_try_ns` says when
    PAUSED = "paused"  # this file, by a person
    SENT = "sent"  # every chunk acknowledged, waits for the receipt
    ATTENTION = "attention"  # a person has to do something
    CONFIRMED = "confirmed"
    CANCELLED = "cancelled"


_S = FileState
_ANY_TIME: Final = frozenset({_S.CONFIRMED, _S.CANCELLED, _S.ATTENTION})  # from every open state

NEXT: Final[Mapping[FileState, frozenset[FileState]]] = MappingProxyType(
    {
        _S.SETTLING: _ANY_TIME | {_S.QUEUED},
        _S.QUEUED: _ANY_TIME | {_S.SENDING, _S.PAUSED, _S.RETRYING},
        _S.SENDING: _ANY_TIME | {_S.QUEUED, _S.RETRYING, _S.PAUSED, _S.SENT},
        _S.RETRYING: _ANY_TIME | {_S.QUEUED, _S.PAUSED},
        _S.PAUSED: _ANY_TIME | {_S.QUEUED},
        _S.SENT: _ANY_TIME | {_S.QUEUED},  # chunks asked for again, or a new transfer of the same file
        _S.ATTENTION: _ANY_TIME - {_S.ATTENTION} | {_S.QUEUED},
        _S.CONFIRMED: frozenset(),
        _S.CANCELLED: frozenset({_S.QUEUED}),  # "Send again": a new generation
    }
)
OPEN: Final = frozenset(_S) - {_S.CONFIRMED, _S.CANCELLED}


class WrongTransition(RuntimeError):
    """The engine tried a step that the table does not have."""

    def __init__(self, old: FileState, new: FileState) -> None:
        super().__init__(old, new)
        self.old = old
        self.new = new


def check(old: FileState, new: FileState) -> None:
    """Raise unless the table has the step; staying where one is needs no step."""
    if old is not new and new not in NEXT[old]:
        raise WrongTransition(old, new)
