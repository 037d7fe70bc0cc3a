# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from fieldpost_desktop.engine.model.events import FileChanged, FileDropped
from fieldpost_desktop.engine.model.failure_details import in_english
from fieldpost_desktop.engine.model.folder_rules import After, FolderRules
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.sources.filter import FileFilter
from fieldpost_desktop.engine.watching import scan as scanning
from fieldpost_desktop.engine.watching.compare import Comparison
from fieldpost_desktop.engine.watching.walk import Candidate, UnreadableFolders, walk
from fieldpost_shared.codes import Code
from unit.desktop.engine.watching.van import Van, a_van

S = FileState


@pytest.fixture
def van(tmp_path: Path) -> Iterator[Van]:
    with a_van(tmp_path) as van:
        yield van


@pytest.fixture
def forbidden(monkeypatch: pytest.MonkeyPatch) -> set[Path]:
    """Folders that may not be read. Root may read everything, so the calls have to be told."""
    places: set[Path] = set()
    scandir, lstat = os.scandir, os.lstat

    def check(path: str) -> None:
        if any(Path(path).is_relative_to(place) for place in places):
            raise PermissionError(13, "Permission denied", path)

    def guarded_scandir(path: str) -> object:
        check(path)
        return scandir(path)

    def guarded_lstat(path: str) -> os.stat_result:
        check(path)
        return lstat(path)

    monkeypatch.setattr(os, "scandir", guarded_scandir)
    monkeypatch.setattr(os, "lstat", guarded_lstat)
    return places


class BrokenListing:
    """What `scandir` gives for a drive that goes away in the middle."""

    def __iter__(self) -> "BrokenListing":
        return self

    def __next__(self) -> None:
        raise OSError(5, "Input/output error")

    def close(self) -> None:
        pass


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> set[Path]:
    """Folders whose listing breaks off."""
    places: set[Path] = set()
    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: BrokenListing() if Path(path) in places else scandir(path))
    return places


class DeletingSieve(FileFilter):
    """Somebody deletes each folder after it was listed and before it is read."""

    def __init__(self, van: Van) -> None:
        super().__init__(FolderRules())
        self._root = van.root

    def enters(self, name: str, relative: str, found: os.stat_result) -> bool:
        shutil.rmtree(self._root / relative)
        return super().enters(name, relative, found)


# ready or not


def test_a_file_that_stays_as_it_is_is_queued(van: Van) -> None:
    van.watch()
    van.write("day 1/a.jpg")
    assert van.scan().queued == 0
    assert van.states() == {"day 1/a.jpg": S.SETTLING}
    van.clock.advance(4.9)
    assert van.scan().queued == 0
    van.clock.advance(0.1)
    assert van.scan().queued == 1
    row = van.row("day 1/a.jpg")
    assert (row.state, row.path, row.folder, row.size) == (S.QUEUED, "day 1/a.jpg", van.folder().id, 5)
    assert van.scan().queued == 0


def test_a_file_still_being_written_waits(van: Van) -> None:
    van.watch()
    for size in range(1, 10):
        van.write("a.jpg", b"x" * size)
        van.scan()
        van.clock.advance(4)
    assert van.states() == {"a.jpg": S.SETTLING}
    van.wait(1)
    assert van.row("a.jpg").state is S.QUEUED
    assert van.row("a.jpg").size == 9
    assert len(van.rows_of("a.jpg")) == 1


def test_a_touched_file_waits_too(van: Van) -> None:
    van.watch()
    path = van.write("a.jpg")
    van.scan()
    van.clock.advance(4)
    os.utime(path, ns=(1, 1))
    van.scan()
    van.wait(4)
    assert van.row("a.jpg").state is S.SETTLING
    van.wait(1)
    assert van.row("a.jpg").state is S.QUEUED


def test_a_scan_says_when_a_file_may_be_ready(van: Van) -> None:
    van.watch()
    van.write("a.jpg")
    now = van.clock.now_ns()
    assert van.scan().ready_ns == now + 5 * 10**9
    van.clock.advance(2)
    van.write("b.jpg")
    assert van.scan().ready_ns == now + 5 * 10**9
    van.clock.advance(3)
    outcome = van.settle()  # only the waiting ones are looked at
    assert (outcome.queued, outcome.ready_ns) == (1, now + 7 * 10**9)


def test_the_minimum_age_is_waited_for(van: Van) -> None:
    van.watch(minimum_age_s=3600)
    van.write("new.jpg")
    old = van.write("old.jpg")
    os.utime(old, ns=(1, 1))
    van.scan()
    van.wait(5)
    assert van.states() == {"new.jpg": S.SETTLING, "old.jpg": S.QUEUED}
    van.wait(3595)
    assert van.states()["new.jpg"] is S.QUEUED


def test_a_file_of_next_year_is_old_enough_one_day(van: Van) -> None:
    van.watch(minimum_age_s=3600)
    path = van.write("camera.jpg")
    future = van.clock.now_ns() + 400 * 86_400 * 10**9
    os.utime(path, ns=(future, future))
    van.scan()
    van.wait(3600)
    assert van.row("camera.jpg").state is S.QUEUED


def test_an_empty_file_is_sent_after_a_minute(van: Van) -> None:
    van.watch()
    van.write("empty.txt", b"")
    van.scan()
    van.wait(59)
    assert van.row("empty.txt").state is S.SETTLING
    van.wait(1)
    assert van.row("empty.txt").state is S.QUEUED


def test_a_clock_set_back_does_not_make_a_file_wait_for_ever(van: Van) -> None:
    van.watch()
    path = van.write("a.jpg")
    van.scan()
    van.clock.jump(-365 * 86_400)
    os.utime(path, ns=(1, 1))
    van.scan()
    van.wait(5)
    assert van.row("a.jpg").state is S.QUEUED


def test_a_file_open_in_another_program_waits_until_it_is_closed(van: Van) -> None:
    van.watch()
    van.locked["budget.xlsx"] = Code.FILE_IN_USE
    van.write("budget.xlsx")
    van.scan()
    for _ in range(5):
        van.wait(30)
        assert (van.row("budget.xlsx").state, van.row("budget.xlsx").code) == (S.SETTLING, Code.FILE_IN_USE)
    assert van.folders.waiting()[van.folder().id].in_use == 1
    del van.locked["budget.xlsx"]
    van.wait(30)
    assert (van.row("budget.xlsx").state, van.row("budget.xlsx").code) == (S.QUEUED, "")


def test_a_file_that_may_not_be_read_needs_a_person(van: Van) -> None:
    van.watch()
    van.locked["a.jpg"] = Code.FILE_UNREADABLE
    assert van.queue("a.jpg").state is S.ATTENTION
    assert van.row("a.jpg").code == Code.FILE_UNREADABLE
    van.locked.clear()
    van.wait(30)
    assert van.row("a.jpg").state is S.ATTENTION  # nothing tells that it is cured
    van.write("a.jpg", b"saved once more")
    van.scan()
    van.wait(5)
    assert (van.row("a.jpg").state, van.row("a.jpg").code) == (S.QUEUED, "")
    assert len(van.rows_of("a.jpg")) == 1


# what is taken


def test_temporary_and_hidden_files_are_never_taken(van: Van) -> None:
    van.watch()
    for name in ("~$report.docx", ".~lock.a.odt#", "a.tmp", "A.TMP", "b.part", "c.crdownload", "sent.part"):
        van.write(name)
    for name in ("Thumbs.db", "thumbs.DB", "desktop.ini", ".DS_Store", ".hidden", ".git/config"):
        van.write(name)
    for name in (".fieldpost/x", ".fieldpost-y", "Sent/2026-01/a.jpg", "SENT/b.jpg"):
        van.write(name)
    van.write("day/Sent/a.jpg")  # only the folder's own one is ours
    van.write("b.partition")
    van.write("raw.tmp/a.jpg")  # unfinished files, not folders
    van.scan()
    assert van.states().keys() == {"day/Sent/a.jpg", "b.partition", "raw.tmp/a.jpg"}


def test_links_are_not_followed(van: Van, tmp_path: Path) -> None:
    van.watch()
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_bytes(b"x")
    (van.root / "folder").symlink_to(outside)
    (van.root / "file.txt").symlink_to(outside / "secret.txt")
    (van.root / "loop").symlink_to(van.root)
    (van.root / "nowhere").symlink_to("missing")
    os.mkfifo(van.root / "pipe")
    van.scan()
    assert van.states() == {}


def test_the_rules_say_what_is_taken(van: Van) -> None:
    van.watch(include=("*.jpg", "plans/**"), exclude=("raw/", "*_old.*"))
    for name in ("a.jpg", "a.txt", "plans/p.dwg", "day/raw/b.jpg", "raw/c.jpg", "day/d_old.jpg"):
        van.write(name)
    van.scan()
    assert van.states().keys() == {"a.jpg", "plans/p.dwg", "day/raw/b.jpg"}


def test_sub_folders_may_be_left_out(van: Van) -> None:
    van.watch(subfolders=False)
    van.write("a.jpg")
    van.write("day/b.jpg")
    van.scan()
    assert van.states().keys() == {"a.jpg"}


def test_the_label_stands_before_the_path(van: Van) -> None:
    van.watch(label="north/van 7")
    van.write("day/a.jpg")
    van.scan()
    assert van.row("day/a.jpg").path == "north/van 7/day/a.jpg"


def test_a_name_that_cannot_travel_is_shown_once(van: Van) -> None:
    van.watch()
    van.write("line\nbreak.jpg")
    for _ in range(3):
        van.wait(30)
    (row,) = van.files.in_state(S.ATTENTION)
    assert (row.code, in_english(row.detail)) == (
        Code.NAME_REFUSED,
        "it contains an invisible control character, such as a line break",
    )


def test_a_refused_file_that_gets_a_better_name_needs_no_person_any_more(van: Van) -> None:
    van.watch()
    path = van.write("line\nbreak.jpg")
    van.scan()
    path.rename(van.root / "line break.jpg")
    van.scan()
    assert van.states() == {"line break.jpg": S.SETTLING}


def test_a_name_of_any_bytes_is_shown_and_does_no_harm(van: Van) -> None:
    van.watch()
    odd = os.fsdecode(b"caf\xe9.jpg")
    van.write(odd)
    van.write("b.jpg")
    for _ in range(3):
        van.wait(30)
    assert van.states() == {"caf\\udce9.jpg": S.ATTENTION, "b.jpg": S.QUEUED}


def test_accents_travel_composed(van: Van) -> None:
    van.watch()
    van.write("cafe\u0301.jpg")
    van.scan()
    assert van.states().keys() == {"caf\u00e9.jpg"}


# files that were there before


def test_files_already_there_are_sent_if_wanted(van: Van) -> None:
    van.write("old.jpg")
    van.watch(take_existing=True)
    van.scan()
    van.wait(5)
    assert van.states() == {"old.jpg": S.QUEUED}


def test_files_already_there_are_passed_over_if_not_wanted(van: Van) -> None:
    van.write("old.jpg")
    van.write("odd\nname.jpg")
    van.watch(take_existing=False)
    van.wait(1)
    van.write("new.jpg")
    van.scan()
    van.wait(5)
    assert van.states() == {"old.jpg": S.CANCELLED, "odd\nname.jpg": S.CANCELLED, "new.jpg": S.QUEUED}
    assert not [event for event in van.events if isinstance(event, FileChanged) and event.row.path == "old.jpg"]
    van.write("old.jpg", b"edited later")
    van.scan()
    van.wait(5)
    assert van.states()["old.jpg"] is S.QUEUED


def test_a_file_that_came_before_the_first_scan_is_new_all_the_same(van: Van) -> None:
    van.watch(take_existing=False)
    van.clock.advance(3)
    van.write("new.jpg")
    van.scan()
    assert van.states() == {"new.jpg": S.SETTLING}


# versions


def test_a_confirmed_file_is_not_sent_again(van: Van) -> None:
    van.watch()
    van.confirm("a.jpg")
    for _ in range(3):
        assert van.scan().queued == 0
        van.clock.advance(30)
    assert len(van.rows_of("a.jpg")) == 1


@pytest.mark.parametrize("state", [S.CONFIRMED, S.CANCELLED])
def test_a_changed_file_is_sent_as_a_new_version(van: Van, state: FileState) -> None:
    van.watch()
    van.files.change(van.queue("a.jpg"), state)
    van.clock.advance(60)
    van.write("a.jpg", b"second version")
    van.scan()
    van.wait(5)
    assert [(row.state, row.size) for row in van.rows_of("a.jpg")] == [(state, 5), (S.QUEUED, 14)]


def test_a_confirmed_file_is_known_after_its_folder_was_added_again(van: Van) -> None:
    van.watch()
    van.confirm("a.jpg")
    van.folders.remove(van.folder().id)
    van.watch()
    van.scan()
    assert van.states() == {"a.jpg": S.CONFIRMED}


def test_a_file_dropped_by_hand_is_not_taken_a_second_time(van: Van) -> None:
    van.watch()
    row = van.queue("a.jpg")
    van.files.change(row, S.QUEUED, folder=None)
    van.scan()
    assert len(van.rows_of("a.jpg")) == 1


@pytest.mark.parametrize("state", [S.QUEUED, S.SENDING, S.SENT, S.RETRYING, S.PAUSED])
def test_a_file_in_the_hands_of_the_sender_is_left_to_it(van: Van, state: FileState) -> None:
    van.watch()
    row = van.queue("a.jpg")
    with van.store.transaction() as db:
        db.execute("UPDATE files SET state = ? WHERE id = ?", (state, row.id))
    before = van.row("a.jpg")
    van.clock.advance(60)
    van.write("a.jpg", b"changed meanwhile")
    van.scan()
    assert van.row("a.jpg") == before
    (van.root / "a.jpg").unlink()
    van.wait(60)
    assert van.row("a.jpg") == before


# rows that need a person


def attention(van: Van, name: str, code: Code) -> None:
    row = van.files.change(van.queue(name), S.SENDING, transfer="0" * 32, chunk_size=1024)
    van.files.acknowledge(row.id, [])
    van.files.change(row, S.ATTENTION, code=code)


def test_a_file_that_came_back_goes_on_where_it_was(van: Van) -> None:
    van.watch()
    attention(van, "a.jpg", Code.FILE_GONE)
    away = van.root.parent / "away.jpg"
    (van.root / "a.jpg").rename(away)
    van.wait(30)
    assert van.row("a.jpg").state is S.ATTENTION
    away.rename(van.root / "a.jpg")
    van.wait(30)
    row = van.row("a.jpg")
    assert (row.state, row.code, row.transfer, row.generation) == (S.QUEUED, "", "0" * 32, 1)


def test_a_changed_file_is_sent_anew_once_it_is_still(van: Van) -> None:
    van.watch()
    attention(van, "a.jpg", Code.FILE_CHANGED)
    van.write("a.jpg", b"second version")
    van.scan()
    row = van.row("a.jpg")
    assert (row.state, row.size, row.generation, row.transfer) == (S.ATTENTION, 14, 2, None)
    assert van.files.cancels() == ["0" * 32]
    van.wait(4)
    assert van.row("a.jpg").state is S.ATTENTION
    van.wait(1)
    assert (van.row("a.jpg").state, van.row("a.jpg").code) == (S.QUEUED, "")


def test_a_file_whose_bytes_changed_under_an_old_time_is_sent_anew(van: Van) -> None:
    van.watch()
    attention(van, "a.jpg", Code.FILE_CHANGED)
    van.wait(30)
    row = van.row("a.jpg")
    assert (row.state, row.generation, row.transfer) == (S.QUEUED, 2, None)


def test_a_file_that_was_too_big_is_tried_again_when_it_is_smaller(van: Van) -> None:
    van.watch()
    attention(van, "a.jpg", Code.OVER_PROFILE_LIMIT)
    van.wait(30)
    assert van.row("a.jpg").state is S.ATTENTION
    van.write("a.jpg", b"less")
    van.scan()
    assert (van.row("a.jpg").state, van.row("a.jpg").code) == (S.ATTENTION, Code.FILE_CHANGED)
    van.wait(5)
    assert van.row("a.jpg").state is S.QUEUED


def test_a_file_that_waits_for_its_receipt_is_not_sent_anew(van: Van) -> None:
    van.watch()
    attention(van, "a.jpg", Code.RECEIPT_ABSENT)
    before = van.row("a.jpg")
    van.write("a.jpg", b"second version")
    van.wait(30)
    assert van.row("a.jpg") == before


def test_a_file_that_came_back_but_is_in_use_waits(van: Van) -> None:
    van.watch()
    attention(van, "a.jpg", Code.FILE_GONE)
    van.locked["a.jpg"] = Code.FILE_IN_USE
    van.wait(30)
    assert (van.row("a.jpg").state, van.row("a.jpg").code) == (S.ATTENTION, Code.FILE_GONE)


# files and folders that go


def test_a_file_that_vanishes_before_it_was_queued_leaves_nothing(van: Van) -> None:
    van.watch()
    path = van.write("a.jpg")
    van.scan()
    file = van.row("a.jpg").id
    path.unlink()
    van.scan()
    assert van.states() == {}
    assert van.events[-1] == FileDropped(file)


def test_a_folder_that_is_not_there_says_nothing_about_its_files(van: Van) -> None:
    van.watch()
    van.write("a.jpg")
    van.scan()
    van.root.rename(van.root.with_name("unplugged"))
    for look in (van.scan, van.settle):
        outcome = look()
        assert not outcome.complete
        assert van.states() == {"a.jpg": S.SETTLING}
        assert van.folder().code is Code.FOLDER_GONE
    van.root.with_name("unplugged").rename(van.root)
    van.wait(5)
    assert van.states() == {"a.jpg": S.QUEUED}
    assert van.folder().code is None


def test_a_folder_that_may_not_be_read_says_so(van: Van, forbidden: set[Path]) -> None:
    van.watch()
    forbidden.add(van.root)
    assert not van.scan().complete
    assert (van.folder().code, van.folder().detail) == (Code.FILE_UNREADABLE, "Permission denied")


def test_files_in_a_sub_folder_that_cannot_be_read_do_not_vanish(van: Van, forbidden: set[Path]) -> None:
    van.watch()
    for name in ("open/a.jpg", "closed/b.jpg", "x1/a", "x2/a", "x3/a"):
        van.write(name)
    van.scan()
    forbidden |= {van.root / "closed"}
    assert van.scan().complete
    assert van.states()["closed/b.jpg"] is S.SETTLING
    assert van.states()["open/a.jpg"] is S.SETTLING
    assert (van.folder().code, in_english(van.folder().detail)) == (
        Code.FILE_UNREADABLE,
        "closed (Permission denied)",
    )
    forbidden |= {van.root / name for name in ("x1", "x2", "x3")}
    van.scan()
    assert in_english(van.folder().detail).endswith(" and 1 more")
    forbidden.clear()
    van.wait(5)
    assert set(van.states().values()) == {S.QUEUED}
    assert (van.folder().code, van.folder().detail) == (None, "")


def test_folders_deeper_than_any_path_that_may_travel_end_the_way_down(van: Van) -> None:
    van.watch()
    van.write("/".join(["d"] * 200) + "/a.jpg")
    van.write("/".join(["e"] * 201) + "/a.jpg")
    van.scan()
    assert len(van.states()) == 1
    assert van.folder().code is Code.FILE_UNREADABLE


def test_a_listing_that_breaks_off_in_a_sub_folder_is_told(van: Van, broken: set[Path]) -> None:
    van.watch()
    van.write("a/a.jpg")
    van.write("b/b.jpg")
    broken.add(van.root / "a")
    assert van.scan().complete
    assert van.states().keys() == {"b/b.jpg"}
    assert in_english(van.folder().detail) == "a/ (Input/output error)"


def test_a_listing_that_breaks_off_in_the_folder_itself_is_no_scan(van: Van, broken: set[Path]) -> None:
    van.watch()
    van.write("a.jpg")
    broken.add(van.root)
    assert not van.scan().complete
    assert (van.folder().code, van.folder().scanned_ns) == (Code.FOLDER_GONE, None)


def test_a_sub_folder_deleted_at_that_moment_is_no_trouble(van: Van) -> None:
    unread = UnreadableFolders()
    van.write("day/a.jpg")
    candidates = walk(str(van.root), DeletingSieve(van), unread)
    assert list(candidates) == []
    assert unread.count == 0


def test_a_listing_that_is_a_while_old_makes_no_new_version(van: Van) -> None:
    van.watch()
    row = van.confirm("a.jpg")
    listed = Candidate(row.source, "a.jpg", size=0, mtime_ns=0, changed_ns=0)  # as Windows lists an open file
    assert list(Comparison(van.folder(), van.folders, 0).compare([listed])) == []


def test_a_file_that_is_gone_when_it_is_checked_is_left_for_the_next_scan(van: Van) -> None:
    van.watch()
    listed = Candidate(str(van.root / "gone.jpg"), "gone.jpg", size=1, mtime_ns=0, changed_ns=0)
    assert list(Comparison(van.folder(), van.folders, 0).compare([listed])) == []


# together with others


def test_a_scan_is_noted_when_it_is_complete(van: Van) -> None:
    van.watch()
    van.write("a.jpg")
    van.stopping = True
    assert not van.scan().complete
    assert van.folder().scanned_ns is None
    van.stopping = False
    assert van.scan().complete
    van.stopping = True
    assert not van.settle().complete
    assert van.folder().scanned_ns == van.clock.now_ns()


def test_more_files_than_fit_in_a_batch_are_all_found(van: Van, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanning, "BATCH", 4)
    van.watch()
    for number in range(18):
        van.write(f"day {number % 3}/{number}.jpg")
    van.scan()
    van.clock.advance(5)
    assert van.scan().queued == 18
    assert set(van.states().values()) == {S.QUEUED}


def test_a_file_cancelled_in_the_middle_of_a_scan_stays_cancelled(van: Van, monkeypatch: pytest.MonkeyPatch) -> None:
    van.watch()
    van.write("a.jpg")
    van.scan()

    def probe_while_a_person_cancels(_: str) -> None:
        van.files.change(van.row("a.jpg"), S.CANCELLED)

    monkeypatch.setattr(van.scanner, "_probe", probe_while_a_person_cancels)
    van.wait(5)
    assert van.states() == {"a.jpg": S.CANCELLED}


@pytest.mark.parametrize("how", ["removed", "switched off", "other rules"])
def test_a_scan_is_void_when_its_folder_changes_under_it(van: Van, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    van.watch()
    van.write("a.jpg")
    van.scan()
    folder = van.folder()

    def probe_while_a_program_changes_it(_: str) -> None:
        match how:
            case "removed":
                van.folders.remove(folder.id)
            case "switched off":
                van.folders.enable(folder.id, enabled=False)
            case _:
                van.folders.change_rules(folder, FolderRules(after=After.MOVE))

    monkeypatch.setattr(van.scanner, "_probe", probe_while_a_program_changes_it)
    van.clock.advance(5)
    assert not van.scanner.scan(folder, 5).complete
    assert van.states() == {}


def test_the_listener_is_told_of_every_step(van: Van) -> None:
    van.watch()
    van.queue("a.jpg")
    heard = [(event.row.path, event.row.state) for event in van.events if isinstance(event, FileChanged)]
    assert heard == [("a.jpg", S.SETTLING), ("a.jpg", S.QUEUED)]
