# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Check that the ledger and the topic belong together; nothing is guessed."""

from typing import Final
from uuid import uuid4

from fieldpost_shared.codes import Code
from fieldpost_shared.database import Database
from fieldpost_shared.errors import FieldpostError

_TOPIC: Final = "topic_id"
_LEDGER: Final = "ledger_id"


def bind_topic(store: Database, topic_id: str) -> None:
    """Record the topic whose offsets the ledger has, or check that it is this one.

    Raises:
        FieldpostError: LEDGER_FOREIGN: the topic was deleted and created again.
    """
    known = store.meta(_TOPIC)
    if known is None:
        store.set_meta(_TOPIC, topic_id)
    elif known != topic_id:
        detail = (
            f"the files topic was deleted and made anew: its id is {topic_id}, the ledger has {known};"
            " run: fieldpost-receiver rebuild"
        )
        raise FieldpostError(Code.LEDGER_FOREIGN, detail)


def ledger_id(store: Database) -> str:
    """Return what tells this ledger, and copies of it, from every other one."""
    known = store.meta(_LEDGER)
    if known is None:
        known = uuid4().hex
        store.set_meta(_LEDGER, known)
    return known
