# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the ledger remembers of a file that is to be published; or that the ledger is damaged, in words.

SQLite does not see every damage: a changed bit in a row or in an index gives another text, or another row.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager

from fieldpost_receiver.jobs.files.ledger.states import WrongStep
from fieldpost_receiver.jobs.files.ledger.transfers import Transfer, Transfers
from fieldpost_receiver.storage.folder.destination import Place
from fieldpost_receiver.storage.folder.folder_tree import check_parts
from fieldpost_receiver.storage.folder.working_folder import StagedFile
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError


def file_of(transfer: Transfer) -> StagedFile:
    """Its bytes.

    Raises:
        FieldpostError: LEDGER_DAMAGED.
    """
    try:
        return StagedFile(transfer.id, transfer.fingerprint)
    except (ValueError, TypeError):
        raise FieldpostError(Code.LEDGER_DAMAGED, "a transfer's id or fingerprint is none") from None


def intent_of(place: Place) -> str:
    """The text that `place_of` reads."""
    return json.dumps({"parts": place.parts, "renamed": place.renamed, "replaces": place.replaces})


def place_of(transfer: Transfer) -> Place:
    """The final name that was chosen for it.

    Raises:
        FieldpostError: LEDGER_DAMAGED.
    """
    try:
        intent = json.loads(transfer.intent)
        place = Place(tuple(intent["parts"]), intent["renamed"], intent["replaces"])
        check_parts(place.parts)
    except (ValueError, KeyError, TypeError):
        raise FieldpostError(Code.LEDGER_DAMAGED, f"the final name of transfer {transfer.id} is not readable") from None
    return place


def current_row(transfers: Transfers, transfer: Transfer) -> Transfer | None:
    """The transfer as it is now.

    Raises:
        FieldpostError: LEDGER_DAMAGED.
    """
    current = transfers.get(transfer.id)
    if current is not None:
        check_same(transfer, current)
    return current


def check_same(transfer: Transfer, found: Transfer) -> None:
    """An index that is out of order leads to the row of another: its bytes would get this one's name.

    Raises:
        FieldpostError: LEDGER_DAMAGED.
    """
    if found.id != transfer.id:
        raise FieldpostError(Code.LEDGER_DAMAGED, f"transfer {found.id} is found in the place of {transfer.id}")


@contextmanager
def changing_intents() -> Iterator[None]:
    """Nobody but its publisher changes a transfer that has an intent; one that has none any more is damage.

    Raises:
        FieldpostError: LEDGER_DAMAGED.
    """
    try:
        yield
    except WrongStep as error:
        raise FieldpostError(Code.LEDGER_DAMAGED, "a transfer is not found by its id") from error
