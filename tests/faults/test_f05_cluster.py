# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F05 on a standalone Spark cluster with two workers and a secret: tasks fail, processes of all kinds are lost.

Staging lies on the common disk of all workers. The executors of this cluster let one task raise once.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import psutil  # type: ignore[import-untyped]  # it ships no types
import pytest

from devkafka.ports import free_ports
from faults.bookkeeping import Case
from faults.scene import MB, Scene, reading_first
from faults.test_f05_task_lost import PATIENCE_S, assert_nothing_was_done_twice, send_some
from faults.test_f38_late_writer import assert_it_waits, is_over, is_writing, working, writers
from fieldpost_receiver.storage.folder.working_folder import STAGING
from support.brokers import Topics
from support.processes.spark_cluster import EXECUTOR, Daemon, SparkCluster, says
from support.waiting import wait_until

SECRET: Final = "shared-by-all-of-this-cluster-0815"  # noqa: S105 - of a cluster that lives as long as these tests
WRONG: Final = "typed-by-mistake-and-of-another-cluster"
RAISED: Final = "after_verify"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkCluster]:
    folder = tmp_path_factory.mktemp("spark")
    raising = {"FAULTS_CRASH": f"{RAISED} 2 {folder / RAISED}", "FAULTS_CRASH_HOW": "raise"}
    with SparkCluster(folder, secret=SECRET, env=reading_first("crash") | raising) as started:
        yield started


def scene_on(cluster: SparkCluster, case: Case, topics: Topics, folder: Path, **spark: str) -> Scene:
    return Scene(case, topics, folder, spark=cluster.settings | spark, master=cluster.url, log_level="debug")


def test_f05_a_cluster_runs_the_tasks_of_lost_processes_again_in_the_same_batch(
    case: Case, cluster: SparkCluster, secure_topics: Topics, tmp_path: Path
) -> None:
    scene = scene_on(cluster, case, secure_topics, tmp_path)
    with scene.judged():
        scene.receiver.start()
        send_some(scene).finish(PATIENCE_S)
        assert (cluster.folder / f"{RAISED}.died").exists(), "no task raised"
        case.fault()
        assert_no_command_line_shows(SECRET)
        for _ in range(case.size(1, 4)):
            lose(scene, kill_python_worker)
            lose(scene, lambda writer: executor_of(writer).kill())
        assert_nothing_was_done_twice(scene)
    assert SECRET not in scene.receiver.log.read_text(encoding="utf-8")


def test_f05_a_cluster_goes_on_without_a_worker_that_is_lost_in_mid_file(
    case: Case, cluster: SparkCluster, secure_topics: Topics, tmp_path: Path
) -> None:
    if not case.is_long:
        pytest.skip("what a lost executor does not show takes a quarter of a minute: only in long runs")
    scene = scene_on(cluster, case, secure_topics, tmp_path)
    with scene.judged():
        scene.receiver.start()
        for _ in range(3):
            lost: list[Daemon] = []
            lose(scene, partial(kill_worker_of, cluster, lost))
            cluster.replace(*lost)
        assert_nothing_was_done_twice(scene)


def lose(scene: Scene, kill: Callable[[psutil.Process], None]) -> None:
    """Send a file, and kill something while a task writes it: the task's process is stopped so that it cannot end."""
    with scene.nobody_reads():  # so that its batch is large: tasks of small ones are over before they are seen
        van = send_some(scene, 150 * MB)
        van.wait_sent(2)
    writer = stopped_writer(scene)
    try:
        kill(writer)
    finally:
        with suppress(psutil.NoSuchProcess):
            writer.resume()
    scene.case.fault()
    van.finish(PATIENCE_S)


def stopped_writer(scene: Scene) -> psutil.Process:
    """A process whose task has a staged file open; it is stopped."""

    def look() -> psutil.Process | None:
        for writer in writers(scene):
            with suppress(psutil.NoSuchProcess):
                writer.suspend()
                if is_writing(scene, writer):
                    return writer
                writer.resume()
        return None

    found: psutil.Process = wait_until(look, PATIENCE_S, "a worker that writes")
    return found


def kill_python_worker(writer: psutil.Process) -> None:
    writer.kill()


def kill_worker_of(cluster: SparkCluster, lost: list[Daemon], writer: psutil.Process) -> None:
    """With its executor, like a machine that fails."""
    worker = cluster.worker_of(executor_of(writer))
    lost.append(worker)
    worker.kill()


def executor_of(writer: psutil.Process) -> psutil.Process:
    return next(parent for parent in writer.parents() if says(parent, EXECUTOR))


def assert_no_command_line_shows(secret: str) -> None:
    """Of no process of this machine, as `ps` shows them."""
    shown = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            shown.append("\0".join(process.cmdline()))
    assert any(EXECUTOR in line for line in shown), "the executors were not looked at"
    assert any("spark.authenticate=true" in line for line in shown)
    assert not [line for line in shown if secret in line]


def test_f05_a_killed_driver_starts_anew_beside_a_task_that_its_executor_still_runs(
    case: Case, cluster: SparkCluster, secure_topics: Topics, tmp_path: Path
) -> None:
    if not case.is_long:
        pytest.skip("two starts on a cluster take half a minute: only in long runs; F38 does so on one machine")
    scene = scene_on(cluster, case, secure_topics, tmp_path)
    with scene.judged():
        van = send_some(scene, 250 * MB)
        van.wait_sent(2)  # so that the first batch is large, and its tasks write for a while
        scene.receiver.launch()
        with left_behind(scene) as writer:
            known = set(scene.receiver.files())
            scene.receiver.kill()
            case.fault()
            scene.receiver.start()
            assert_it_waits(scene, writer, known)
            writer.resume()
            wait_until(lambda: is_over(writer), PATIENCE_S, "the late task to end")
        van.finish(PATIENCE_S)
        answers = Counter(said.transfer for said in scene.evidence().said if said.kind == "received")
        assert sorted(answers.values()) == [1, 1]


@contextmanager
def left_behind(scene: Scene) -> Iterator[psutil.Process]:
    """A stopped writer that outlives its executor: its parent dies first, or the kernel would hang it up."""
    writer = wait_until(lambda: writers(scene), PATIENCE_S, "a worker that writes")[0]
    try:
        daemon = writer.parent()
        assert daemon is not None
        daemon.kill()
        wait_until(lambda: is_over(daemon), PATIENCE_S, "the daemon to end")
        writer.suspend()
        wait_until(lambda: writer.status() == psutil.STATUS_STOPPED, PATIENCE_S, "the worker to stop")
        assert is_writing(scene, writer), "it was faster than we"
        yield writer
    finally:
        with suppress(psutil.NoSuchProcess):
            writer.kill()


def test_f05_what_a_task_on_a_cluster_fails_with_reaches_the_driver_with_its_code(
    case: Case, cluster: SparkCluster, secure_topics: Topics, tmp_path: Path
) -> None:
    scene = scene_on(cluster, case, secure_topics, tmp_path)
    try:
        scene.receiver.start()
        (working(scene) / STAGING).rename(working(scene) / "gone")
        send_some(scene)
        assert scene.receiver.process is not None
        assert scene.receiver.process.wait(PATIENCE_S) == 74
        last = [event for event in scene.receiver.events() if event["level"] == "error"][-1]
        assert last["code"] == "storage_failed"
        assert "a task could not write: open the staging folder: ENOENT" in last["message"]
    finally:
        scene.close()


# the secret, and what `check` says of a cluster


@pytest.mark.parametrize("secret", [WRONG, ""], ids=["wrong", "none"])
def test_f05_a_receiver_that_the_cluster_refuses_ends_with_78_and_says_why(
    case: Case, cluster: SparkCluster, secure_topics: Topics, tmp_path: Path, secret: str
) -> None:
    path = tmp_path / "wrong"
    path.write_text(secret, encoding="ascii")
    scene = scene_on(cluster, case, secure_topics, tmp_path, secret_file=str(path) if secret else "")
    try:
        assert scene.receiver.run_until_it_ends(PATIENCE_S) == 78
        words = f"refuses the secret in {path}" if secret else "wants a secret"
        said = scene.receiver.log.read_text(encoding="utf-8")
        assert f"spark.secret_file: the Spark master at {cluster.url} {words}" in said
        assert WRONG not in said
    finally:
        scene.close()


def test_f05_a_master_that_does_not_answer_is_told_at_once_and_ends_with_75(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    (port,) = free_ports(1)
    scene = Scene(case, secure_topics, tmp_path, master=f"spark://127.0.0.1:{port}")
    try:
        assert scene.receiver.run_until_it_ends(PATIENCE_S) == 75
        last = scene.receiver.events()[-1]["message"]
        assert f"the Spark master at spark://127.0.0.1:{port} does not answer" in last
        assert "Connection refused" in last
    finally:
        scene.close()


def test_f05_check_tries_the_tasks_lock_from_the_executors_of_a_cluster(
    case: Case, cluster: SparkCluster, secure_topics: Topics, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    scene = scene_on(cluster, case, secure_topics, tmp_path)
    findings = checked_on(scene)
    assert findings["spark secret"]["outcome"] == "ok"
    assert findings["tasks' lock"]["outcome"] == "ok"
    assert "counts for executors on" in findings["tasks' lock"]["detail"]
    assert not list(scene.receiver.destination.iterdir()), "it leaves nothing behind"
    if case.is_long:
        scene.receiver.start()
        try:
            wait_until(lambda: len(cluster.executors()) == len(cluster.workers), PATIENCE_S, "it to have all cores")
            beside = checked_on(scene)["tasks' lock"]
            assert beside["outcome"] == "warning"
            assert "took a task in 60 s" in beside["detail"]
        finally:
            scene.close()


def checked_on(scene: Scene) -> dict[str, Any]:
    """The findings of `check`, by their names."""
    done = scene.receiver.command("check", "--json", seconds=PATIENCE_S)
    assert done.returncode == 0, done.stdout + done.stderr
    assert SECRET not in done.stdout + done.stderr
    return {one["check"]: one for one in json.loads(done.stdout)["checks"]}
