# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import errno
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from fieldpost_shared.codes import Code
from fieldpost_shared.database import Database, disk_errno, open_for_reading
from fieldpost_shared.errors import FieldpostError

META = "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)"
BROKEN = "CREATE TABLE second (x); CREATE TABLE second (x)"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database.open_at(tmp_path / "sub" / "a.db", [META], Code.JOURNAL_DAMAGED)
    yield database
    database.close()


def test_texts_are_remembered_and_forgotten(database: Database) -> None:
    assert database.meta("k") is None
    database.set_meta("k", "1")
    database.set_meta("k", "2")
    assert database.meta("k") == "2"
    database.forget_meta("k")
    assert database.meta("k") is None


def test_a_failed_transaction_leaves_nothing(database: Database) -> None:
    def fail() -> None:
        with database.transaction():
            database.set_meta("k", "1")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert database.meta("k") is None


def test_a_transaction_that_cannot_begin_says_so(database: Database) -> None:
    database.connection.execute("PRAGMA query_only = ON")

    def write() -> None:
        with database.transaction() as db:
            db.execute("ROLLBACK")
            db.execute("DELETE FROM meta")

    with pytest.raises(sqlite3.OperationalError):
        write()


def test_a_transaction_that_cannot_be_committed_leaves_nothing_and_says_why(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.connection.execute("CREATE TABLE child (key TEXT REFERENCES meta DEFERRABLE INITIALLY DEFERRED)")
    monkeypatch.setattr(Database, "in_words", classmethod(lambda _owner, error: KeyError(str(error))))

    def write() -> None:
        with database.transaction() as db:
            db.execute("INSERT INTO child VALUES ('of nobody')")

    with pytest.raises(KeyError, match="FOREIGN KEY"):
        write()
    assert not database.connection.in_transaction
    assert database.rows("SELECT * FROM child") == []
    with pytest.raises(KeyError, match="no such table"):
        database.rows("SELECT * FROM stranger")
    database.set_meta("k", "goes on")


def test_what_sqlite_says_within_a_transaction_comes_out_of_it(database: Database) -> None:
    def mistake() -> None:
        with database.transaction() as db:
            database.set_meta("k", "1")
            db.execute("SELECT 1 FROM nowhere")

    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        mistake()
    assert database.meta("k") is None


def test_a_failed_migration_leaves_the_old_version(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    Database.open_at(path, [META], Code.JOURNAL_DAMAGED).close()
    with pytest.raises(FieldpostError) as caught:
        Database.open_at(path, [META, BROKEN], Code.JOURNAL_DAMAGED)
    assert caught.value.code is Code.JOURNAL_DAMAGED
    again = Database.open_at(path, [META, "CREATE TABLE second (x)"], Code.JOURNAL_DAMAGED)
    assert again.rows("SELECT count(*) AS n FROM second")[0]["n"] == 0
    again.close()


def test_a_newer_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    Database.open_at(path, [META, "CREATE TABLE second (x)"], Code.JOURNAL_DAMAGED).close()
    with pytest.raises(FieldpostError, match="version 2; known here: 1"):
        Database.open_at(path, [META], Code.JOURNAL_DAMAGED)


def test_a_reader_sees_what_is_committed(database: Database, tmp_path: Path) -> None:
    reader = open_for_reading(tmp_path / "sub" / "a.db")
    database.set_meta("k", "1")
    assert reader.execute("SELECT value FROM meta").fetchone()["value"] == "1"
    reader.close()


def test_a_copy_is_a_whole_database_and_replaces_the_last_one(database: Database, tmp_path: Path) -> None:
    for number in ("1", "2"):
        database.set_meta("k", number)
        database.copy_to(tmp_path / "copy.db")
    again = Database.open_at(tmp_path / "copy.db", [META], Code.JOURNAL_DAMAGED)
    assert again.meta("k") == "2"
    again.close()
    assert not (tmp_path / "copy.db.new").exists()


def test_tables_that_even_sqlite_cannot_quote_are_damage(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    Database.open_at(path, [META], Code.JOURNAL_DAMAGED).close()
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE meta", b"CREATE \xe9ABLE meta"))
    with pytest.raises(FieldpostError, match="journal_damaged"):
        Database.open_at(path, [META], Code.JOURNAL_DAMAGED)


@pytest.mark.parametrize(
    ("told", "meant"),
    [
        ("SQLITE_FULL", errno.ENOSPC),
        ("SQLITE_IOERR_SHMSIZE", errno.ENOSPC),
        ("SQLITE_IOERR_SHORT_READ", None),
        ("SQLITE_CONSTRAINT", None),
    ],
)
def test_what_the_disk_did_is_told_from_damage_and_mistakes(told: str, meant: int | None) -> None:
    error = sqlite3.OperationalError("whatever it says")
    error.sqlite_errorcode = getattr(sqlite3, told)
    assert disk_errno(error) == meant
