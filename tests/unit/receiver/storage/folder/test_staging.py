# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Staging: bytes in place, durable before a row is yielded, sealed once and for all."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fieldpost_receiver.storage.errors import NotWhole, StorageError, TooLargeForDisk
from fieldpost_receiver.storage.folder.disk import EVERY, Fault, FaultyDisk
from fieldpost_receiver.storage.folder.staging_area import StagingArea
from fieldpost_receiver.storage.folder.staging_writer import LET_GO, FolderStagingWriter
from fieldpost_receiver.storage.folder.working_folder import create_working_folders, sealed_name
from fieldpost_receiver.storage.port import StagedFile, Synced, Whereabouts
from fieldpost_shared.codes import Code
from fieldpost_shared.ids import TransferId
from support.receiver.destination import FINGERPRINT, open_descriptors, transfer_id

ONE, TWO = transfer_id(1), transfer_id(2)
OTHER_FINGERPRINT = "0123456789abcdef"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    create_working_folders(tmp_path)
    return tmp_path


@pytest.fixture
def area(root: Path) -> Iterator[StagingArea]:
    opened = StagingArea(root)
    yield opened
    opened.close()


def staged(root: Path) -> Path:
    return root / ".fieldpost/staging"


def sealed(root: Path) -> Path:
    return root / ".fieldpost/sealed"


def part(root: Path, transfer: TransferId = ONE, fingerprint: str = FINGERPRINT) -> Path:
    return staged(root) / f"{transfer}-{fingerprint}.part"


def write(root: Path, data: bytes, transfer: TransferId = ONE, fingerprint: str = FINGERPRINT) -> None:
    with FolderStagingWriter(root) as writer:
        writer.write(transfer, fingerprint, 0, data)
        writer.sync()


class TestTheWorkingFolder:
    def test_is_the_receivers_alone(self, root: Path) -> None:
        for folder in (staged(root).parent, staged(root), sealed(root)):
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700

    def test_can_be_created_again(self, root: Path) -> None:
        write(root, b"kept")
        create_working_folders(root)
        assert part(root).read_bytes() == b"kept"

    def test_is_not_created_by_a_task_since_the_destination_may_not_be_mounted(self, tmp_path: Path) -> None:
        with pytest.raises(StorageError) as caught:
            FolderStagingWriter(tmp_path)
        assert caught.value.errno == errno.ENOENT
        assert list(tmp_path.iterdir()) == []

    def test_is_refused_when_it_is_a_link(self, tmp_path: Path) -> None:
        outside, root = tmp_path / "outside", tmp_path / "root"
        outside.mkdir()
        root.mkdir()
        (root / ".fieldpost").symlink_to(outside)
        with pytest.raises(StorageError):
            create_working_folders(root)
        assert list(outside.iterdir()) == []

    @pytest.mark.parametrize(
        ("transfer", "fingerprint"),
        [("../../etc/passwd", FINGERPRINT), (ONE.upper()[:-1] + "A", FINGERPRINT), (ONE, "../x"), (ONE, ""), ("", "")],
    )
    def test_takes_names_from_checked_ids_only(self, root: Path, transfer: str, fingerprint: str) -> None:
        with FolderStagingWriter(root) as writer, pytest.raises(ValueError, match="id"):
            writer.write(TransferId(transfer), fingerprint, 0, b"x")
        assert list(staged(root).iterdir()) == []


class TestWriting:
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
    @given(data=st.data(), content=st.binary(max_size=300), size=st.integers(1, 40))
    def test_any_order_and_repetition_gives_the_file(
        self, root: Path, data: st.DataObject, content: bytes, size: int
    ) -> None:
        offsets = list(range(0, len(content), size))
        again = data.draw(st.lists(st.sampled_from(offsets))) if offsets else []
        part(root).unlink(missing_ok=True)
        with FolderStagingWriter(root) as writer:
            for offset in data.draw(st.permutations(offsets + again)):
                writer.write(ONE, FINGERPRINT, offset, content[offset : offset + size])
            writer.sync()
        assert (part(root).read_bytes() if offsets else b"") == content

    def test_contradicting_facts_never_share_a_file(self, root: Path) -> None:
        with FolderStagingWriter(root) as writer:
            writer.write(ONE, FINGERPRINT, 0, b"true")
            writer.write(ONE, OTHER_FINGERPRINT, 0, b"false")
            writer.write(ONE, FINGERPRINT, 4, b" too")
            writer.sync()
        assert part(root).read_bytes() == b"true too"
        assert part(root, ONE, OTHER_FINGERPRINT).read_bytes() == b"false"

    def test_a_header_that_claims_terabytes_costs_nothing(self, root: Path, area: StagingArea) -> None:
        with FolderStagingWriter(root) as writer:
            writer.write(ONE, FINGERPRINT, 2**40, b"the end")
            writer.sync()
        (found,) = area.list_staged()
        assert found.size == 2**40 + 7
        assert found.allocated < 2**20

    def test_an_offset_that_no_file_can_have_spares_the_other_files(self, root: Path) -> None:
        disk = FaultyDisk(Fault("pwrite", errno.EFBIG))
        with FolderStagingWriter(root, disk) as writer:
            with pytest.raises(TooLargeForDisk):
                writer.write(ONE, FINGERPRINT, 2**62, b"far")
            writer.write(TWO, FINGERPRINT, 0, b"near")
            writer.sync()
        assert part(root, TWO).read_bytes() == b"near"

    @pytest.mark.parametrize("offset", [2**63 - 2, 2**63 - 1, 2**63])
    def test_an_offset_past_every_file_system_is_no_fault_of_the_disk(self, root: Path, offset: int) -> None:
        with FolderStagingWriter(root) as writer, pytest.raises(TooLargeForDisk):
            writer.write(ONE, FINGERPRINT, offset, b"xx")

    def test_an_empty_file_is_created(self, root: Path) -> None:
        write(root, b"")
        assert part(root).read_bytes() == b""

    def test_bytes_in_any_buffer_are_written(self, root: Path) -> None:
        with FolderStagingWriter(root) as writer:
            writer.write(ONE, FINGERPRINT, 0, bytearray(b"ab"))
            writer.write(ONE, FINGERPRINT, 2, memoryview(b"xcdx")[1:3])
            writer.sync()
        assert part(root).read_bytes() == b"abcd"

    def test_few_files_are_open_at_a_time_and_all_are_written(self, root: Path) -> None:
        before = open_descriptors()
        with FolderStagingWriter(root, max_open=3) as writer:
            for offset in range(2):
                for number in range(20):
                    writer.write(transfer_id(number), FINGERPRINT, offset, b"ab"[offset : offset + 1])
                    assert open_descriptors() - before <= 5  # three files, the folder and the lock
            writer.sync()
        assert open_descriptors() == before
        assert [path.read_bytes() for path in staged(root).iterdir()] == [b"ab"] * 20

    def test_the_file_written_last_stays_open(self, root: Path) -> None:
        disk = FaultyDisk()
        with FolderStagingWriter(root, disk, max_open=2) as writer:
            for number in (1, 2, 1, 3, 1, 4, 1):
                writer.write(transfer_id(number), FINGERPRINT, 0, b"x")
        assert disk.calls.count("open_to_write") == 1 + 4  # the lock first

    @pytest.mark.parametrize("planted", ["link", "hard link", "pipe"])
    def test_a_planted_link_makes_way_and_its_target_stays_unchanged(self, root: Path, planted: str) -> None:
        target = root / "target"
        target.write_text("untouched")
        match planted:
            case "link":
                part(root).symlink_to(target)
            case "hard link":
                part(root).hardlink_to(target)
            case _:
                os.mkfifo(part(root))
        write(root, b"mine")
        assert target.read_text() == "untouched"
        assert part(root).read_bytes() == b"mine"
        assert not part(root).is_symlink()


class TestSyncing:
    def written(self, root: Path, disk: FaultyDisk, files: int) -> list[str]:
        with FolderStagingWriter(root, disk) as writer:
            for number in range(files):
                writer.write(transfer_id(number), FINGERPRINT, 0, b"12345")
                writer.write(transfer_id(number), FINGERPRINT, 5, b"67890")
            assert writer.sync() == Synced(files, files * 10)
            assert writer.sync() == Synced()
        return [call for call in disk.calls if "sync" in call]

    def test_syncs_a_few_files_one_by_one_and_then_their_names(self, root: Path) -> None:
        assert self.written(root, FaultyDisk(), 8) == ["fdatasync"] * 8 + ["sync_folder"]

    def test_syncs_many_files_at_once(self, root: Path) -> None:
        assert self.written(root, FaultyDisk(), 9) == ["syncfs"]

    def test_syncs_the_name_of_a_file_that_another_task_created(self, root: Path) -> None:
        part(root).write_bytes(b"")
        assert self.written(root, FaultyDisk(), 2) == ["fdatasync", "fdatasync", "sync_folder"]

    def test_syncs_a_known_name_once(self, root: Path) -> None:
        disk = FaultyDisk()
        with FolderStagingWriter(root, disk) as writer:
            for _ in range(3):
                writer.write(ONE, FINGERPRINT, 0, b"x")
                writer.sync()
        assert disk.calls.count("fdatasync") == 3
        assert disk.calls.count("sync_folder") == 1

    def test_lets_go_of_what_it_wrote_long_before_the_sync(self, root: Path) -> None:
        disk, block = FaultyDisk(), bytes(LET_GO // 4)
        with FolderStagingWriter(root, disk) as writer:
            for _ in range(2):
                for number in range(10):
                    writer.write(ONE, FINGERPRINT, number * len(block), block)
                writer.sync()
        calls = [call for call in disk.calls if call in {"pwrite", "let_go", "fdatasync"}]
        one_sync = ["pwrite"] * 4 + ["let_go"] + ["pwrite"] * 4 + ["let_go"] + ["pwrite"] * 2 + ["fdatasync"]
        assert calls == one_sync * 2
        assert part(root).read_bytes() == bytes(10 * len(block))

    @pytest.mark.parametrize("operation", ["fdatasync", "sync_folder", "syncfs"])
    def test_a_writer_whose_sync_failed_never_succeeds_later(self, root: Path, operation: str) -> None:
        disk = FaultyDisk(Fault(operation, errno.EIO))
        with FolderStagingWriter(root, disk) as writer:
            for number in range(9 if operation == "syncfs" else 1):
                writer.write(transfer_id(number), FINGERPRINT, 0, b"x")
            with pytest.raises(StorageError) as caught:
                writer.sync()
            assert caught.value.code is Code.STORAGE_FAILED
            with pytest.raises(ValueError, match="sync failed"):
                writer.sync()
            with pytest.raises(ValueError, match="sync failed"):
                writer.write(ONE, FINGERPRINT, 0, b"x")

    @pytest.mark.parametrize("operation", ["open_root", "open_folder", "open_to_write", "fstat", "pwrite", "close"])
    @pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS, errno.ESTALE, errno.EACCES])
    def test_every_failure_is_named(self, root: Path, operation: str, number: int) -> None:
        def task() -> None:
            with FolderStagingWriter(root, disk, max_open=1) as writer:
                for transfer in (ONE, TWO):
                    writer.write(transfer, FINGERPRINT, 0, b"x")
                writer.sync()

        disk = FaultyDisk(Fault(operation, number))
        with pytest.raises(StorageError) as caught:
            task()
        assert caught.value.errno == number

    def test_a_full_disk_is_told_and_the_same_bytes_can_be_written_again(self, root: Path) -> None:
        with FolderStagingWriter(root, FaultyDisk(Fault("pwrite", errno.ENOSPC))) as writer:
            with pytest.raises(StorageError) as caught:
                writer.write(ONE, FINGERPRINT, 0, b"123456")
            assert caught.value.waits_for_space
        write(root, b"123456")
        assert part(root).read_bytes() == b"123456"


class TestSealing:
    def test_takes_the_file_out_of_the_tasks_reach(self, root: Path, area: StagingArea) -> None:
        write(root, b"whole")
        file = area.seal(ONE, FINGERPRINT, 5)
        area.sync()
        assert file == StagedFile(ONE, FINGERPRINT)
        assert (sealed(root) / sealed_name(file)).read_bytes() == b"whole"
        assert list(staged(root).iterdir()) == []

    def test_sealing_again_changes_nothing(self, root: Path, area: StagingArea) -> None:
        write(root, b"whole")
        first = area.seal(ONE, FINGERPRINT, 5)
        assert area.seal(ONE, FINGERPRINT, 5) == first
        assert (sealed(root) / sealed_name(first)).read_bytes() == b"whole"

    def test_what_a_replayed_batch_began_anew_is_dropped(self, root: Path, area: StagingArea) -> None:
        write(root, b"whole")
        file = area.seal(ONE, FINGERPRINT, 5)
        write(root, b"wh")
        area.seal(ONE, FINGERPRINT, 5)
        assert (sealed(root) / sealed_name(file)).read_bytes() == b"whole"
        assert list(staged(root).iterdir()) == []

    @pytest.mark.parametrize("content", [b"", b"whol", b"whole!"])
    def test_a_file_of_another_size_is_not_sealed(self, root: Path, area: StagingArea, content: bytes) -> None:
        write(root, content)
        with pytest.raises(NotWhole) as caught:
            area.seal(ONE, FINGERPRINT, 5)
        assert (caught.value.expected, caught.value.found) == (5, len(content))
        assert part(root).read_bytes() == content
        assert list(sealed(root).iterdir()) == []

    def test_a_file_that_vanished_is_not_sealed(self, area: StagingArea) -> None:
        with pytest.raises(NotWhole) as caught:
            area.seal(ONE, FINGERPRINT, 5)
        assert caught.value.found is None

    @pytest.mark.parametrize("was_staged", [True, False])
    def test_an_empty_file_needs_no_chunk(self, root: Path, area: StagingArea, was_staged: bool) -> None:
        if was_staged:
            write(root, b"")
        file = area.seal(ONE, FINGERPRINT, 0)
        assert (sealed(root) / sealed_name(file)).read_bytes() == b""
        assert area.seal(ONE, FINGERPRINT, 0) == file

    @pytest.mark.parametrize("operation", ["stat", "renameat2", "unlink"])
    @pytest.mark.parametrize("call", [1, 2, 3])
    def test_can_be_repeated_after_any_failure(self, root: Path, area: StagingArea, operation: str, call: int) -> None:
        write(root, b"whole")
        no_renameat2 = [Fault("renameat2", errno.EINVAL, EVERY)] if operation == "unlink" else []
        faulty = StagingArea(root, FaultyDisk(Fault(operation, errno.EIO, call), *no_renameat2))
        for _ in range(2):
            with suppress(StorageError):
                faulty.seal(ONE, FINGERPRINT, 5)
        faulty.close()
        area.seal(ONE, FINGERPRINT, 5)
        assert [path.read_bytes() for path in sealed(root).iterdir()] == [b"whole"]
        assert list(staged(root).iterdir()) == []

    def test_its_sync_covers_both_folders(self, root: Path) -> None:
        disk = FaultyDisk()
        opened = StagingArea(root, disk)
        opened.sync()
        opened.close()
        assert disk.calls.count("sync_folder") == 2


class TestDiscardingAndListing:
    def test_discards_one_version_or_all_of_a_transfer(self, root: Path, area: StagingArea) -> None:
        for transfer in (ONE, TWO):
            for fingerprint in (FINGERPRINT, OTHER_FINGERPRINT):
                write(root, b"x", transfer, fingerprint)
        area.discard(ONE, FINGERPRINT)
        assert {found.file for found in area.list_staged() if found.file.transfer == ONE} == {
            StagedFile(ONE, OTHER_FINGERPRINT)
        }
        area.discard(TWO)
        area.discard(TWO)
        assert [found.file for found in area.list_staged()] == [StagedFile(ONE, OTHER_FINGERPRINT)]

    def test_a_late_message_never_takes_a_sealed_file_with_it(self, root: Path, area: StagingArea) -> None:
        write(root, b"whole")
        file = area.seal(ONE, FINGERPRINT, 5)
        area.discard(ONE)
        area.discard(ONE, FINGERPRINT)
        assert area.whereabouts(file) is Whereabouts.SEALED
        area.discard_sealed(file)
        area.discard_sealed(file)
        assert area.whereabouts(file) is Whereabouts.GONE

    def test_knows_where_a_file_is(self, root: Path, area: StagingArea) -> None:
        file = StagedFile(ONE, FINGERPRINT)
        assert area.whereabouts(file) is Whereabouts.GONE
        write(root, b"whole")
        assert area.whereabouts(file) is Whereabouts.STAGED
        area.seal(ONE, FINGERPRINT, 5)
        assert area.whereabouts(file) is Whereabouts.SEALED

    def test_lists_sizes_and_passes_over_what_is_not_ours(self, root: Path, area: StagingArea) -> None:
        write(root, b"12345")
        write(root, b"123", TWO)
        area.seal(TWO, FINGERPRINT, 3)
        (staged(root) / "lost+found").mkdir()
        (staged(root) / f"{ONE}-{FINGERPRINT}").write_text("no .part")
        assert [(found.file.transfer, found.size) for found in area.list_staged()] == [(ONE, 5)]
        assert [(found.file.transfer, found.size) for found in area.list_sealed()] == [(TWO, 3)]

    def test_tells_the_free_space(self, area: StagingArea) -> None:
        assert area.free_bytes() > 0
