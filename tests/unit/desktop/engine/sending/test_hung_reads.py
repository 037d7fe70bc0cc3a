# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A dead drive under a file: it is noticed in two minutes, and nothing else waits for it."""

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TypeVar

import pytest

from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.runtime.worker_threads import InlineWorkers, WorkerRole, WorkerThreads
from fieldpost_shared.codes import Code
from support.engine.core import Rig
from support.waiting import wait_until

T = TypeVar("T")


class DeadDrive(InlineWorkers):
    """Every read of this worker hangs, until the worker is renewed."""

    def __init__(self) -> None:
        self.hangs: WorkerRole | None = None
        self.renewed = 0

    def submit(self, role: WorkerRole, work: Callable[[], T]) -> Future[T]:
        return Future() if role is self.hangs else super().submit(role, work)

    def renew(self, role: WorkerRole) -> None:
        assert role is self.hangs
        self.hangs = None
        self.renewed += 1


@pytest.fixture
def drive(monkeypatch: pytest.MonkeyPatch) -> DeadDrive:
    drive = DeadDrive()
    monkeypatch.setattr("support.engine.core.InlineWorkers", lambda: drive)
    return drive


@pytest.mark.parametrize(
    ("size", "role"), [(9_000_000, WorkerRole.LARGE), (100_000, WorkerRole.SMALL), (10, WorkerRole.SMALL)]
)
def test_a_read_that_hangs_puts_its_file_off_and_the_others_go_on(
    tmp_path: Path, drive: DeadDrive, size: int, role: WorkerRole
) -> None:
    rig = Rig(tmp_path)
    rig.until(lambda: rig.connector.links)
    drive.hangs = role
    (stuck,) = rig.add(rig.file("stick/dead.bin", os.urandom(size)))
    rig.steps()
    (neighbour,) = rig.add(rig.file("stick/also dead.bin", os.urandom(size)))
    (other,) = rig.add(rig.file("disk/fine.bin", os.urandom(size)))
    rig.pass_time(60)
    assert rig.row(stuck).state in {FileState.SENDING, FileState.QUEUED}, "patience"
    seconds = 60
    while not drive.renewed:
        seconds += 1
        assert seconds <= 125, "noticed in two minutes"
        rig.pass_time(1)
    assert (rig.row(stuck).state, rig.row(stuck).code) == (FileState.RETRYING, Code.DRIVE_GONE)
    assert rig.row(neighbour).code in {"", Code.DRIVE_GONE}
    rig.until_confirmed(other)
    assert drive.renewed == 1
    rig.until_confirmed(stuck, neighbour)  # the drive is back
    rig.close()


def test_a_worker_that_hangs_gets_another_thread() -> None:
    workers = WorkerThreads(lambda: None)
    stuck = threading.Event()
    hanging = workers.submit(WorkerRole.SMALL, lambda: stuck.wait(30))
    behind = workers.submit(WorkerRole.SMALL, lambda: "never")
    workers.renew(WorkerRole.SMALL)
    assert workers.submit(WorkerRole.SMALL, lambda: "done").result(10) == "done"
    assert not behind.done()
    stuck.set()
    wait_until(hanging.done, 10, "the hanging one to come back")
    workers.close()
