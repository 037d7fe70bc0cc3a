# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F08: a clock jumps by an hour, is five minutes wrong, or is set back: nothing expires early, no wrong wait."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from brokers import Topics
from faults.bookkeeping import Case
from faults.model_world import LOW, PLENTY, World
from faults.raw_records import IN_MEMORY, of_chunks, rig_in_memory
from faults.scene import MB, Scene
from fieldpost_desktop.engine.holds import HoldKind
from fieldpost_desktop.engine.journal.files import FileRow
from fieldpost_desktop.engine.states import FileState
from fieldpost_shared.clock import FakeClock
from fieldpost_shared.protocol.status import Progress
from waiting import wait_until

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


def test_f08_a_clock_set_back_before_a_restart_does_not_put_off_the_question_for_years(
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


def test_f08_a_receiver_whose_clock_was_set_back_still_tells_its_progress_and_copies_its_ledger(case: Case) -> None:
    file = of_chunks(1, "a.bin", 3)
    with rig_in_memory() as rig:
        rig.take(file.chunk(0))
        rig.shop.upkeep.step()
        copies = list((rig.config.receiver.state_dir).glob("*copy*"))
        assert len(copies) == 1
        copies[0].unlink()
        rig.clock.jump(-2 * 24 * HOUR)
        rig.clock.advance(3.0)
        case.fault()
        assert [event.have for event in rig.take(file.chunk(1)) if isinstance(event, Progress)] == [2]
        rig.shop.upkeep.step()
        assert copies[0].exists()


def _faketime(folder: Path) -> dict[str, str]:
    """The environment of a process whose wall clock follows the file `offset`; the monotonic one stays real."""
    program = shutil.which("faketime")
    if program is None:
        pytest.skip("needs the Debian package faketime")
    told = subprocess.run([program, "-f", "+0", "env"], capture_output=True, text=True, check=True).stdout
    preload = next(line for line in told.splitlines() if line.startswith("LD_PRELOAD="))
    (folder / "offset").write_text("+0", encoding="ascii")
    return {
        "LD_PRELOAD": preload.partition("=")[2].replace("libfaketime.so", "libfaketimeMT.so"),
        "FAKETIME_TIMESTAMP_FILE": str(folder / "offset"),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "DONT_FAKE_MONOTONIC": "1",
    }


@pytest.mark.broker
def test_f08_a_real_uploader_and_a_real_receiver_live_through_jumps(
    case: Case, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    if not case.is_long:
        pytest.skip("in the long run only: two real processes under libfaketime")
    env = _faketime(tmp_path)
    topics: Topics = request.getfixturevalue("secure_topics")  # a broker only if it is needed
    scene = Scene(case, topics, tmp_path)
    with scene.judged():
        scene.receiver.launch(env=env)
        wait_until(lambda: '"reading ' in scene.receiver.log.read_text(encoding="utf-8"), 90, "the receiver to read")
        van = scene.van()
        van.load("big.bin", 40 * MB)
        sending = van.send(env=env | {"FIELDPOST_BANDWIDTH_LIMIT": "2MB"})
        for offset in ("+1h", "-5m", "-1h", "+5m", "+0"):
            seen = _have(scene)
            wait_until(lambda seen=seen: _have(scene) > seen or sending.is_over, 60, "more parts")  # type: ignore[misc]  # bound now
            (tmp_path / "offset.new").write_text(offset, encoding="ascii")
            (tmp_path / "offset.new").replace(tmp_path / "offset")
            case.fault()
        van.finish(150)


def _have(scene: Scene) -> int:
    return int(scene.receiver.rows("SELECT coalesce(sum(have), 0) AS n FROM transfers")[0]["n"])
