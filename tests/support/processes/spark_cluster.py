# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A standalone Spark cluster on this machine: a master and some workers as processes, started, looked at and killed.

with SparkCluster(folder, secret="…") as cluster:
    Receiver(topics, folder, master=cluster.url, spark=cluster.settings)
"""

import os
import signal
import subprocess
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import psutil  # type: ignore[import-untyped]  # it ships no types
import pyspark

from devkafka.ports import free_ports
from support.waiting import wait_until

SPARK: Final = Path(pyspark.__file__).parent
EXECUTOR: Final = "CoarseGrainedExecutorBackend"
PYTHON_WORKER: Final = "pyspark.worker"
START_S: Final = 120.0
QUICK_START: Final = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"


class Daemon:
    """A master or a worker, with the executors that it starts, as a process group of its own."""

    def __init__(self, log: Path, kind: str, *arguments: str, env: Mapping[str, str]) -> None:
        with log.open("wb") as out:
            self.process = subprocess.Popen(
                [SPARK / "bin" / "spark-class", f"org.apache.spark.deploy.{kind}", *arguments],
                env=os.environ | dict(env),
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    def family(self) -> list[psutil.Process]:
        """Itself, its executors and their Pythons."""
        with suppress(psutil.NoSuchProcess):
            itself = psutil.Process(self.process.pid)
            return [itself, *itself.children(recursive=True)]
        return []

    def kill(self) -> None:
        """kill -9 of it and its executors; their Pythons, which have groups of their own, end by themselves."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class SparkCluster:
    """One master, and workers with one core each. With a secret all of their connections ask for it."""

    def __init__(
        self, folder: Path, *, workers: int = 2, secret: str = "", env: Mapping[str, str] | None = None
    ) -> None:
        self.folder = folder
        port, self._web = free_ports(2)
        self.url = f"spark://127.0.0.1:{port}"
        self._count = workers
        self._env = {"SPARK_HOME": str(SPARK), "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_DAEMON_MEMORY": "256m"}
        self._env |= {"SPARK_DAEMON_JAVA_OPTS": QUICK_START} | dict(env or {})
        self._port = port
        self._options = ["--host", "127.0.0.1", "--properties-file", str(self._properties(secret))]
        self._secret_file = self._private("secret", f"{secret}\n") if secret else None
        self.workers: list[Daemon] = []
        self._stack = ExitStack()
        self._started = 0

    @property
    def settings(self) -> dict[str, str]:
        """[spark] of a receiver that uses it, but for the master."""
        return {} if self._secret_file is None else {"secret_file": str(self._secret_file)}

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            master = ["--port", str(self._port), "--webui-port", str(self._web)]
            self._start(stack, "master", "master.Master", *self._options, *master)
            self._stack = stack.pop_all()
        for _ in range(self._count):
            self._add_worker()
        self._wait_for_workers()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def replace(self, lost: Daemon) -> None:
        """Start another worker in the place of one that was killed."""
        self.workers.remove(lost)
        self._add_worker()
        self._wait_for_workers()

    def executors(self) -> list[psutil.Process]:
        """The Java processes in which its workers run tasks."""
        return [process for worker in self.workers for process in worker.family()[1:] if says(process, EXECUTOR)]

    def family(self) -> list[psutil.Process]:
        """All processes of its workers."""
        return [process for worker in self.workers for process in worker.family()]

    def worker_of(self, process: psutil.Process) -> Daemon:
        """The worker that this process belongs to."""
        return next(worker for worker in self.workers if process in worker.family())

    def _add_worker(self) -> None:
        self._started += 1
        name = f"worker-{self._started}"
        mine = ["--webui-port", "0", "--cores", "1", "--memory", "800M", "--work-dir", str(self.folder / name)]
        self.workers.append(self._start(self._stack, name, "worker.Worker", *self._options, *mine, self.url))

    def _start(self, stack: ExitStack, name: str, kind: str, *arguments: str) -> Daemon:
        daemon = Daemon(self._log(name), kind, *arguments, env=self._env)
        stack.callback(daemon.kill)
        return daemon

    def _wait_for_workers(self) -> None:
        log = self._log("master")
        wait_until(lambda: log.read_text().count("Registering worker") == self._started, START_S, f"workers; see {log}")

    def _log(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def _properties(self, secret: str) -> Path:
        lines = f"spark.authenticate true\nspark.authenticate.secret {secret}\n" if secret else ""
        return self._private("spark.conf", lines)

    def _private(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text, encoding="ascii")
        path.chmod(0o600)
        return path


def says(process: psutil.Process, word: str) -> bool:
    """Whether its command line holds this word."""
    with suppress(psutil.NoSuchProcess):
        return any(word in part for part in process.cmdline())
    return False
