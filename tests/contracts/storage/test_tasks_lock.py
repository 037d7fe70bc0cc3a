# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The tasks' lock: two generations of tasks never write at once, and none writes while the driver seals."""

import os

import pytest

from contracts.storage.conftest import Subject
from fieldpost_receiver.storage.errors import LateTask
from fieldpost_receiver.storage.port import TasksLock


@pytest.fixture
def lock(subject: Subject) -> TasksLock:
    return subject.storage.tasks_lock()


def test_the_driver_waits_for_a_task_that_still_writes(subject: Subject, lock: TasksLock) -> None:
    assert lock.try_take()
    lock.release("batch 1")
    with subject.storage.open_writer("batch 1"):
        assert not lock.try_take()
    assert lock.try_take()


def test_tasks_of_one_batch_write_side_by_side(subject: Subject, lock: TasksLock) -> None:
    assert lock.try_take()
    lock.release("batch 1")
    with subject.storage.open_writer("batch 1"), subject.storage.open_writer("batch 1"):
        assert not lock.try_take()


def test_a_task_of_an_earlier_batch_writes_nothing(subject: Subject, lock: TasksLock) -> None:
    assert lock.try_take()
    lock.release("batch 2")
    with pytest.raises(LateTask):
        subject.storage.open_writer("batch 1")
    assert lock.try_take(), "it left no lock behind"


def test_no_task_begins_once_its_batch_was_taken(subject: Subject, lock: TasksLock) -> None:
    assert lock.try_take()
    lock.release("batch 1")
    assert lock.try_take()
    lock.release()
    with pytest.raises(LateTask):
        subject.storage.open_writer("batch 1")


def test_nothing_writes_while_the_driver_holds_the_lock(subject: Subject, lock: TasksLock) -> None:
    assert lock.try_take()
    lock.release()
    lock.release()  # harmless
    assert lock.try_take()
    assert not lock.holders() or lock.holders() == [os.getpid()]
    lock.release("batch 1")
    with subject.storage.open_writer("batch 1"):
        pass
