# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The same receiver on a Spark cluster: a master and two workers on this machine, staging on their common disk."""

import os
import random
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyspark
import pytest

from brokers import Topics
from devkafka.ports import free_ports, is_free
from fieldpost_desktop.engine.settings import EngineSettings
from receiver_process import Receiver
from uploader_kit import CLIENT, kafka_settings, running_engine
from waiting import wait_until

SPARK = Path(pyspark.__file__).parent
SIZE = 60_000_000


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


@pytest.mark.timeout(400)
def test_a_cluster_survives_the_loss_of_a_worker_in_mid_file(topics: Topics, tmp_path: Path) -> None:
    port, *web = free_ports(3)
    source = tmp_path / "big.bin"
    source.write_bytes(random.Random(4).randbytes(SIZE))  # noqa: S311 - reproducible test data
    url = f"spark://127.0.0.1:{port}"
    here = ["--host", "127.0.0.1", "--webui-port"]
    worker = [*here, str(web[1]), "--cores", "1", "--memory", "800M", "--work-dir"]
    with (
        spark_process(tmp_path / "master.log", "master.Master", *here, str(web[0]), "--port", str(port)),
        spark_process(tmp_path / "one.log", "worker.Worker", *worker, str(tmp_path / "one"), url) as first,
        spark_process(tmp_path / "two.log", "worker.Worker", *worker, str(tmp_path / "two"), url),
    ):
        wait_until(lambda: not is_free(port), 60, "the master")
        with (
            Receiver(topics, tmp_path / "office", master=url) as receiver,
            running_engine(tmp_path / "data", kafka_settings(topics)) as up,
        ):
            up.engine.use(EngineSettings(bandwidth_limit=3_000_000))
            batch = up.engine.add([str(source)])
            wait_until(
                lambda: (receiver.rows("SELECT coalesce(max(have), 0) AS n FROM transfers") or [{"n": 0}])[0]["n"] > 3,
                120,
                "some chunks",
            )
            os.killpg(first.pid, signal.SIGKILL)
            up.engine.use(EngineSettings())
            up.wait_confirmed(batch, 1, 180)
            arrived = receiver.files()
    assert arrived[f"{CLIENT}/big.bin"].read_bytes() == source.read_bytes()
    assert list(arrived) == [f"{CLIENT}/big.bin"]
