# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.folder_rules import After
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.watching import clean_up as cleaning_up
from fieldpost_desktop.engine.watching.clean_up import MOST_TRIES, CleanUp, CleanUpOutcome, clean_up
from fieldpost_shared.codes import Code
from fieldpost_shared.crash_points import NoCrashPoints
from fieldpost_shared.errors import FieldpostError
from unit.desktop.engine.watching.van import Van, a_van

O = CleanUpOutcome  # noqa: E741 - reads well in a list of expectations
LUCK = Random(1)  # noqa: S311 - waiting times, nothing secret


class Crash(Exception):
    pass


class CrashAt:
    def __init__(self, point: str) -> None:
        self.point = point

    def reach(self, point: str) -> None:
        if point == self.point:
            raise Crash


@pytest.fixture
def van(tmp_path: Path) -> Iterator[Van]:
    with a_van(tmp_path) as van:
        yield van


def month(van: Van) -> str:
    return datetime.fromtimestamp(van.clock.now_ns() // 10**9, tz=UTC).astimezone().strftime("%Y-%m")


def do(van: Van, row: FileRow) -> CleanUpOutcome:
    return clean_up(row, van.folder(), may_delete=True)


def cleaning(van: Van, *, may_delete: bool = True) -> CleanUp:
    return CleanUp(van.store, van.clock, LUCK, NoCrashPoints(), lambda: may_delete)


def tree(van: Van) -> set[str]:
    return {str(path.relative_to(van.root)) for path in van.root.rglob("*") if not path.is_dir()}


@pytest.mark.parametrize("state", sorted(set(FileState) - {FileState.CONFIRMED}))
@pytest.mark.parametrize("after", After)
def test_nothing_is_moved_or_deleted_before_the_receipt(van: Van, state: FileState, after: After) -> None:
    van.watch(after=after)
    row = van.queue("a.jpg")
    with van.store.transaction() as db:
        db.execute("UPDATE files SET state = ?, clean_up = 'due' WHERE id = ?", (state, row.id))
    with pytest.raises(ValueError, match="before the receipt"):
        do(van, van.row("a.jpg"))
    cleaning(van).step()
    assert tree(van) == {"a.jpg"}


def test_a_kept_file_stays(van: Van) -> None:
    van.watch(after=After.KEEP)
    assert do(van, van.confirm("a.jpg")) is O.KEPT
    assert tree(van) == {"a.jpg"}


def test_a_moved_file_keeps_its_path_below_the_month(van: Van) -> None:
    van.watch(after=After.MOVE)
    assert do(van, van.confirm("day 1/a.jpg", b"content")) is O.MOVED
    assert (van.root / "Sent" / month(van) / "day 1" / "a.jpg").read_bytes() == b"content"
    assert tree(van) == {f"Sent/{month(van)}/day 1/a.jpg"}


def test_a_moved_file_is_not_found_and_sent_again(van: Van) -> None:
    van.watch(after=After.MOVE, move_to="Gesendet")
    do(van, van.confirm("a.jpg"))
    van.wait(60)
    assert len(van.states()) == 1


def test_a_moved_file_never_replaces_another(van: Van) -> None:
    van.watch(after=After.MOVE)
    for content in (b"1", b"22", b"333"):
        assert do(van, van.confirm("a.jpg", content)) is O.MOVED
        van.clock.advance(1)
    sent = van.root / "Sent" / month(van)
    assert [(sent / name).read_bytes() for name in ("a.jpg", "a (2).jpg", "a (3).jpg")] == [b"1", b"22", b"333"]


def test_names_that_are_all_taken_are_an_error_and_no_endless_search(van: Van, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cleaning_up, "MOST_TWINS", 3)
    van.watch(after=After.MOVE)
    for content in (b"1", b"22", b"333"):
        do(van, van.confirm("a.jpg", content))
        van.clock.advance(1)
    with pytest.raises(FieldpostError, match="there are 3 files of this name"):
        do(van, van.confirm("a.jpg", b"4444"))
    assert (van.root / "a.jpg").exists()


def test_a_file_is_deleted_only_with_the_profiles_leave(van: Van) -> None:
    van.watch(after=After.DELETE)
    row = van.confirm("a.jpg")
    assert clean_up(row, van.folder(), may_delete=False) is O.KEPT
    assert tree(van) == {"a.jpg"}
    assert clean_up(row, van.folder(), may_delete=True) is O.DELETED
    assert tree(van) == set()


@pytest.mark.parametrize("after", [After.MOVE, After.DELETE])
def test_another_version_is_left_where_it_is(van: Van, after: After) -> None:
    van.watch(after=after)
    row = van.confirm("a.jpg")
    van.clock.advance(1)
    path = van.write("a.jpg", b"other")  # the same size, another time
    assert do(van, row) is O.CHANGED
    path.write_bytes(b"the same time, another size")
    os.utime(path, ns=(row.mtime_ns, row.mtime_ns))
    assert do(van, row) is O.CHANGED
    assert tree(van) == {"a.jpg"}


@pytest.mark.parametrize("after", [After.MOVE, After.DELETE])
def test_a_file_that_is_gone_already_is_no_error(van: Van, after: After) -> None:
    van.watch(after=after)
    row = van.confirm("day/a.jpg")
    (van.root / "day/a.jpg").unlink()
    assert do(van, row) is O.GONE
    (van.root / "day").rmdir()
    assert do(van, row) is O.GONE


def test_a_folder_that_is_away_is_waited_for(van: Van) -> None:
    van.watch(after=After.MOVE)
    row = van.confirm("a.jpg")
    van.root.rename(van.root.with_name("unplugged"))
    assert do(van, row) is O.AWAY
    for _ in range(5):
        cleaning(van).step()
        van.clock.advance(60)
    assert (van.row("a.jpg").clean_up, van.row("a.jpg").clean_up_tries) == ("due", 0)
    van.root.with_name("unplugged").rename(van.root)
    cleaning(van).step()
    assert van.row("a.jpg").clean_up == "done"
    assert tree(van) == {f"Sent/{month(van)}/a.jpg"}


@pytest.mark.parametrize("after", [After.MOVE, After.DELETE])
def test_a_link_in_the_way_is_not_followed(van: Van, tmp_path: Path, after: After) -> None:
    van.watch(after=after)
    row = van.confirm("day/a.jpg")
    (van.root / "day").rename(tmp_path / "elsewhere")
    (van.root / "day").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FieldpostError, match="clean_up_failed: day is a link"):
        do(van, row)
    assert (tmp_path / "elsewhere" / "a.jpg").exists()


@pytest.mark.parametrize("where", ["Sent", "month"])
def test_nothing_is_moved_through_a_link(van: Van, tmp_path: Path, where: str) -> None:
    van.watch(after=After.MOVE)
    row = van.confirm("a.jpg")
    link = van.root / "Sent" if where == "Sent" else van.root / "Sent" / month(van)
    link.parent.mkdir(exist_ok=True)
    (tmp_path / "elsewhere").mkdir()
    link.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FieldpostError, match="is a link"):
        do(van, row)
    assert (van.root / "a.jpg").exists()
    assert not any((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize("source", ["elsewhere/a.jpg", "photos/../elsewhere/a.jpg"])
def test_nothing_outside_of_the_folder_is_touched(van: Van, tmp_path: Path, source: str) -> None:
    van.watch(after=After.DELETE)
    row = van.confirm("a.jpg")
    (tmp_path / "elsewhere").mkdir()
    (van.root / "a.jpg").rename(tmp_path / "elsewhere" / "a.jpg")
    outside = van.files.change(row, row.state, source=f"{tmp_path}/{source}")
    with pytest.raises(FieldpostError, match="does not lie in the watched folder"):
        do(van, outside)
    assert (tmp_path / "elsewhere" / "a.jpg").exists()


def test_a_clean_up_that_fails_is_tried_three_times_and_then_told(van: Van) -> None:
    van.watch(after=After.MOVE)
    van.confirm("a.jpg")
    (van.root / "Sent").write_bytes(b"a file where the folder should be")
    row = van.row("a.jpg")
    for tried in range(1, MOST_TRIES + 1):
        assert row.clean_up == "due"
        (row,) = cleaning(van).step()
        assert row.clean_up_tries == tried
        assert row.state is FileState.CONFIRMED
        assert row.code == (Code.CLEAN_UP_FAILED if tried == MOST_TRIES else "")
        assert cleaning(van).step() == []  # not before its time
        van.clock.advance(60)
    assert (row.clean_up, row.detail) == ("failed", "File exists")
    assert cleaning(van).step() == []
    assert (van.root / "a.jpg").exists()


def test_a_clean_up_that_succeeds_later_leaves_no_trace_of_the_trouble(van: Van) -> None:
    van.watch(after=After.MOVE)
    van.confirm("a.jpg")
    (van.root / "Sent").write_bytes(b"a file where the folder should be")
    cleaning(van).step()
    (van.root / "Sent").unlink()
    van.clock.advance(60)
    (row,) = cleaning(van).step()
    assert (row.clean_up, row.code, row.next_try_ns) == ("done", "", None)


def test_a_crash_after_the_move_does_not_lose_the_file_to_an_error(van: Van) -> None:
    van.watch(after=After.MOVE)
    van.confirm("a.jpg")
    crashing = CleanUp(van.store, van.clock, LUCK, CrashAt("after_move"), lambda: True)
    with pytest.raises(Crash):
        crashing.step()
    assert van.row("a.jpg").clean_up == "due"
    (row,) = cleaning(van).step()
    assert (row.clean_up, row.state, row.code) == ("done", FileState.CONFIRMED, "")
    assert tree(van) == {f"Sent/{month(van)}/a.jpg"}


def test_files_of_a_folder_that_is_not_watched_any_more_stay(van: Van) -> None:
    van.watch(after=After.DELETE)
    van.confirm("a.jpg")
    van.folders.remove(van.folder().id)
    (row,) = cleaning(van).step()
    assert row.clean_up == ""
    assert tree(van) == {"a.jpg"}


def test_many_clean_ups_are_done_in_bounded_steps(van: Van) -> None:
    van.watch(after=After.MOVE)
    for number in range(120):
        van.write(f"{number}.jpg")
    van.scan()
    van.wait(5)
    for row in van.files.in_state(FileState.QUEUED):
        van.files.change(row, FileState.CONFIRMED, ended_ns=van.clock.now_ns(), clean_up="due")
    assert [len(cleaning(van).step()) for _ in range(3)] == [100, 20, 0]
    assert all(path.startswith("Sent/") for path in tree(van))
