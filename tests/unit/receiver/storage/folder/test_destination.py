# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Publishing on a real disk: final names show whole files, replace nothing unasked and follow no link."""

import errno
import hashlib
import os
import stat
import threading
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from fieldpost_receiver.config.settings import ConflictPolicy
from fieldpost_receiver.storage.errors import NameTaken, PathBlocked, StorageError
from fieldpost_receiver.storage.folder.disk import EVERY, Disk, Fault, FaultyDisk, closing
from fieldpost_receiver.storage.folder.folder_tree import Ownership
from fieldpost_receiver.storage.folder.name_index import NameIndex
from fieldpost_receiver.storage.port import Content, Place, SealedFile, Verdict, Whereabouts
from fieldpost_shared.names import Blocked
from support.receiver.destination import MTIME_NS, Shelf, open_descriptors, shelf_at, tree

KEEP_BOTH, REPLACE, REJECT = ConflictPolicy.KEEP_BOTH, ConflictPolicy.REPLACE, ConflictPolicy.REJECT
NO_RENAMEAT2 = Fault("renameat2", errno.EINVAL, EVERY)
NFC = unicodedata.normalize("NFC", "Zoë")
NFD = unicodedata.normalize("NFD", "Zoë")


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with shelf_at(tmp_path / "root") as opened:
        yield opened


def content(text: str, mtime_ns: int = MTIME_NS) -> Content:
    return Content(hashlib.sha256(text.encode()).hexdigest(), len(text.encode()), mtime_ns)


class TestPublishing:
    def test_gives_a_sealed_file_its_name(self, shelf: Shelf) -> None:
        file = shelf.sealed("hello")
        assert shelf.destination.verify([SealedFile(file, content("hello"))]) == [Verdict.SAME]
        assert shelf.publish(file, "van-7", "day 1", "a.txt") == Place(("van-7", "day 1", "a.txt"))
        assert tree(shelf.root) == {"van-7/day 1/a.txt": "hello"}
        assert shelf.area.whereabouts(file) is Whereabouts.GONE

    def test_works_at_the_root_and_with_an_empty_file(self, shelf: Shelf) -> None:
        shelf.put("", "empty")
        assert tree(shelf.root) == {"empty": ""}

    @pytest.mark.parametrize("mtime_ns", [0, 1, -1, -1_500_000_001, MTIME_NS, 4_000_000_000_999_999_999])
    def test_keeps_the_sources_time_to_the_nanosecond(self, shelf: Shelf, mtime_ns: int) -> None:
        shelf.publish(shelf.sealed("x"), "a", mtime_ns=mtime_ns)
        assert (shelf.root / "a").stat().st_mtime_ns == mtime_ns

    @pytest.mark.parametrize("mtime_ns", [-(2**63), 2**63 - 1])
    def test_takes_any_time_that_can_travel(self, shelf: Shelf, mtime_ns: int) -> None:
        shelf.publish(shelf.sealed("x"), "a", mtime_ns=mtime_ns)
        assert tree(shelf.root) == {"a": "x"}

    def test_sets_modes_and_group_whatever_the_umask(self, tmp_path: Path) -> None:
        gid = os.getgroups()[-1] if os.getgroups() else os.getgid()
        before = os.umask(0o077)
        try:
            with shelf_at(tmp_path / "root", ownership=Ownership(0o664, 0o2775, gid)) as shelf:
                shelf.put("x", "folder", "deeper", "a")
        finally:
            os.umask(before)
        for path, mode in [("folder", 0o2775), ("folder/deeper", 0o2775), ("folder/deeper/a", 0o664)]:
            found = (tmp_path / "root" / path).stat()
            assert (stat.S_IMODE(found.st_mode), found.st_gid) == (mode, gid)

    def test_the_final_name_has_time_and_mode_from_its_first_moment(self, shelf: Shelf) -> None:
        file = shelf.sealed("x")
        place = shelf.destination.choose(("a",), KEEP_BOTH)
        shelf.destination.prepare([SealedFile(file, content("x"))])
        shelf.destination.publish(file, place)
        found = (shelf.root / "a").stat()
        assert (stat.S_IMODE(found.st_mode), found.st_mtime_ns) == (0o640, MTIME_NS)

    def test_syncs_the_file_before_its_name_and_every_folder_that_is_new(self, tmp_path: Path) -> None:
        disk = FaultyDisk()
        with shelf_at(tmp_path / "root", disk) as shelf:
            place = shelf.put("x", "one", "two", "a")
            steps = [call for call in disk.calls if call in {"make_folder", "fsync", "sync_folder", "renameat2"}]
            created = ["make_folder", "sync_folder", "sync_folder"]
            assert steps == [*created, *created, "fsync", "renameat2", "sync_folder"]
            disk.calls.clear()
            shelf.destination.settle([place.segments] * 5)
            assert disk.calls.count("sync_folder") == 1

    def test_syncs_the_names_of_folders_that_a_crash_left_behind(self, tmp_path: Path) -> None:
        (tmp_path / "root/one/two").mkdir(parents=True)
        disk = FaultyDisk()
        with shelf_at(tmp_path / "root", disk) as shelf:
            shelf.put("x", "one", "two", "a")
            assert disk.calls.count("sync_folder") == 3
            shelf.put("x", "one", "two", "b")
            assert disk.calls.count("sync_folder") == 4

    def test_syncs_many_prepared_files_at_once(self, tmp_path: Path) -> None:
        disk = FaultyDisk()
        with shelf_at(tmp_path / "root", disk) as shelf:
            files = [SealedFile(shelf.sealed("x"), content("x")) for _ in range(9)]
            shelf.destination.prepare(files)
            assert (disk.calls.count("syncfs"), disk.calls.count("fsync")) == (1, 0)

    @pytest.mark.parametrize("left", ["nothing", "link", "file"])
    def test_a_folder_moved_away_before_its_sync_is_synced_wherever_it_is(self, tmp_path: Path, left: str) -> None:
        disk = FaultyDisk()
        with shelf_at(tmp_path / "root", disk) as shelf:
            place = shelf.put("x", "folder", "a")
            (shelf.root / "folder").rename(shelf.root / "done")
            if left == "link":
                (shelf.root / "folder").symlink_to("done")
            elif left == "file":
                (shelf.root / "folder").touch()
            disk.calls.clear()
            shelf.destination.settle([place.segments])
            assert "syncfs" in disk.calls
            assert "make_folder" not in disk.calls

    def test_a_folder_removed_since_the_choice_is_made_again(self, shelf: Shelf) -> None:
        place = shelf.destination.choose(("one", "two", "a"), KEEP_BOTH)
        (shelf.root / "one/two").rmdir()
        (shelf.root / "one").rmdir()
        shelf.destination.publish(shelf.sealed("x"), place)
        assert tree(shelf.root) == {"one/two/a": "x"}

    def test_a_folder_removed_again_and_again_does_not_stop_the_others(self, shelf: Shelf) -> None:
        over = threading.Event()

        def remove() -> None:
            while not over.is_set():
                with suppress(OSError):
                    (shelf.root / "f").rmdir()

        remover = threading.Thread(target=remove)
        remover.start()
        try:
            for number in range(100):
                with suppress(StorageError):  # five times in a row is possible, but it is no other error
                    shelf.put("x", "f", f"{number}")
                    (shelf.root / "f" / f"{number}").unlink()
        finally:
            over.set()
            remover.join()
        assert tree(shelf.root) == {}

    def test_a_sealed_file_that_is_missing_is_a_storage_error(self, shelf: Shelf) -> None:
        file = shelf.sealed("x")
        place = shelf.publish(file, "a")
        steps: list[Callable[[], object]] = [
            lambda: shelf.destination.publish(file, Place(("b",))),
            lambda: shelf.destination.prepare([SealedFile(file, content("x", 0))]),
            lambda: shelf.destination.verify([SealedFile(file, content("x"))]),
        ]
        for step in steps:
            with pytest.raises(StorageError) as caught:
                step()
            assert caught.value.errno == errno.ENOENT
        assert tree(shelf.root) == {place.segments[0]: "x"}

    @pytest.mark.parametrize("segments", [("..", "a"), (".fieldpost", "a"), (".FieldPost", "a"), ("a/b",), ("",)])
    def test_segments_that_no_layout_makes_are_refused_by_every_step(
        self, shelf: Shelf, segments: tuple[str, ...]
    ) -> None:
        file = shelf.sealed("x")
        for step in (
            lambda: shelf.destination.find(segments),
            lambda: shelf.destination.choose(segments, KEEP_BOTH),
            lambda: shelf.destination.publish(file, Place(segments)),
        ):
            with pytest.raises(ValueError, match=r"own folder|not the name"):
                step()


class TestConflicts:
    def test_keep_both_numbers_the_newcomers(self, shelf: Shelf) -> None:
        for number in range(12):
            place = shelf.put(str(number), "a.txt")
            assert place == Place((f"a ({number + 1}).txt",), renamed=True) or number == 0
        assert len(tree(shelf.root)) == 12

    def test_keep_both_takes_a_gap_or_a_number_at_the_end(self, shelf: Shelf) -> None:
        for number in range(9):
            shelf.put(str(number), "a")
        (shelf.root / "a (2)").unlink()
        assert shelf.put("again", "a").segments == ("a (2)",)
        assert shelf.put("once more", "a").segments == ("a (10)",)

    def test_replace_replaces_in_one_step(self, shelf: Shelf) -> None:
        shelf.put("old", "a")
        assert shelf.put("new", "a", policy=REPLACE) == Place(("a",), replaces=True)
        assert tree(shelf.root) == {"a": "new"}

    def test_reject_leaves_the_first_alone(self, shelf: Shelf) -> None:
        shelf.put("old", "a")
        with pytest.raises(NameTaken):
            shelf.put("new", "a", policy=REJECT)
        assert tree(shelf.root) == {"a": "old"}

    @pytest.mark.parametrize("policy", ConflictPolicy)
    def test_a_free_name_is_free_under_every_policy(self, shelf: Shelf, policy: ConflictPolicy) -> None:
        assert shelf.put("x", "f", "a", policy=policy) == Place(("f", "a"))

    def test_a_folder_is_never_replaced_by_a_file(self, shelf: Shelf) -> None:
        shelf.put("inside", "a", "b")
        with pytest.raises(NameTaken):
            shelf.put("x", "a", policy=REPLACE)
        with pytest.raises(NameTaken):
            shelf.destination.publish(shelf.sealed("x"), Place(("a",), replaces=True))
        assert shelf.put("beside", "a").segments == ("a (2)",)

    @pytest.mark.parametrize("faults", [[], [NO_RENAMEAT2]], ids=["renameat2", "link and unlink"])
    def test_a_name_taken_after_the_choice_is_not_replaced(self, tmp_path: Path, faults: list[Fault]) -> None:
        with shelf_at(tmp_path / "root", FaultyDisk(*faults)) as shelf:
            file = shelf.sealed("mine")
            place = shelf.destination.choose(("a",), KEEP_BOTH)
            (shelf.root / "a").write_text("a stranger's")
            with pytest.raises(NameTaken):
                shelf.destination.publish(file, place)
            assert shelf.publish(file, "a").segments == ("a (2)",)
            assert tree(shelf.root) == {"a": "a stranger's", "a (2)": "mine"}

    def test_a_crash_between_link_and_unlink_gives_no_second_copy(self, tmp_path: Path) -> None:
        crash = Fault("unlink", errno.EIO)
        with shelf_at(tmp_path / "root", FaultyDisk(NO_RENAMEAT2, crash)) as shelf:
            file = shelf.sealed("x")
            place = shelf.destination.choose(("a",), KEEP_BOTH)
            with pytest.raises(StorageError):
                shelf.destination.publish(file, place)
            assert shelf.area.whereabouts(file) is Whereabouts.SEALED
        with shelf_at(tmp_path / "root", FaultyDisk(NO_RENAMEAT2)) as again:
            again.destination.publish(file, place)
            assert again.area.whereabouts(file) is Whereabouts.GONE
            assert tree(again.root) == {"a": "x"}

    def test_many_threads_with_one_name_keep_all(self, shelf: Shelf) -> None:
        spellings = ["a.txt", "A.txt", "a.TXT", "A.TXT"] * 5
        files = [shelf.sealed(str(number)) for number in range(len(spellings))]

        def publish(number: int) -> None:
            while True:
                with suppress(NameTaken):
                    shelf.publish(files[number], "f", spellings[number])
                    return

        threads = [threading.Thread(target=publish, args=(number,)) for number in range(len(files))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        found = tree(shelf.root)
        assert sorted(found.values()) == sorted(map(str, range(20)))
        assert len({name.casefold() for name in found}) == 20


class TestTwins:
    @pytest.mark.parametrize(
        ("first", "second"), [("a.TXT", "A.txt"), (NFD, NFC), ("Straße", "STRASSE"), (NFC.upper(), NFC)]
    )
    def test_names_equal_but_for_case_and_composition_are_one(self, shelf: Shelf, first: str, second: str) -> None:
        (shelf.root / first).write_text("first")  # a stranger may use any composition
        found = shelf.destination.find((second,))
        assert found is not None
        assert found.segments == (first,)
        assert shelf.put("second", second).renamed
        with pytest.raises(NameTaken):
            shelf.put("third", second, policy=REJECT)
        assert shelf.put("fourth", second, policy=REPLACE).segments == (first,)
        assert (shelf.root / first).read_text() == "fourth"

    def test_a_folder_is_entered_under_the_spelling_that_is_there(self, shelf: Shelf) -> None:
        shelf.put("one", "Photos", "Summer", "a.jpg")
        assert shelf.put("two", "photos", "SUMMER", "A.JPG").segments == ("Photos", "Summer", "A (2).JPG")
        assert shelf.destination.find(("PHOTOS", "summer", "a.JPG")) is not None
        assert len(tree(shelf.root)) == 2

    def test_a_twin_that_came_after_the_choice_is_seen_by_the_rename(self, shelf: Shelf) -> None:
        place = shelf.destination.choose(("a",), KEEP_BOTH)
        shelf.put("first", "A")
        with pytest.raises(NameTaken):
            shelf.destination.publish(shelf.sealed("second"), place)

    def test_the_exact_name_wins_over_a_twin(self, shelf: Shelf) -> None:
        (shelf.root / "A").write_text("twin")
        (shelf.root / "a").write_text("exact")
        for name in ("a", "A"):
            found = shelf.destination.find((name,))
            assert found is not None
            assert found.segments == (name,)

    def test_a_large_folder_is_read_once_for_all_our_own_files(self, tmp_path: Path) -> None:
        disk = FaultyDisk()
        with shelf_at(tmp_path / "root", disk) as shelf:
            for number in range(50):
                shelf.put("x", "f", f"{number}.txt")
            assert disk.calls.count("list_names") <= 2  # the root and the folder

    def test_a_change_by_a_stranger_is_seen(self, shelf: Shelf) -> None:
        shelf.put("x", "f", "one")
        (shelf.root / "f/TWO").write_text("a stranger's")
        os.utime(shelf.root / "f", ns=(1, 1))  # whatever the file system's clock is made of
        assert shelf.put("x", "f", "two").segments == ("f", "two (2)")

    def test_a_remembered_twin_that_is_gone_frees_its_name(self, shelf: Shelf) -> None:
        shelf.put("x", "F", "A")
        seen = (shelf.root / "F").stat()
        (shelf.root / "F/A").unlink()
        os.utime(shelf.root / "F", ns=(seen.st_atime_ns, seen.st_mtime_ns))  # as if within one tick
        assert shelf.put("y", "f", "a").segments == ("F", "a")

    def test_names_are_remembered_for_a_bounded_number_only(self, tmp_path: Path) -> None:
        disk = FaultyDisk()
        index = NameIndex(disk, max_names=10)
        for folder in ("one", "two", "three"):
            (tmp_path / folder).mkdir()
            for number in range(6):
                (tmp_path / folder / f"{number}").touch()
        for folder in ("one", "two", "two", "one", "three", "three"):
            with closing(disk, disk.open_root(tmp_path / folder)) as opened:
                assert index.find(opened, "x") is None
                (tmp_path / folder / "new").touch()
                index.add(opened, "new")
                assert index.find(opened, "NEW") == "new"
        assert disk.calls.count("list_names") == 4


class TestSameContent:
    def existing(self, shelf: Shelf, *segments: str) -> bool:
        found = shelf.destination.find(segments)
        assert found is not None
        return shelf.destination.same_content(found, content("hello"))

    def test_is_told_by_hash(self, shelf: Shelf) -> None:
        shelf.put("hello", "f", "same")
        shelf.put("jello", "f", "other")
        shelf.put("hello!", "f", "longer")
        assert self.existing(shelf, "f", "same")
        assert self.existing(shelf, "F", "SAME")
        assert not self.existing(shelf, "f", "other")
        assert not self.existing(shelf, "f", "longer")

    def test_a_strangers_file_is_made_durable_before_a_receipt_rests_on_it(self, tmp_path: Path) -> None:
        disk = FaultyDisk()
        with shelf_at(tmp_path / "root", disk) as shelf:
            (shelf.root / "f").mkdir()
            (shelf.root / "f/same").write_text("hello")
            assert self.existing(shelf, "f", "same")
            assert [call for call in disk.calls if "sync" in call] == ["fsync", "sync_folder", "sync_folder"]

    def test_a_folder_swapped_for_a_link_since_the_look_is_different(self, shelf: Shelf) -> None:
        shelf.put("hello", "f", "a")
        found = shelf.destination.find(("f", "a"))
        assert found is not None
        (shelf.root / "f").rename(shelf.root / "g")
        (shelf.root / "f").symlink_to("g")
        assert not shelf.destination.same_content(found, content("hello"))

    def test_what_is_no_file_is_different(self, shelf: Shelf, tmp_path: Path) -> None:
        (tmp_path / "outside").write_text("hello")
        (shelf.root / "link").symlink_to(tmp_path / "outside")
        (shelf.root / "folder").mkdir()
        os.mkfifo(shelf.root / "pipe")
        for name in ("link", "folder", "pipe"):
            assert not self.existing(shelf, name)

    @pytest.mark.parametrize("made", ["gone", "link", "pipe"])
    def test_a_file_swapped_since_the_look_is_different(self, shelf: Shelf, tmp_path: Path, made: str) -> None:
        shelf.put("hello", "a")
        found = shelf.destination.find(("a",))
        assert found is not None
        (shelf.root / "a").unlink()
        (tmp_path / "outside").write_text("hello")
        if made == "link":
            (shelf.root / "a").symlink_to(tmp_path / "outside")
        elif made == "pipe":
            os.mkfifo(shelf.root / "a")
        assert not shelf.destination.same_content(found, content("hello"))

    def test_a_file_we_may_not_read_is_different_and_a_broken_disk_is_told(self, tmp_path: Path) -> None:
        faults = Fault("open_to_read", errno.EACCES, 1), Fault("open_to_read", errno.EIO, 2)
        with shelf_at(tmp_path / "root", FaultyDisk(*faults)) as shelf:
            (shelf.root / "a").write_text("hello")
            assert not self.existing(shelf, "a")
            with pytest.raises(StorageError):
                self.existing(shelf, "a")

    def test_nothing_exists_below_a_missing_folder(self, shelf: Shelf) -> None:
        assert shelf.destination.find(("no", "such", "file")) is None
        assert shelf.destination.find(("no",)) is None
        assert not (shelf.root / "no").exists()


class TestHostileDisks:
    @pytest.mark.parametrize("level", [0, 1, 2])
    @pytest.mark.parametrize("step", ["choose", "publish", "find"])
    def test_a_planted_link_is_refused_at_every_level(
        self, shelf: Shelf, tmp_path: Path, level: int, step: str
    ) -> None:
        outside = tmp_path / "outside"
        (outside / "b" / "c").mkdir(parents=True)
        folders = ("a", "b", "c")
        shelf.root.joinpath(*folders[:level]).mkdir(parents=True, exist_ok=True)
        shelf.root.joinpath(*folders[: level + 1]).symlink_to(outside)
        file = shelf.sealed("x")
        steps: dict[str, Callable[[], object]] = {
            "choose": lambda: shelf.destination.choose((*folders, "x"), REPLACE),
            "publish": lambda: shelf.destination.publish(file, Place((*folders, "x"))),
            "find": lambda: shelf.destination.find((*folders, "x")),
        }
        with pytest.raises(PathBlocked) as caught:
            steps[step]()
        assert caught.value.detail == Blocked.SYMLINK
        assert tree(outside) == {}
        assert shelf.area.whereabouts(file) is Whereabouts.SEALED

    @pytest.mark.parametrize("policy", [KEEP_BOTH, REPLACE])
    def test_a_link_under_the_final_name_is_never_followed(
        self, shelf: Shelf, tmp_path: Path, policy: ConflictPolicy
    ) -> None:
        outside = tmp_path / "outside"
        outside.write_text("untouched")
        (shelf.root / "a").symlink_to(outside)
        with suppress(NameTaken):
            shelf.put("x", "a", policy=policy)
        assert outside.read_text() == "untouched"

    @pytest.mark.parametrize("policy", [KEEP_BOTH, REPLACE])
    def test_a_hard_link_under_the_final_name_leaves_its_other_name_alone(
        self, shelf: Shelf, tmp_path: Path, policy: ConflictPolicy
    ) -> None:
        outside = tmp_path / "outside"
        outside.write_text("untouched")
        before = outside.stat()
        (shelf.root / "a").hardlink_to(outside)
        shelf.put("x", "a", policy=policy)
        assert outside.read_text() == "untouched"
        assert (outside.stat().st_mode, outside.stat().st_mtime_ns) == (before.st_mode, before.st_mtime_ns)

    def test_a_file_where_a_folder_should_be_is_told(self, shelf: Shelf) -> None:
        shelf.put("x", "a")
        for folder in ("a", "A"):
            with pytest.raises(PathBlocked) as caught:
                shelf.put("y", folder, "b")
            assert caught.value.detail == Blocked.NOT_A_FOLDER
        assert tree(shelf.root) == {"a": "x"}

    @pytest.mark.parametrize(
        ("fault", "reason"),
        [
            (Fault("make_folder", errno.ENAMETOOLONG), Blocked.NOT_STORABLE),
            (Fault("make_folder", errno.EILSEQ), Blocked.NOT_STORABLE),
            (Fault("make_folder", errno.EMLINK), Blocked.NOT_STORABLE),
            (Fault("renameat2", errno.ENAMETOOLONG), Blocked.NOT_STORABLE),
            (Fault("renameat2", errno.EXDEV), Blocked.OTHER_DISK),
        ],
    )
    def test_a_name_that_this_disk_does_not_take_stops_only_its_own_file(
        self, tmp_path: Path, fault: Fault, reason: Blocked
    ) -> None:
        with shelf_at(tmp_path / "root", FaultyDisk(fault)) as shelf:
            with pytest.raises(PathBlocked) as caught:
                shelf.put("x", "f", "a")
            assert caught.value.detail == reason
            shelf.put("y", "f", "b")
            assert tree(shelf.root) == {"f/b": "y"}

    def test_a_name_longer_than_the_disk_allows_is_blocked_for_real(self, shelf: Shelf) -> None:
        for segments in (("n" * 300,), ("n" * 300, "a")):
            with pytest.raises(PathBlocked) as caught:
                shelf.put("x", *segments)
            assert caught.value.detail == Blocked.NOT_STORABLE


class TestFailingDisks:
    OPERATIONS = sorted(name for name in vars(Disk) if not name.startswith("_"))

    def attempt(self, root: Path, disk: Disk, policy: ConflictPolicy) -> StorageError | None:
        """Publish into new folders over what is there; the error, if there was one."""
        with shelf_at(root) as sound:
            file = sound.sealed("new")
        try:
            with shelf_at(root, disk) as shelf:
                shelf.publish(file, "one", "two", "a", policy=policy)
        except StorageError as error:
            return error
        return None

    @pytest.mark.parametrize("policy", [KEEP_BOTH, REPLACE])
    @pytest.mark.parametrize("faults", [(), (NO_RENAMEAT2,)], ids=["renameat2", "link and unlink"])
    @pytest.mark.parametrize("operation", [name for name in OPERATIONS if name != "close"])
    def test_no_failure_at_any_call_leaves_half_a_file(
        self, tmp_path: Path, operation: str, faults: tuple[Fault, ...], policy: ConflictPolicy
    ) -> None:
        for call in range(1, 100):
            root = tmp_path / f"{call}"
            disk = FaultyDisk(Fault(operation, errno.EIO, call), *faults)
            error = self.attempt(root, disk, policy)
            if disk.calls.count(operation) < call:
                assert error is None
                return
            names = tree(root)
            assert error is not None
            assert error.errno == errno.EIO
            assert set(names.values()) <= {"new"}
            with shelf_at(root) as shelf:
                place = Place(("one", "two", "a"))
                for left in shelf.area.list_sealed():  # what recovery does: go on at the rename, or after it
                    shelf.destination.prepare([SealedFile(left.file, content("new"))])
                    shelf.destination.publish(left.file, place)
                shelf.destination.settle([place.segments])
                assert tree(root) == {"one/two/a": "new"}
                assert (root / "one/two/a").stat().st_mtime_ns == MTIME_NS
        pytest.fail("more calls than expected")

    @pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.ESTALE, errno.EACCES])
    @pytest.mark.parametrize("operation", ["make_folder", "fsync", "set_mode", "renameat2", "sync_folder"])
    def test_every_failure_is_named(self, tmp_path: Path, operation: str, number: int) -> None:
        error = self.attempt(tmp_path / "root", FaultyDisk(Fault(operation, number)), KEEP_BOTH)
        assert error is not None
        assert error.errno == number

    def test_no_descriptor_is_left_open(self, tmp_path: Path) -> None:
        before = open_descriptors()
        for operation in self.OPERATIONS:
            if operation not in {"close", "open_root", "open_folder"}:
                self.attempt(tmp_path / operation, FaultyDisk(Fault(operation, errno.EIO)), KEEP_BOTH)
        assert open_descriptors() == before
