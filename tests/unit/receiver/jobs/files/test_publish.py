# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Publishing on a real disk: from sealed files to final names and receipts."""

import errno
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import wait
from contextlib import closing, contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from fieldpost_receiver.jobs.files.ledger.states import TransferState
from fieldpost_receiver.jobs.files.ledger.transfers import Transfer
from fieldpost_receiver.jobs.files.publish import Publisher
from fieldpost_receiver.jobs.files.publish_pool import PublisherPool
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_receiver.storage.folder.disk import Disk
from fieldpost_receiver.storage.port import Existing, Segments
from fieldpost_shared.codes import Code
from fieldpost_shared.crash_points import NoCrashPoints
from fieldpost_shared.protocol import limits
from fieldpost_shared.protocol.status import Missing, MissingReason, Received, Rejected
from support.receiver.rig import CHUNK, CLIENT, MTIME_NS, Rig, Sent, noise, pack, rig_at, sha256

S = TransferState
A = Sent(1, "a.txt", noise(1_000))
OTHER_A = Sent(2, "a.txt", noise(2_000))
SAME_A = Sent(3, "a.txt", A.content)


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    with rig_at(tmp_path / "rig", monkeypatch) as rig:
        yield rig


@contextmanager
def with_policy(folder: Path, monkeypatch: pytest.MonkeyPatch, policy: str) -> Iterator[Rig]:
    with rig_at(folder / "rig", monkeypatch, on_conflict=policy) as rig:
        yield rig


def receipt(file: Sent, *, renamed: bool = False, duplicate: bool = False) -> Received:
    return Received(file.id, len(file.content), sha256(file.content), renamed=renamed, duplicate=duplicate)


def sealed(rig: Rig, *files: Sent) -> list[Transfer]:
    """Files that wait for the publisher."""
    rig.topic.send(*(pack(file) for file in files))
    rig.batch()
    return rig.job.transfers.in_state(S.SEALED)


def publisher(rig: Rig) -> Publisher:
    return rig.job.publishers._publisher


def never() -> bool:
    return False


def test_a_file_keeps_its_bytes_its_time_and_gets_its_mode(rig: Rig) -> None:
    assert receipt(A) in rig.take(pack(A))
    seen = (rig.destination / "van-7/a.txt").stat()
    assert (seen.st_mtime_ns, seen.st_mode & 0o777) == (MTIME_NS, 0o640)
    assert rig.tree() == {"van-7/a.txt": A.content}
    assert rig.leftovers() == []


@pytest.mark.parametrize("mtime", [limits.MIN_MTIME, -1, 0, limits.MAX_MTIME])
def test_no_time_that_a_sender_claims_stops_the_publisher(rig: Rig, mtime: int) -> None:
    (waiting,) = sealed(rig, A)
    rig.job.store.connection.execute("UPDATE transfers SET mtime_ns = ?", (mtime,))
    rig.publish()
    assert rig.tree() == {"van-7/a.txt": A.content}
    assert waiting.state is S.SEALED


def test_both_of_two_different_files_are_kept(rig: Rig) -> None:
    rig.take(pack(A))
    assert receipt(OTHER_A, renamed=True) in rig.take(pack(OTHER_A))
    assert rig.tree() == {"van-7/a.txt": A.content, "van-7/a (2).txt": OTHER_A.content}


def test_the_same_file_again_is_a_duplicate_and_no_second_copy(rig: Rig) -> None:
    rig.take(pack(A))
    assert receipt(SAME_A, duplicate=True) in rig.take(pack(SAME_A))
    assert rig.tree() == {"van-7/a.txt": A.content}
    assert rig.leftovers() == []


def test_a_file_that_is_kept_beside_another_and_comes_again_makes_no_further_copy(rig: Rig) -> None:
    third = Sent(40, A.path, noise(len(OTHER_A.content) + 1)[1:])
    rig.take(pack(A), pack(OTHER_A), pack(third))
    both = {"van-7/a.txt": A.content, "van-7/a (2).txt": OTHER_A.content, "van-7/a (3).txt": third.content}
    for number, content in enumerate([OTHER_A.content, third.content]):
        again = Sent(50 + number, A.path, content)
        assert receipt(again, renamed=True, duplicate=True) in rig.take(pack(again))
    assert rig.tree() == both
    assert rig.leftovers() == []


def test_a_rebuilt_ledger_knows_again_what_was_kept_beside_another(rig: Rig) -> None:
    """Nothing tells it but the disk."""
    rig.take(pack(A), pack(OTHER_A))
    rig.job.store.connection.execute("DELETE FROM transfers")
    said = rig.take(pack(A), pack(OTHER_A))
    assert {event for event in said if isinstance(event, Received)} == {
        receipt(A, duplicate=True),
        receipt(OTHER_A, renamed=True, duplicate=True),
    }
    assert rig.tree() == {"van-7/a.txt": A.content, "van-7/a (2).txt": OTHER_A.content}


def test_a_newer_file_replaces_the_older_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with with_policy(tmp_path, monkeypatch, "replace") as rig:
        rig.take(pack(A))
        assert receipt(OTHER_A) in rig.take(pack(OTHER_A))
        assert rig.tree() == {"van-7/a.txt": OTHER_A.content}


def test_a_second_file_of_a_name_is_rejected_and_its_bytes_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with with_policy(tmp_path, monkeypatch, "reject") as rig:
        rig.take(pack(A))
        said = [event for event in rig.take(pack(OTHER_A)) if isinstance(event, Rejected)]
        assert [(event.transfer, event.code) for event in said] == [(OTHER_A.id, Code.NAME_TAKEN)]
        assert [event.code for event in rig.take(OTHER_A.end()) if isinstance(event, Rejected)] == [Code.NAME_TAKEN]
        assert rig.tree() == {"van-7/a.txt": A.content}
        assert rig.leftovers() == []


def test_names_that_differ_only_in_case_are_one_name(rig: Rig) -> None:
    rig.take(pack(A))
    rig.take(pack(Sent(5, "A.TXT", noise(7)), Sent(6, "A.TXT", A.content)))
    assert rig.tree() == {"van-7/a.txt": A.content, "van-7/A (2).TXT": noise(7)}


def test_two_of_one_name_in_one_group_get_two_names(rig: Rig) -> None:
    said = rig.take(pack(A, OTHER_A))
    assert {event for event in said if isinstance(event, Received)} == {receipt(A), receipt(OTHER_A, renamed=True)}
    assert rig.tree() == {"van-7/a.txt": A.content, "van-7/a (2).txt": OTHER_A.content}


def test_the_same_file_twice_in_one_group_is_one_file_and_two_receipts(rig: Rig) -> None:
    said = [event for event in rig.take(pack(A, SAME_A)) if isinstance(event, Received)]
    assert sorted(event.duplicate for event in said) == [False, True]
    assert rig.tree() == {"van-7/a.txt": A.content}
    assert rig.leftovers() == []


def test_one_of_two_files_of_one_name_in_a_group_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with with_policy(tmp_path, monkeypatch, "reject") as rig:
        said = rig.take(pack(A, OTHER_A))
        assert [event.transfer for event in said if isinstance(event, Received)] == [A.id]
        assert [event.code for event in said if isinstance(event, Rejected)] == [Code.NAME_TAKEN]
        assert rig.tree() == {"van-7/a.txt": A.content}
        assert rig.leftovers() == []


@pytest.mark.parametrize("newest", [b"shorter", noise(9_000)])
def test_the_newest_of_two_files_of_one_name_in_a_group_replaces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, newest: bytes
) -> None:
    with with_policy(tmp_path, monkeypatch, "replace") as rig:
        rig.judge_receipts = False  # the first was there for a moment
        said = rig.take(pack(A, Sent(5, "a.txt", newest)))
        assert len([event for event in said if isinstance(event, Received)]) == 2
        assert rig.tree() == {"van-7/a.txt": newest}
        assert rig.leftovers() == []


def test_a_wrong_hash_rejects_the_file_and_its_bytes_go(rig: Rig) -> None:
    file = Sent(1, "a.bin", noise(2 * CHUNK))
    said = rig.take(file.chunks(), file.end(digest="00" * 32))
    assert [event.code for event in said if isinstance(event, Rejected)] == [Code.HASH_MISMATCH]
    assert (rig.tree(), rig.leftovers()) == ({}, [])


def test_bytes_that_rot_on_the_disk_are_never_published(rig: Rig) -> None:
    sealed(rig, A)
    (path,) = (rig.destination / ".fieldpost/sealed").iterdir()
    path.write_bytes(bytes(len(A.content)))
    rig.settle()
    assert [event.code for event in rig.said if isinstance(event, Rejected)] == [Code.HASH_MISMATCH]
    assert (rig.tree(), rig.leftovers()) == ({}, [])


def test_a_planted_link_is_not_followed_and_rejects_the_name(rig: Rig, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (rig.destination / CLIENT).symlink_to(outside)
    said = rig.take(pack(A))
    (rejected,) = [event for event in said if isinstance(event, Rejected)]
    assert rejected.code == Code.NAME_REFUSED
    assert list(outside.iterdir()) == []
    assert rig.leftovers() == []
    again = [event for event in rig.take(A.end()) if isinstance(event, Rejected)]
    assert again == [rejected]  # in the same words


def test_a_link_planted_between_choice_and_rename_is_not_followed(rig: Rig, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()

    class Planting:
        def reach(self, point: str) -> None:
            if point == "after_intent":
                (rig.destination / CLIENT).rename(tmp_path / "moved")
                (rig.destination / CLIENT).symlink_to(outside)

    rig.crash = Planting()
    rig.reopen()
    said = rig.take(pack(A))
    assert [event.code for event in said if isinstance(event, Rejected)] == [Code.NAME_REFUSED]
    assert list(outside.iterdir()) == []
    assert rig.leftovers() == []


def test_a_stop_while_reading_back_leaves_everything_for_the_next_start(rig: Rig) -> None:
    waiting = sealed(rig, A, OTHER_A)
    publisher(rig).publish(waiting, lambda: True)
    assert rig.tree() == {}
    assert rig.job.transfers.counts() == {S.SEALED: 2}
    rig.reopen()
    rig.settle()
    assert len(rig.tree()) == 2


def test_a_stop_while_comparing_makes_no_second_copy(rig: Rig) -> None:
    """What was not compared to its end looks different, and would get a number."""
    rig.take(pack(A))
    waiting = sealed(rig, SAME_A)
    stopping = False

    def stop_at_the_comparison(*_: object) -> None:
        nonlocal stopping
        stopping = True

    with patch.object(rig.job.published, "prepare", stop_at_the_comparison):
        publisher(rig).publish(waiting, lambda: stopping)
    rig.settle()
    assert receipt(SAME_A, duplicate=True) in rig.said
    assert rig.tree() == {"van-7/a.txt": A.content}


@pytest.mark.parametrize(
    "step", ["verify", "_fetch", "_verify", "prepare", "_set_attributes", "_sync_sealed", "choose"]
)
def test_a_cancel_while_a_file_is_being_published_stops_no_other_file(rig: Rig, step: str) -> None:
    waiting = sealed(rig, A, OTHER_A)
    original = getattr(rig.job.published, step)
    cancelled = False

    def cancel_first(*arguments: object, **named: object) -> object:
        nonlocal cancelled
        if not cancelled:
            cancelled = True
            rig.topic.send(A.cancel())
            rig.batch()
        return original(*arguments, **named)

    with patch.object(rig.job.published, step, cancel_first):
        publisher(rig).publish(waiting, never)
    rig.settle()
    assert rig.tree() == {"van-7/a.txt": OTHER_A.content}
    assert [event.transfer for event in rig.said if isinstance(event, Received)] == [OTHER_A.id]
    assert [event.code for event in rig.said if isinstance(event, Rejected)] == [Code.CANCELLED]
    assert rig.leftovers() == []


def test_a_cancelled_file_with_a_wrong_hash_stays_cancelled(rig: Rig) -> None:
    file = Sent(1, "a.bin", noise(100))
    rig.topic.send(file.chunks(), file.end(digest="00" * 32))
    rig.batch()
    waiting = rig.job.transfers.in_state(S.SEALED)
    original = rig.job.published.verify

    def cancel_after(*arguments: object, **named: object) -> object:
        found = original(*arguments, **named)  # type: ignore[arg-type]  # passed on
        rig.topic.send(file.cancel())
        rig.batch()
        return found

    with patch.object(rig.job.published, "verify", cancel_after):
        publisher(rig).publish(waiting, never)
    rig.settle()
    assert [event.code for event in rig.said if isinstance(event, Rejected)] == [Code.CANCELLED]
    assert rig.job.transfers.counts() == {S.CANCELLED: 1}


def test_a_sealed_file_that_is_gone_is_asked_for_again(rig: Rig) -> None:
    """A ledger put back from its copy knows files as sealed that were published since."""
    sealed(rig, A, OTHER_A)
    (rig.destination / f".fieldpost/sealed/{A.id}-{rig.job.transfers.in_state(S.SEALED)[0].fingerprint}").unlink()
    rig.settle()
    missing = [event for event in rig.said if isinstance(event, Missing)]
    assert missing == [Missing(A.id, ((0, 0),), 1, MissingReason.NEVER_ARRIVED)]
    assert rig.tree() == {"van-7/a.txt": OTHER_A.content}
    assert receipt(A, renamed=True) in rig.take(A.chunks(), A.end(1))


def test_a_broken_disk_is_reported_and_loses_nothing(rig: Rig) -> None:
    waiting = sealed(rig, A)

    def broken(*_: object) -> None:
        raise OSError(errno.EIO, "I/O error")

    with patch.object(Disk, "renameat2", broken), pytest.raises(StorageError):
        publisher(rig).publish(waiting, never)
    rig.settle()
    assert rig.tree() == {"van-7/a.txt": A.content}


def test_a_name_taken_in_the_last_moment_gets_a_number(rig: Rig) -> None:
    class Faster:
        def reach(self, point: str) -> None:
            if point == "after_intent":
                (rig.destination / "van-7/a.txt").write_bytes(b"the office's own")

    rig.crash = Faster()
    rig.reopen()
    assert receipt(A, renamed=True) in rig.take(pack(A))
    assert rig.tree() == {"van-7/a.txt": b"the office's own", "van-7/a (2).txt": A.content}


def test_a_name_freed_after_the_choice_keeps_the_name_that_was_chosen(rig: Rig) -> None:
    rig.take(pack(A))
    waiting = sealed(rig, OTHER_A)
    original = rig.job.published.find

    def office_moves_it(name: Segments) -> Existing | None:
        (rig.destination / "van-7" / "a.txt").unlink(missing_ok=True)
        return original(name)

    with patch.object(rig.job.published, "find", office_moves_it):
        publisher(rig).publish(waiting, never)
    rig.settle()
    assert rig.tree() == {"van-7/a (2).txt": OTHER_A.content}
    assert receipt(OTHER_A, renamed=True) in rig.said


def test_a_published_file_that_the_office_moved_at_once_is_not_published_again(rig: Rig) -> None:
    """The program dies between rename and ledger, and the office is fast."""

    class Dies:
        def reach(self, point: str) -> None:
            if point == "after_rename":
                raise KeyboardInterrupt

    rig.crash = Dies()
    rig.reopen()
    sealed(rig, A)
    with pytest.raises(KeyboardInterrupt):
        rig.publish()
    (rig.destination / "van-7/a.txt").unlink()
    rig.crash = NoCrashPoints()
    rig.judge_receipts = False  # it was true when it was renamed
    rig.reopen()
    rig.settle()
    assert receipt(A) in rig.said
    assert rig.tree() == {}


@pytest.mark.parametrize("late", [b"", noise(1_000)[:10], bytes(1_000)])
def test_late_bytes_beside_an_intent_are_never_published(rig: Rig, late: bytes) -> None:
    """A file was renamed before a crash; a task that was given up wrote some of its chunks once more."""
    (waiting,) = sealed(rig, A)
    intent = '{"parts": ["van-7", "a.txt"], "renamed": false, "replaces": false}'
    rig.job.transfers.change(waiting, S.INTENT, intent=intent)
    (path,) = (rig.destination / ".fieldpost/sealed").iterdir()
    (rig.destination / "van-7").mkdir()
    path.rename(rig.destination / "van-7/a.txt")
    (rig.destination / f".fieldpost/staging/{path.name}.part").write_bytes(late)
    rig.settle()
    assert receipt(A) in rig.said
    assert rig.tree() == {"van-7/a.txt": A.content}
    assert rig.leftovers() == []


def test_a_seal_that_a_power_cut_undid_is_done_again(rig: Rig) -> None:
    (waiting,) = sealed(rig, A)
    intent = '{"parts": ["van-7", "a.txt"], "renamed": false, "replaces": false}'
    rig.job.transfers.change(waiting, S.INTENT, intent=intent)
    (path,) = (rig.destination / ".fieldpost/sealed").iterdir()
    path.rename(rig.destination / f".fieldpost/staging/{path.name}.part")
    rig.settle()
    assert receipt(A) in rig.said
    assert rig.tree() == {"van-7/a.txt": A.content}


def test_a_destination_that_is_not_mounted_confirms_nothing(rig: Rig) -> None:
    """Its empty folder would look as if every sealed file had been renamed."""
    (waiting,) = sealed(rig, A)
    rig.job.transfers.change(waiting, S.INTENT, intent='{"parts": ["a"], "renamed": false, "replaces": false}')
    mounted = rig.destination.rename(rig.folder / "mounted")
    rig.destination.mkdir()
    with pytest.raises(StorageError):
        rig.reopen()
    rig.destination.rmdir()
    mounted.rename(rig.destination)
    rig.job = rig._open()


def test_small_files_pass_a_large_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with rig_at(tmp_path / "rig", monkeypatch, publishers="2") as rig:
        large = Sent(9, "large.bin", noise(5 * 1024 * 1024))
        rig.topic.send(large.chunks(), large.end(), pack(A))
        rig.batch()
        groups = rig.job.publishers._groups(rig.job.transfers.in_state(S.SEALED))
        assert [[transfer.id for transfer in group] for group in groups] == [[A.id], [large.id]]
        rig.settle()
        assert len(rig.tree()) == 2


def test_a_finished_group_wakes_the_service_and_a_failed_one_does_not(rig: Rig) -> None:
    class FullDisk(Publisher):
        def publish(self, group: Sequence[Transfer], is_cancelled: Callable[[], bool]) -> None:  # noqa: ARG002 - its signature
            raise StorageError("rename", errno.ENOSPC)

    sealed(rig, A)
    woken = threading.Event()
    with closing(PublisherPool(rig.job.transfers, FullDisk(publisher(rig)._context), 1, woken.set)) as failing:
        failing.step()
        wait(failing._busy)
        with pytest.raises(StorageError):
            failing.step()
    assert not woken.is_set(), "it would fail again at once, and again"
    with closing(PublisherPool(rig.job.transfers, publisher(rig), 1, woken.set)) as working:
        working.step()
        assert woken.wait(10)
    assert rig.tree() == {"van-7/a.txt": A.content}
