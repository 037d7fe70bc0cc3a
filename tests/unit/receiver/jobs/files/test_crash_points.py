# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The receiver dies at every named point and goes on from its disk: nothing lost, nothing twice, nothing early."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from fieldpost_receiver.jobs.files.ledger.states import TransferState
from fieldpost_shared.codes import Code
from fieldpost_shared.crash_points import RECEIVER, NoCrashPoints
from fieldpost_shared.protocol.status import Received, Rejected
from support.receiver.rig import CHUNK, Rig, Sent, noise, pack, rig_at

SOURCES = Path(__file__).parents[5] / "receiver"
S = TransferState


class Died(BaseException):
    """No handler may catch this: it stands for kill -9."""


class DieAt:
    """Dies at the k-th pass of a point; looks at the destination at every pass of every point."""

    def __init__(self, point: str, passes: int) -> None:
        self.point = point
        self.left = passes
        self.died = False
        self.seen: set[str] = set()
        self.look: Callable[[], None] = lambda: None

    def reach(self, point: str) -> None:
        self.seen.add(point)
        self.look()
        if point == self.point and not self.died:
            self.left -= 1
            if self.left == 0:
                self.died = True
                raise Died


BIG = Sent(1, "sub/big.bin", noise(6 * CHUNK + 5))
EXACT = Sent(2, "exact.bin", noise(2 * CHUNK))
EMPTY = Sent(3, "empty", b"")
SMALL = [Sent(10 + number, f"small-{number}.txt", noise(100 + number)) for number in range(6)]
AGAIN = Sent(20, "exact.bin", EXACT.content)  # the same file once more: a duplicate
OTHER = Sent(21, "EXACT.bin", noise(3 * CHUNK - 1))  # another one of the same name: kept beside it
WRONG = Sent(22, "wrong.bin", noise(CHUNK))  # its `end` tells another hash
DROPPED = Sent(23, "dropped.bin", noise(2 * CHUNK))  # cancelled half-way
ABANDONED = [Sent(30 + number, f"abandoned-{number}", noise(3 * CHUNK)) for number in range(5)]
ARRIVING = [BIG, EXACT, EMPTY, *SMALL, AGAIN, OTHER]
EXPECTED = {
    "van-7/sub/big.bin": BIG.content,
    "van-7/exact.bin": EXACT.content,
    "van-7/EXACT (2).bin": OTHER.content,
    "van-7/empty": b"",
    **{f"van-7/{file.path}": file.content for file in SMALL},
}


def fill(rig: Rig) -> None:
    topic = rig.topic
    topic.send(pack(*SMALL[:3]), BIG.chunk(3), BIG.chunks()[:3], DROPPED.chunk(0))
    topic.send(*(file.chunk(0) for file in ABANDONED), EXACT.chunks(), EXACT.end())
    topic.send(WRONG.chunks(), WRONG.end(digest="00" * 32), DROPPED.cancel(), DROPPED.chunk(1), None)
    topic.send(BIG.chunks()[3:], BIG.chunk(0), BIG.end(), EMPTY.end(), pack(*SMALL[3:]), pack(*SMALL[:3]))
    topic.send(AGAIN.chunks(), AGAIN.end(), OTHER.end(), OTHER.chunks())


def work(rig: Rig, between: Callable[[], None]) -> None:
    """Read, publish and answer all there is; then time passes, and what was abandoned expires."""
    rig.settle(2, between)
    rig.clock.advance(15 * 86_400)
    rig.job.maintenance.step()
    between()
    rig.settle(2, between)


def watcher(rig: Rig) -> Callable[[], None]:
    """Whatever bears a final name is whole; and nothing is written beside the folders of the receiver."""

    def look() -> None:
        for name, content in rig.tree().items():
            assert EXPECTED.get(name) == content, f"{name} shows {len(content)} bytes that are not the file's"
        assert {path.name for path in rig.folder.iterdir()} == {"destination", "state", "receiver.toml"}

    return look


def check_the_end(rig: Rig) -> None:
    assert rig.tree() == EXPECTED
    assert rig.leftovers() == []
    receipts = {event.transfer: event for event in rig.said if isinstance(event, Received)}
    assert receipts.keys() == {file.id for file in ARRIVING}
    assert {number for number, event in receipts.items() if event.duplicate} == {AGAIN.id}
    assert {number for number, event in receipts.items() if event.renamed} == {OTHER.id}
    rejected = {event.transfer: event.code for event in rig.said if isinstance(event, Rejected)}
    assert rejected == {
        WRONG.id: Code.HASH_MISMATCH,
        DROPPED.id: Code.CANCELLED,
        **{file.id: Code.TIMED_OUT for file in ABANDONED},
    }
    assert rig.job.transfers.counts() == {S.PUBLISHED: len(ARRIVING), S.REJECTED: 6, S.CANCELLED: 1}
    assert rig.job.quarantine.counts() == {Code.BAD_TEXT: 1}
    assert rig.job.outbox.waiting() == 0


def test_every_point_in_the_code_is_on_the_list() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py"))
    assert set(re.findall(r'reach\("(\w+)"\)', text)) == set(RECEIVER)


@pytest.mark.parametrize("passes", [1, 2, 5])
@pytest.mark.parametrize("point", RECEIVER)
def test_a_crash_at_any_point_loses_nothing_and_publishes_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, point: str, passes: int
) -> None:
    crash = DieAt(point, passes)
    with rig_at(tmp_path / "rig", monkeypatch, crash) as rig:
        crash.look = look = watcher(rig)
        fill(rig)
        try:
            work(rig, look)
        except Died:
            rig.crash = NoCrashPoints()
            rig.reopen()
            look()
            rig.deliver()  # before anything else is done: each letter must be true already
            work(rig, look)
        assert crash.died or passes > 1
        check_the_end(rig)


def test_a_restart_after_every_step_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with rig_at(tmp_path / "rig", monkeypatch) as rig:
        look = watcher(rig)

        def restart() -> None:
            look()
            rig.reopen()
            look()

        fill(rig)
        work(rig, restart)
        check_the_end(rig)


def test_a_lost_checkpoint_reads_everything_again_and_publishes_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with rig_at(tmp_path / "rig", monkeypatch) as rig:
        fill(rig)
        work(rig, watcher(rig))
        rig.position = dict.fromkeys(rig.position, 0)
        rig.reopen()
        work(rig, watcher(rig))
        check_the_end(rig)


def test_the_scenario_passes_every_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crash = DieAt("none", 1)
    with rig_at(tmp_path / "rig", monkeypatch, crash) as rig:
        fill(rig)
        work(rig, lambda: None)
        check_the_end(rig)
    assert crash.seen == set(RECEIVER)
