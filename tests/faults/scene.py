# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What a fault happens to: the real receiver, real uploaders, a real broker, and the oracle that looks at all of it.

scene = Scene(case, secure_topics, tmp_path)
with scene.judged():           # destination and memory are looked at all the time; every promise is judged at the end
    scene.receiver.start()
    van = scene.van()
    van.load("a.bin", 5_000_000)
    sending = van.send()       # a process; kill it, stop it, start it again
    van.finish()               # until every file is confirmed; exit code 0

By default over SASL_SSL, each end with the least rights.
"""

import os
import signal
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import psutil  # type: ignore[import-untyped]  # it ships no types

from faults.bookkeeping import Case
from fieldpost_desktop.commands.exit_codes import Exit
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.database import open_for_reading
from oracle import (
    Evidence,
    Source,
    Surroundings,
    Violation,
    Watcher,
    at_end,
    exit_violations,
    memory_violations,
    said_on_kafka,
)
from oracle.evidence import file_digest
from support.brokers import Topics
from support.processes.cli import Cli, Ended, secure_profile, write_profile
from support.processes.receiver import Receiver, secure_kafka
from support.samples import make
from support.waiting import wait_until

CHUNK: Final = 983_040
MB: Final = 1_000_000
REST_S: Final = 30.0  # until the last letter is sent and the last working file is gone
SAMPLE_S: Final = 1.0
SENT_S: Final = 180.0  # until the broker has it all, on a busy machine
LAST_LINES: Final = 30  # of the receiver's log, for whoever sees nothing but the output of a failed test
LINE: Final = 240  # of each, so that what failed is not lost above them


def reading_first(folder: str) -> dict[str, str]:
    """For a process whose Pythons begin with the `sitecustomize` of this folder, Spark's workers too."""
    found = [str(Path(__file__).parent / folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {"PYTHONPATH": os.pathsep.join(found)}


class Sending:
    """`fieldpost send` or `fieldpost watch` as a process group of its own."""

    def __init__(self, van: "Van", arguments: tuple[str, ...], env: Mapping[str, str]) -> None:
        self.running = van.cli.start(*arguments, env=env, own_group=True)

    @property
    def pid(self) -> int:
        return self.running.process.pid

    @property
    def is_over(self) -> bool:
        return self.running.process.poll() is not None

    def signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.pid, number)

    def kill(self) -> bool:
        """kill -9 of all of it; whether it was still there."""
        living = not self.is_over
        self.signal(signal.SIGKILL)
        self.running.wait()
        return living

    def wait(self, seconds: float = 90.0) -> Ended:
        return self.running.wait(seconds)


class Van:
    """An uploader with files and a data folder of its own."""

    def __init__(self, scene: "Scene", name: str, profile: Mapping[str, Any]) -> None:
        folder = scene.folder / name
        folder.mkdir(parents=True)
        self.name = name
        self.inbox = folder / "in"
        self.inbox.mkdir()
        self.cli = Cli(folder)
        self._scene = scene
        self.sendings: list[Sending] = []
        self._set_up(scene, profile)

    def _set_up(self, scene: "Scene", profile: Mapping[str, Any]) -> None:
        path, topics = self.cli.folder / "office.fieldpost", scene.topics
        if scene.is_secure:
            secret = self.cli.file("password", scene.topics.cluster.security.passwords["uploader"].encode())
            secret.chmod(0o600)
            self.cli.env["FIELDPOST_PASSWORD_FILE"] = str(secret)
            secure_profile(path, topics, client=self.name, **profile)
        else:
            write_profile(path, topics, client=self.name, **profile)
        self.cli.options = ("--profile", str(path))

    @property
    def journal(self) -> Path:
        return self.cli.data_dir / "journal.db"

    def rows(self, sql: str, *values: object) -> list[dict[str, Any]]:
        """A look into the journal; nothing while there is none."""
        if not self.journal.exists():
            return []
        with closing(open_for_reading(self.journal)) as connection:
            try:
                return [dict(row) for row in connection.execute(sql, values)]
            except sqlite3.OperationalError:  # it is being made
                return []

    def load(self, name: str, size: int, seed: int | None = None) -> Path:
        """A file of noise in the folder that is sent; it travels as `in/<name>`."""
        return self.known(make(self.inbox, name, size, self._seed() if seed is None else seed))

    def appear(self, name: str, size: int) -> None:
        """A finished file appears in the watched folder at once."""
        made = make(self.cli.folder / "aside", name, size, self._seed())
        self._note(made, f"in/{name}")  # before anybody can send it
        made.rename(self.inbox / name)

    def confirmed(self) -> int:
        """How many files have their receipt."""
        rows = self.rows("SELECT count(*) AS n FROM files WHERE state = 'confirmed'")
        return int(rows[0]["n"]) if rows else 0

    def known(self, path: Path) -> Path:
        """This file has these bytes now: call it for every content that may be sent."""
        self._note(path, path.relative_to(self.cli.folder).as_posix())
        return path

    def _note(self, path: Path, travels_as: str) -> None:
        size = path.stat().st_size
        self._scene.source(self.name, travels_as).versions[file_digest(path)] = size
        self._scene.case.moved(size)

    def _seed(self) -> int:
        return self._scene.case.random.randrange(2**32)

    def send(self, *arguments: str, env: Mapping[str, str] | None = None) -> Sending:
        """Start to send the whole folder (or these paths); what is queued from before goes on too."""
        return self._start("send", *(arguments or ("in",)), env=env or {})

    def watch(self) -> Sending:
        """Start to watch the folder, as a van does all day; files travel as `in/<name>` too."""
        return self._start("watch", "--label", "in", "in", env={})

    def _start(self, *arguments: str, env: Mapping[str, str]) -> Sending:
        sending = Sending(self, arguments, env)
        self.sendings.append(sending)
        return sending

    def resume(self, seconds: float = 90.0) -> Ended:
        """Send what an earlier process left in the queue, to the end."""
        return self.send().wait(seconds)

    def wait_sent(self, files: int) -> None:
        """Every byte of these is in the topic, and nobody has answered."""
        states = [FileState.SENT] * files
        wait_until(lambda: [row.state for row in self.cli.rows()] == states, SENT_S, f"{files} files to be sent")

    def finish(self, seconds: float = 90.0) -> None:
        """Wait for the last process: everything confirmed."""
        self.sendings[-1].wait(seconds).check(Exit.DONE)

    def close(self) -> None:
        for sending in self.sendings:
            sending.signal(signal.SIGCONT)
        self.cli.end()


class Scene:
    """One office, some vans. The receiver is not started yet."""

    def __init__(
        self,
        case: Case,
        topics: Topics,
        folder: Path,
        *,
        is_secure: bool = True,
        kafka: Mapping[str, str] | None = None,
        spark: Mapping[str, str] | None = None,
        **settings: str,
    ) -> None:
        self.case, self.topics, self.folder, self.is_secure = case, topics, folder, is_secure
        self.sources: list[Source] = []
        self._by_name: dict[tuple[str, str], Source] = {}
        self.vans: dict[str, Van] = {}
        self.samples: dict[str, int] = {}  # the most that each kind of process took
        self.taken: list[tuple[str, str]] = []
        self.name_of: Callable[[str, str], str] = lambda client, path: f"{client}/{path}"  # the receiver's layout
        self._over = threading.Event()
        secure = secure_kafka(topics, folder / "secrets") if is_secure else {}
        reads = secure | dict(kafka or {})
        self.receiver = Receiver(topics, folder / "office", kafka=reads, spark=spark, jobs=None, **settings)
        office = folder / "office"
        mine = [self.receiver.state, self.receiver.log]
        self.surroundings = Surroundings.look(office, self.receiver.destination, mine)

    def van(self, name: str = "van-7", **profile: Any) -> Van:  # noqa: ANN401 - whatever a profile may say
        """The van of this name; `profile` changes its settings file."""
        if name not in self.vans:
            self.vans[name] = Van(self, name, profile)
        return self.vans[name]

    def source(self, client: str, path: str) -> Source:
        """What is known of that file."""
        known = self._by_name.get((client, path))
        if known is None:
            known = self._by_name[client, path] = Source(client, path)
            self.sources.append(known)
        return known

    @contextmanager
    def judged(self) -> Iterator["Scene"]:
        """Look at destination and memory meanwhile; at the end all comes to rest, and every promise must hold."""
        sampler = threading.Thread(target=self._sample, name="memory-sampler")
        sampler.start()
        try:
            with Watcher(self.sources, self.receiver.destination, 0.05) as watcher:
                yield self
                left = self._rest()
        finally:
            self._over.set()
            sampler.join()
            self.close()
        assert watcher.listings, "nobody looked"
        self.case.demand([*left, *watcher.violations, *memory_violations(self.samples.items()), *self._exits()])

    def _rest(self) -> list[Violation]:
        """What is still wrong when both ends have had the time to come to rest."""
        deadline = time.monotonic() + REST_S
        while (found := at_end(self.evidence())) and time.monotonic() < deadline:
            self._over.wait(SAMPLE_S)
        return found

    def evidence(self) -> Evidence:
        """All there is to look at now."""
        said = said_on_kafka({"bootstrap.servers": self.topics.bootstrap_servers}, self.topics.status)
        return Evidence(
            self.sources,
            self.receiver.destination,
            said,
            self.receiver.state / "ledger.db",
            {van.name: van.journal for van in self.vans.values()},
            self.surroundings,
            self.taken,
            name_of=self.name_of,
        )

    def _exits(self) -> Iterator[Violation]:
        for van in self.vans.values():
            for sending in van.sendings:
                code = sending.running.process.returncode
                if code is not None and code >= 0:  # not ended by a signal of ours
                    yield from exit_violations("send", code)

    def close(self) -> None:
        """Nothing is left running, whatever happened; pytest shows the end of the receiver's log if the test failed."""
        self._show_last_lines()
        for van in self.vans.values():
            van.close()
        if self.receiver.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.receiver.process.pid, signal.SIGCONT)
        self.receiver.close()

    def _show_last_lines(self) -> None:
        if self.receiver.log.exists():
            lines = self.receiver.log.read_text(encoding="utf-8", errors="replace").splitlines()
            telling = [line[:LINE] for line in lines if '"\\tat ' not in line]  # without Java's stack
            sys.stdout.write("\n".join(["the end of the receiver's log:", *telling[-LAST_LINES:], ""]))

    def _sample(self) -> None:
        while not self._over.wait(SAMPLE_S):
            if self.receiver.process is not None and self.receiver.process.poll() is None:
                with suppress(psutil.NoSuchProcess, AssertionError):
                    for name, rss in self.receiver.rss().items():
                        self._note("jvm" if name.startswith("java") else "worker", rss)
            for van in list(self.vans.values()):
                for sending in van.sendings[-1:]:  # the earlier ones have ended
                    with suppress(psutil.NoSuchProcess):
                        self._note("uploader", int(psutil.Process(sending.pid).memory_info().rss))

    def crashing_env(self, point: str, passes: int = 1) -> dict[str, str]:
        """For a process that shall die at that pass of a crash point; `<folder>/<point>.died` tells that it did."""
        return reading_first("crash") | {"FAULTS_CRASH": f"{point} {passes} {self.folder / point}"}

    @contextmanager
    def nobody_reads(self) -> Iterator[None]:
        """The receiver is frozen meanwhile; a restart would take its time."""
        process = self.receiver.process
        assert process is not None
        os.killpg(process.pid, signal.SIGSTOP)
        yield
        os.killpg(process.pid, signal.SIGCONT)

    def staged(self) -> int:
        """How many parts the receiver has taken in; 0 before its first start."""
        if not (self.receiver.state / "ledger.db").exists():
            return 0
        rows = self.receiver.rows("SELECT coalesce(sum(have), 0) AS n FROM transfers")
        return int(rows[0]["n"]) if rows else 0

    def failing_env(self, point: str, passes: int = 1) -> dict[str, str]:
        """The same for one that shall only raise there, once; `died_at` tells that it did."""
        return self.crashing_env(point, passes) | {"FAULTS_CRASH_HOW": "raise"}

    def died_at(self, point: str) -> bool:
        return (self.folder / f"{point}.died").exists()

    def _note(self, kind: str, rss: int) -> None:
        self.samples[kind] = max(rss, self.samples.get(kind, 0))
