# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F05: a task raises for want of memory, or its worker is killed: Spark runs the task again."""

import re
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Final

import psutil  # type: ignore[import-untyped]  # it ships no types

from faults.bookkeeping import Case
from faults.scene import MB, Scene, Van
from support.brokers import Topics
from support.waiting import wait_until

WORKER: Final = "pyspark.worker"
PATIENCE_S: Final = 120.0


def workers(scene: Scene) -> list[psutil.Process]:
    """The processes in which tasks run: forks of Spark's daemon for them."""
    found = []
    for process in scene.receiver.family():
        with suppress(psutil.NoSuchProcess):
            parent = process.parent()
            if parent is not None and WORKER in process.cmdline() and WORKER in parent.cmdline():
                found.append(process)
    return found


def test_f05_a_task_that_raises_or_loses_its_worker_is_run_again_in_the_same_batch(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    scene = Scene(case, secure_topics, tmp_path, log_level="debug")
    with scene.judged():
        scene.receiver.start(scene.failing_env("after_verify", 2))
        van = send_some(scene)
        wait_until(lambda: scene.died_at("after_verify"), PATIENCE_S, "a task that raises")
        case.fault()
        van.finish(PATIENCE_S)
        for _ in range(case.size(1, 6)):
            kill_a_worker(scene)
        assert_nothing_was_done_twice(scene)


def send_some(scene: Scene, size: int = 5 * MB, limit: str = "") -> Van:
    van = scene.van(f"van-{len(scene.vans)}")
    van.load("parts.bin", size)
    van.load("small.txt", 5_000)
    van.send(env={"FIELDPOST_BANDWIDTH_LIMIT": limit} if limit else None)
    return van


def kill_a_worker(scene: Scene) -> None:
    before = scene.staged()
    van = send_some(scene, 20 * MB, "5MB")
    wait_until(lambda: scene.staged() > before, PATIENCE_S, "parts")
    victim = wait_until(lambda: workers(scene), PATIENCE_S, "a worker")[0]
    victim.kill()
    scene.case.fault()
    van.finish(PATIENCE_S)


def assert_nothing_was_done_twice(scene: Scene) -> None:
    """The tasks were run again, not the batch: each batch was taken in once, and each file was answered once."""
    words = [event["message"] for event in scene.receiver.events()]
    assert not [line for line in words if "a batch failed" in line]
    batches = [int(found[1]) for line in words if (found := re.match(r"batch (\d+):", line))]
    assert batches
    assert batches == list(range(len(batches)))
    answers = Counter(said.transfer for said in scene.evidence().said if said.kind == "received")
    assert set(answers.values()) == {1}
    assert len(answers) == len(scene.sources)
