# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import threading
from pathlib import Path

from support.side_by_side import one_at_a_time
from support.waiting import wait_until


class Entering(threading.Thread):
    """Enters the room and stays until it is told to leave."""

    def __init__(self, path: Path, *, shared: bool) -> None:
        super().__init__(daemon=True)
        self._path, self._shared = path, shared
        self.inside, self.leave = threading.Event(), threading.Event()
        self.start()

    def run(self) -> None:
        with one_at_a_time(self._path, shared=self._shared):
            self.inside.set()
            self.leave.wait(10)


def test_who_shares_a_room_enters_and_who_wants_it_alone_waits(tmp_path: Path) -> None:
    path = tmp_path / "made when needed" / "room.lock"
    first, second = Entering(path, shared=True), Entering(path, shared=True)
    wait_until(lambda: first.inside.is_set() and second.inside.is_set(), 10, "both to be inside")
    alone = Entering(path, shared=False)
    first.leave.set()
    first.join(10)
    assert not alone.inside.is_set(), "the second is still there"
    second.leave.set()
    wait_until(alone.inside.is_set, 10, "the one that wants the room alone")
    late = Entering(path, shared=True)
    assert not late.inside.wait(0.05)
    alone.leave.set()
    wait_until(late.inside.is_set, 10, "the next one")
    late.leave.set()
