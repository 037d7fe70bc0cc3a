# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import csv
import io
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fieldpost_desktop.engine.journal.browse import GROUPS, STATE_ORDER, Browser, FileQuery, Group, SortOrder
from fieldpost_desktop.engine.journal.csv_export import COLUMNS
from fieldpost_desktop.engine.journal.files import Files
from fieldpost_desktop.engine.journal.folders import Folders
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.failure_details import EXISTED_BEFORE_FORMS
from fieldpost_desktop.engine.model.file_row import FileRow, SourceFile
from fieldpost_desktop.engine.model.folder_rules import FolderRules
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from support.engine.core import CHUNK, Rig

S = FileState


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def store(journal: Path) -> Iterator[Store]:
    store = Store.open(journal)
    yield store
    store.close()


@pytest.fixture
def browser(journal: Path) -> Browser:
    return Browser(journal)


def add(store: Store, path: str, state: FileState = S.QUEUED, size: int = 1) -> FileRow:
    name = path.rsplit("/", 1)[-1]
    row = Files(store).add(SourceFile(f"/van/{name}", path, size, 1, "1:1"), S.QUEUED, 1_800_000_000_000_000_000)
    with store.transaction() as db:
        db.execute("UPDATE files SET state = ? WHERE id = ?", (state, row.id))
    return Files(store).get(row.id)


def names(browser: Browser, query: FileQuery) -> list[str]:
    return [row.path for row in browser.page(query)]


def test_the_newest_file_comes_first(store: Store, browser: Browser) -> None:
    rows = [add(store, f"{number}.txt") for number in range(5)]
    assert browser.page(FileQuery()) == rows[::-1]
    assert browser.page(FileQuery(descending=False)) == rows


@pytest.mark.parametrize("order", list(SortOrder))
@pytest.mark.parametrize("descending", [True, False])
def test_pages_hold_every_file_once(store: Store, browser: Browser, order: SortOrder, descending: bool) -> None:
    rows = [add(store, f"{number % 3}/{number}.txt", size=number % 4) for number in range(25)]
    found = [
        row.id
        for start in range(0, 30, 10)
        for row in browser.page(FileQuery(order=order, descending=descending, start=start, most=10))
    ]
    assert sorted(found) == [row.id for row in rows]
    assert browser.count(FileQuery(start=20, most=10)) == 25


def test_each_group_has_its_files_and_no_others(store: Store, browser: Browser) -> None:
    for state in S:
        add(store, f"{state}.txt", state)
    assert names(browser, FileQuery(Group.ATTENTION)) == ["attention.txt"]
    assert names(browser, FileQuery(Group.CONFIRMED)) == ["confirmed.txt"]
    in_progress = {"settling.txt", "queued.txt", "sending.txt", "retrying.txt", "paused.txt", "sent.txt"}
    assert set(names(browser, FileQuery(Group.IN_PROGRESS))) == in_progress
    assert browser.count(FileQuery(Group.IN_PROGRESS)) == len(in_progress)
    assert browser.count(FileQuery(Group.ALL)) == len(S)


def test_no_state_is_left_out() -> None:
    assert set(GROUPS) == set(Group)
    assert set(STATE_ORDER) == set(S)


def test_names_sort_without_regard_to_case(store: Store, browser: Browser) -> None:
    for name in ("b.txt", "A.txt", "Ä.txt", "a2.txt"):
        add(store, name)
    assert names(browser, FileQuery(order=SortOrder.NAME, descending=False)) == ["A.txt", "a2.txt", "b.txt", "Ä.txt"]


def test_sizes_sort_by_number(store: Store, browser: Browser) -> None:
    for size in (9, 100, 20):
        add(store, f"{size}", size=size)
    assert names(browser, FileQuery(order=SortOrder.SIZE)) == ["100", "20", "9"]


def test_by_state_what_needs_a_person_comes_first(store: Store, browser: Browser) -> None:
    for state in S:
        add(store, state, state)
    assert names(browser, FileQuery(order=SortOrder.STATE, descending=False)) == list(STATE_ORDER)


@pytest.mark.parametrize("text", ["über", "ÜBER", "%", "_", "\\", "/van/50"])
def test_a_search_takes_every_sign_as_it_is_and_both_cases(store: Store, browser: Browser, text: str) -> None:
    add(store, "trip/Über 50%_\\.txt")
    Files(store).add(SourceFile("/van/50%", "x.txt", 1, 1, ""), S.QUEUED, 1)
    add(store, "other.txt")
    found = names(browser, FileQuery(text=text))
    assert found
    assert "other.txt" not in found
    assert browser.count(FileQuery(text=text)) == len(found)


def test_a_search_keeps_to_its_group(store: Store, browser: Browser) -> None:
    add(store, "a.txt", S.CONFIRMED)
    add(store, "ab.txt")
    assert names(browser, FileQuery(Group.CONFIRMED, "a")) == ["a.txt"]


def test_without_a_journal_there_are_no_files(browser: Browser, journal: Path, tmp_path: Path) -> None:
    assert browser.page(FileQuery(text="a", order=SortOrder.NAME)) == []
    assert browser.count(FileQuery()) == 0
    assert browser.facts(1) is None
    assert browser.export(tmp_path / "out.csv", FileQuery()) == 0
    assert not journal.exists()


def test_a_damaged_journal_has_a_code(journal: Path, browser: Browser) -> None:
    journal.write_bytes(b"no journal" * 1000)
    with pytest.raises(FieldpostError) as caught:
        browser.page(FileQuery())
    assert caught.value.code is Code.JOURNAL_DAMAGED


def test_pages_can_be_read_by_any_thread_while_the_engine_writes(store: Store, browser: Browser) -> None:
    add(store, "a.txt")
    found: list[list[str]] = []
    with store.transaction():
        add(store, "b.txt")
        reader = threading.Thread(target=lambda: found.append(names(browser, FileQuery())))
        reader.start()
        reader.join()
    assert found == [["a.txt"]]
    assert names(browser, FileQuery()) == ["b.txt", "a.txt"]


def test_a_files_facts_name_its_receipts_and_its_folder(store: Store, browser: Browser) -> None:
    folder = Folders(store).add("/van/photos", FolderRules(), 1)
    files = Files(store)
    row = files.add(SourceFile("/van/photos/a.jpg", "a.jpg", 1, 1, "", folder.id), S.QUEUED, 1)
    files.add_receipt(row.id, "north", "2026-10-01T10:48:00.000+00:00", renamed=False, duplicate=True)
    files.add_receipt(row.id, "central", "2026-10-01T10:47:00.000+00:00", renamed=True, duplicate=False)
    facts = browser.facts(row.id)
    assert facts is not None
    assert (facts.row, facts.folder) == (row, "/van/photos")
    first, second = facts.receipts
    assert (first.receiver, first.at) == ("central", datetime(2026, 10, 1, 10, 47, tzinfo=UTC))
    assert (first.renamed, first.duplicate) == (True, False)
    assert (second.receiver, second.renamed, second.duplicate) == ("north", False, True)
    assert browser.facts(row.id + 1) is None


# the table


def table(path: Path) -> list[dict[str, str]]:
    text = path.read_bytes().decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_the_table_is_a_proof_of_what_arrived(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    (row,) = rig.add(rig.file("a, b.bin", b"x" * CHUNK))
    rig.until_confirmed(row)
    row = rig.row(row)
    rig.close()
    out = tmp_path / "out.csv"
    assert Browser(tmp_path / "journal.db").export(out, FileQuery(Group.CONFIRMED, start=5, most=1)) == 1
    assert out.read_bytes().startswith(b"\xef\xbb\xbfname,source,"), "Excel knows UTF-8 by its mark"
    (line,) = table(out)
    assert tuple(line) == COLUMNS
    assert (line["name"], line["source"], line["size"]) == ("a, b.bin", row.source, str(CHUNK))
    assert (line["state"], line["receiver"], line["sha256"]) == ("confirmed", "central", row.sha256)
    assert (line["transfer"], line["code"]) == (row.transfer, "")
    assert row.ended_ns is not None
    assert datetime.fromisoformat(line["confirmed"]).timestamp() == row.ended_ns // 10**9


def test_a_cancelled_file_was_never_confirmed(store: Store, browser: Browser, tmp_path: Path) -> None:
    files = Files(store)
    files.cancel(add(store, "a.txt"), 5)
    browser.export(tmp_path / "out.csv", FileQuery())
    assert table(tmp_path / "out.csv")[0]["confirmed"] == ""


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_no_name_becomes_a_formula(store: Store, browser: Browser, tmp_path: Path, start: str) -> None:
    add(store, f"{start}cmd|' /C calc'!A0.txt")
    browser.export(tmp_path / "out.csv", FileQuery())
    assert table(tmp_path / "out.csv")[0]["name"].startswith(f"'{start}")


def test_the_table_is_written_whole_or_not_at_all(store: Store, browser: Browser, tmp_path: Path) -> None:
    add(store, "a.txt")
    out = tmp_path / "out.csv"
    out.write_text("the one of last week", encoding="utf-8")
    with store.transaction() as db:
        db.execute(
            "INSERT INTO files (source, path, size, mtime_ns, identity, seen_ns, state, added_ns)"
            " VALUES ('b', 'b', 1, 1, '', 1, 'of a newer version', 1)"
        )
    with pytest.raises(ValueError, match="newer version"):
        browser.export(out, FileQuery(descending=False))
    assert out.read_text(encoding="utf-8") == "the one of last week"
    assert [path.name for path in tmp_path.glob("*.part")] == []


def test_a_place_that_cannot_be_written_says_so(store: Store, browser: Browser, tmp_path: Path) -> None:
    add(store, "a.txt")
    with pytest.raises(FieldpostError, match="cannot be written"):
        browser.export(tmp_path / "nowhere" / "out.csv", FileQuery())


@pytest.mark.parametrize("detail", EXISTED_BEFORE_FORMS)
def test_what_a_folder_held_before_it_was_watched_is_in_no_list(store: Store, browser: Browser, detail: str) -> None:
    given_up = add(store, "given-up", S.CANCELLED)
    there = add(store, "there-before", S.CANCELLED)
    Files(store).change(there, S.CANCELLED, detail=detail)
    assert names(browser, FileQuery(Group.ALL)) == [given_up.path]
