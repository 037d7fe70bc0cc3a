# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F06 and F07 in process: every call to the disk fails once with every errno, in a whole receiver without Spark."""

import errno
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from faults.bookkeeping import Case
from fieldpost_receiver.runtime.instance_lock import locked
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_receiver.storage.folder.disk import Disk
from fieldpost_shared.protocol.status import Received
from support.receiver.destination import open_descriptors
from support.receiver.rig import CHUNK, Rig, Sent, noise, pack, rig_at

NUMBERS = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS, errno.ESTALE, errno.EACCES)
FILES = (Sent(1, "reports/large.bin", noise(3 * CHUNK + 5)), Sent(2, "empty.txt", b""))
PACKED = (Sent(3, "reports/a.txt", noise(500)), Sent(4, "b.txt", noise(700)))
OPERATIONS = [name for name in vars(Disk) if not name.startswith("_") and name not in {"close", "set_group", "link"}]

NOT_CALLED = {"free_bytes", "syncfs", "rename_over"}  # by the service's thread; by large batches; to replace


class Faults:
    """Stands between the receiver and its disk: counts all calls, and lets one fail."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.calls: Counter[str] = Counter()
        self.due: tuple[str, int, int] | None = None  # operation, call, errno
        for name in OPERATIONS:
            patch.setattr(Disk, name, self._watched(name, getattr(Disk, name)))

    def _watched(self, name: str, operation: Callable[..., Any]) -> Callable[..., Any]:
        def call(disk: Disk, *args: Any) -> Any:  # noqa: ANN401 - whatever the operation takes
            self.calls[name] += 1
            if self.due is not None and self.due[:2] == (name, self.calls[name]):
                if name == "pwrite":  # a full disk takes a part of it
                    os.pwrite(args[0], args[1][: len(args[1]) // 2], args[2])
                raise OSError(self.due[2], os.strerror(self.due[2]))
            return operation(disk, *args)

        return call


@contextmanager
def receiver(folder: Path) -> Iterator[tuple[Rig, Faults]]:
    with pytest.MonkeyPatch.context() as patch, rig_at(folder, patch) as rig:
        yield rig, Faults(patch)


def send_all(rig: Rig) -> None:
    for file in FILES:
        rig.topic.send(file.chunks(), file.end())
    rig.topic.send(pack(*PACKED))


def work_through(rig: Rig, *, most: int = 5) -> list[StorageError]:
    """Until nothing is left to do; a full disk is waited for, any other failure is exit 74 and a start."""
    failures: list[StorageError] = []
    while len(failures) < most:
        try:
            rig.settle()
        except StorageError as error:
            failures.append(error)
            rig.job.sealing.sweep()
            if not error.waits_for_space:
                rig.reopen()
        else:
            break
    return failures


def check_all_is_right(rig: Rig) -> None:
    everything = (*FILES, *PACKED)
    assert rig.tree() == {f"van-7/{file.path}": file.content for file in everything}
    received = [event.transfer for event in rig.said if isinstance(event, Received)]
    assert Counter(received) == Counter(file.id for file in everything)
    assert rig.leftovers() == []


@pytest.fixture(scope="module")
def calls_of_a_good_run(tmp_path_factory: pytest.TempPathFactory) -> Counter[str]:
    with receiver(tmp_path_factory.mktemp("good") / "office") as (rig, faults):
        faults.calls.clear()
        send_all(rig)
        assert work_through(rig) == []
        check_all_is_right(rig)
        return faults.calls


@pytest.mark.parametrize("operation", [name for name in OPERATIONS if name not in NOT_CALLED])
def test_f07_one_failure_of_any_call_loses_nothing_and_receipts_nothing_early(
    case: Case, tmp_path: Path, calls_of_a_good_run: Counter[str], operation: str
) -> None:
    before, calls = open_descriptors(), range(1, calls_of_a_good_run[operation] + 1)
    for number in case.size([errno.ENOSPC, case.random.choice(NUMBERS[1:])], NUMBERS):
        for call in case.random.sample(calls, min(len(calls), case.size(1, 12))):
            case.fault()
            with receiver(tmp_path / f"{errno.errorcode[number]}-{call}") as (rig, faults):
                faults.calls.clear()
                faults.due = (operation, call, number)
                send_all(rig)
                failures = work_through(rig)
                assert [error.errno for error in failures] in ([], [number]), (operation, call, failures)
                check_all_is_right(rig)
    assert open_descriptors() == before


def test_f06_a_ledger_without_room_takes_nothing_in_and_goes_on_when_there_is(case: Case, tmp_path: Path) -> None:
    with receiver(tmp_path / "office") as (rig, _):
        send_all(rig)
        connection = rig.job.store.connection
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
        large = [Sent(100 + number, f"{'n' * 200}-{number}", noise(10)) for number in range(60)]
        rig.topic.send(*(pack(file) for file in large))
        case.fault()
        before = rig.position
        for _ in range(3):
            with pytest.raises(StorageError) as caught:
                rig.settle()
            assert caught.value.waits_for_space
            assert rig.position == before
            assert rig.tree() == {}
            assert rig.said == []
        connection.execute("PRAGMA max_page_count = 1000000")
        assert work_through(rig) == []
        received = [event for event in rig.said if isinstance(event, Received)]
        assert len(received) == len(rig.tree()) == len(large) + len(FILES) + len(PACKED)


def test_f06_what_a_failed_batch_staged_is_gone_when_its_messages_expired_meanwhile(case: Case, tmp_path: Path) -> None:
    with receiver(tmp_path / "office") as (rig, faults):
        faults.calls.clear()
        faults.due = ("pwrite", 3, errno.ENOSPC)
        rig.topic.send(FILES[0].chunks())
        with pytest.raises(StorageError):
            rig.batch()
        case.fault()
        assert rig.leftovers() != []
        rig.job.sealing.sweep()  # as the next start of the batches does
        rig.position = rig.topic.ends()  # retention took them before they were read again
        rig.topic.send(pack(*PACKED))
        rig.settle()
        assert set(rig.tree()) == {f"van-7/{file.path}" for file in PACKED}
        assert rig.leftovers() == []


def test_f07_a_ledger_that_cannot_be_written_fails_as_storage_and_leaves_no_lock(case: Case, tmp_path: Path) -> None:
    with receiver(tmp_path / "office") as (rig, _):
        send_all(rig)
        rig.job.store.connection.execute("PRAGMA query_only = ON")
        case.fault()
        with locked(rig.config.receiver.state_dir), pytest.raises(StorageError) as caught:
            rig.settle()
        assert not caught.value.waits_for_space
        assert (rig.tree(), rig.said) == ({}, [])
        with locked(rig.config.receiver.state_dir):
            rig.reopen()
        assert work_through(rig) == []
        check_all_is_right(rig)
