# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The uploader dies at every named point and goes on from its journal: nothing lost, nothing twice, nothing early."""

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from fieldpost_desktop.engine.journal.folders import Folders
from fieldpost_desktop.engine.model.file_row import SourceFile
from fieldpost_desktop.engine.model.folder_rules import After, FolderRules
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.sources.file_probe import file_version
from fieldpost_shared.crash_points import UPLOADER, NoCrashPoints
from support.engine.core import CHUNK, Rig

SOURCES = Path(__file__).parents[4] / "desktop"


class Died(BaseException):
    """No handler may catch this: it stands for kill -9."""


class DieAt:
    """Dies at the k-th pass of a point."""

    def __init__(self, point: str, passes: int) -> None:
        self.point = point
        self.left = passes
        self.died = False

    def reach(self, point: str) -> None:
        if point == self.point and not self.died:
            self.left -= 1
            if self.left == 0:
                self.died = True
                raise Died


def test_every_point_in_the_code_is_on_the_list() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py"))
    assert set(re.findall(r'reach\("(\w+)"\)', text)) == set(UPLOADER)


def scenario(rig: Rig) -> None:
    """Large and small files, a loss, a changed limit, a pause, and a watched file that is moved when confirmed."""
    rig.office.lose = {1, 4}
    rig.until(lambda: rig.core.sender.link)
    watched = rig.folder / "watched"
    if not Folders(rig.store).all():
        watched.mkdir()
        (watched / "w.txt").write_bytes(b"watched")
        folder = Folders(rig.store).add(str(watched), FolderRules(after=After.MOVE), rig.clock.now_ns())
        seen = file_version(str(watched / "w.txt"))
        found = SourceFile(str(watched / "w.txt"), "w.txt", seen.size, seen.mtime_ns, seen.identity, folder.id)
        rig.core.files.add(found, FileState.QUEUED, rig.clock.now_ns())
    rig.add(*(rig.folder / "sources" / name for name in ("big.bin", "one.txt", "two.txt", "empty")))
    rig.steps(2)
    rig.core.commands.pause_all()
    rig.steps(3)
    rig.core.commands.resume_all()
    rig.topic.message_limit = 120_000
    rig.until(lambda: not rig.core.files.counts().keys() - {FileState.CONFIRMED})


def contents() -> dict[str, bytes]:
    noise = random.Random(1).randbytes(20 * CHUNK)  # noqa: S311 - reproducible, and not to be compressed
    return {"big.bin": noise, "one.txt": b"1", "two.txt": b"22", "empty": b""}


@pytest.mark.parametrize("passes", [1, 2, 5])
@pytest.mark.parametrize("point", UPLOADER)
def test_a_crash_at_any_point_loses_nothing_and_sends_nothing_twice(tmp_path: Path, point: str, passes: int) -> None:
    rig = Rig(tmp_path, crash=DieAt(point, passes))
    rig.config = replace(rig.config, chunk_size=2 * CHUNK)
    rig.reopen()
    for name, data in contents().items():
        rig.file(name, data)
    try:
        scenario(rig)
    except Died:
        rig.crash = NoCrashPoints()
        rig.reopen()
        rig.core.commands.resume_all()
        scenario(rig)
    rig.pass_time(10)
    assert rig.office.published == contents() | {"w.txt": b"watched"}
    rows = [row for row in rig.core.files.history() if row.source.endswith("big.bin")]
    assert len({row.id for row in rows if row.state is not FileState.CONFIRMED}) == 0
    assert not (rig.folder / "watched" / "w.txt").exists()
    assert len(list((rig.folder / "watched" / "Sent").rglob("w.txt"))) == 1
    rig.close()


def test_the_scenario_passes_every_point(tmp_path: Path) -> None:
    class Count:
        def __init__(self) -> None:
            self.seen: set[str] = set()

        def reach(self, point: str) -> None:
            self.seen.add(point)

    count = Count()
    rig = Rig(tmp_path, crash=count)
    rig.config = replace(rig.config, chunk_size=2 * CHUNK)
    rig.reopen()
    for name, data in contents().items():
        rig.file(name, data)
    scenario(rig)
    rig.pass_time(10)
    rig.close()
    assert count.seen == set(UPLOADER)
