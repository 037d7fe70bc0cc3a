# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F36: a long day. Vans watch their folders, files of all sizes appear, and every while something breaks.

FAULTS_SOAK_MINUTES says how long the long one lasts (30).
"""

import os
import time
from collections import Counter
from pathlib import Path

import pytest

from faults.bookkeeping import Case
from faults.mishaps import Mishaps
from faults.resources import Resources
from faults.scene import CHUNK, MB, Scene, Van
from support.brokers import StartBroker, Topics, lasting_topics
from support.waiting import wait_until

MINUTES = float(os.environ.get("FAULTS_SOAK_MINUTES", "30"))
SIZES = [1, 900, 20_000, CHUNK // 4 + 1, CHUNK, CHUNK + 1, 3 * MB, 9 * MB]
UNDER_WAY = 3  # files for each van that may wait at the same time: more come when these have arrived
pytestmark = pytest.mark.timeout(int(MINUTES * 60) + 1200)


@pytest.fixture
def soaked_topics(own_broker: StartBroker) -> Topics:
    """On a broker of its own, which is killed now and then."""
    return lasting_topics(own_broker(secure=True), partitions=8)


class Day:
    """Feeds the vans, and lets things go wrong between."""

    def __init__(self, scene: Scene, vans: list[Van]) -> None:
        self.scene, self.vans = scene, vans
        self.mishaps = Mishaps(scene)
        self.resources = Resources(scene)
        self._number = 0
        # Who watches waits a minute before an empty file counts as finished.
        self._sizes = scene.case.size(SIZES, [0, *SIZES])

    def waiting(self) -> int:
        """Files that are not confirmed yet."""
        return len(self.scene.sources) - sum(van.confirmed() for van in self.vans)

    def feed(self) -> None:
        """More files, as long as the others keep up."""
        random = self.scene.case.random
        for _ in range(UNDER_WAY * len(self.vans) - self.waiting()):
            self._number += 1
            random.choice(self.vans).appear(f"{self._number}.bin", random.choice(self._sizes))

    def live(self, seconds: float) -> None:
        """So long without a mishap."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.feed()
            self.resources.sample()
            self.mishaps.heal()

    def end(self) -> None:
        self.mishaps.heal_all()
        wait_until(lambda: self.waiting() == 0, 300, "every file to be confirmed")


def test_f36_a_day_of_mishaps_loses_nothing_and_needs_no_more_than_in_the_morning(
    case: Case, soaked_topics: Topics, tmp_path: Path
) -> None:
    scene = Scene(case, soaked_topics, tmp_path)
    with scene.judged():
        scene.receiver.start()
        vans = [scene.van(f"van-{number}") for number in range(case.size(2, 20))]
        for van in vans:
            van.watch()
        day = Day(scene, vans)
        until = time.monotonic() + case.size(8.0, MINUTES * 60)
        while time.monotonic() < until or case.faults < 2:
            day.live(case.size(3.0, case.random.uniform(20, 60)))
            day.mishaps.happen()
        day.end()
    case.told(f"{len(scene.sources)} files; {Counter(day.mishaps.happened)}; {day.resources.words()}")
    case.demand(day.resources.violations())
