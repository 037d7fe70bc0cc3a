# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The states of a transfer at the receiver, as a table. A step that is not in it is a bug and raises."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class TransferState(StrEnum):
    """The state of a transfer."""

    HELD = "held"  # no space now: its chunks are dropped and requested again later
    RECEIVING = "receiving"
    COMPLETE = "complete"  # every chunk and the `end` have arrived; to be sealed
    SEALED = "sealed"  # no task opens its file any more; to be read back
    INTENT = "intent"  # read back and equal; the final name is chosen
    PUBLISHED = "published"
    REJECTED = "rejected"
    CANCELLED = "cancelled"


_S = TransferState
NEXT: Final[Mapping[TransferState, frozenset[TransferState]]] = MappingProxyType(
    {
        _S.HELD: frozenset({_S.RECEIVING, _S.REJECTED, _S.CANCELLED}),
        _S.RECEIVING: frozenset({_S.COMPLETE, _S.HELD, _S.REJECTED, _S.CANCELLED}),
        _S.COMPLETE: frozenset({_S.SEALED, _S.REJECTED, _S.CANCELLED, _S.RECEIVING}),
        _S.SEALED: frozenset({_S.INTENT, _S.REJECTED, _S.CANCELLED, _S.PUBLISHED, _S.RECEIVING}),  # its bytes are gone
        _S.INTENT: frozenset({_S.PUBLISHED, _S.REJECTED, _S.SEALED}),  # too late to cancel
        _S.PUBLISHED: frozenset(),
        _S.REJECTED: frozenset(),
        _S.CANCELLED: frozenset(),
    }
)
FINISHED: Final = frozenset({_S.PUBLISHED, _S.REJECTED, _S.CANCELLED})
OPEN: Final = frozenset(_S) - FINISHED


class WrongStep(RuntimeError):
    """The receiver tried a step that is not in the table, or that another thread has overtaken."""

    def __init__(self, old: TransferState, new: TransferState) -> None:
        super().__init__(old, new)
        self.old = old
        self.new = new


def check(old: TransferState, new: TransferState) -> None:
    """Raise `WrongStep` unless the table has the step; staying in a state is no step."""
    if old is not new and new not in NEXT[old]:
        raise WrongStep(old, new)
