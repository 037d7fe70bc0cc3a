# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The trial of a lock: what other processes see of it, and that the lock of a running receiver is left alone."""

import pickle
from pathlib import Path

import pytest

from fieldpost_receiver.storage.errors import StorageError
from fieldpost_receiver.storage.folder.storage import FolderStorage
from fieldpost_receiver.storage.folder.working_folder import WORKING_FOLDER
from fieldpost_receiver.storage.port import LockSeen, LockTrial


def elsewhere(trial: LockTrial) -> LockSeen:
    """What another process sees, which gets the trial pickled. A lock belongs to an open file, so this one will do."""
    travelled: LockTrial = pickle.loads(pickle.dumps(trial))  # noqa: S301 - our own bytes
    return travelled.look()


def test_a_lock_is_seen_while_it_is_held_and_not_afterwards(tmp_path: Path) -> None:
    storage = FolderStorage(tmp_path)
    storage.create()
    trial = storage.lock_trial()
    with trial.held():
        assert elsewhere(trial) is LockSeen.HELD
    assert elsewhere(trial) is LockSeen.FREE
    trial.remove()
    assert elsewhere(trial) is LockSeen.ABSENT
    trial.remove()  # harmless


def test_a_trial_leaves_nothing_behind_before_the_first_run(tmp_path: Path) -> None:
    trial = FolderStorage(tmp_path).lock_trial()
    with trial.held():
        assert elsewhere(trial) is LockSeen.HELD
    trial.remove()
    assert list(tmp_path.iterdir()) == []


def test_a_trial_beside_a_running_receiver_takes_no_batch_from_it(tmp_path: Path) -> None:
    storage = FolderStorage(tmp_path)
    storage.create()
    lock = storage.tasks_lock()
    assert lock.try_take()
    lock.release("batch 1")
    trial = storage.lock_trial()
    with trial.held(), storage.open_writer("batch 1"):
        assert elsewhere(trial) is LockSeen.HELD
    trial.remove()
    with storage.open_writer("batch 1"):
        pass
    assert not [path for path in (tmp_path / WORKING_FOLDER).iterdir() if "check" in path.name]


def test_a_destination_that_is_missing_is_a_storage_error(tmp_path: Path) -> None:
    trial = FolderStorage(tmp_path / "gone").lock_trial()
    with pytest.raises(StorageError, match="try a lock: ENOENT"), trial.held():
        pass
