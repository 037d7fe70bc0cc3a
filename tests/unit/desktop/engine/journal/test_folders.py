# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterator
from pathlib import Path

import pytest

from fieldpost_desktop.engine.journal.files import Files
from fieldpost_desktop.engine.journal.folders import Folder, Folders, Waiting
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.file_row import FileRow, SourceFile
from fieldpost_desktop.engine.model.folder_rules import After, FolderRules
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import SettingsError


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store.open(tmp_path / "journal.db")
    yield store
    store.close()


@pytest.fixture
def folders(store: Store) -> Folders:
    return Folders(store)


@pytest.fixture
def photos(folders: Folders) -> Folder:
    return folders.add("photos", FolderRules(), 7)


def put(store: Store, name: str, state: FileState, folder: Folder | None, code: str = "", *, size: int = 1) -> FileRow:
    found = SourceFile(name, name, size, 0, "", folder.id if folder else None)
    files = Files(store)
    return files.change(files.add(found, state, 0), state, code=code)


def test_a_folder_is_kept_with_its_rules(folders: Folders) -> None:
    rules = FolderRules(include=("*.jpg",), after=After.MOVE)
    added = folders.add("photos", rules, 7)
    assert folders.all() == [added]
    assert folders.get(added.id) == Folder(added.id, "photos", rules, True, 7, None, None, "")
    assert folders.get(99) is None


def test_the_same_folder_is_not_added_twice(folders: Folders, photos: Folder) -> None:
    with pytest.raises(SettingsError, match="photos is watched already"):
        folders.add("photos", FolderRules(), 8)
    assert folders.all() == [photos]


def test_rules_can_be_changed_and_keep_what_was_moved_out_of_sight(folders: Folders) -> None:
    first = folders.add("photos", FolderRules(after=After.MOVE, move_to="Done"), 7)
    second = folders.change_rules(first, FolderRules(after=After.MOVE, move_to="Finished"))
    assert second.rules.exclude == ("/Done/",)
    assert folders.all() == [second]


def test_a_removed_folder_cannot_be_changed(folders: Folders, photos: Folder) -> None:
    folders.remove(photos.id)
    with pytest.raises(SettingsError, match="not watched any more"):
        folders.change_rules(photos, FolderRules())
    with pytest.raises(SettingsError, match="not watched any more"):
        folders.enable(photos.id, enabled=True)


def test_a_folder_tells_when_it_was_scanned_and_what_is_wrong(folders: Folders, photos: Folder) -> None:
    folders.note_trouble(photos.id, Code.FOLDER_GONE, "No such file")
    gone = folders.all()[0]
    assert (gone.code, gone.detail, gone.scanned_ns) == (Code.FOLDER_GONE, "No such file", None)
    folders.note_scan(photos.id, 9, None)
    well = folders.all()[0]
    assert (well.code, well.detail, well.scanned_ns) == (None, "", 9)


def test_a_folder_added_later_has_no_old_trouble(folders: Folders, photos: Folder) -> None:
    folders.note_trouble(photos.id, Code.FOLDER_GONE, "No such file")
    folders.remove(photos.id)
    folders.note_trouble(photos.id, Code.FOLDER_GONE, "No such file")  # a scan that ends after the removal
    assert folders.add("other", FolderRules(), 8).detail == ""


def test_waiting_files_are_counted_for_each_folder(store: Store, folders: Folders, photos: Folder) -> None:
    scans = folders.add("scans", FolderRules(), 8)
    put(store, "a", FileState.SETTLING, photos)
    put(store, "b", FileState.SETTLING, photos, Code.FILE_IN_USE)
    put(store, "c", FileState.QUEUED, photos)
    put(store, "d", FileState.SETTLING, scans)
    put(store, "e", FileState.SETTLING, None)
    assert folders.waiting() == {photos.id: Waiting(files=2, in_use=1), scans.id: Waiting(files=1)}


@pytest.mark.parametrize("how", ["removed", "switched off", "other rules"])
def test_only_files_that_were_never_queued_go_with_their_folder(
    store: Store, folders: Folders, photos: Folder, how: str
) -> None:
    refused = put(store, "refused here", FileState.ATTENTION, photos, Code.NAME_REFUSED)
    sent = put(store, "refused there", FileState.ATTENTION, photos, Code.NAME_REFUSED)
    Files(store).change(sent, FileState.ATTENTION, transfer="0" * 32)
    for state in FileState:
        put(store, state, state, photos)
    match how:
        case "removed":
            folders.remove(photos.id)
        case "switched off":
            assert not folders.enable(photos.id, enabled=False).enabled
        case _:
            folders.change_rules(photos, FolderRules(include=("*.jpg",)))
    left = {row.path for row in Files(store).history()}
    assert left == set(FileState) - {FileState.SETTLING} | {"refused there"}
    assert refused.path not in left


def test_the_newest_row_of_a_place_counts(store: Store, folders: Folders, photos: Folder) -> None:
    put(store, "a", FileState.CONFIRMED, photos, size=1)
    newest = put(store, "a", FileState.QUEUED, photos, size=2)
    put(store, "b", FileState.CONFIRMED, None)
    known = folders.known_files(["a", "b", "unknown"])
    assert known.keys() == {"a", "b"}
    assert (known["a"].id, known["a"].size, known["a"].state) == (newest.id, 2, FileState.QUEUED)


def test_waiting_files_come_page_by_page_and_none_twice(store: Store, folders: Folders, photos: Folder) -> None:
    other = folders.add("scans", FolderRules(), 8)
    expected = {put(store, f"{n}", FileState.SETTLING, photos).id for n in range(7)}
    files = Files(store)
    files.change(files.get(min(expected)), FileState.SETTLING, urgent=1)
    expected.add(put(store, "gone", FileState.ATTENTION, photos, Code.FILE_GONE).id)
    put(store, "other", FileState.SETTLING, other)
    put(store, "a person", FileState.ATTENTION, photos, Code.OVER_PROFILE_LIMIT)
    seen: list[int] = []
    for page in folders.waiting_files(photos.id, 2):
        assert len(page) <= 2
        for place in page:
            seen.append(place.id)
            folders.forget(place.id)  # pages do not shift when rows go
    assert sorted(seen) == sorted(expected)


def test_pages_of_waiting_files_come_from_an_index(store: Store, folders: Folders, photos: Folder) -> None:
    statements: list[str] = []
    store.connection.set_trace_callback(statements.append)
    list(folders.waiting_files(photos.id, 2))
    store.connection.set_trace_callback(None)
    plans = [row["detail"] for sql in statements for row in store.rows(f"EXPLAIN QUERY PLAN {sql}")]
    assert set(plans) == {"SEARCH files USING INDEX files_by_state (state=? AND urgent=? AND id>?)"}


def test_only_what_was_never_queued_can_be_forgotten(store: Store, folders: Folders, photos: Folder) -> None:
    rows = [put(store, state, state, photos) for state in FileState]
    for row in rows:
        folders.forget(row.id)
    assert {row.state for row in Files(store).history()} == set(FileState) - {FileState.SETTLING}


def test_clean_ups_are_given_out_when_their_time_has_come(store: Store, folders: Folders, photos: Folder) -> None:
    files = Files(store)
    now, later, done = (put(store, name, FileState.CONFIRMED, photos) for name in ("now", "later", "done"))
    files.change(now, FileState.CONFIRMED, clean_up="due")
    files.change(later, FileState.CONFIRMED, clean_up="due", next_try_ns=100)
    files.change(done, FileState.CONFIRMED, clean_up="done")
    assert folders.to_clean_up(99, 10) == [now.id]
    assert folders.to_clean_up(100, 10) == [now.id, later.id]
    assert len(folders.to_clean_up(100, 1)) == 1
