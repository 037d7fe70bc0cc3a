# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F08: a clock jumps by an hour, is five minutes wrong, or is set back: nothing expires early, no wrong wait."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from faults.bookkeeping import Case
from faults.model_world import LOW, PLENTY, World
from faults.raw_records import IN_MEMORY, of_chunks, rig_in_memory
from faults.scene import MB, Scene, reading_first
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.hold import HoldKind
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.clock import FakeClock
from fieldpost_shared.protocol.status import Progress
from support.brokers import Topics
from support.waiting import wait_until

HOUR: Final = 3600.0
YEARS: Final = 10 * 365 * 86_400.0
SKEW: Final = 300.0
TICK: Final = 1.0
PATIENCE_S: Final = 600  # of the fake time that really passes: the first question comes after two minutes


class TwoClocks(World):
    """Each end has a clock of its own; `ticks` lets the same time pass on both."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, skew: float = 0.0) -> None:
        super().__init__(folder, patch)
        self.clocks = {"uploader": self.sender.clock, "receiver": FakeClock()}
        self.clocks["receiver"].jump(skew)
        self.receiver.clock = self.clocks["receiver"]
        self.receiver.reopen()

    def ticks(self, count: int = 1) -> None:
        for _ in range(count):
            for clock in self.clocks.values():
                clock.advance(TICK)
            self.everybody_works()

    def ticks_until_confirmed(self, row: FileRow, most: int = PATIENCE_S) -> None:
        for _ in range(most):
            if self.sender.row(row).state is FileState.CONFIRMED:
                return
            self.ticks()
        raise AssertionError(f"not confirmed in {most} s: {self.sender.row(row)}")

    def sent_but_not_answered(self, name: str) -> FileRow:
        """Published; the receipt is lost, and the uploader knows when it will ask."""
        (row,) = self.sender.add(self.write(name, 300_000))
        while not self.evidence().final_names().keys() & {f"van-7/{name}"}:
            self.send(3, None)
            self.batch(dict.fromkeys(range(3), 1_000))
            self.publish()
        self.answer()
        self.sender.status_topic.clear()
        self.heard = 0
        self.ticks(10)
        assert self.sender.row(row).ask_ns is not None
        return row


@pytest.fixture
def folder() -> Iterator[Path]:
    with TemporaryDirectory(prefix="fieldpost-clocks-", dir=IN_MEMORY) as made:
        yield Path(made)


@pytest.mark.parametrize("skew", [-SKEW, 0.0, SKEW])
def test_f08_jumps_of_either_clock_while_a_file_is_sent_cost_no_wrong_wait(
    case: Case, folder: Path, monkeypatch: pytest.MonkeyPatch, skew: float
) -> None:
    world = TwoClocks(folder, monkeypatch, skew)
    for number in range(case.size(3, 30)):
        (row,) = world.sender.add(world.write(f"{number}.bin", 300_000))
        world.topic.unlucky = case.random.choice([0, 1])
        for _ in range(4):
            world.clocks[case.random.choice(["uploader", "receiver"])].jump(case.random.choice([-HOUR, HOUR]))
            case.fault()
            world.ticks(case.random.randrange(1, 4))
            if world.sender.status_topic[world.heard :] and case.random.random() < 0.5:
                world.sender.status_topic.pop()
        world.ticks_until_confirmed(row)
        case.demand(world.violations())
    case.demand(world.final_violations())
    world.close()


@pytest.mark.parametrize("back", [HOUR, YEARS])
def test_f08_a_clock_set_back_does_not_put_off_the_question_for_a_receipt(
    case: Case, folder: Path, monkeypatch: pytest.MonkeyPatch, back: float
) -> None:
    world = TwoClocks(folder, monkeypatch)
    row = world.sent_but_not_answered("a.bin")
    world.clocks["uploader"].jump(-back)
    case.fault()
    world.ticks_until_confirmed(row)
    world.close()


def test_f08_a_clock_set_back_before_a_restart_does_not_put_off_the_question(
    case: Case, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = TwoClocks(folder, monkeypatch)
    row = world.sent_but_not_answered("a.bin")
    world.sender.close()
    world.clocks["uploader"].jump(-YEARS)
    case.fault()
    world.sender.open()
    world.ticks_until_confirmed(row)
    world.close()


def test_f08_a_clock_set_back_after_a_jump_does_not_keep_the_uploader_waking_up(
    case: Case, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = TwoClocks(folder, monkeypatch)
    world.ticks(3)
    world.clocks["uploader"].jump(HOUR)
    world.ticks()
    assert world.sender.core.holds.get(HoldKind.WAKING) is not None, "a gap looks like sleep"
    world.clocks["uploader"].jump(-HOUR)
    case.fault(2)
    (row,) = world.sender.add(world.write("a.bin", 300_000))
    world.ticks_until_confirmed(row)
    world.close()


def test_f08_a_receiver_whose_clock_was_set_back_is_still_heard(
    case: Case, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = TwoClocks(folder, monkeypatch)
    world.free = LOW
    world.ticks(3)
    assert world.sender.core.holds.get(HoldKind.RECEIVER_FULL) is not None
    world.clocks["receiver"].jump(-HOUR)
    case.fault()
    world.free = PLENTY
    (row,) = world.sender.add(world.write("a.bin", 300_000))
    world.ticks_until_confirmed(row)
    world.close()


def test_f08_a_receiver_whose_clock_was_set_back_tells_progress_and_copies_ledgers(case: Case) -> None:
    file = of_chunks(1, "a.bin", 3)
    with rig_in_memory() as rig:
        rig.take(file.chunk(0))
        rig.job.maintenance.step()
        copies = list((rig.config.receiver.state_dir).glob("*copy*"))
        assert len(copies) == 1
        copies[0].unlink()
        rig.clock.jump(-2 * 24 * HOUR)
        rig.clock.advance(3.0)
        case.fault()
        assert [event.have for event in rig.take(file.chunk(1)) if isinstance(event, Progress)] == [2]
        rig.job.maintenance.step()
        assert copies[0].exists()


def _set(clock: Path, wrong_by: float) -> None:
    """At once: a reader never finds the file empty."""
    aside = clock.with_suffix(".new")
    aside.write_text(str(round(wrong_by)), encoding="ascii")
    aside.replace(clock)


def test_f08_a_real_uploader_and_a_real_receiver_live_through_jumps(
    case: Case, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    if not case.is_long:
        pytest.skip("in the long run only: two real processes")
    topics: Topics = request.getfixturevalue("secure_topics")  # a broker only if it is needed
    clocks = {end: tmp_path / end for end in ("uploader", "receiver")}
    env = {end: reading_first("clock") | {"FAULTS_CLOCK": str(clock)} for end, clock in clocks.items()}
    for clock in clocks.values():
        _set(clock, 0)
    scene = Scene(case, topics, tmp_path)
    with scene.judged():
        scene.receiver.start(env["receiver"])
        van = scene.van()
        van.load("big.bin", 40 * MB)
        sending = van.send(env=env["uploader"] | {"FIELDPOST_BANDWIDTH_LIMIT": "2MB"})
        for wrong_by in (HOUR, -300.0, -HOUR, 300.0, 0.0):
            seen = scene.staged()
            wait_until(lambda seen=seen: scene.staged() > seen or sending.is_over, 60, "more parts")  # type: ignore[misc]  # bound now
            _set(case.random.choice(list(clocks.values())), wrong_by)
            case.fault()
        van.finish(150)
