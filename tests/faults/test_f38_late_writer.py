# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F38: a Python worker of Spark outlives its receiver in mid-write, and goes on beside the next one.

Without the tasks' lock the next receiver reads the same messages, seals and publishes beside that writer, whose
descriptors follow a rename: it could change a file that has its receipt.
"""

import re
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from typing import Final
from urllib.error import HTTPError

import psutil  # type: ignore[import-untyped]  # it ships no types

from faults.bookkeeping import Case
from faults.scene import MB, Scene
from fieldpost_receiver.storage.folder.working_folder import SEALED, STAGING, TASKS_LOCK, WORKING_FOLDER
from support.brokers import Topics
from support.waiting import wait_until

PATIENCE_S: Final = 120.0
STOPPED_S: Final = 10.0
WAITS: Final = re.compile(r"tasks of an earlier batch have not ended for (\d+) s \(process ids: (\d+)\)")
LONG_S: Final = 5  # a batch of this size takes less
UNFINISHED: Final = (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)


def test_f38_nothing_is_sealed_while_a_worker_of_a_killed_receiver_may_still_write(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    scene = Scene(case, secure_topics, tmp_path)
    with scene.judged():
        for number in range(case.size(1, 4)):
            van = scene.van(f"van-{number}")
            van.load("large.bin", 250 * MB)
            for small in range(5):
                van.load(f"small-{small}.txt", 5_000)
            van.send()
            van.wait_sent(6)
            known = set(scene.receiver.files())
            scene.receiver.launch()
            with only_a_stopped_worker_left(scene) as worker:
                case.fault()
                scene.receiver.start()
                assert_it_waits(scene, worker, known)
                worker.resume()
                wait_until(lambda: is_over(worker), PATIENCE_S, "the worker to end")
            van.finish(PATIENCE_S)
            assert scene.receiver.stop() == 0


@contextmanager
def only_a_stopped_worker_left(scene: Scene) -> Iterator[psutil.Process]:
    """The receiver is killed with all it started but one worker, which is stopped in mid-write.

    Its parent dies first, while it runs: the kernel would wake up and hang up what is stopped in a group of processes
    that loses its parent.
    """
    worker = wait_until(lambda: writers(scene), PATIENCE_S, "a worker that writes")[0]
    try:
        daemon = worker.parent()
        assert daemon is not None
        others = [member for member in scene.receiver.family() if member != worker]
        daemon.kill()
        wait_until(lambda: is_over(daemon), STOPPED_S, "the daemon to end")
        worker.suspend()
        wait_until(lambda: worker.status() == psutil.STATUS_STOPPED, STOPPED_S, "the worker to stop")
        for member in others:
            with suppress(psutil.NoSuchProcess):
                member.kill()
        scene.receiver.kill()
        wait_until(lambda: all(map(is_over, others)), STOPPED_S, "the others to end")
        assert is_writing(scene, worker), "it was faster than we"
        yield worker
    finally:
        with suppress(psutil.NoSuchProcess):
            worker.kill()


def writers(scene: Scene) -> list[psutil.Process]:
    """The workers whose tasks write staged files now."""
    found, lock = [], working(scene) / TASKS_LOCK
    for pid in sharing(lock) if lock.exists() else ():
        with suppress(psutil.NoSuchProcess):
            found.append(psutil.Process(pid))
    return [process for process in found if is_writing(scene, process)]


def is_writing(scene: Scene, process: psutil.Process) -> bool:
    """It holds the tasks' lock shared, and has a staged file open."""
    staging = working(scene) / STAGING
    return process.pid in sharing(working(scene) / TASKS_LOCK) and any(
        path.parent == staging for path in opened(process)
    )


def sharing(lock: Path) -> list[int]:
    """Who holds it shared: "1: FLOCK ADVISORY READ 4711 08:01:1234 0 EOF"; a line with "->" is of one who waits."""
    inode = str(lock.stat().st_ino)
    lines = [line.split() for line in Path("/proc/locks").read_text(encoding="ascii").splitlines()]
    return [int(line[4]) for line in lines if line[1::2][:2] == ["FLOCK", "READ"] and line[5].endswith(f":{inode}")]


def opened(process: psutil.Process) -> list[Path]:
    """By its descriptors."""
    found = []
    with suppress(FileNotFoundError):
        for link in Path(f"/proc/{process.pid}/fd").iterdir():
            with suppress(FileNotFoundError):  # closed meanwhile
                found.append(link.readlink())
    return found


def assert_it_waits(scene: Scene, worker: psutil.Process, known: set[str]) -> None:
    """It says so, with the worker's number; meanwhile nothing is sealed or published, at no look."""

    def waits_long() -> bool:
        assert not list((working(scene) / SEALED).iterdir()), "sealed beside a writer"
        assert set(scene.receiver.files()) == known, "published beside a writer"
        said = [found for page in ready_pages(scene) if (found := WAITS.search(page))]
        assert all(int(found[2]) == worker.pid for found in said)
        return any(int(found[1]) >= LONG_S for found in said)

    wait_until(waits_long, PATIENCE_S, "it to say that it waits")
    assert worker.status() == psutil.STATUS_STOPPED


def ready_pages(scene: Scene) -> list[str]:
    """What `/readyz` says; the system chose its port."""
    assert scene.receiver.process is not None
    listening = psutil.Process(scene.receiver.process.pid).net_connections("tcp")
    pages = []
    for port in {one.laddr.port for one in listening if one.status == psutil.CONN_LISTEN}:
        with suppress(OSError, HTTPException):
            pages.append(ready_page(port))
    return pages


def ready_page(port: int) -> str:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=1) as answer:
            return str(answer.read(), "utf-8")
    except HTTPError as error:  # not ready: 503, and why
        with error:
            return str(error.read(), "utf-8")


def working(scene: Scene) -> Path:
    return scene.receiver.destination / WORKING_FOLDER


def is_over(process: psutil.Process) -> bool:
    try:
        return not process.is_running() or process.status() in UNFINISHED
    except psutil.NoSuchProcess:
        return True
