# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F37: SIGTERM under load finishes the running batch, a second one leaves at once, restarts cause no storm."""

import os
import signal
from pathlib import Path
from typing import Final

import psutil  # type: ignore[import-untyped]  # it ships no types

from faults.bookkeeping import Case
from faults.scene import MB, Scene
from support.brokers import Topics
from support.waiting import wait_until

PATIENCE_S: Final = 90.0
DRAIN_S: Final = 45.0  # the running batch in 30, then the last letters and the end of Spark


def begin_a_file(scene: Scene) -> None:
    """The receiver runs and has the first parts of a file that takes ten seconds."""
    scene.receiver.start()
    van = scene.van(f"van-{len(scene.vans)}")
    van.load("big.bin", 20 * MB)
    for number in range(20):
        van.load(f"small-{number}.txt", 5_000)
    before = scene.staged()
    van.send(env={"FIELDPOST_BANDWIDTH_LIMIT": "2MB"})
    wait_until(lambda: scene.staged() > before, PATIENCE_S, "parts")


def test_f37_a_stop_under_load_drains_a_second_ends_at_once_nothing_is_asked_again(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    scene = Scene(case, secure_topics, tmp_path)
    with scene.judged():
        for _ in range(case.size(1, 6)):
            begin_a_file(scene)
            stop_once(scene)
        if case.is_long:
            begin_a_file(scene)
            stop_all_at_once(scene)
        begin_a_file(scene)
        stop_twice(scene)
        scene.receiver.start()
        for van in scene.vans.values():
            van.finish(PATIENCE_S)
        said = scene.evidence().said
        assert not [one for one in said if one.kind == "missing"], "nothing was lost"
        assert [one for one in said if one.kind == "notice" and one.fields["state"] == "stopping"]


def stop_once(scene: Scene) -> None:
    assert scene.receiver.stop(DRAIN_S) == 0
    assert scene.receiver.events()[-1]["message"] == "stopped"
    scene.case.fault()


def stop_all_at_once(scene: Scene) -> None:
    """The signal goes to the whole process group: Spark's Java process may be gone before ours looks."""
    process = scene.receiver.process
    assert process is not None
    os.killpg(process.pid, signal.SIGTERM)
    assert process.wait(DRAIN_S) in {0, 75}
    scene.case.fault()


def stop_twice(scene: Scene) -> None:
    """Spark's Java process does not answer any more: the first signal waits for it, the second does not."""
    process = scene.receiver.process
    assert process is not None
    helpers = [member for _name, member in scene.receiver.helpers()]
    java = scene.receiver.jvm()
    java.suspend()
    process.send_signal(signal.SIGTERM)

    def is_over() -> bool:
        process.send_signal(signal.SIGTERM)  # two that come together count as one
        return process.poll() is not None

    wait_until(is_over, PATIENCE_S, "the end at once")
    assert process.returncode == 0
    java.resume()
    wait_until(lambda: not any(map(lives, helpers)), PATIENCE_S, "its helpers to end by themselves")
    scene.case.fault()


def lives(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
