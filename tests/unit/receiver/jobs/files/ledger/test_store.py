# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Opening the ledger: what is wrong with it is told in words, and nothing is guessed."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from fieldpost_receiver.jobs.files.ledger.schema import MIGRATIONS
from fieldpost_receiver.jobs.files.ledger.states import TransferState
from fieldpost_receiver.jobs.files.ledger.store import LedgerStore, reading_ledger
from fieldpost_receiver.jobs.files.ledger.transfers import Transfers
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.ids import ClientName, TransferId
from fieldpost_shared.protocol.messages import FileFacts

FACTS = FileFacts(ClientName("van-7"), TransferId("1" * 32), "a.bin", 10, 65_536, 5)


def test_a_ledger_that_cannot_be_opened_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "ledger.db").mkdir()
    with pytest.raises(FieldpostError) as caught:
        LedgerStore.open(tmp_path / "ledger.db")
    assert caught.value.code in {Code.LEDGER_DAMAGED, Code.STORAGE_FAILED}


def test_a_ledger_of_a_newer_fieldpost_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    with closing(LedgerStore.open(path)) as store:
        store.connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    with pytest.raises(FieldpostError) as caught, reading_ledger(path):
        pass
    assert (caught.value.code, caught.value.detail) == (
        Code.PROFILE_TOO_NEW,
        f"ledger.db is of version {len(MIGRATIONS) + 1}",
    )


def test_a_ledger_that_is_locked_for_a_moment_does_not_count_as_damaged(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    LedgerStore.open(path).close()
    with closing(sqlite3.connect(path, timeout=0)) as one, closing(sqlite3.connect(path, timeout=0)) as other:
        one.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError) as caught:
            other.execute("BEGIN IMMEDIATE")
    assert LedgerStore.in_words(caught.value) is caught.value


def test_a_state_that_no_version_wrote_is_damage_and_names_the_transfer(tmp_path: Path) -> None:
    with closing(LedgerStore.open(tmp_path / "ledger.db")) as store:
        transfers = Transfers(store)
        transfers.add(FACTS, TransferState.RECEIVING, 1)
        store.connection.execute("UPDATE transfers SET state = 'melted'")
        with pytest.raises(FieldpostError) as caught:
            transfers.get(FACTS.transfer)
    assert caught.value.code is Code.LEDGER_DAMAGED
    assert "melted" in caught.value.detail
    assert FACTS.transfer in caught.value.detail
