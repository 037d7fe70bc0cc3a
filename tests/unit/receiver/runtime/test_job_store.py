# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the service and its commands tell each other through a file."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from fieldpost_receiver.runtime.job_store import JobState, JobStore, StoredJob, Target
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state/jobs.db"


@pytest.fixture
def store(path: Path) -> Iterator[JobStore]:
    with closing(JobStore.open(path)) as one:
        yield one


def test_a_new_store_is_made_with_its_folder_and_is_empty(path: Path, store: JobStore) -> None:
    assert path.exists()
    assert store.jobs() == {}


def test_a_job_that_is_added_shall_run_and_has_no_state_yet(store: JobStore) -> None:
    store.add("b", "files")
    store.add("a", "files")
    new = StoredJob("a", "files", Target.RUNNING, restarts=0, state="", detail="", since_ns=0)
    assert store.jobs()["a"] == new
    assert list(store.jobs()) == ["a", "b"]


def test_targets_restarts_and_states_survive_reopening(path: Path) -> None:
    with closing(JobStore.open(path)) as store:
        for name, target in (("a", Target.PAUSED), ("b", Target.STOPPED), ("c", Target.RUNNING)):
            store.add(name, "files")
            store.set_target(name, target)
        store.restart("c")
        store.restart("c")
        store.set_state("c", JobState.FAILED, detail="no room", now_ns=5)
    with closing(JobStore.open(path)) as store:
        found = store.jobs()
    assert [job.target for job in found.values()] == [Target.PAUSED, Target.STOPPED, Target.RUNNING]
    assert found["c"] == StoredJob("c", "files", Target.RUNNING, 2, "FAILED", "no room", 5)


@pytest.mark.parametrize("kind", ["files", "another kind"])
def test_adding_a_known_job_again_keeps_its_target_and_its_state(store: JobStore, kind: str) -> None:
    store.add("a", "files")
    store.set_target("a", Target.STOPPED)
    store.restart("a")
    store.set_state("a", JobState.STOPPED, detail="x", now_ns=7)
    store.add("a", kind)
    assert store.jobs()["a"] == StoredJob("a", kind, Target.STOPPED, 1, "STOPPED", "x", 7)


def test_a_change_by_another_connection_is_seen_and_an_own_one_is_not(path: Path, store: JobStore) -> None:
    store.add("a", "files")
    before = store.version()
    store.set_state("a", JobState.RUNNING, detail="", now_ns=1)
    assert store.version() == before
    with closing(JobStore.open(path)) as other:
        other.set_target("a", Target.PAUSED)
        assert store.version() != before
    assert store.jobs()["a"].target is Target.PAUSED


def test_a_change_of_a_job_that_is_not_there_changes_nothing(store: JobStore) -> None:
    store.set_target("a", Target.PAUSED)
    store.restart("a")
    store.set_state("a", JobState.RUNNING, detail="", now_ns=1)
    assert store.jobs() == {}


def test_a_damaged_store_is_told_with_what_removing_it_means(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"not a database" * 1000)
    with pytest.raises(FieldpostError) as caught:
        JobStore.open(path)
    assert caught.value.code is Code.BAD_SETTING
    assert caught.value.detail.startswith("jobs.db: ")
    assert "remove jobs.db: then every job of receiver.toml runs" in caught.value.detail


def test_a_store_of_a_newer_receiver_is_left_as_it_is(path: Path) -> None:
    JobStore.open(path).close()
    with closing(sqlite3.connect(path)) as newer:
        newer.execute("PRAGMA user_version = 99")
    with pytest.raises(FieldpostError) as caught:
        JobStore.open(path)
    assert caught.value.code is Code.PROFILE_TOO_NEW
    assert "remove" not in caught.value.detail


def test_a_full_disk_is_told_as_such_and_takes_nothing_away(store: JobStore) -> None:
    store.add("a", "files")
    store.connection.execute("PRAGMA max_page_count = 1")  # SQLite takes as many as there are
    with pytest.raises(StorageError) as caught:
        store.set_state("a", JobState.FAILED, detail="x" * 100_000, now_ns=1)
    assert caught.value.errno == errno.ENOSPC
    assert store.jobs()["a"].state == ""


def test_a_place_where_no_store_can_be_made_is_a_fault_of_the_disk(tmp_path: Path) -> None:
    (tmp_path / "jobs.db").mkdir()
    with pytest.raises(StorageError):
        JobStore.open(tmp_path / "jobs.db")
