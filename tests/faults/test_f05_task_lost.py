# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F05: a task raises for want of memory, its worker is killed, an executor is lost: Spark runs the task again."""

import os
import re
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import psutil  # type: ignore[import-untyped]  # it ships no types
import pyspark
import pytest

from devkafka.ports import free_ports, is_free
from faults.bookkeeping import Case
from faults.scene import MB, Scene, Van
from support.brokers import Topics
from support.waiting import wait_until

SPARK: Final = Path(pyspark.__file__).parent
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


# on a cluster


@contextmanager
def spark_process(log: Path, kind: str, *arguments: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A master or a worker, ended with all its executors."""
    environment = os.environ | {"SPARK_HOME": str(SPARK), "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_DAEMON_MEMORY": "256m"}
    with log.open("wb") as out:
        process = subprocess.Popen(
            [SPARK / "bin" / "spark-class", f"org.apache.spark.deploy.{kind}", *arguments],
            env=environment,
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def test_f05_a_cluster_survives_the_loss_of_an_executor_in_mid_file(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    """A master and two workers on this machine, staging on their common disk."""
    if not case.is_long:
        pytest.skip("a Spark cluster needs a minute to start: only in long runs")
    port, *web = free_ports(3)
    url = f"spark://127.0.0.1:{port}"
    here = ["--host", "127.0.0.1", "--webui-port"]
    worker = [*here, str(web[1]), "--cores", "1", "--memory", "800M", "--work-dir"]
    with (
        spark_process(tmp_path / "master.log", "master.Master", *here, str(web[0]), "--port", str(port)),
        spark_process(tmp_path / "one.log", "worker.Worker", *worker, str(tmp_path / "one"), url) as first,
        spark_process(tmp_path / "two.log", "worker.Worker", *worker, str(tmp_path / "two"), url),
    ):
        wait_until(lambda: not is_free(port), PATIENCE_S, "the master")
        scene = Scene(case, secure_topics, tmp_path / "scene", master=url)
        with scene.judged():
            scene.receiver.start()
            van = scene.van()
            van.load("big.bin", 60 * MB)
            van.send(env={"FIELDPOST_BANDWIDTH_LIMIT": "3MB"})
            wait_until(lambda: scene.staged() > 3, PATIENCE_S, "some chunks")
            os.killpg(first.pid, signal.SIGKILL)
            case.fault()
            van.finish(PATIENCE_S)
