# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F01: the receiver dies at any instant, whole process group, and at every named point.

tests/unit/receiver/jobs/files/test_crash_points.py walks over every point in process; here real processes die there.
"""

import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from faults.bookkeeping import Case
from faults.scene import MB, Scene, Van
from fieldpost_shared.crash_points import RECEIVER
from support.brokers import Topics
from support.waiting import wait_until

DEATH_S: Final = 150.0
# In Spark's worker and in the driver. The others: in process, and in the long run.
ONE_OF_EACH_PROCESS: Final = ("after_sync", "after_rename")
MANY_A_BATCH: Final = frozenset({"after_verify", "after_chunk_write", "mid_pack"})


def test_f01_kills_at_random_moments_publish_nothing_early_or_twice(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    kills = case.size(1, 10)
    scene = Scene(case, secure_topics, tmp_path)
    with scene.judged():
        van = scene.van()
        van.load("big.bin", (kills + 1) * 20 * MB)
        for number in range(50):
            van.load(f"small-{number}.txt", 5_000)
        van.send(env={"FIELDPOST_BANDWIDTH_LIMIT": "5MB"})
        for _ in range(kills):
            scene.receiver.start()
            wait_for_parts(scene, scene.staged() + case.random.randrange(1, 12))
            scene.receiver.kill()
            case.fault()
        scene.receiver.start()
        van.finish(180)


def wait_for_parts(scene: Scene, goal: int) -> None:
    wait_until(lambda: scene.staged() >= goal or scene.van().sendings[-1].is_over, DEATH_S, "parts")


def test_f01_a_death_at_any_named_point_loses_nothing_and_publishes_nothing_twice(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    points = case.size(ONE_OF_EACH_PROCESS, tuple(point for point in RECEIVER if point != "mid_expire"))
    scene = Scene(case, secure_topics, tmp_path)
    with scene.judged():
        if case.is_long:
            die_while_a_file_is_given_up(scene)
        for point in points:
            loaded_van(scene, point.replace("_", "-")).send()
            die_at(scene, point, case.random.randrange(1, 4) if point in MANY_A_BATCH else 1)
        scene.receiver.start()
        for van in scene.vans.values():
            van.finish()


def loaded_van(scene: Scene, name: str) -> Van:
    """Files in parts, and small ones that travel in a pack."""
    van = scene.van(name)
    van.load("parts.bin", 5 * MB)
    for number in range(5):
        van.load(f"small-{number}.txt", 5_000)
    return van


def die_at(scene: Scene, point: str, passes: int, env: Mapping[str, str] | None = None) -> None:
    """Start the receiver, which dies there and nowhere else."""
    scene.receiver.launch(env=scene.crashing_env(point, passes) | dict(env or {}))
    wait_for_death(scene, point)


def wait_for_death(scene: Scene, point: str) -> None:
    process = scene.receiver.process
    assert process is not None
    assert process.wait(DEATH_S) == -signal.SIGKILL, f"see {scene.receiver.log}"
    assert scene.died_at(point)
    scene.case.fault()


def die_while_a_file_is_given_up(scene: Scene) -> None:
    """A van falls silent in mid-file; the receiver of a short patience dies as it gives the file up."""
    van = scene.van("silent")
    van.load("parts.bin", 10 * MB)
    sending = van.send(env={"FIELDPOST_BANDWIDTH_LIMIT": "200KB"})  # not done before a slow start of the receiver is
    point = "mid_expire"
    short = {"FIELDPOST_RECEIVER_EXPIRE_INCOMPLETE_AFTER": "3s"}
    scene.receiver.launch(env=scene.crashing_env(point) | short)
    wait_until(lambda: scene.staged() > 0, DEATH_S, "parts")
    assert sending.kill()
    wait_for_death(scene, point)
    van.send()
