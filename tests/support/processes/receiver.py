# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The real receiver as a process of its own, on a real broker: what the end-to-end tests start, kill and ask."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import psutil  # type: ignore[import-untyped]  # it ships no types

from fieldpost_receiver.config.settings import SparkSettings
from fieldpost_receiver.spark.class_archive import archive_in
from fieldpost_shared.database import open_for_reading
from support.brokers import Topics
from support.side_by_side import one_at_a_time
from support.waiting import wait_until

PROGRAM = Path(sys.executable).with_name("fieldpost-receiver")
PREPARED = Path(__file__).parents[3] / "build" / "spark-state"  # by one of them, for all
START_S = 120.0  # 7 s on an idle machine; fault tests run on busy ones


class Receiver:
    """Start, stop, kill and start again on the same folders; `with` stops it at the end."""

    def __init__(
        self,
        topics: Topics,
        folder: Path,
        *,
        master: str = "local[2]",
        kafka: Mapping[str, str] | None = None,
        spark: Mapping[str, str] | None = None,
        jobs: Mapping[str, Mapping[str, str]] | None = None,
        **settings: str,
    ) -> None:
        self.folder = folder
        self.destination = folder / "destination"
        self.state = folder / "state"
        self.config = folder / "receiver.toml"
        self.log = folder / "receiver.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.preexec: Callable[[], None] | None = None  # in the child before it starts
        self.started_in = 0.0  # seconds, from its start until it read
        self.destination.mkdir(parents=True, exist_ok=True)
        reads = _kafka(topics) | dict(kafka or {})
        works = {"master": master, "executor_memory": "512MiB"} | dict(spark or {})
        if "java_options" not in works:
            works["java_options"] = f"-XX:SharedArchiveFile={prepared_classes()}"
        text = _toml(self, settings, reads, works)
        for name, keys in (jobs or {}).items():
            text += f'[jobs.{name}]\n"connector.class" = "files"\n'
            text += "".join(f'{key} = "{value}"\n' for key, value in keys.items())
        self.config.write_text(text, encoding="utf-8")

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def start(self, env: Mapping[str, str] | None = None) -> None:
        """Start and return when it reads."""
        begin = self.log.stat().st_size if self.log.exists() else 0
        began = time.monotonic()
        self.launch(env=env)
        wait_until(lambda: self._reads(begin), START_S, f"the receiver to read; see {self.log}")
        self.started_in = time.monotonic() - began

    def _reads(self, begin: int) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self.log.read_text(encoding="utf-8")[-3000:]
        return '"reading ' in self.log.read_text(encoding="utf-8")[begin:]

    def launch(self, *arguments: str, env: Mapping[str, str] | None = None) -> None:
        """Start and return at once."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [PROGRAM, "run", "--config", self.config, *arguments],
                stdout=log,
                stderr=subprocess.STDOUT,
                env=os.environ | {"SPARK_LOCAL_IP": "127.0.0.1"} | dict(env or {}),
                start_new_session=True,  # a process group of its own: Spark's JVM and workers die with it
                preexec_fn=self.preexec,  # noqa: PLW1509 - it only drops rights
            )

    def run_until_it_ends(self, seconds: float) -> int:
        """`run` where it cannot; its exit code."""
        self.launch()
        assert self.process is not None
        return self.process.wait(seconds)

    def run_once(self, seconds: float = 90.0) -> int:
        """`run --once`; its exit code."""
        self.launch("--once")
        assert self.process is not None
        return self.process.wait(seconds)

    def stop(self, seconds: float = 45.0) -> int:
        """SIGTERM; the exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(seconds)

    def kill(self) -> None:
        """kill -9 of everything that belongs to it."""
        if self.process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process = None

    def close(self) -> None:
        """Whatever the test did, nothing is left running."""
        self.kill()

    def command(self, *arguments: str, seconds: float = 60.0) -> subprocess.CompletedProcess[str]:
        """Another command of the program, beside the service."""
        command = [str(PROGRAM), *arguments, "--config", str(self.config)]
        return subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)

    def family(self) -> list[psutil.Process]:
        """The driver, its JVM and the workers."""
        assert self.process is not None
        parent = psutil.Process(self.process.pid)
        return [parent, *parent.children(recursive=True)]

    def helpers(self) -> list[tuple[str, psutil.Process]]:
        """Those that Spark needs, each with its program's name; some of its Pythons live for a moment only."""
        found = []
        for member in self.family()[1:]:
            with suppress(psutil.NoSuchProcess):
                found.append((member.name(), member))
        return found

    def jvm(self) -> psutil.Process:
        """Spark's Java process."""
        return next(member for name, member in self.helpers() if name == "java")

    def rss(self) -> dict[str, int]:
        """Memory of driver, JVM and workers."""
        found = {}
        for member in self.family():
            with suppress(psutil.NoSuchProcess):  # a worker that was not needed any more
                # by its program: what Java forks bears a thread's name, and Java's memory, until its exec
                found[f"{Path(member.exe()).name}-{member.pid}"] = int(member.memory_info().rss)
        return found

    def cpu(self) -> float:
        """Seconds of a core that all of them have used."""
        total = 0.0
        for member in self.family():
            with suppress(psutil.NoSuchProcess):
                times = member.cpu_times()
                total += float(times.user + times.system)
        return total

    def rows(self, sql: str) -> list[dict[str, Any]]:
        """A look into the ledger."""
        with closing(open_for_reading(self.state / "ledger.db")) as connection:
            try:
                return [dict(row) for row in connection.execute(sql)]
            except sqlite3.OperationalError:
                return []

    def states(self) -> dict[str, int]:
        """Transfers by state."""
        return {row["state"]: row["n"] for row in self.rows("SELECT state, count(*) n FROM transfers GROUP BY state")}

    def files(self) -> dict[str, Path]:
        """What is published, by name below the destination."""
        found = (path for path in self.destination.rglob("*") if path.is_file())
        names = {path.relative_to(self.destination).as_posix(): path for path in found}
        return {name: path for name, path in names.items() if not name.startswith(".fieldpost/")}

    def events(self) -> list[dict[str, Any]]:
        """Its JSON log lines."""
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]


@cache
def prepared_classes() -> Path:
    """What `prepare` makes, made once: every receiver starts 3 s sooner with it."""
    state = PREPARED / "state"
    archive = archive_in(state, SparkSettings())
    assert archive is not None, "there is no Java"
    with one_at_a_time(PREPARED / "lock"):  # the other process of this run waits instead of making it too
        if not archive.exists():
            _prepare(PREPARED / "receiver.toml", state)
    assert archive.exists(), f"{PROGRAM} runs another Python or Java than {sys.executable}"
    return archive


def _prepare(config: Path, state: Path) -> None:
    folders = f'state_dir = "{state}"\ndestination = "{PREPARED / "destination"}"\n'
    config.write_text(f'[receiver]\n{folders}[kafka]\nbootstrap_servers = "127.0.0.1:9"\n', encoding="utf-8")
    command = [str(PROGRAM), "prepare", "--config", str(config)]
    env = os.environ | {"SPARK_LOCAL_IP": "127.0.0.1"}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def secure_kafka(topics: Topics, folder: Path, user: str = "receiver", password: str = "") -> dict[str, str]:
    """[kafka] for the cluster's SASL_SSL listener; the password goes into a file."""
    security, secret = topics.cluster.security, folder / f"password-of-{user}"
    folder.mkdir(parents=True, exist_ok=True)
    secret.write_text(f"{password or security.passwords[user]}\n", encoding="utf-8")
    secret.chmod(0o600)
    return {
        "bootstrap_servers": security.bootstrap_servers,
        "security_protocol": "SASL_SSL",
        "sasl_username": user,
        "sasl_password_file": str(secret),
        "ssl_ca_location": str(security.ca_path),
    }


def _kafka(topics: Topics) -> dict[str, str]:
    return {"bootstrap_servers": topics.bootstrap_servers, "files_topic": topics.files, "status_topic": topics.status}


def _toml(receiver: Receiver, settings: Mapping[str, str], kafka: Mapping[str, str], spark: Mapping[str, str]) -> str:
    own = {"state_dir": str(receiver.state), "destination": str(receiver.destination)}
    defaults = {"min_free_space": "100MiB", "notice_every": "1s"}
    sections = {
        "receiver": own | defaults | dict(settings),
        "kafka": kafka,
        "spark": spark,
        "http": {"listen": "127.0.0.1:0"},
    }
    return "".join(
        f"[{name}]\n" + "".join(f'{key} = "{value}"\n' for key, value in section.items())
        for name, section in sections.items()
    )
