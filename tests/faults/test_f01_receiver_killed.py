# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F01: the receiver dies at any instant, whole process group, and at every named point.

tests/unit/receiver/jobs/files/test_crash_points.py walks over every point in process; here real processes die there.
"""

import signal
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from faults.bookkeeping import Case
from faults.scene import MB, Scene, Van
from fieldpost_shared.crash_points import RECEIVER
from support.brokers import Topics
from support.waiting import wait_until

DEATH_S: Final = 150.0
# In Spark's worker and in the driver. The others: in process, and in the long run.
ONE_OF_EACH_PROCESS: Final = ("after_sync", "after_rename")
MANY_A_BATCH: Final = frozenset({"after_verify", "after_chunk_write", "mid_pack"})
LARGE: Final = 2 * 1024**3
LARGE_KILLS: Final = 30
SMALL_FILES: Final = 10_000
SMALL_KILLS: Final = 10
SMALL_SIZE: Final = 1_000
STARTING_S: Final = 5.0  # a start on an idle machine: a kill in it hits Spark, the ledger or the first plan
WORKING_S: Final = 1.0  # a batch, its rows, its sealing, some publishing
REST_S: Final = 300.0
BLOCK: Final = 512  # what a file system counts in, whatever its own blocks are


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


def test_f01_a_file_of_2_gib_arrives_whole_although_30_kills_hit_the_receiver(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    if not case.is_long:
        pytest.skip("2 GiB and 30 starts of the receiver take minutes: only in long runs")
    scene = Scene(case, secure_topics, tmp_path)
    with scene.judged():
        van = scene.van()
        van.load("big.bin", LARGE)
        van.send(env={"FIELDPOST_BANDWIDTH_LIMIT": "12MB"})
        kill_on_the_way(scene, LARGE_KILLS, LARGE, bytes_at_the_office)
        scene.receiver.start()
        van.finish(REST_S)
        demand_one_receipt_each(scene)


def test_f01_10000_small_files_arrive_once_each_although_10_kills_hit_the_receiver(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    if not case.is_long:
        pytest.skip("10,000 files and 10 starts of the receiver take minutes: only in long runs")
    scene = Scene(case, secure_topics, tmp_path)
    van = scene.van()
    for number in range(SMALL_FILES):
        van.load(f"{number // 1_000}/{number}.txt", SMALL_SIZE)
    with scene.judged():
        van.send(env={"FIELDPOST_BANDWIDTH_LIMIT": "200KB"})
        kill_on_the_way(scene, SMALL_KILLS, SMALL_FILES, published)
        scene.receiver.start()
        van.finish(REST_S)
        demand_one_receipt_each(scene)


def kill_on_the_way(scene: Scene, kills: int, whole: int, arrived: Callable[[Scene], int]) -> None:
    """Spread so many kills over all that arrives: a third of them hits a start, the others whatever it does then."""
    random, step, reading = scene.case.random, whole // (kills + 1), 0
    for number in range(kills):
        if random.randrange(3):
            scene.receiver.start()
            wait_for_arrivals(scene, number * step + random.randrange(step), arrived)
            pass_time(random.uniform(0, WORKING_S))
            reading += 1
        else:
            scene.receiver.launch()
            pass_time(random.uniform(0, STARTING_S))
        kill_the_living(scene)
    scene.case.told(f"{kills} kills, {reading} of them after it began to read, the others soon after a start")


def wait_for_arrivals(scene: Scene, goal: int, arrived: Callable[[Scene], int]) -> None:
    wait_until(lambda: arrived(scene) >= goal or scene.van().sendings[-1].is_over, DEATH_S, f"{goal} to arrive")


def kill_the_living(scene: Scene) -> None:
    process = scene.receiver.process
    assert process is not None
    assert process.poll() is None, f"it ended by itself, see {scene.receiver.log}"
    scene.receiver.kill()
    scene.case.fault()


def pass_time(seconds: float) -> None:
    """Wait for a moment: it is the fault, and no condition stands for it."""
    until = time.monotonic() + seconds
    wait_until(lambda: time.monotonic() >= until, seconds + 1, "the moment")


def bytes_at_the_office(scene: Scene) -> int:
    """Return what is on disk, staged or published: the bytes of a batch under way count, too."""
    total = 0
    for path in scene.receiver.destination.rglob("*"):
        with suppress(FileNotFoundError):  # renamed meanwhile
            total += path.stat().st_blocks * BLOCK
    return total


def published(scene: Scene) -> int:
    """Return how many transfers are published; 0 before the first start."""
    if not (scene.receiver.state / "ledger.db").exists():
        return 0
    return scene.receiver.states().get("published", 0)


def demand_one_receipt_each(scene: Scene) -> None:
    """One transfer for each file, and its receipt, which may come again: the oracle fails if two of them differ.

    A copy with the same time left the outbox twice, around a kill; one with another time answers a question anew.
    """
    receipts = [said for said in scene.evidence().said if said.kind == "received"]
    transfers = [row["id"] for row in scene.receiver.rows("SELECT id FROM transfers WHERE state = 'published'")]
    assert len(transfers) == len(scene.sources)
    assert {said.transfer for said in receipts} == set(transfers)
    made = len({(said.transfer, said.fields["at"]) for said in receipts})
    copies, anew = len(receipts) - made, made - len(transfers)
    scene.case.told(f"{len(transfers)} transfers, {len(receipts)} receipts: {copies} sent again, {anew} made anew")


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
