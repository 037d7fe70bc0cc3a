# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What a failed query leads to, by the failure that its text carries; Spark is not started."""

import errno
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from fieldpost_receiver.jobs.files.query import FilesQuery, QueryFailure
from fieldpost_receiver.runtime.query_supervisor import QuerySupervisor
from fieldpost_receiver.spark.task_failure import MarkedFailure, marking_failures
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.protocol.status import ReceiverState
from support.receiver.rig import Rig, rig_at

LATER_S = 61.0  # longer than any back-off


class Query:
    """A query that starts at once and fails when the test says so."""

    def __init__(self) -> None:
        self.starts = 0
        self.failure: QueryFailure | None = None
        self.started = self.alive = False
        self.finished = self.worked_lately = False

    def start(self) -> None:
        self.starts += 1
        self.started = self.alive = True

    def fail(self, text: str) -> None:
        self.failure, self.started, self.alive = QueryFailure.of(text), False, False

    def take_failure(self) -> QueryFailure | None:
        failure, self.failure = self.failure, None
        return failure


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    with rig_at(tmp_path / "rig", monkeypatch) as one:
        yield one


@pytest.fixture
def query() -> Query:
    return Query()


@pytest.fixture
def supervisor(rig: Rig, query: Query) -> QuerySupervisor:
    supervisor = QuerySupervisor(rig.job, cast("FilesQuery", query), rig.space, once=False)
    supervisor.step(0.0)
    assert query.starts == 1
    return supervisor


def crossed(error: FieldpostError) -> str:
    with pytest.raises(MarkedFailure) as caught, marking_failures():
        raise error
    return f"Job aborted due to stage failure: {caught.value}"


@pytest.mark.parametrize(
    "text",
    [
        "Job aborted: TimeoutError: no answer from the broker",
        crossed(FieldpostError(Code.SIGN_IN_REFUSED, "no")),
        crossed(FieldpostError(Code.NO_SECURE_CONNECTION, "no")),
        crossed(FieldpostError(Code.NO_CONNECTION, "no")),
    ],
)
def test_a_query_that_failed_starts_again_after_a_pause(supervisor: QuerySupervisor, query: Query, text: str) -> None:
    query.fail(text)
    supervisor.step(1.0)
    assert query.starts == 1
    assert supervisor.is_healthy(1.0), "a pause is no reason for the service manager to restart the receiver"
    supervisor.step(1.0 + LATER_S)
    assert query.starts == 2


def test_a_task_on_a_full_disk_waits_for_space(rig: Rig, supervisor: QuerySupervisor, query: Query) -> None:
    query.fail(crossed(StorageError("write", errno.ENOSPC)))
    supervisor.step(1.0)
    assert not rig.space.ran_out(), "it was noted before"


def test_no_query_starts_while_reading_is_paused(rig: Rig, supervisor: QuerySupervisor, query: Query) -> None:
    query.fail("it was stopped")
    rig.space.state = ReceiverState.PAUSED
    supervisor.step(1.0)
    supervisor.step(1.0 + LATER_S)
    assert query.starts == 1
    assert supervisor.ready
    assert supervisor.is_healthy(1.0 + LATER_S)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (StorageError("write", errno.EDQUOT), Code.STORAGE_FAILED),  # a quota does not show as free bytes
        (StorageError("sync", errno.EIO), Code.STORAGE_FAILED),
        (FieldpostError(Code.LEDGER_DAMAGED, "x"), Code.LEDGER_DAMAGED),
        (FieldpostError(Code.LEDGER_FOREIGN, "x"), Code.LEDGER_FOREIGN),
    ],
)
def test_a_failure_that_no_restart_mends_ends_the_receiver(
    supervisor: QuerySupervisor, query: Query, error: FieldpostError, code: Code
) -> None:
    query.fail(crossed(error))
    with pytest.raises(FieldpostError) as caught:
        supervisor.step(1.0)
    assert caught.value.code is code


def test_a_failed_batch_is_swept_before_the_next_sealing(rig: Rig, supervisor: QuerySupervisor, query: Query) -> None:
    orphan = rig.destination / f".fieldpost/staging/{9:032x}-{'0' * 16}.part"
    orphan.write_bytes(b"x")
    query.fail("it was stopped")
    supervisor.step(1.0)
    rig.job.sealing.seal()
    assert not orphan.exists()
