# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Check that ledger, checkpoint and topic belong together. Each one names the other; nothing is guessed."""

import shutil
from pathlib import Path
from typing import Final
from uuid import uuid4

from fieldpost_receiver.storage.errors import storing
from fieldpost_shared.codes import Code
from fieldpost_shared.database import Database
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.whole_file import whole_file

_LEDGER: Final = "ledger_id"
_TOPIC: Final = "topic_id"
_TAG_NAME: Final = "fieldpost-ledger-id"


def bind_checkpoint(store: Database, checkpoint: Path) -> None:
    """Write the ledger's id into a new checkpoint, or check that an old one has it.

    A lost checkpoint is harmless: everything is read again from the oldest message and changes nothing.

    Raises:
        StorageError: the state folder cannot be used.
        FieldpostError: LEDGER_FOREIGN: the checkpoint belongs to another ledger, or the ledger was lost.
    """
    with storing("use the checkpoint"):
        _bind_checkpoint(store, checkpoint)


def _bind_checkpoint(store: Database, checkpoint: Path) -> None:
    known = store.meta(_LEDGER)
    tag = checkpoint / _TAG_NAME
    if not tag.exists():
        if known is None:
            known = uuid4().hex
            store.set_meta(_LEDGER, known)
        shutil.rmtree(checkpoint, ignore_errors=True)  # a checkpoint without a tag was never finished
        checkpoint.mkdir(parents=True, exist_ok=True)
        with whole_file(tag) as unfinished:  # half an id would make the checkpoint foreign
            unfinished.write_text(known, encoding="ascii")
    elif tag.read_text(encoding="ascii") != known:
        detail = f"the checkpoint {checkpoint} was made with another ledger; move it away, or put its ledger back"
        raise FieldpostError(Code.LEDGER_FOREIGN, detail)


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
