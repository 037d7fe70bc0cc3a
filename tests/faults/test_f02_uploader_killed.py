# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F02: `fieldpost send` dies at any moment and at every named point, and goes on: nothing lost, little sent twice.

tests/unit/desktop/engine/test_crash_points.py walks over the points in process; here real processes die there, over
a real broker and with the real receiver. `after_move` needs a watched folder: there it is `fieldpost watch` that dies.
"""

import signal
from pathlib import Path
from random import Random
from typing import Final

import psutil  # type: ignore[import-untyped]  # it ships no types

from faults.bookkeeping import Case
from faults.scene import MB, Scene, Van
from fieldpost_desktop.commands.exit_codes import Exit
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.chunks import ChunkIndex, files_partition
from fieldpost_shared.crash_points import UPLOADER
from reference_receiver.checker import compare
from reference_receiver.office import Office
from support.brokers import Topics
from support.engine.uploader import running_office
from support.processes.cli import CLIENT, Cli, Running, write_profile
from support.samples import make
from support.waiting import wait_until

WINDOW: Final = 32 * 1024 * 1024  # what may be under way, and so be sent twice after a kill
MEMORY: Final = 150 * MB
IN_NEED_OF_A_SITUATION: Final = ("after_missing", "after_purge", "after_rechunk_row", "after_move")
BY_ITSELF: Final = tuple(point for point in UPLOADER if point not in IN_NEED_OF_A_SITUATION)
SLOW: Final = {"FIELDPOST_BANDWIDTH_LIMIT": "2MB"}
SMALL_MESSAGES: Final = {"max.message.bytes": "300000"}


# at random moments


def kill(running: Running) -> int:
    """kill -9 of all of it; its memory, or 0 if it had ended by itself."""
    resident = 0
    if running.process.poll() is None:
        resident = int(psutil.Process(running.process.pid).memory_info().rss)
        running.send_signal(signal.SIGKILL)
    running.wait()
    return resident


def started_and_killed(cli: Cli, office: Office, size: int, kills: int, random: Random) -> int:
    """Killed after some more parts have arrived; see `kill`."""
    running = cli.start("send", "--bandwidth-limit", "40MB", "survey.bin")
    goal = office.seen.bytes_received() + random.randrange(1, max(2, size // (2 * kills)))
    wait_until(
        lambda: office.seen.bytes_received() >= goal or running.process.poll() is not None, 30, "some more parts"
    )
    return kill(running)


def test_f02_a_file_survives_kill_9_at_random_moments(
    case: Case, topics: Topics, tmp_path: Path, bare_cli: Cli
) -> None:
    """With the test's own office, which also judges every message of the sender."""
    size, kills = case.size((60 * MB, 8), (400 * MB, 40))
    path = make(tmp_path, "survey.bin", size, case.random.randrange(2**32))
    cli = bare_cli
    cli.options = ("--profile", str(write_profile(tmp_path / "p.fieldpost", topics)))
    with running_office(topics, tmp_path / "out") as office:
        memory = [started_and_killed(cli, office, size, kills, case.random) for _ in range(kills)]
        hits = len([one for one in memory if one])
        case.fault(hits)
        cli.start("send", "survey.bin").wait(110).check(Exit.DONE)
        assert hits > 0
        assert office.violations == []
        sent_again = office.seen.bytes_received() - size
    case.moved(size)
    assert compare({"survey.bin": path}, tmp_path / "out", CLIENT) == []
    assert sent_again <= hits * WINDOW
    assert max(memory) < MEMORY


# at the named points


class Deaths:
    """A van whose processes die one after the other; each begins with what the one before it left."""

    def __init__(self, scene: Scene, van: Van) -> None:
        self._scene = scene
        self._van = van
        self.folders: list[str] = []

    def begin(self, point: str, size: int, passes: int = 1, env: dict[str, str] | None = None) -> None:
        """Send one more folder, to die at this point."""
        van = self._van
        van.known(make(van.cli.folder / point, "a.bin", size, self._scene.case.random.randrange(2**32)))
        self.folders.append(point)
        van.send(point, env=self._scene.crashing_env(point, passes) | (env or {}))

    def await_state(self, state: FileState, parts: int = 0) -> None:
        """The newest file has come so far."""
        van = self._van

        def is_there() -> bool:
            rows = [row for row in van.cli.rows() if row.path.startswith(f"{self.folders[-1]}/")]
            return bool(rows) and rows[0].state is state and (not parts or acknowledged(van, rows[0].id) >= parts)

        wait_until(is_there, 60, f"{self.folders[-1]}: {state}")

    def await_death(self) -> None:
        point = self.folders[-1]
        ended = self._van.sendings[-1].wait()
        assert (ended.code, self._scene.died_at(point)) == (-signal.SIGKILL, True), (point, ended)
        self._scene.case.fault()


def acknowledged(van: Van, file: int) -> int:
    found = van.rows("SELECT count(*) AS n FROM chunks WHERE file = ?", file)
    return int(found[0]["n"]) if found else 0


def lose_the_first_parts(van: Van, topics: Topics) -> None:
    """Retention takes them before anybody has read them."""
    transfer = van.cli.rows()[-1].transfer
    assert transfer is not None
    topics.cluster.delete_records(topics.files, files_partition(transfer, ChunkIndex(0), topics.partitions), 3)


def die_in_every_situation(scene: Scene, deaths: Deaths, van: Van, topics: Topics) -> None:
    """Parts get lost before the receiver begins; a pause; a limit that is lowered in mid-file."""
    deaths.begin("after_missing", 5 * MB)
    deaths.await_state(FileState.SENT)
    lose_the_first_parts(van, topics)
    scene.receiver.start()
    deaths.await_death()
    deaths.begin("after_purge", 6 * MB, env=SLOW)
    deaths.await_state(FileState.SENDING, parts=1)
    van.cli.run("pause").check(Exit.DONE)
    deaths.await_death()
    van.cli.run("resume").check(Exit.DONE)
    deaths.begin("after_rechunk_row", 6 * MB, env=SLOW)
    deaths.await_state(FileState.SENDING, parts=1)
    topics.cluster.alter_config(topics.files, SMALL_MESSAGES)
    deaths.await_death()


def test_f02_a_sender_that_dies_at_a_named_point_loses_and_repeats_nothing(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    scene = Scene(case, secure_topics, tmp_path)
    with scene.judged():
        van = scene.van()
        watching = Watching(scene)
        deaths = Deaths(scene, van)
        die_in_every_situation(scene, deaths, van, secure_topics)
        for point in case.size(sorted(case.random.sample(BY_ITSELF, 4)), list(BY_ITSELF)):
            deaths.begin(point, 3 * MB, case.random.randrange(1, 4) if point == "after_produce" else 1)
            deaths.await_death()
        van.send(*deaths.folders)
        watching.goes_on()
        van.finish()


class Watching:
    """`fieldpost watch` with a file that is moved when confirmed; it dies between that and its journal."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._van = scene.van("van-8")
        self.folder = self._van.cli.folder / "spool"
        self._van.known(make(self.folder, "watched.bin", MB, scene.case.random.randrange(2**32)))
        self._running = self._start(scene.crashing_env("after_move"))

    def _start(self, env: dict[str, str]) -> Running:
        return self._van.cli.start("watch", "spool", "--label", "spool", "--after", "move", env=env, own_group=True)

    def goes_on(self) -> None:
        ended = self._running.wait()
        assert (ended.code, self._scene.died_at("after_move")) == (-signal.SIGKILL, True), ended
        self._scene.case.fault()
        assert not (self.folder / "watched.bin").exists()
        again = self._start({})
        van = self._van
        wait_until(lambda: [row["clean_up"] for row in van.rows("SELECT clean_up FROM files")] == ["done"], 60, "peace")
        again.send_signal(signal.SIGTERM)
        again.wait().check(Exit.DONE)
        assert [path.name for path in (self.folder / "Sent").rglob("*.bin")] == ["watched.bin"]
