# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Intents: what the ledger remembers of a file that is to be published, or how the ledger is damaged.

SQLite does not see every damage: a changed bit in a row or in an index gives another text, or another row.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager

from fieldpost_receiver.jobs.files.ledger.states import WrongStep
from fieldpost_receiver.jobs.files.ledger.transfers import Transfer, Transfers
from fieldpost_receiver.storage.port import Content, Place, SealedFile, StagedFile, check_segments
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError


def file_of(transfer: Transfer) -> StagedFile:
    """Return the staged file of a transfer.

    Raises:
        FieldpostError: LEDGER_DAMAGED.
    """
    try:
        return StagedFile(transfer.id, transfer.fingerprint)
    except (ValueError, TypeError):
        shown = f"{transfer.id!r:.50}, {transfer.fingerprint!r:.50}"
        words = f"invalid transfer id or fingerprint in the ledger: {shown}"
        raise FieldpostError(Code.LEDGER_DAMAGED, words) from None


def content_of(transfer: Transfer) -> Content:
    """Return what the bytes of a transfer must be."""
    return Content(transfer.sha256, transfer.size, transfer.mtime_ns)


def sealed_of(transfer: Transfer) -> SealedFile:
    """Return the staged file of a transfer with what its bytes must be; raises as `file_of` does."""
    return SealedFile(file_of(transfer), content_of(transfer))


def intent_of(place: Place) -> str:
    """Return the text that `place_of` reads."""
    return json.dumps({"parts": place.segments, "renamed": place.renamed, "replaces": place.replaces})


def place_of(transfer: Transfer) -> Place:
    """Return the final name that was chosen for a transfer.

    Raises:
        FieldpostError: LEDGER_DAMAGED.
    """
    try:
        intent = json.loads(transfer.intent)
        place = Place(tuple(intent["parts"]), intent["renamed"], intent["replaces"])
        check_segments(place.segments)
    except (ValueError, KeyError, TypeError):
        raise FieldpostError(Code.LEDGER_DAMAGED, f"the final name of transfer {transfer.id} is not readable") from None
    return place


def current_row(transfers: Transfers, transfer: Transfer) -> Transfer | None:
    """Return the transfer as it is now.

    Raises:
        FieldpostError: LEDGER_DAMAGED.
    """
    current = transfers.get(transfer.id)
    if current is not None:
        check_same(transfer, current)
    return current


def check_same(transfer: Transfer, found: Transfer) -> None:
    """See that a row is the transfer's own: a damaged index leads to another, whose bytes would get this one's name.

    Raises:
        FieldpostError: LEDGER_DAMAGED.
    """
    if found.id != transfer.id:
        raise FieldpostError(Code.LEDGER_DAMAGED, f"transfer {found.id} is found in the place of {transfer.id}")


@contextmanager
def changing_intents() -> Iterator[None]:
    """Take a missing intent for damage: only its publisher changes a transfer that has one.

    Raises:
        FieldpostError: LEDGER_DAMAGED.
    """
    try:
        yield
    except WrongStep as error:
        raise FieldpostError(Code.LEDGER_DAMAGED, "a transfer with an intent is not found by its id") from error
