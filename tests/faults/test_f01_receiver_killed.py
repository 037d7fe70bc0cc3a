# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F01: the receiver dies at any instant, whole process group, and at every named point."""

import os
from pathlib import Path

import pytest

from brokers import Topics
from faults.bookkeeping import Case
from faults.scene import MB, Scene
from waiting import wait_until

pytestmark = pytest.mark.timeout(int(os.environ.get("FAULTS_TIMEOUT", "300")))


def staged(scene: Scene) -> int:
    rows = scene.receiver.rows("SELECT coalesce(sum(have), 0) AS n FROM transfers")
    return int(rows[0]["n"]) if rows else 0


def test_f01_kills_at_random_moments_publish_nothing_early_or_twice(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    kills = case.size(3, 10)
    scene = Scene(case, secure_topics, tmp_path)
    with scene.judged():
        van = scene.van()
        van.load("big.bin", kills * 20 * MB)
        for number in range(50):
            van.load(f"small-{number}.txt", 5_000)
        van.send(env={"FIELDPOST_BANDWIDTH_LIMIT": "5MB"})
        for _ in range(kills):
            scene.receiver.start()
            goal = staged(scene) + case.random.randrange(1, 12)
            wait_until(lambda goal=goal: staged(scene) >= goal or scene.vans["van-7"].sendings[-1].is_over, 60, "parts")  # type: ignore[misc]  # bound now
            scene.receiver.kill()
            case.fault()
        scene.receiver.start()
        van.finish(180)
