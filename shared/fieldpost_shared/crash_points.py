# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Named moments at which a test may stop the program. The product passes them by: it reads no switch for them."""

from typing import Final, Protocol

UPLOADER: Final = (  # in the order of a file's life; what follows is lost if the program dies there
    "after_queue_row",
    "after_produce",
    "after_ack",
    "after_last_ack",
    "after_end",
    "after_end_ack",
    "after_missing",
    "after_receipt",
    "after_confirmed",
    "after_move",
    "after_purge",
    "after_rechunk_row",
)

RECEIVER: Final = (  # likewise
    "after_verify",
    "after_chunk_write",
    "mid_pack",
    "after_sync",
    "before_ledger_commit",
    "after_ledger_commit",
    "after_seal",
    "after_readback",
    "after_intent",
    "after_rename",
    "after_dir_fsync",
    "after_ledger_published",
    "after_status_produce",
    "after_status_ack",
    "mid_expire",
)


class CrashPoints(Protocol):
    """A launcher in `tests/` wires one that acts."""

    def reach(self, point: str) -> None:
        """The program has come to this point."""


class NoCrashPoints:
    """What the product uses."""

    def reach(self, point: str) -> None:
        """Goes on."""
