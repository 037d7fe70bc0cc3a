# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F22: links planted and swapped by a racing thread while the real destination publishes: never followed."""

import ctypes
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import pytest

from faults.bookkeeping import Case
from fieldpost_receiver.config.settings import ConflictPolicy
from fieldpost_receiver.storage.errors import NameTaken, PathBlocked
from support.receiver.destination import Shelf, shelf_at, tree

NAMES: Final = 7  # few, so that the planter hits the name that is being published
KEPT: Final = "untouched"


@dataclass
class Outside:
    """What links point to; it must look the same afterwards, to the nanosecond."""

    folder: Path

    def __post_init__(self) -> None:
        (self.folder / "deep").mkdir(parents=True)
        (self.folder / "deep/kept").write_text(KEPT)
        (self.folder / "victim").write_text(KEPT)
        self._before = self._look()

    def _look(self) -> dict[str, tuple[int, int, int]]:
        found = [self.folder, *self.folder.rglob("*")]
        return {str(path): (path.stat().st_mtime_ns, path.stat().st_mode, path.stat().st_size) for path in found}

    def check(self) -> None:
        assert tree(self.folder) == {"deep/kept": KEPT, "victim": KEPT}
        assert self._look() == self._before


@contextmanager
def racing(act: Callable[[], None]) -> Iterator[Callable[[], int]]:
    """A thread that does it again and again; how often so far."""
    over, begun, counted = threading.Event(), threading.Event(), [0]

    def run() -> None:
        while not over.is_set():
            act()
            counted[0] += 1
            begun.set()

    thread = threading.Thread(target=run)
    thread.start()
    begun.wait()
    try:
        yield lambda: counted[0]
    finally:
        over.set()
        thread.join()


def exchange(one: Path, other: Path) -> None:
    """Both names change places in one step (RENAME_EXCHANGE)."""
    in_this_folder = -100
    assert ctypes.CDLL(None).renameat2(in_this_folder, bytes(one), in_this_folder, bytes(other), 2) == 0


@pytest.fixture
def outside(tmp_path: Path) -> Outside:
    return Outside(tmp_path / "outside")


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with shelf_at(tmp_path / "root") as opened:
        yield opened


def test_f22_a_folder_swapped_for_a_link_in_a_race_never_leads_outside(
    case: Case, shelf: Shelf, outside: Outside
) -> None:
    real, link, count = shelf.root / "f", shelf.root / "g", case.size(500, 10_000)
    (real / "deep").mkdir(parents=True)
    link.symlink_to(outside.folder)
    refused = 0
    with racing(lambda: exchange(real, link)) as swaps:
        for number in range(count):
            file = shelf.sealed("x")
            try:
                shelf.publish(file, "f", "deep", f"{number}")
            except PathBlocked:
                refused += 1
        case.fault(swaps())
    outside.check()
    assert sum(name.startswith(("f/deep/", "g/deep/")) for name in tree(shelf.root)) == count - refused


@pytest.mark.parametrize("kind", ["symlink", "hardlink", "dangling"])
@pytest.mark.parametrize("policy", [ConflictPolicy.KEEP_BOTH, ConflictPolicy.REPLACE])
def test_f22_links_planted_under_the_final_name_in_a_race_are_never_written_through(
    case: Case, shelf: Shelf, outside: Outside, policy: ConflictPolicy, kind: str
) -> None:
    folder, victim = shelf.root / "f", outside.folder / "victim"
    folder.mkdir()
    random = Random(case.random.random())  # noqa: S311 - the thread's own
    goals = {"symlink": victim, "dangling": outside.folder / "new"}

    def plant() -> None:
        name = folder / f"{random.randrange(NAMES)}"
        with suppress(FileExistsError, FileNotFoundError):
            name.unlink(missing_ok=True)
            if kind == "hardlink":
                os.link(victim, name)
            else:
                name.symlink_to(goals[kind])

    with racing(plant) as plants:
        for number in range(case.size(60, 1_700)):
            with suppress(NameTaken):  # in a race the planter may win every time; it is chosen again later
                shelf.put(f"content {number}", "f", f"{number % NAMES}", policy=policy)
        case.fault(plants())
    assert victim.read_text() == KEPT
    assert not (outside.folder / "new").exists()
    outside.check()
