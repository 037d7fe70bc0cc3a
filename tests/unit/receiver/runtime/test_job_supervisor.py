# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What a failed batch leads to, by the failure that its text carries; Spark is not started."""

import errno
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from fieldpost_receiver.jobs.files.batches import FilesBatches, JobFailure
from fieldpost_receiver.runtime.job_supervisor import JobSupervisor
from fieldpost_receiver.spark.task_failure import MarkedFailure, marking_failures
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.protocol.status import ReceiverState
from support.receiver.rig import Rig, rig_at

LATER_S = 61.0  # longer than any back-off


class Batches:
    """Batches that start at once and fail when the test says so."""

    def __init__(self) -> None:
        self.starts = 0
        self.failure: JobFailure | None = None
        self.started = self.alive = False
        self.finished = self.worked_lately = False
        self.waiting_for_tasks = ""

    @property
    def spark_answers(self) -> bool:
        return self.alive

    def start(self) -> None:
        self.starts += 1
        self.started = self.alive = True

    def fail(self, text: str) -> None:
        self.failure, self.started, self.alive = JobFailure.of(text), False, False

    def take_failure(self) -> JobFailure | None:
        failure, self.failure = self.failure, None
        return failure


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    with rig_at(tmp_path / "rig", monkeypatch) as one:
        yield one


@pytest.fixture
def batches() -> Batches:
    return Batches()


@pytest.fixture
def supervisor(rig: Rig, batches: Batches) -> JobSupervisor:
    supervisor = JobSupervisor(rig.job, cast("FilesBatches", batches), rig.space, once=False)
    supervisor.step(0.0)
    assert batches.starts == 1
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
def test_a_failed_batch_is_tried_again_after_a_pause(supervisor: JobSupervisor, batches: Batches, text: str) -> None:
    batches.fail(text)
    supervisor.step(1.0)
    assert batches.starts == 1
    assert supervisor.is_healthy(1.0), "a pause is no reason for the service manager to restart the receiver"
    supervisor.step(1.0 + LATER_S)
    assert batches.starts == 2


def test_a_task_on_a_full_disk_waits_for_space(rig: Rig, supervisor: JobSupervisor, batches: Batches) -> None:
    batches.fail(crossed(StorageError("write", errno.ENOSPC)))
    supervisor.step(1.0)
    assert not rig.space.ran_out(), "it was noted before"


def test_no_batch_starts_while_reading_is_paused(rig: Rig, supervisor: JobSupervisor, batches: Batches) -> None:
    batches.fail("it was stopped")
    rig.space.state = ReceiverState.PAUSED
    supervisor.step(1.0)
    supervisor.step(1.0 + LATER_S)
    assert batches.starts == 1
    assert supervisor.ready
    assert supervisor.is_healthy(1.0 + LATER_S)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (StorageError("write", errno.EDQUOT), Code.STORAGE_FAILED),  # a quota does not show as free bytes
        (StorageError("sync", errno.EIO), Code.STORAGE_FAILED),
        (FieldpostError(Code.LEDGER_DAMAGED, "x"), Code.LEDGER_DAMAGED),
    ],
)
def test_a_failure_that_no_restart_mends_ends_the_receiver(
    supervisor: JobSupervisor, batches: Batches, error: FieldpostError, code: Code
) -> None:
    batches.fail(crossed(error))
    with pytest.raises(FieldpostError) as caught:
        supervisor.step(1.0)
    assert caught.value.code is code


def test_the_reason_of_a_failed_batch_is_told_until_one_succeeds(supervisor: JobSupervisor, batches: Batches) -> None:
    assert supervisor.reasons == []
    batches.fail(crossed(FieldpostError(Code.NO_CONNECTION, "no answer")))
    supervisor.step(1.0)
    supervisor.step(1.0 + LATER_S)
    assert supervisor.reasons == ["the last batch failed: no_connection: no answer"], (
        "it runs again, but may fail again"
    )
    batches.worked_lately = True
    supervisor.step(2.0 + LATER_S)
    assert supervisor.reasons == []
